package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/match"
	"broadside/tui/board"
)

// flash shows for a moment where a shot has fallen, and which ship it has sunk.
// Keys do not wait for it, and nothing is drawn when it is over.
type flash struct {
	screen screen // on which it is shown
	n      int    // the board
	at     match.Cell
	result match.Result
	step   int // how often it has changed
}

const (
	flashPace  = 110 * time.Millisecond
	flashSteps = 3
)

// flashMsg is that a flash is to change.
type flashMsg struct{ flash *flash }

// flashOf begins a flash for the last shot of an update on each board. Boards
// says on which board the cells of each side are.
func (m *Model) flashOf(events []match.Event, boards [2]int) tea.Cmd {
	if m.choice.Still || !m.fits() {
		return nil
	}
	var cmds [2]tea.Cmd
	for _, e := range events {
		if e.Kind == match.ShotAnswered {
			n := boards[e.Side]
			m.flashes[n] = &flash{screen: m.screen, n: n, at: e.Cell, result: e.Result}
			cmds[n] = m.flashes[n].await(m)
		}
	}
	return tea.Batch(cmds[:]...)
}

// boardsOf are the boards of a battle as one side sees them.
func boardsOf(side match.Side) (boards [2]int) {
	boards[side], boards[side.Other()] = ownFleet, enemyWaters
	return boards
}

// await waits for the next change.
func (f *flash) await(m *Model) tea.Cmd {
	ctx := m.ctx
	return func() tea.Msg {
		if !pause(ctx, flashPace) {
			return nil
		}
		return flashMsg{f}
	}
}

// flashed changes the flash, if no other one has begun since.
func (m *Model) flashed(f *flash) tea.Cmd {
	if f != m.flashes[f.n] {
		return nil
	}
	if f.step++; f.step == flashSteps || f.screen != m.screen {
		m.flashes[f.n] = nil
		return nil
	}
	return f.await(m)
}

// blaze puts the flash on the boards of a scene.
func (m *Model) blaze(all []board.Panel) {
	for _, f := range m.flashes {
		if f != nil && f.screen == m.screen && f.n < len(all) {
			all[f.n].Board.Blast(f.at, f.step, f.result != match.Water)
		}
	}
}
