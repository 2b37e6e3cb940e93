package lines

import (
	"strings"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/i18n/phrase"
	"broadside/internal/session"
	"broadside/match"
	"broadside/tui"
)

// logKept is how many happenings are kept.
const logKept = 200

// note says what has happened, and keeps it.
func (s *Session) note(g *game, text i18n.Text, args ...any) {
	s.say(text, args...)
	g.log = append(g.log, s.said[len(s.said)-1])
	if len(g.log) > logKept {
		g.log = g.log[1:]
	}
}

// welcome says where somebody is who has just sat down.
func (s *Session) welcome(g *game) {
	v := &g.last.View
	if v.Phase == match.Placing && !v.Ready[g.Side] {
		s.say("You play against %s: %s.", who(s.l, g.Opponent), terms(s.l, v.Rules))
	}
	if code := s.state.Seat.Code; code != "" && v.Phase != match.Over {
		s.say("Should the connection break, come back with: ssh HOST resume %s", code)
	}
	if v.Phase == match.Over {
		s.tellEnd(g)
		return
	}
	if why := tui.WhyCasual(s.l, &s.state); why != "" && v.Phase == match.Placing {
		s.said = append(s.said, why)
	}
	if s.mayRemove() {
		s.say("This is your room. Say remove to remove %s before the battle begins.", g.opponent)
	}
	s.status("")
}

// tell says what an update has brought.
func (s *Session) tell(g *game, before *session.MatchUpdate) {
	u := &g.last
	v := &u.View
	other := g.Side.Other()
	auto := false
	for i, e := range u.Events {
		switch e.Kind {
		case match.FleetPlaced, match.FleetKept, match.FleetCommitted:
			if e.Side == other {
				s.say("%s is ready.", g.opponent)
			} else {
				s.tellPlaced(g, e.Layout())
			}
		case match.BattleBegun:
			s.note(g, "The battle begins.")
		case match.FleetMoved:
			if e.Move != match.Stay {
				i := e.Move.Ship()
				l := v.Fleets[g.Side][i]
				s.say("Your %s lies from %s to %s now.", s.ship(v.Rules.Fleet[i]), l.Stern.String(), l.Bow().String())
			} else if e.Auto {
				s.say("Your time to move is over.")
			} else {
				s.say("Your ships stay where they are.")
			}
		case match.RevealDue:
			s.said = append(s.said, phrase.Revealing(v, u.Names).In(s.l))
		case match.ShotFired:
			auto = auto || e.Auto
		case match.ShotAnswered:
			switch shots := match.Volley(u.Events[i:]); {
			case match.InVolley(u.Events, i):
			case len(shots) > 1:
				s.tellSalvo(g, e.Side, shots, auto)
			default:
				s.tellShot(g, e, auto)
			}
			auto = false
		case match.AnswersDisputed:
			if e.Side == g.Side {
				s.note(g, "Your answers cannot all be true: the match is disputed.")
			} else {
				s.note(g, "The answers of %s cannot all be true: the match is disputed.", g.opponent)
			}
		}
	}
	if u.Missed {
		s.say("Something was too fast to be told. Say status.")
	}
	if v.Phase == match.Over {
		s.tellEnd(g)
		return
	}
	s.tellAway(g, before)
	s.tellPaused(g, before)
	mine := v.Phase == match.Battle && v.Turn == g.Side && !v.Pending
	was := before.View.Phase == match.Battle && before.View.Turn == g.Side && !before.View.Pending
	if mine && (!was || before.View.Charts[g.Side].Fired < v.Charts[g.Side].Fired) {
		s.tellTurn(g)
	}
}

// tellTurn says that it is the person's turn.
func (s *Session) tellTurn(g *game) {
	if !g.last.Deadline.IsZero() {
		s.say("Your turn. You have %s.", s.duration(time.Until(g.last.Deadline)))
	} else {
		s.say("Your turn.")
	}
	if v := &g.last.View; v.Rules.Salvo {
		s.say("Your salvo has %d shots.", v.Shots)
	}
	if v := &g.last.View; v.MayMove {
		if helm := v.Helm(g.Side); len(helm.Moves()) > 0 {
			s.say("Before you fire, you may move a ship.")
		}
	}
}

// tellPlaced says where the fleet lies.
func (s *Session) tellPlaced(g *game, l match.Layout) {
	s.say("Your fleet is placed. %s", s.lies(g.Rules, l))
	if !g.last.View.Ready[g.Side.Other()] {
		s.say("%s is still placing ships.", g.opponent)
	}
}

// lies is where the ships of a layout lie.
func (s *Session) lies(r match.Rules, l match.Layout) string {
	var all []string
	for i, c := range r.Fleet {
		if i < len(l) && l[i].Length > 0 {
			all = append(all, s.l.Say("%s %s to %s", s.ship(c), l[i].Stern.String(), l[i].Bow().String()))
		}
	}
	if len(all) == 0 {
		return ""
	}
	return sentence(strings.Join(all, ", "))
}

