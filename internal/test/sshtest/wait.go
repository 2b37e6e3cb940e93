package sshtest

import (
	"fmt"
	"regexp"
	"strings"
	"time"
)

// WaitFor waits until the screen satisfies a condition, and returns the screen. It checks
// the condition at once and after each piece of output, but not during a synchronized
// update. If the session ends or the wait times out, the test fails with what, a
// description of the condition, and the last screen.
func (p *Terminal) WaitFor(what string, cond func(screen string) bool) string {
	p.t.Helper()
	patience := time.NewTimer(p.opts.Timeout)
	defer patience.Stop()
	for {
		p.mu.Lock()
		changed, ended, updating := p.changed, p.ended, p.state.updating()
		screen := Text(p.snapshot())
		p.mu.Unlock()
		if (!updating || ended) && cond(screen) {
			return screen
		}
		if ended {
			p.t.Fatalf("sshtest: %s waits for %s, but the session has ended\n%s", p.opts.User, what, p.Describe())
		}
		select {
		case <-changed:
		case <-patience.C:
			p.t.Fatalf("sshtest: %s waits for %s in vain\n%s", p.opts.User, what, p.Describe())
		}
	}
}

// WaitText waits until all texts are on the screen. Each must be in one row.
func (p *Terminal) WaitText(texts ...string) string {
	p.t.Helper()
	return p.WaitFor(fmt.Sprintf("%q", texts), func(screen string) bool {
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				return false
			}
		}
		return true
	})
}

// WaitGone waits until the text is not on the screen.
func (p *Terminal) WaitGone(text string) string {
	p.t.Helper()
	return p.WaitFor(fmt.Sprintf("%q to go", text), func(screen string) bool { return !strings.Contains(screen, text) })
}

// WaitMatch waits until the screen matches the regular expression, in which ^
// and $ match at each row, and returns the match and its groups.
func (p *Terminal) WaitMatch(expr string) []string {
	p.t.Helper()
	re, err := regexp.Compile("(?m)" + expr)
	if err != nil {
		p.t.Fatalf("sshtest: %v", err)
	}
	var found []string
	p.WaitFor("/"+expr+"/", func(screen string) bool {
		found = re.FindStringSubmatch(screen)
		return found != nil
	})
	return found
}

// Describe returns a description of the terminal for failed tests.
func (p *Terminal) Describe() string {
	s := p.Snapshot()
	x, y, visible := p.Cursor()
	p.mu.Lock()
	defer p.mu.Unlock()
	var out strings.Builder
	rule := strings.Repeat("─", s.Width())
	fmt.Fprintf(&out, "┌%s┐\n", rule)
	for row := range s.Height() {
		fmt.Fprintf(&out, "│%s│\n", rowText(s.Line(row)))
	}
	fmt.Fprintf(&out, "└%s┘\n", rule)
	fmt.Fprintf(&out, "%d×%d, %d bytes received, cursor at %d,%d (visible: %t), alternate screen: %t",
		s.Width(), s.Height(), p.received, x, y, visible, p.em.IsAltScreen())
	if p.ended {
		fmt.Fprintf(&out, ", ended with status %d", p.status)
	}
	return out.String()
}
