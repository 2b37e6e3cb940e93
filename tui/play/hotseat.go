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

// hotSeatGames is the state of a hot-seat match. Match.game is the seat of the player
// who currently sees the screen, or saw it last. Between turns, [handover] hides
// everything.
type hotSeatGames struct {
	games   [2]*game
	battles [2]*battle // each player's own cursor
}

func newHotSeat(about *session.Match) *hotSeatGames {
	h := &hotSeatGames{}
	for side := match.First; side <= match.Second; side++ {
		g := newGame(about, side, text.Name(about.Names[side.Other()]))
		g.own, g.narrator.SharedTerminal = text.Name(about.Names[side]), true
		h.games[side] = g
	}
	return h
}

// names returns the names of both players.
func (h *hotSeatGames) names() [2]string {
	return [2]string{h.games[match.First].own, h.games[match.Second].own}
}

// handsOver reports whether the current player has finished the turn, so that the
// other player needs the screen.
func (m *Match) handsOver() bool {
	if m.hot == nil {
		return false
	}
	v := &m.game.last.View
	return v.Phase == match.Battle && v.Turn != m.game.side
}

// sideToAct returns the side that has to act.
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
	h := m.hot
	g := h.games[side]
	v := &g.last.View
	m.game = g
	switch {
	case v.Phase == match.Over:
		m.show(finished, newResult(m))
	case v.Phase == match.Placing && !v.Ready[side]: // also before the first update
		m.show(placing, newPlace(m))
	default:
		if h.battles[side] == nil {
			h.battles[side] = newBattle(m)
		}
		h.battles[side].follow()
		m.show(fighting, h.battles[side])
		m.Check(m.Session.ConfirmHandover(side)) // starts their clock
	}
}

// timeIsUp reports whether the turn clock of the current hot-seat player has run out.
// The random shot waits for that player.
func (m *Match) timeIsUp() bool {
	if m.hot == nil {
		return false
	}
	u := &m.game.last
	shoots := u.View.Phase == match.Battle && u.View.Turn == m.game.side
	return shoots && !u.Deadline.IsZero() && !time.Now().Before(u.Deadline)
}

// followHotSeat is like follow, for a hot-seat match.
func (m *Match) followHotSeat() {
	g := m.game
	v := &g.last.View
	switch {
	case v.Phase == match.Over:
		if m.phase != finished {
			m.show(finished, newResult(m))
		}
	case m.phase != placing || !v.Ready[g.side]:
	case v.Phase == match.Placing:
		m.show(handingOver, &handover{m.Env, m})
	default: // the player who placed last shoots first
		m.showBoards(g.side)
	}
}

// handover hides everything while the players change places. Its keys differ from
// those that end a turn, so that a held key cannot reveal the other player's boards.
type handover struct {
	*widget.Env
	match *Match
}

// receive implements [page].
func (s *handover) receive(*live.Update) tea.Cmd { return nil }

func (s *handover) Update(tea.Msg) tea.Cmd { return nil }

func (s *handover) View(size widget.Size) widget.View {
	name := s.match.hot.games[s.match.sideToAct()].own
	return widget.FormPage(size, "", func(width int) widget.Block {
		b := widget.Block{
			Title: s.Lang.Text("Hand over to %s.", name), Note: ansi.Strip(strings.TrimSpace(s.match.timeLeft())),
			Focused: true, Rows: make([]widget.Row, 1),
		}
		enter := s.Lang.Text("Press enter once only %s can see the screen.", name)
		b.Rows = append(b.Rows, widget.Paragraph(enter, term.Plain, width)...)
		question := s.match.questionText()
		if question != "" {
			b.Rows = append(b.Rows, widget.Row{})
			b.Rows = append(b.Rows, widget.Paragraph(question, term.Plain, width)...)
		}
		return b
	})
}

// Actions implements [widget.Screen].
func (s *handover) Actions() []widget.Action {
	return []widget.Action{
		{Keys: "enter", Label: "look", Do: widget.Do(func() { s.match.showBoards(s.match.sideToAct()) })},
		widget.HelpHint,
		{Keys: "q esc", Label: "end match", Do: s.match.ask(endHotSeat)},
	}
}
