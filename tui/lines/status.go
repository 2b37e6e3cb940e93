package lines

import (
	"slices"
	"strconv"
	"time"

	"broadside/internal/i18n/phrase"
	"broadside/match"
)

// status says whose turn it is, and how the match stands.
func (s *Session) status(string) {
	switch {
	case s.state.Offer != nil && s.game == nil:
		s.say("You are waiting for an opponent.")
		return
	case s.sight != nil:
		s.tellSight()
		return
	case s.game == nil:
		s.say("You are in the lobby. Your next match: %s.", terms(s.l, s.chosen.Rules))
		return
	case !s.game.seen:
		s.say("The match is about to begin.")
		return
	}
	g := s.game
	u := &g.last
	v := &u.View
	other := g.Side.Other()
	switch {
	case v.Phase == match.Over:
		s.say("The match is over. Say rematch for another one, or lobby.")
		return
	case v.Phase == match.Placing && !v.Ready[g.Side]:
		s.tellPlacing(g)
	case v.Phase == match.Placing:
		s.say("Your fleet is placed. %s is still placing ships.", g.opponent)
	case v.Phase == match.Revealing:
		s.said = append(s.said, phrase.Revealing(v, u.Names).In(s.l))
	case v.Turn == g.Side && v.Pending:
		s.say("You wait for the answer of %s.", g.opponent)
	case v.Turn == g.Side:
		s.tellTurn(g)
	default:
		s.say("%s is aiming.", g.opponent)
	}
	if v.Phase == match.Battle {
		s.say("You have %d ships left.", v.Charts[other].ShipsLeft())
		s.say("%s has %d.", g.opponent, v.Charts[g.Side].ShipsLeft())
	}
	if u.Paused {
		s.say(paused)
	}
	switch {
	case u.Late[other]:
		s.say("%s is away for too long. Say claim to claim the win, or go on waiting.", g.opponent)
	case u.Away[other]:
		s.say("%s is away.", g.opponent)
	}
}

// time says how much time is left.
func (s *Session) time(string) {
	if !s.inMatch() {
		return
	}
	u := &s.game.last
	switch {
	case !u.Deadline.IsZero() && s.mine(s.game):
		s.say("You have %s.", s.duration(time.Until(u.Deadline)))
	case !u.Deadline.IsZero():
		s.say("%s has %s.", s.game.opponent, s.duration(time.Until(u.Deadline)))
	default:
		s.say("No clock runs.")
	}
	if until := u.AwayUntil[s.game.Side.Other()]; !until.IsZero() {
		s.say("You can claim the win in %s.", s.duration(time.Until(until)))
	}
}

// mine tells whether the match waits for the person.
func (s *Session) mine(g *game) bool {
	v := &g.last.View
	return g.seen && (v.Phase == match.Placing && !v.Ready[g.Side] || v.Phase == match.Battle && v.Turn == g.Side && !v.Pending)
}

// reminders are how much time is left when the person is told so, unless that
// is more than half of all.
var reminders = []time.Duration{time.Minute, 10 * time.Second, 5 * time.Second}

// setDeadline notes by when the person has to act.
func (s *Session) setDeadline(g *game) {
	if d := g.last.Deadline; !d.Equal(g.deadline) {
		g.deadline, g.total, g.reminded = d, time.Until(d), 0
	}
}

// alarm is how long it takes until there is something to say by itself, and
// what says it. With nothing to say it is long.
func (s *Session) alarm(now time.Time) (time.Duration, func()) {
	wait, do := time.Hour, func() {}
	if len(s.kept) > 0 && !s.late.IsZero() {
		wait, do = s.late.Sub(now), s.tellKept
	}
	g := s.game
	if g == nil || g.deadline.IsZero() || !s.mine(g) {
		return wait, do
	}
	for _, r := range reminders {
		if 2*r > g.total || g.reminded != 0 && r >= g.reminded {
			continue
		}
		if at := g.deadline.Sub(now) - r; at < wait {
			wait, do = at, func() {
				g.reminded = r
				if left := time.Until(g.deadline); left > r/2 { // else there is more to come
					s.say("%s left.", s.duration(left))
				}
			}
		}
		break
	}
	return wait, do
}

func (s *Session) tellSeals(string) {
	if s.game == nil || !s.game.seen {
		s.inMatch()
		return
	}
	g := s.game
	told := false
	for side, seal := range g.last.Seals {
		if seal == "" {
			continue
		}
		told = true
		if match.Side(side) == g.Side {
			s.say("The seal of your fleet: %s", seal)
		} else {
			s.say("The seal of the fleet of %s: %s", g.opponent, seal)
		}
	}
	if !told {
		s.say("There are no seals yet.")
	}
}

func (s *Session) tellLog(text string) {
	log := []string(nil)
	switch {
	case s.game != nil:
		log = s.game.log
	case s.sight != nil:
		log = s.sight.log
	}
	n := 5
	if text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil || n < 1 {
			s.say("Say log, or log and a number.")
			return
		}
	}
	if len(log) == 0 {
		s.say("Nothing has happened yet.")
		return
	}
	s.said = append(s.said, slices.Clone(log[max(0, len(log)-n):])...)
}