// tellShot says what a shot did.
func (s *Session) tellShot(g *game, e match.Event, auto bool) {
	cell := e.Cell.String()
	if e.Side != g.Side { // they answer for the shot of the person
		if auto {
			s.note(g, "Your time is over: a random shot.")
		}
		left := g.last.View.Charts[g.Side].ShipsLeft()
		switch e.Result {
		case match.Water:
			s.note(g, "%s: water.", cell)
		case match.Hit:
			s.note(g, "%s: hit.", cell)
		case match.Sunk:
			s.note(g, "%s: hit and sunk. %d ships are left to sink.", cell, left)
		default:
			s.note(g, "%s: hit and sunk, the last ship.", cell)
		}
		return
	}
	if auto {
		s.note(g, "The time of %s is over: a random shot.", g.opponent)
	}
	hit := ""
	v := &g.last.View
	for i, ship := range v.Fleets[g.Side] {
		if cells := ship.Cells(); cells.Has(e.Cell) {
			hit = s.ship(v.Rules.Fleet[i])
		}
	}
	switch e.Result {
	case match.Water:
		s.note(g, "%s fires at %s: water.", g.opponent, cell)
	case match.Hit:
		s.note(g, "%s fires at %s: your %s is hit.", g.opponent, cell, hit)
	case match.Sunk:
		s.note(g, "%s fires at %s: your %s is sunk. You have %d ships left.", g.opponent, cell, hit, v.Charts[g.Side.Other()].ShipsLeft())
	default:
		s.note(g, "%s fires at %s: your %s is sunk, your last ship.", g.opponent, cell, hit)
	}
}

// tellAway says who has left, and who is back.
func (s *Session) tellAway(g *game, before *session.MatchUpdate) {
	u := &g.last
	other := g.Side.Other()
	switch {
	case u.Late[other] && !before.Late[other]:
		s.note(g, "%s is away for too long. Say claim to claim the win, or go on waiting.", g.opponent)
	case u.Away[other] && !before.Away[other]:
		s.note(g, "%s has lost the connection.", g.opponent)
	case !u.Away[other] && before.Away[other]:
		s.note(g, "%s is back.", g.opponent)
	}
	if until := u.AwayUntil[other]; !until.IsZero() && before.AwayUntil[other].IsZero() {
		s.say("You can claim the win in %s.", s.duration(time.Until(until)))
	}
}

// paused is said while the match cannot be saved.
const paused = i18n.Text("The match is paused: the server cannot save it at the moment.")

// tellPaused says that the match is paused, or goes on.
func (s *Session) tellPaused(g *game, before *session.MatchUpdate) {
	switch {
	case g.last.Paused && !before.Paused:
		s.note(g, paused)
	case !g.last.Paused && before.Paused:
		s.note(g, "The match goes on.")
	}
}

// tellEnd says how the match has ended.
func (s *Session) tellEnd(g *game) {
	s.drop()
	v := &g.last.View
	o := s.state.Outcome
	if o.Continues {
		s.say("The server is going down. Come back when it is up: your match goes on.")
		if code := s.state.Seat.Code; code != "" {
			s.say("Come back with: ssh HOST resume %s", code)
		}
		return
	}
	switch v.Winner {
	case g.Side:
		s.note(g, "You have won.")
	case g.Side.Other():
		s.note(g, "You have lost.")
	default:
		s.note(g, "Nobody has won.")
	}
	if why := phrase.Ending(s.l, v, g.Side, g.opponent); why != "" {
		s.said = append(s.said, why)
	}
	s.say("You fired %d shots, and %s %d.", v.Charts[g.Side].Fired, g.opponent, v.Charts[g.Side.Other()].Fired)
	if rounds := phrase.Rounds(s.l, v); rounds != "" {
		s.said = append(s.said, rounds)
	}
	if o.Rated {
		before, after := int(o.Before[g.Side]), int(o.After[g.Side])
		switch {
		case after > before:
			s.say("Your rating is %s now, %d more than before.", tui.Rating(o.After[g.Side], o.Provisional[g.Side]), after-before)
		case after < before:
			s.say("Your rating is %s now, %d less than before.", tui.Rating(o.After[g.Side], o.Provisional[g.Side]), before-after)
		default:
			s.say("Your rating is %s, as before.", tui.Rating(o.After[g.Side], o.Provisional[g.Side]))
		}
	}
	if s.own.HasStore() && !o.Stored {
		s.say("The server could not store this match yet: it tries again.")
	}
	if v.Disputed[match.First] || v.Disputed[match.Second] {
		s.say("The match is disputed: answers contradicted each other.")
	}
	s.say("Say rematch, or lobby. Say chart to hear where the ships of %s were.", g.opponent)
}
