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

// game is a seat of this session, with its last update. The names are safe to display.
type game struct {
	info     *session.Match
	side     match.Side
	opponent string
	// ownName is the player's own name in a hot-seat match. In other matches, it is empty.
	ownName  string
	narrator narrate.Narrator
	last     live.Update
	// reports has all but the player's shots. ownShots has their last results.
	reports  widget.Reports
	ownShots narrate.Line
	log      widget.ShotLog
	seat     lobby.SeatState
	// stayedAfter is the number of the last enemy shot after which no ship could move.
	stayedAfter int
	// outcome is set once the match is over.
	outcome lobby.Outcome
}

func newGame(info *session.Match, side match.Side, opponent string) *game {
	g := &game{info: info, side: side, opponent: opponent}
	g.narrator.Side, g.narrator.Names[side.Other()] = side, opponent
	return g
}

// applyUpdate applies an update. It reports whether the player's fleet must stay because no ship can move.
func (g *game) applyUpdate(u *live.Update) (mustStay bool) {
	// The player was away and has returned.
	if u.Missed {
		g.log, g.reports, g.ownShots = widget.ShotLog{}, nil, narrate.Line{}
	}
	g.log.AddShots(u)
	for _, line := range g.narrator.ChangeLines(&g.last, u) {
		if line.Results.Key != "" {
			g.ownShots = line
		} else {
			g.reports.Add(line)
		}
	}
	g.last = *u
	v := &u.View
	if v.CanMove && g.stayedAfter < g.enemyShotCount() {
		status := v.FleetStatus(g.side)
		if len(status.LegalMoves()) == 0 {
			g.stayedAfter, mustStay = g.enemyShotCount(), true
		}
	}
	return mustStay
}

func (g *game) enemyShotCount() int { return g.last.View.Charts[g.side.Other()].Fired }

// headingWidth is the room for a heading above the narrowest board: ten columns of three cells.
const headingWidth = 30

// enemyHeading returns the heading of the opponent's board, in the longest form that fits.
func (g *game) enemyHeading(l i18n.Language) string {
	wide := l.Text("Enemy waters") + " · " + g.opponent
	if text.Width(wide) > headingWidth {
		return l.Text("%s's waters", g.opponent)
	}
	return wide
}

// newPanel returns a panel whose note counts the ships afloat on a chart.
func newPanel(l i18n.Language, heading string, b *board.Board, chart *match.Chart) board.Panel {
	return board.Panel{Heading: heading, Board: b, Note: narrate.ShipsAfloat(l, chart), Chart: chart}
}

// noticeSubject identifies the situation that a notice is about. A notice disappears when it changes. It is
// nil until the match's first update has arrived.
func (g *game) noticeSubject() any {
	u, other := &g.last, g.side.Other()
	v := &u.View
	if v.Rules.Size == 0 {
		return nil
	}
	return [...]any{
		v.Phase, v.Turn, v.Pending, v.CanMove, v.Charts[g.side].Fired,
		u.Away[other], u.Late[other], g.seat.OpponentLeft, g.seat.RematchOffered,
	}
}

// mustRingBell reports whether an update rings the bell: the battle starts, the player's turn starts, or the
// match is over.
func (g *game) mustRingBell(before, after *live.Update) bool {
	was, is := &before.View, &after.View
	switch {
	case g.ownName != "":
		// Both players are at this terminal.
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
