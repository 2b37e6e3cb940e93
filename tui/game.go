package tui

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"broadside/lobby"
	"broadside/match"
	"broadside/match/live"
	"broadside/words"
)

// game is a seat taken by this session: its mailbox, and the last that came
// out of it.
type game struct {
	seating  *lobby.Seating
	seat     *live.Seat
	side     match.Side
	opponent string // clean
	own      string // in a hot seat, the name of who sits here, clean; else empty
	box      *live.Mailbox
	last     live.Update
	course   course
	table    lobby.TableState // what the opponent wants after the match
	stayed   int              // the number of the enemy's shot after which the fleet could not but stay
	outcome  lobby.Outcome    // once the match is over
	code     string           // by which a guest finds back; empty for others
}

func newGame(s *lobby.Seating) *game {
	return &game{
		seating: s, seat: s.Seat, side: s.Seat.Side(), box: s.Seat.Attach(),
		opponent: clean(s.Opponent.Name, nameWidth), table: s.Table(), code: s.Code(),
	}
}

// rise leaves the seat, and the table with it. While the match runs, that is
// leaving it.
func (g *game) rise() {
	g.seat.Detach(g.box)
	if g.last.View.Phase == match.Over {
		g.seating.Rise()
	}
}

// await receives the next update.
func (g *game) await(ctx context.Context) tea.Cmd {
	return func() tea.Msg {
		var u live.Update
		err := g.box.Recv(ctx, &u)
		if ctx.Err() != nil {
			return nil
		}
		return updateMsg{g, u, err}
	}
}

// awaitTable waits until what concerns the seat besides the match has changed.
func (g *game) awaitTable(ctx context.Context) tea.Cmd {
	g.table, g.code = g.seating.Table(), g.seating.Code()
	change := g.table.Change
	return func() tea.Msg {
		select {
		case <-change:
			return tableMsg{g}
		case <-ctx.Done():
			return nil
		}
	}
}

// take takes in an update and keeps what happened.
func (g *game) take(u live.Update) {
	before := g.last
	g.last = u
	if before.View.Phase == match.Placing && u.View.Phase == match.Battle && len(u.Events) == 0 { // back in a running match
		var names [2]string
		names[g.side.Other()] = g.opponent
		g.course = recalled(&u.View, names)
	}
	auto := false
	for _, e := range u.Events {
		switch e.Kind {
		case match.ShotFired:
			auto = e.Auto
		case match.ShotAnswered:
			shooter := g.opponent
			if e.Side != g.side { // the side that was shot at has answered
				shooter = ""
			}
			g.course.note(shotFell(shooter, e, auto))
		case match.FleetMoved: // one's own: of others nobody hears
			if e.Move != match.Stay {
				ship := u.View.Fleets[g.side][e.Move.Ship()]
				class, stern, bow := u.View.Rules.Fleet[e.Move.Ship()].Said(), ship.Stern.String(), ship.Bow().String()
				g.course.note(happening{words.Mean("Your %s lies from %s to %s now.", class, stern, bow), words.Mean("%s: %s–%s", class, stern, bow)})
			} else if e.Auto {
				g.course.note(happens(words.Mean("Your time to move is over.")))
			}
		case match.BattleBegun:
			g.course.note(begun())
		case match.AnswersDisputed:
			if e.Side == g.side {
				g.course.note(happens(words.Mean("Your answers cannot all be true: the match is disputed.")))
			} else {
				g.course.note(disputed(g.opponent))
			}
		}
	}
	if v := &u.View; v.MayMove && g.stayed < v.Charts[g.side.Other()].Fired {
		if helm := v.Helm(g.side); len(helm.Moves()) == 0 { // there is nothing to choose
			g.stayed = v.Charts[g.side.Other()].Fired
			g.seat.Sail(match.Stay)
		}
	}
	if other := g.side.Other(); g.own == "" && u.Away[other] != before.Away[other] {
		if u.Away[other] {
			g.course.note(lost(g.opponent))
		} else {
			g.course.note(happens(words.Mean("%s is back.", g.opponent)))
		}
	}
}

// heading stands above the board of who looks.
func (g *game) heading(l words.Language) string {
	if g.own == "" {
		return l.Say("YOUR FLEET")
	}
	return l.Say("YOUR FLEET") + " · " + g.own
}

// headingWidth is what a heading has room for in any case.
const headingWidth = 31 // cells: ten columns of three, and a little

// watersHeading stands above the board of the opponent.
func (g *game) watersHeading(l words.Language) string {
	wide := l.Say("ENEMY WATERS") + " · " + g.opponent
	if textWide(wide) > headingWidth {
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
func sealsOf(l words.Language, u *live.Update) string {
	var all []string
	for side, seal := range u.Seals {
		if seal != "" {
			all = append(all, clean(u.Names[side], nameWidth)+" "+seal[:min(len(seal), sealDigits)])
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
