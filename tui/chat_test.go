package tui

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/lobby"
)

// withChat starts a battle between two people; b fires first.
func withChat(t *testing.T, width, height int, test func(l *lobby.Lobby, a, b *driver)) {
	t.Helper()
	pair(t, width, height, func(t *testing.T, l *lobby.Lobby, a, b *driver) {
		fight(a, b)
		b.see("YOUR TURN")
		a.see("bob is aiming")
		test(l, a, b)
	})
}

func (d *driver) unseen(text string) {
	d.t.Helper()
	if s := d.screen(); strings.Contains(s, text) {
		d.t.Errorf("there is %q on the screen\n%s", text, s)
	}
}

// TestChatKeysDoNotFire checks that no typed chat text fires a shot, answers a question or
// leaves.
func TestChatKeysDoNotFire(t *testing.T) {
	withChat(t, 80, 24, func(_ *lobby.Lobby, a, b *driver) {
		before := fmt.Sprint(b.boards(), b.cursor())
		b.press("t", "q", "y", "B", "7", "space", "?", "x")
		b.see("Chat: qyB7 ?x_")
		b.send(tea.PasteMsg{Content: "\nA1\n\x1b[2J"})
		b.see("Chat: qyB7 ?x A1 [2J_")
		b.press("backspace", "backspace", "backspace", "enter")
		a.see("bob: qyB7 ?x A1")
		b.see("you: qyB7 ?x A1")
		b.pass(12 * time.Second)
		if after := fmt.Sprint(b.boards(), b.cursor()); after != before {
			t.Errorf("after talking the screen is\n%s", after)
		}
		b.press("t", "enter") // an empty line
		b.press("t", "esc")
		if after := fmt.Sprint(b.boards(), b.cursor()); after != before {
			t.Errorf("after saying nothing the screen is\n%s", after)
		}
		b.press("t")
		a.press("t", "1")
		b.settle()
		b.see("Chat: _") // a new line does not swallow keys
		b.press("h", "i", "enter")
		a.see("bob: hi")
	})
}

// TestRandomKeysInChat presses random keys in a match of two people.
func TestRandomKeysInChat(t *testing.T) {
	keys := []string{"t", "t", "t", "1", "5", "tab", "tab", "enter", "esc", "up", "down", "backspace", "q", "y", "?", "h", "B", "ä", "船", "space", "w", "p"}
	for seed := range uint64(2 * more) {
		rng := rand.New(rand.NewPCG(seed, 2))
		withChat(t, 80, 24, func(_ *lobby.Lobby, a, b *driver) {
			for range 300 {
				d := []*driver{a, b}[rng.IntN(2)]
				switch rng.IntN(12) {
				case 0:
					d.send(tea.WindowSizeMsg{Width: 70 + rng.IntN(90), Height: 20 + rng.IntN(30)})
				case 1:
					d.send(tea.PasteMsg{Content: strings.Repeat("船 \u202e\x1b[2Jx", rng.IntN(50))})
				case 2:
					d.pass(time.Duration(rng.IntN(5000)) * time.Millisecond)
				default:
					d.press(keys[rng.IntN(len(keys))])
				}
			}
		})
	}
}
