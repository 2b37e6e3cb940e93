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
	info        *session.Match
	side        match.Side
	opponent    string // safe to display, like own
	ownName     string // in a hot-seat match, the name of this seat's player; else empty
	narrator    narrate.Narrator
	last        live.Update
	reports     widget.Reports
	log         widget.ShotLog
	seat        lobby.SeatState // the state of the seat outside the match itself
	stayedAfter int             // number of the last enemy shot after which no ship could move
	outcome     lobby.Outcome   // once the match is over
}

func newGame(about *session.Match, side match.Side, opponent string) *game {
	g := &game{info: about, side: side, opponent: opponent}
	g.narrator.Side, g.narrator.Names[side.Other()] = side, opponent
	return g
}

// applyUpdate applies an update. It reports whether the fleet must stay because none of
// its ships can move.
func (g *game) applyUpdate(u *live.Update) (stays bool) {
	// The player has returned.
	if u.Missed {
		g.log, g.reports = widget.ShotLog{}, nil
	}
	g.log.AddShots(u)
	g.reports.Add(g.narrator.ChangeLines(&g.last, u)...)
	g.last = *u
	v := &u.View
	if v.MayMove && g.stayedAfter < g.enemyShotCount() {
		helm := v.Helm(g.side)
		if len(helm.Moves()) == 0 {
			g.stayedAfter, stays = g.enemyShotCount(), true
		}
	}
	return stays
}

// enemyShotCount returns how many shots the opponent has fired.
func (g *game) enemyShotCount() int { return g.last.View.Charts[g.side.Other()].Fired }

// headingWidth is the minimum width available for a heading.
const headingWidth = 30 // cells: ten columns of three

// enemyHeading returns the heading of the opponent's board.
func (g *game) enemyHeading(l i18n.Language) string {
	wide := l.Text("Enemy waters") + " · " + g.opponent
	if text.Width(wide) > headingWidth {
		return l.Text("%s's waters", g.opponent)
	}
	return wide
}

// newPanel returns a board with the ships afloat that a chart knows of.
func newPanel(l i18n.Language, heading string, b *board.Board, chart *match.Chart) board.Panel {
	return board.Panel{Heading: heading, Board: b, Note: narrate.ShipsAfloat(l, chart), Chart: chart}
}

// noticeSubject identifies what a notice in a match is about. It is nil until the first update of
// the match has arrived.
func (g *game) noticeSubject() any {
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

// mustRingBell reports whether an update should ring the bell: the match begins, it is
// the player's turn, or the match is over.
func (g *game) mustRingBell(before, after *live.Update) bool {
	was, is := &before.View, &after.View
	switch {
	case g.ownName != "": // both players are at this terminal
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
