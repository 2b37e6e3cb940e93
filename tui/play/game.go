package play

import (
	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/lobby"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/match/live"
	"broadside/tui/board"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// game is a seat of this session, with its last update.
type game struct {
	about    *session.Match
	side     match.Side
	opponent string // safe to display, like own
	own      string // in a hot-seat match, the name of this seat's player; else empty
	narrator narrate.Narrator
	last     live.Update
	reports  widget.Reports
	log      widget.Log
	seat     lobby.SeatState // the state of the seat outside the match itself
	stayed   int             // number of the last enemy shot after which no ship could move
	outcome  lobby.Outcome   // once the match is over
}

func newGame(about *session.Match, side match.Side, opponent string) *game {
	g := &game{about: about, side: side, opponent: opponent}
	g.narrator.Side, g.narrator.Names[side.Other()] = side, opponent
	return g
}

// receive applies an update. It reports whether the fleet must stay because none of
// its ships can move.
func (g *game) receive(u *live.Update) (stays bool) {
	// The player has returned.
	if u.Missed {
		g.log, g.reports = widget.Log{}, nil
	}
	g.log.Receive(u)
	g.reports.Add(g.narrator.ChangeLines(&g.last, u)...)
	g.last = *u
	v := &u.View
	if v.MayMove && g.stayed < g.enemyShots() {
		helm := v.Helm(g.side)
		if len(helm.Moves()) == 0 {
			g.stayed, stays = g.enemyShots(), true
		}
	}
	return stays
}

// enemyShots returns how many shots the opponent has fired.
func (g *game) enemyShots() int { return g.last.View.Charts[g.side.Other()].Fired }

// headingWidth is the minimum width available for a heading.
const headingWidth = 30 // cells: ten columns of three

// watersHeading returns the heading of the opponent's board.
func (g *game) watersHeading(l i18n.Language) string {
	wide := l.Text("Enemy waters") + " · " + g.opponent
	if text.Width(wide) > headingWidth {
		return l.Text("%s's waters", g.opponent)
	}
	return wide
}

// panel returns a board with the ships afloat that a chart knows of.
func panel(l i18n.Language, heading string, b *board.Board, chart *match.Chart) board.Panel {
	return board.Panel{Heading: heading, Board: b, Note: narrate.ShipsAfloat(l, chart), Chart: chart}
}

// subject identifies what a notice in a match is about. It is nil until the first update of
// the match has arrived.
func (g *game) subject() any {
	u, other := &g.last, g.side.Other()
	v := &u.View
	if v.Rules.Size == 0 {
		return nil
	}
	return [...]any{
		v.Phase, v.Turn, v.Pending, v.MayMove, v.Charts[g.side].Fired,
		u.Away[other], u.Late[other], g.seat.OpponentLeft, g.seat.RematchOffered,
	}
}

// ringsBell reports whether an update should ring the bell: the match begins, it is
// the player's turn, or the match is over.
func (g *game) ringsBell(before, after *live.Update) bool {
	was, is := &before.View, &after.View
	switch {
	case g.own != "": // both players are at this terminal
		return false
	case is.Phase == match.Over:
		return was.Phase == match.Battle
	case is.Phase != match.Battle || is.Turn != g.side:
		return false
	case was.Phase != match.Battle || was.Turn != g.side:
		return true
	}
	// The update may contain the enemy's whole turn.
	return is.Turns[g.side.Other()] != was.Turns[g.side.Other()]
}
