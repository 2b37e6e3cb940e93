package tui

import (
	"context"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// TestWorkIndicator delays the disk.
func TestWorkIndicator(t *testing.T) {
	withModel(t, 80, 24, func(t *testing.T, d *driver) {
		d.press("o")
		for _, c := range []struct {
			takes time.Duration
			said  bool
		}{{400 * time.Millisecond, false}, {3 * time.Second, true}} {
			seen := map[string]bool{}
			d.frame = func(screen string) {
				for _, sign := range []string{"|", "/", "-", `\`} {
					if strings.Contains(screen, sign+" one moment…") {
						seen[sign] = true
					}
				}
			}
			cmd := d.m.env.Later(d.m.top(), func(ctx context.Context) func() tea.Cmd {
				select {
				case <-ctx.Done():
				case <-time.After(c.takes):
				}
				return func() tea.Cmd {
					d.m.env.Notice = "There it is."
					return nil
				}
			})
			d.do(d.m.withTick(cmd))
			d.see("There it is.")
			if want := map[bool]int{true: 4}[c.said]; len(seen) != want {
				t.Errorf("of something that takes %v these signs are seen: %v", c.takes, seen)
			}
			d.frame = nil
			d.press("up")
			d.settle()
			if s := d.screen(); strings.Contains(s, "one moment") {
				t.Errorf("the sign stays:\n%s", s)
			}
		}
	})
}

func TestSpinnerWhileWaiting(t *testing.T) {
	withModel(t, 80, 24, func(t *testing.T, d *driver) {
		d.press("p")
		d.see("| 0:00")
		d.see("/ 0:01")
		d.see("| 0:04")
		d.press("esc")
		next := d.m.env.Settings
		next.NoAnimation = true
		d.do(d.m.env.ChangeSettings(next))
		d.press("p")
		d.see(" 0:02")
		if s := d.screen(); strings.Contains(s, "- 0:02") {
			t.Errorf("the sign turns where nothing is to move:\n%s", s)
		}
	})
}
