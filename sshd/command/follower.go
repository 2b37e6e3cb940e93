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

// follower writes a running match as a spectator sees it.
type follower struct {
	call  *Call
	match lobby.RunningMatch
	// narrator uses names that are safe to display.
	narrator     narrate.Narrator
	asJSON       bool
	startWritten bool
	endWritten   bool
	last         live.Update
}

// writeUntilEnd writes a match until it ends or the client leaves.
func (f *follower) writeUntilEnd() error {
	for {
		u, err := f.call.session.Next(f.call.ctx)
		switch {
		case err != nil:
			return err
		case u.Kind == session.WatchEnded:
			return nil
		case u.Kind != session.WatchChanged:
			continue
		}
		if err := f.writeUpdate(u.Match); err != nil {
			return err
		}
	}
}

// writeUpdate writes what has changed since the last update.
func (f *follower) writeUpdate(u *live.Update) error {
	before, now := f.last, *u
	f.last = *u
	if !f.startWritten {
		// The view includes what has happened so far.
		f.startWritten, now.Events, now.Missed = true, nil, false
		if err := f.writeStart(&u.View); err != nil {
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
	f.endWritten = f.endWritten || u.View.Phase == match.Over
	return nil
}

// writeSentences writes the changes between two updates as text.
func (f *follower) writeSentences(before, now *live.Update) error {
	if now.Missed {
		if err := f.call.printLine("Some shots were skipped."); err != nil {
			return err
		}
	}
	return f.call.writeChanges(&f.narrator, before, now, !f.endWritten)
}

// writeChanges writes the changes between two updates, and the result if the match is over and hasResult is set.
func (c *Call) writeChanges(n *narrate.Narrator, before, now *live.Update, hasResult bool) error {
	for _, line := range n.ChangeLines(before, now) {
		if err := c.printLine("%s", line.Text(c.lang)); err != nil {
			return err
		}
	}
	v := &now.View
	if v.Phase != match.Over || !hasResult {
		return nil
	}
	return c.printLine("%s %s", n.VerdictAndReason(v), n.ShotCounts(v))
}

// writeEvents writes the changes between two updates as JSON.
func (f *follower) writeEvents(before, now *live.Update) error {
	if now.Missed {
		if err := f.call.writeJSONLine(f.newEvent("missed")); err != nil {
			return err
		}
	}
	ended := f.endWritten
	for _, e := range now.Events {
		ended = ended || e.Kind == match.GameEnded
		if err := f.call.writeJSONLine(e.Encode()); err != nil {
			return err
		}
	}
	v := &now.View
	for side, away := range now.Away {
		if away == before.Away[side] || v.Phase == match.Over {
			continue
		}
		out := f.newEvent("back")
		if away {
			out.Event = "away"
		}
		out.Player = &side
		if err := f.call.writeJSONLine(out); err != nil {
			return err
		}
	}
	if v.Phase != match.Over || ended {
		return nil
	}
	// No event reported the end.
	end := match.Event{Kind: match.GameEnded, Side: v.Winner, Reason: v.Reason, At: time.Since(f.match.Started)}
	return f.call.writeJSONLine(end.Encode())
}

// writeStart writes who plays and the match's state.
func (f *follower) writeStart(v *match.View) error {
	if f.asJSON {
		return f.call.writeJSONLine(export.NewRunningMatch(f.match, v))
	}
	names := f.narrator.Names
	err := f.call.printLine("%s against %s, %s, match %s.", names[0], names[1], cleanName(v.Rules.Name), f.match.ID)
	if err != nil || v.Phase != match.Battle {
		return err
	}
	n := &f.narrator
	return f.call.printLine("%s %s %s %s",
		n.ShotCounts(v), n.ShipsLeft(match.First, v), n.ShipsLeft(match.Second, v), n.StatusLine(v).Full)
}

// newEvent returns an event that happens now and is not part of the record.
func (f *follower) newEvent(what string) match.EncodedEvent {
	return match.EncodedEvent{At: time.Since(f.match.Started).Milliseconds(), Event: what}
}
