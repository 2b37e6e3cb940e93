package play

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"broadside/lobby/session"
	"broadside/match"
	"broadside/match/live"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// hotSeat is the state of a hot-seat match. Match.game is the seat of the player who currently sees the
// screen, or saw it last. Between turns, [handoverPage] hides everything. Each player has their own cursor.
type hotSeat struct {
	games   [2]*game
	battles [2]*battlePage
}

func newHotSeat(info *session.Match) *hotSeat {
	h := &hotSeat{}
	for side := match.First; side <= match.Second; side++ {
		g := newGame(info, side, text.CleanName(info.HotSeatNames[side.Other()]))
		g.ownName, g.narrator.SharedTerminal = text.CleanName(info.HotSeatNames[side]), true
		h.games[side] = g
	}
	return h
}

func (h *hotSeat) playerNames() [2]string {
	return [2]string{h.games[match.First].ownName, h.games[match.Second].ownName}
}

// mustHandOver reports whether the current player's turn is over, so that the other player needs the screen.
func (m *Match) mustHandOver() bool {
	if m.hotSeat == nil {
		return false
	}
	v := &m.game.last.View
	return v.Phase == match.Battle && v.Turn != m.game.side
}

func (m *Match) sideToAct() match.Side {
	v := &m.game.last.View
	if v.Phase == match.Battle {
		return v.Turn
	}
	if v.Ready[match.First] {
		return match.Second
	}
	return match.First
}

// showBoards shows the boards of a player who has confirmed that only they can see the
// screen.
func (m *Match) showBoards(side match.Side) {
	h := m.hotSeat
	g := h.games[side]
	v := &g.last.View
	m.game = g
	switch {
	case v.Phase == match.Over:
		m.showPage(finished, newResultPage(m))
	case v.Phase == match.Placing && !v.Ready[side]:
		m.showPage(placing, newPlacementPage(m))
	default:
		if h.battles[side] == nil {
			h.battles[side] = newBattlePage(m)
		}
		h.battles[side].updateMoveChoice()
		m.showPage(fighting, h.battles[side])
		// This starts their clock.
		m.CheckAction(m.Session.ConfirmHandover(side))
	}
}

// isTimeUp reports whether the turn clock of the current hot-seat player has run out.
// The random shot waits for that player.
func (m *Match) isTimeUp() bool {
	if m.hotSeat == nil {
		return false
	}
	u := &m.game.last
	mustFire := u.View.Phase == match.Battle && u.View.Turn == m.game.side
	return mustFire && !u.Deadline.IsZero() && !time.Now().Before(u.Deadline)
}

// showHotSeatPageForPhase is showPageForPhase for a hot-seat match.
func (m *Match) showHotSeatPageForPhase() {
	g := m.game
	v := &g.last.View
	hasPlaced := m.phase == placing && v.Ready[g.side]
	switch {
	case v.Phase == match.Over:
		if m.phase != finished {
			m.showPage(finished, newResultPage(m))
		}
	case hasPlaced && v.Phase == match.Placing:
		m.showPage(handingOver, &handoverPage{m.Env, m})
	case hasPlaced:
		// The player who placed last fires first.
		m.showBoards(g.side)
	}
}

// handoverPage hides everything while the players change places. Its keys differ from
// those that end a turn, so that a held key cannot reveal the other player's boards.
type handoverPage struct {
	*widget.Env
	match *Match
}

// handleUpdate implements [page].
func (p *handoverPage) handleUpdate(*live.Update) tea.Cmd { return nil }

func (p *handoverPage) Update(tea.Msg) tea.Cmd { return nil }

func (p *handoverPage) View(size widget.Size) widget.View {
	name := p.match.hotSeat.games[p.match.sideToAct()].ownName
	return widget.FormView(size, "", func(width int) widget.Block {
		b := widget.Block{
			Title: p.Lang.Text("Hand over to %s.", name), Note: ansi.Strip(strings.TrimSpace(p.match.timeLeft())),
			Focused: true, Rows: make([]widget.Row, 1),
		}
		enter := p.Lang.Text("Press enter when only %s can see the screen.", name)
		b.Rows = append(b.Rows, widget.ParagraphRows(enter, term.Plain, width)...)
		question := p.match.questionText()
		if question != "" {
			b.Rows = append(b.Rows, widget.Row{})
			b.Rows = append(b.Rows, widget.ParagraphRows(question, term.Plain, width)...)
		}
		return b
	})
}

// Actions implements [widget.Screen].
func (p *handoverPage) Actions() []widget.Action {
	return []widget.Action{
		{Keys: "enter", Label: "look", Do: widget.NoCommand(func() { p.match.showBoards(p.match.sideToAct()) })},
		widget.HelpHint,
		{Keys: "q esc", Label: "end match", Do: p.match.askFunc(endHotSeat)},
	}
}
