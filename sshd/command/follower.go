package command

import (
	"time"

	"broadside/internal/export"
	"broadside/internal/narrate"
	"broadside/lobby"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/match/live"
)

// follower writes a match, as a spectator sees it, while it is played.
type follower struct {
	*Call
	about    lobby.RunningMatch
	narrator narrate.Narrator // with clean names
	asJSON   bool
	begun    bool // the start has been written
	ended    bool // the end has been written
	last     live.Update
}

// follow writes a match until it ends or the client leaves.
func (f *follower) follow() error {
	for {
		u, err := f.own.Next(f.ctx)
		switch {
		case err != nil:
			return err
		case u.Kind == session.WatchEnded:
			return nil
		case u.Kind != session.WatchChanged:
			continue
		}
		if err := f.update(u.Match); err != nil {
			return err
		}
	}
}

// update writes what an update changes.
func (f *follower) update(u *live.Update) error {
	before, now := f.last, *u
	f.last = *u
	if !f.begun {
		// The view includes what has happened so far.
		f.begun, now.Events, now.Missed = true, nil, false
		if err := f.writeBeginning(&u.View); err != nil {
			return err
		}
	}
	write := f.writeSentences
	if f.asJSON {
		write = f.writeEvents
	}
	if err := write(&before, &now); err != nil {
		return err
	}
	f.ended = f.ended || u.View.Phase == match.Over
	return nil
}

// writeSentences writes the changes since an update as text.
func (f *follower) writeSentences(before, now *live.Update) error {
	if now.Missed {
		if err := f.print("Some shots were skipped."); err != nil {
			return err
		}
	}
	for _, line := range f.narrator.ChangeLines(before, now) {
		if err := f.print("%s", line.Text(f.lang)); err != nil {
			return err
		}
	}
	v := &now.View
	if v.Phase != match.Over || f.ended {
		return nil
	}
	return f.print("%s %s", f.narrator.Ending(v), f.narrator.ShotCounts(v))
}

// writeEvents writes the changes since an update as JSON.
func (f *follower) writeEvents(before, now *live.Update) error {
	if now.Missed {
		if err := f.jsonLine(f.event("missed")); err != nil {
			return err
		}
	}
	ended := f.ended
	for _, e := range now.Events {
		ended = ended || e.Kind == match.GameEnded
		if err := f.jsonLine(e.Encode()); err != nil {
			return err
		}
	}
	v := &now.View
	for side, away := range now.Away {
		if away == before.Away[side] || v.Phase == match.Over {
			continue
		}
		out := f.event("back")
		if away {
			out.Event = "away"
		}
		out.Player = &side
		if err := f.jsonLine(out); err != nil {
			return err
		}
	}
	if v.Phase != match.Over || ended {
		return nil
	}
	// No event reported the end.
	end := match.Event{Kind: match.GameEnded, Side: v.Winner, Reason: v.Reason, At: time.Since(f.about.Started)}
	return f.jsonLine(end.Encode())
}

// writeBeginning writes the description and the state of the match.
func (f *follower) writeBeginning(v *match.View) error {
	if f.asJSON {
		return f.jsonLine(export.NewRunningMatch(f.about, v))
	}
	names := f.narrator.Names
	err := f.print("%s against %s, %s, match %s.", names[0], names[1], clean(v.Rules.Name), f.about.ID)
	if err != nil || v.Phase != match.Battle {
		return err
	}
	n := &f.narrator
	return f.print("%s %s %s %s",
		n.ShotCounts(v), n.ShipsLeft(match.First, v), n.ShipsLeft(match.Second, v), n.StatusLine(v).Full)
}

// event returns an event that happens now and is not part of the record.
func (f *follower) event(what string) match.EncodedEvent {
	return match.EncodedEvent{At: time.Since(f.about.Started).Milliseconds(), Event: what}
}
