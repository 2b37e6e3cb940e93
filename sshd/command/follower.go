package command

import (
	"time"

	"broadside/internal/export"
	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/lobby"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/match/live"
	"broadside/tui/text"
)

// follower writes a match, as a spectator sees it, while it is played.
type follower struct {
	*call
	about  lobby.Running
	names  [2]string // clean
	asJSON bool
	begun  bool    // the start has been written
	ended  bool    // the end has been written
	auto   bool    // the clock fired the last shot
	away   [2]bool // as last written
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

// update writes the events of an update.
func (f *follower) update(u *live.Update) error {
	v, events := &u.View, u.Events
	switch {
	case !f.begun:
		// The view includes what has happened so far.
		f.begun, events = true, nil
		if err := f.writeBeginning(v); err != nil {
			return err
		}
	case u.Missed:
		if err := f.writeEvent(f.now("missed"), i18n.NewMessage("Some shots were skipped.")); err != nil {
			return err
		}
	}
	for i, e := range events {
		err := error(nil)
		if shots := match.Volley(events[i:]); len(shots) > 1 || match.InVolley(events, i) {
			err = f.salvo(e, shots, match.InVolley(events, i))
		} else {
			err = f.event(e, v)
		}
		if err != nil {
			return err
		}
	}
	if err := f.connections(u.Away); err != nil {
		return err
	}
	if v.Phase != match.Over || f.ended {
		return nil
	}
	return f.event(match.Event{Kind: match.GameEnded, Side: v.Winner, Reason: v.Reason, At: time.Since(f.about.Started)}, v) // the end was not reported by an event
}

// connections writes which players have disconnected or reconnected.
func (f *follower) connections(away [2]bool) error {
	for side, away := range away {
		if away == f.away[side] || f.ended {
			continue
		}
		f.away[side] = away
		what := "back"
		if away {
			what = "away"
		}
		out := f.now(what)
		out.Player = &side
		if err := f.writeEvent(out, narrate.Presence(f.names[side], away)); err != nil {
			return err
		}
	}
	return nil
}

// writeBeginning writes the description and the state of the match.
func (f *follower) writeBeginning(v *match.View) error {
	if f.asJSON {
		return f.jsonLine(export.BegunOf(f.about, v))
	}
	err := f.print("%s against %s, %s, match %s.", f.names[0], f.names[1], text.Clean(v.Rules.Name, 40), f.about.ID)
	if err != nil || v.Phase != match.Battle {
		return err
	}
	var left [2]int
	for side := range left {
		left[side] = v.Charts[1-side].ShipsLeft()
	}
	return f.print("Shots so far: %s %d (%s afloat), %s %d (%s afloat). It is %s's turn.||Shots so far: %s %d (%s afloat), %s %d (%s afloat). It is %s's turn.",
		f.names[0], v.Charts[0].Fired, i18n.NewMessage("%d ship||%d ships", left[0]), f.names[1], v.Charts[1].Fired, i18n.NewMessage("%d ship||%d ships", left[1]), f.names[v.Turn])
}

// event writes an event. The view is from the time after the event, or later.
func (f *follower) event(e match.Event, v *match.View) error {
	out := e.Encode()
	name := ""
	if e.Side <= match.Second {
		name = f.names[e.Side]
	}
	switch e.Kind {
	case match.FleetPlaced, match.FleetKept:
		return f.writeEvent(out, i18n.NewMessage("%s is ready.", name))
	case match.BattleBegun:
		return f.writeEvent(out, i18n.NewMessage("The battle begins. %s fires first.", name))
	case match.ShotFired:
		f.auto = e.Auto
		if f.asJSON {
			return f.jsonLine(out)
		}
	case match.ShotAnswered:
		shooter := f.names[e.Side.Other()]
		text := i18n.NewMessage("%s fires at %v: %s.", shooter, e.Cell, answers[e.Result])
		if f.auto {
			text = i18n.NewMessage("%s runs out of time, a random shot at %v: %s.", shooter, e.Cell, answers[e.Result])
		}
		return f.writeEvent(out, text)
	case match.AnswersDisputed:
		return f.writeEvent(out, narrate.Disputed(name))
	case match.GameEnded:
		f.ended = true
		return f.writeEvent(out, f.ending(v))
	}
	if f.asJSON {
		return f.jsonLine(out)
	}
	return nil
}

// salvo writes a result of a turn with several shots. As text, it writes all results of
// the turn at once.
func (f *follower) salvo(e match.Event, shots []match.Shot, told bool) error {
	switch {
	case f.asJSON:
		return f.jsonLine(e.Encode())
	case told:
		return nil
	}
	return f.writeEvent(e.Encode(), i18n.NewMessage("%s fires a salvo: %v.", f.names[e.Side.Other()], narrate.Results(shots)))
}

// answers holds the results of shots.
var answers = map[match.Result]i18n.Key{
	match.Water: "miss", match.Hit: "hit", match.Sunk: "hit and sunk", match.LastSunk: "the last ship is sunk",
}

// ending returns the winner and the reason.
func (f *follower) ending(v *match.View) i18n.Message {
	if v.Winner == match.Nobody {
		return i18n.NewMessage("Nobody won (%s).", narrate.Reason(v.Reason))
	}
	winner, loser := f.names[v.Winner], f.names[v.Winner.Other()]
	switch v.Reason {
	case match.FleetSunk:
		return i18n.NewMessage("%s won with %d shot.||%s won with %d shots.", winner, v.Charts[v.Winner].Fired)
	case match.Resigned:
		return i18n.NewMessage("%s won: %s resigned.", winner, loser)
	case match.Left, match.Hangup:
		return i18n.NewMessage("%s won: %s left.", winner, loser)
	}
	return i18n.NewMessage("%s won: %s broke the rules (%s).", winner, loser, narrate.Reason(v.Reason))
}

// now returns an event that happens now and is not part of the record.
func (f *follower) now(what string) match.EncodedEvent {
	return match.EncodedEvent{At: time.Since(f.about.Started).Milliseconds(), Event: what}
}

// writeEvent writes an event as JSON or as a sentence.
func (f *follower) writeEvent(out match.EncodedEvent, said i18n.Message) error {
	if f.asJSON {
		return f.jsonLine(out)
	}
	return f.print(said.Key, said.Args...)
}
