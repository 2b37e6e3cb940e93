package sshtest

import (
	"fmt"
	"regexp"
	"strings"
	"time"
)

// WaitFor waits until the screen satisfies a condition, and returns the screen. It checks
// the condition immediately and after each piece of output, but not during a synchronized
// update. If the session ends or the wait times out, the test fails with what, a
// description of the condition, and the last screen.
func (tm *Terminal) WaitFor(what string, cond func(screen string) bool) string {
	tm.t.Helper()
	patience := time.NewTimer(tm.opts.Timeout)
	defer patience.Stop()
	for {
		tm.mu.Lock()
		changed, ended, updating := tm.changed, tm.ended, tm.state.isUpdating()
		screen := FormatScreen(tm.snapshotLocked())
		tm.mu.Unlock()
		if (!updating || ended) && cond(screen) {
			return screen
		}
		if ended {
			tm.t.Fatalf("sshtest: %s: the session ended while waiting for %s\n%s", tm.opts.User, what, tm.Describe())
		}
		select {
		case <-changed:
		case <-patience.C:
			tm.t.Fatalf("sshtest: %s timed out waiting for %s\n%s", tm.opts.User, what, tm.Describe())
		}
	}
}

// WaitText waits until all texts are on the screen. Each must be in one row.
func (tm *Terminal) WaitText(texts ...string) string {
	tm.t.Helper()
	return tm.WaitFor(fmt.Sprintf("%q", texts), func(screen string) bool {
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				return false
			}
		}
		return true
	})
}

// WaitGone waits until the text is not on the screen.
func (tm *Terminal) WaitGone(text string) string {
	tm.t.Helper()
	return tm.WaitFor(fmt.Sprintf("%q to go", text), func(screen string) bool { return !strings.Contains(screen, text) })
}

// WaitMatch waits until the screen matches the regular expression, in which ^
// and $ match at each row, and returns the match and its groups.
func (tm *Terminal) WaitMatch(expr string) []string {
	tm.t.Helper()
	re, err := regexp.Compile("(?m)" + expr)
	if err != nil {
		tm.t.Fatalf("sshtest: %v", err)
	}
	var found []string
	tm.WaitFor("/"+expr+"/", func(screen string) bool {
		found = re.FindStringSubmatch(screen)
		return found != nil
	})
	return found
}

// Describe returns a description of the terminal for failed tests.
func (tm *Terminal) Describe() string {
	s := tm.Snapshot()
	x, y, visible := tm.Cursor()
	tm.mu.Lock()
	defer tm.mu.Unlock()
	var out strings.Builder
	rule := strings.Repeat("─", s.Width())
	fmt.Fprintf(&out, "┌%s┐\n", rule)
	for row := range s.Height() {
		fmt.Fprintf(&out, "│%s│\n", rowText(s.Line(row)))
	}
	fmt.Fprintf(&out, "└%s┘\n", rule)
	fmt.Fprintf(&out, "%d×%d, %d bytes received, cursor at %d,%d (visible: %t), alternate screen: %t",
		s.Width(), s.Height(), tm.received, x, y, visible, tm.em.IsAltScreen())
	if tm.ended {
		fmt.Fprintf(&out, ", ended with status %d", tm.status)
	}
	return out.String()
}
