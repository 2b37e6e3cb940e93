package tui

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"broadside/lobby"
	"broadside/match"
	"broadside/match/live"
	"broadside/speech"
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
	log      []words.Message  // the last things that happened, oldest first
	table    lobby.TableState // what the opponent wants after the match
	stayed   int              // the number of the enemy's shot after which the fleet could not but stay
	outcome  lobby.Outcome    // once the match is over
	code     string           // by which a guest finds back; empty for others
}

// logLines is how many of the last happenings are kept.
const logLines = 3

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

// awaitTable waits until the opponent's wish for a rematch has changed.
func (g *game) awaitTable(ctx context.Context) tea.Cmd {
	g.table = g.seating.Table()
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
	auto := false
	for _, e := range u.Events {
		switch e.Kind {
		case match.ShotFired:
			auto = e.Auto
		case match.ShotAnswered:
			g.note(g.shotLine(e, auto))
		case match.FleetMoved: // one's own: of others nobody hears
			if e.Move != match.Stay {
				ship := u.View.Fleets[g.side][e.Move.Ship()]
				g.note(words.Mean("Your %s lies from %s to %s now.", u.View.Rules.Fleet[e.Move.Ship()].Said(), ship.Stern.String(), ship.Bow().String()))
			} else if e.Auto {
				g.note(words.Mean("Your time to move is over."))
			}
		case match.BattleBegun:
			g.note(begun(g.opponent, u.Seals[g.side.Other()]))
		case match.AnswersDisputed:
			if e.Side == g.side {
				g.note(words.Mean("Your answers cannot all be true: the match is disputed."))
			} else {
				g.note(disputed(g.opponent))
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
			g.note(words.Mean("%s has lost the connection.", g.opponent))
		} else {
			g.note(words.Mean("%s is back.", g.opponent))
		}
	}
}

func (g *game) shotLine(e match.Event, auto bool) words.Message {
	if e.Side == g.side {
		return speech.Shot(g.opponent, e.Cell, e.Result, auto)
	}
	return speech.Shot("", e.Cell, e.Result, auto)
}

// disputed says that somebody's answers contradict each other.
func disputed(name string) words.Message {
	return words.Mean("The answers of %s cannot all be true: the match is disputed.", name)
}

// heading stands above the board of who looks.
func (g *game) heading(l words.Language) string {
	if g.own == "" {
		return l.Say("YOUR FLEET")
	}
	return l.Say("YOUR FLEET") + " · " + g.own
}

// vocative is the name of who looks, to be spoken to, in a hot seat.
func (g *game) vocative() string {
	if g.own == "" {
		return ""
	}
	return ", " + g.own
}

func (g *game) note(line words.Message) {
	g.log = append(g.log, line)
	if len(g.log) > logLines {
		g.log = g.log[1:]
	}
}

// begun tells of the beginning of a battle, and of the commitment to somebody's
// fleet, if there is one.
func begun(name, seal string) words.Message {
	if seal == "" {
		return words.Mean("The battle begins.")
	}
	return words.Mean("The battle begins. The seal of %s: %s", name, seal[:min(len(seal), sealDigits)])
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
