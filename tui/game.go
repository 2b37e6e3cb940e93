package tui

import (
	"strings"

	"broadside/internal/i18n"
	"broadside/internal/i18n/phrase"
	"broadside/internal/session"
	"broadside/match"
	"broadside/tui/format"
)

// game is a seat of this session, and what was last heard of it.
type game struct {
	about    *session.Match
	side     match.Side
	opponent string // clean
	own      string // in a hot seat, the name of who sits here, clean; else empty
	last     session.MatchUpdate
	course   course
	table    session.SeatState // what the opponent wants after the match
	stayed   int               // the number of the enemy's shot after which the fleet could not but stay
	outcome  session.Outcome   // once the match is over
	code     string            // by which a guest finds back; empty for others
}

func newGame(about *session.Match, side match.Side) *game {
	return &game{about: about, side: side, opponent: format.Name(about.Opponent.Name)}
}

// take takes in an update and keeps what happened. It reports whether the fleet
// has to stay where it is, because no ship of it can move.
func (g *game) take(u session.MatchUpdate) (stays bool) {
	before := g.last
	g.last = u
	if before.View.Phase == match.Placing && u.View.Phase == match.Battle && len(u.Events) == 0 { // back in a running match
		var names [2]string
		names[g.side.Other()] = g.opponent
		g.course = recalled(&u.View, names)
	}
	auto := false
	for i, e := range u.Events {
		switch e.Kind {
		case match.ShotFired:
			auto = auto || e.Auto
		case match.ShotAnswered:
			shooter := g.opponent
			if e.Side != g.side { // the side that was shot at has answered
				shooter = ""
			}
			g.course.answered(shooter, u.Events, i, auto)
			auto = false
		case match.FleetMoved: // one's own: of others nobody hears
			if e.Move != match.Stay {
				ship := u.View.Fleets[g.side][e.Move.Ship()]
				class, stern, bow := phrase.ClassName(u.View.Rules.Fleet[e.Move.Ship()]), ship.Stern.String(), ship.Bow().String()
				g.course.note(happening{i18n.Mean("Your %s lies from %s to %s now.", class, stern, bow), i18n.Mean("%s: %s–%s", class, stern, bow)})
			} else if e.Auto {
				g.course.note(happens(i18n.Mean("Your time to move is over.")))
			}
		case match.BattleBegun:
			g.course.note(begun())
		case match.AnswersDisputed:
			if e.Side == g.side {
				g.course.note(happens(i18n.Mean("Your answers cannot all be true: the match is disputed.")))
			} else {
				g.course.note(disputed(g.opponent))
			}
		}
	}
	if v := &u.View; v.MayMove && g.stayed < v.Charts[g.side.Other()].Fired {
		if helm := v.Helm(g.side); len(helm.Moves()) == 0 {
			g.stayed, stays = v.Charts[g.side.Other()].Fired, true
		}
	}
	if other := g.side.Other(); g.own == "" && u.Away[other] != before.Away[other] {
		if u.Away[other] {
			g.course.note(lost(g.opponent))
		} else {
			g.course.note(happens(i18n.Mean("%s is back.", g.opponent)))
		}
	}
	return stays
}

// heading stands above the board of who looks.
func (g *game) heading(l i18n.Language) string {
	if g.own == "" {
		return l.Say("YOUR FLEET")
	}
	return l.Say("YOUR FLEET") + " · " + g.own
}

// headingWidth is what a heading has room for in any case.
const headingWidth = 31 // cells: ten columns of three, and a little

// watersHeading stands above the board of the opponent.
func (g *game) watersHeading(l i18n.Language) string {
	wide := l.Say("ENEMY WATERS") + " · " + g.opponent
	if format.Width(wide) > headingWidth {
		return l.Say("THE WATERS OF %s", g.opponent)
	}
	return wide
}

// vocative is the name of who looks, to be spoken to, in a hot seat.
func (g *game) vocative() string {
	if g.own == "" {
		return ""
	}
	return ", " + g.own
}

// sealsOf are the seals of the fleets in a match, in one line; nothing if nobody
// has told one.
func sealsOf(l i18n.Language, u *session.MatchUpdate) string {
	var all []string
	for side, seal := range u.Seals {
		if seal != "" {
			all = append(all, format.Name(u.Names[side])+" "+seal[:min(len(seal), sealDigits)])
		}
	}
	if all == nil {
		return ""
	}
	return looks().faint.Render(l.Say("Seals: %s", strings.Join(all, ", ")))
}

// sealDigits is how much of a seal is shown: as much as nobody can forge, and
// people can compare.
const sealDigits = 16
