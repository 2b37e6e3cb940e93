package tui

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/lobby"
)

func (d *driver) unseen(text string) {
	d.t.Helper()
	if s := d.screen(); strings.Contains(s, text) {
		d.t.Errorf("there is %q on the screen\n%s", text, s)
	}
}

// TestRandomKeysInChat presses random keys in a match of two players.
func TestRandomKeysInChat(t *testing.T) {
	keys := []string{"t", "t", "t", "1", "5", "tab", "tab", "enter", "esc", "up", "down", "backspace", "q", "y", "?", "h", "B", "ä", "船", "space", "w", "p"}
	for seed := range uint64(2 * more) {
		rng := rand.New(rand.NewPCG(seed, 2))
		runWithTwo(t, func(t *testing.T, _ *lobby.Lobby, a, b *driver) {
			startMatch(a, b)
			for range 300 {
				d := []*driver{a, b}[rng.IntN(2)]
				switch rng.IntN(12) {
				case 0:
					d.send(tea.WindowSizeMsg{Width: 70 + rng.IntN(90), Height: 20 + rng.IntN(30)})
				case 1:
					d.send(tea.PasteMsg{Content: strings.Repeat("船 \u202e\x1b[2Jx", rng.IntN(50))})
				case 2:
					d.handleFor(time.Duration(rng.IntN(5000)) * time.Millisecond)
				default:
					d.press(keys[rng.IntN(len(keys))])
				}
			}
		})
	}
}
