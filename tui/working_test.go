package tui

import (
	"context"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/tui/widget"
)

// TestWorkIndicator delays the disk.
func TestWorkIndicator(t *testing.T) {
	runWithModel(t, 80, 24, func(t *testing.T, d *driver) {
		d.press("o")
		for _, c := range []struct {
			takes time.Duration
			still bool
			signs int
		}{{400 * time.Millisecond, false, 0}, {3 * time.Second, false, 4}, {3 * time.Second, true, 0}} {
			next := d.m.env.Settings
			next.NoAnimation = c.still
			d.runCmd(d.m.env.ChangeSettings(next))
			seen := map[string]bool{}
			d.onFrame = func(screen string) {
				for _, sign := range []string{"|", "/", "-", `\`} {
					if strings.Contains(screen, sign+" one moment…") {
						seen[sign] = true
					}
				}
			}
			wait := func(ctx context.Context) error {
				select {
				case <-ctx.Done():
				case <-time.After(c.takes):
				}
				return nil
			}
			cmd := widget.Exec(d.m.env, wait, func(error) tea.Cmd {
				d.m.env.Notice = "There it is."
				return nil
			})
			d.runCmd(cmd)
			d.m.scheduleRedraw()
			d.waitForText("There it is.")
			if len(seen) != c.signs {
				t.Errorf("of something that takes %v these signs are seen: %v, want %d", c.takes, seen, c.signs)
			}
			d.onFrame = nil
			d.press("up")
			d.handlePending()
			if s := d.screen(); strings.Contains(s, "one moment") {
				t.Errorf("the sign stays:\n%s", s)
			}
		}
	})
}
