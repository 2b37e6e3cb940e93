package tui

import (
	"context"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// TestWaitingIsSeen has the disk take its time.
func TestWaitingIsSeen(t *testing.T) {
	bubble(t, 80, 24, func(t *testing.T, d *driver) {
		d.press("o")
		for _, c := range []struct {
			takes time.Duration
			said  bool
		}{{400 * time.Millisecond, false}, {3 * time.Second, true}} {
			seen := map[string]bool{}
			d.frame = func(screen string) {
				for _, sign := range []string{"|", "/", "-", `\`} {
					if strings.Contains(screen, sign+" one moment …") {
						seen[sign] = true
					}
				}
			}
			d.do(d.m.later(d.m.screen, func(ctx context.Context) func() tea.Cmd {
				pause(ctx, c.takes)
				return func() tea.Cmd {
					d.m.notice = "There it is."
					return nil
				}
			}))
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

func TestSpinnerOfWhoWaits(t *testing.T) {
	bubble(t, 80, 24, func(t *testing.T, d *driver) {
		d.press("p")
		d.see("| 0:00")
		d.see("/ 0:01")
		d.see("| 0:04")
		d.press("esc")
		next := d.m.settings
		next.NoAnimation = true
		d.do(d.m.choose(next))
		d.press("p")
		d.see(" 0:02")
		if s := d.screen(); strings.Contains(s, "- 0:02") {
			t.Errorf("the sign turns where nothing is to move:\n%s", s)
		}
	})
}
