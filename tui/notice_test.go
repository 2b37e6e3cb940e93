package tui

import (
	"strings"
	"testing"
	"testing/synctest"

	tea "charm.land/bubbletea/v2"

	"broadside/lobby"
)

// TestNoticeIsOutdatedAtOnce presses a key that is refused while the update is waiting that makes
// the refusal wrong.
func TestNoticeIsOutdatedAtOnce(t *testing.T) {
	pair(t, 80, 24, func(t *testing.T, _ *lobby.Lobby, a, b *driver) {
		fight(a, b)
		b.see("YOUR TURN")
		a.see("is aiming")
		a.settle()
		b.press("A", "1", "enter")
		b.settle()
		synctest.Wait()
		a.press("enter") // a has not seen the shot yet
		a.settle()
		if s := a.screen(); !strings.Contains(s, "YOUR TURN") || strings.Contains(s, "not your turn") {
			t.Errorf("the screen is\n%s", s)
		}
	})
}

// TestClickRemovesNotice clicks an empty place, which removes a notice from the very next frame.
func TestClickRemovesNotice(t *testing.T) {
	withModel(t, 80, 24, func(t *testing.T, d *driver) {
		d.press("z")
		said := d.m.env.Notice
		if said == "" || !strings.Contains(d.screen(), said) {
			t.Fatalf("there is no notice:\n%s", d.screen())
		}
		d.m.Update(tea.MouseClickMsg{X: 0, Y: 3, Button: tea.MouseLeft})
		if s := strings.Join(d.m.Frame().Lines, "\n"); d.m.env.Notice != "" || strings.Contains(s, said) {
			t.Errorf("after the click, the notice is %q and the screen\n%s", d.m.env.Notice, s)
		}
	})
}
