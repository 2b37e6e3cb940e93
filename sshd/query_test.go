package sshd_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/test/sshtest"
)

// queries are the sequences that terminals answer.
var queries = regexp.MustCompile(strings.Join([]string{
	// Queries for the terminal's kind.
	`\x1b\[[?>=]?[0-9;]*c`,
	// Queries for the window's size and other properties.
	`\x1b\[[0-9;]*t`,
	// Queries for the terminal's state.
	`\x1b\[\??[0-9;]*n`,
	// Queries for the terminal's name.
	`\x1b\[>[0-9]*q`,
	// Queries whether the terminal knows a mode.
	`\x1b\[\??[0-9]*\$p`,
	// Queries for the keyboard's state.
	`\x1b\[\?u`,
	// These are no queries, but leave the keyboard in an unusual state.
	`\x1b\[[>=<][0-9;]*u`,
	`\x1b\[>[0-9;]*m`,
	// Queries for the terminal's abilities.
	`\x1bP[+$]q`,
	// Queries for the terminal's colours.
	`\x1b\][0-9;]*\?`,
	// Queries for pictures and the clipboard.
	`\x1b_G`, `\x1b\]52;[a-z]*;?`,
}, "|"))

// TestQueries checks that each type of terminal is asked once, with the first frame. The frame's text covers
// anything that the terminal might show of the query.
func TestQueries(t *testing.T) {
	background, reset := "\x1b]11;?\a", "\x1b[48;2;1;2;3m\x1bP$qm\x1b\\\x1b[m"
	all := background + reset + "\x1b[>0q\x1b[c"
	runInBubble(t, nil, func(t *testing.T, h *testServer) {
		for _, c := range []struct {
			term string
			env  map[string]string
			want string
		}{
			{"xterm-256color", nil, all},
			// These variables are inherited, possibly from another terminal.
			{"xterm-256color", map[string]string{"COLORTERM": "truecolor", "COLORFGBG": "15;0"}, all},
			{"xterm", nil, all},
			{"xterm-kitty", nil, all},
			{"foot", nil, all},
			{"vte-256color", nil, all},
			{"st-256color", nil, all},
			{"tmux-256color", nil, background + "\x1b[c"},
			{"screen", nil, background + "\x1b[c"},
			{"screen.xterm-256color", nil, background + "\x1b[c"},
			{"linux", nil, ""},
			{"linux-16color", nil, ""},
			{"cygwin", nil, ""},
			{"vt100", nil, ""},
			{"vt220-nam", nil, ""},
			{"ansi", nil, ""},
			{"xterm-256color", map[string]string{"NO_COLOR": "1"}, ""},
		} {
			var out bytes.Buffer
			p := h.openTerminal(t, sshtest.Options{Term: c.term, Env: c.env, Tee: &out})
			p.Press("T")
			p.WaitText("frame: 3")
			p.Resize(70, 20)
			p.WaitText("70x20")
			p.Press("q")
			p.Wait()
			if found := strings.Join(queries.FindAllString(strings.Replace(out.String(), all, "", 1), -1), ""); c.want == all && found != "" {
				t.Errorf("%s received the other query %q", c.term, found)
			}
			asked := strings.Index(out.String(), "\x1b]11;?")
			switch {
			case c.want == "" && queries.Match(out.Bytes()):
				t.Errorf("%s received queries %q", c.term, queries.FindAllString(out.String(), -1))
			case c.want != "" && strings.Count(out.String(), c.want) != 1, asked > strings.Index(out.String(), "hello"):
				t.Errorf("%s received the query at byte %d of %q", c.term, asked, out.String()[:200])
			}
			if left := p.Leftovers(); left != nil {
				t.Errorf("%s: terminal modes left on: %v", c.term, left)
			}
		}
	})
}

// TestAnswersSetColours checks what terminals' answers change, whether they come whole or in pieces, soon or
// late.
func TestAnswersSetColours(t *testing.T) {
	const model, background = "\x1b[?62;22c", "\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\"
	const few, many = "114", "#74d692"
	for _, c := range []struct {
		name, answers, want string
	}{
		{"nothing", "", few},
		{"the model alone", model, few},
		{"a background", background + model, few},
		{"the colour as xterm does", background + "\x1bP1$r0;48:2::1:2:3m\x1b\\" + "\x1bP>|XTerm(388)\x1b\\" + model, many},
		{"the colour without a colour space", "\x1bP1$r48:2:1:2:3m\x1b\\" + model, many},
		{"the colour with semicolons", "\x1bP1$r0;48;2;1;2;3m\x1b\\" + model, many},
		{"the status the other way round", "\x1bP0$r48:2:1:2:3m\x1b\\" + model, many},
		{"the colour and no model", "\x1bP1$r48:2:1:2:3m\x1b\\", many},
		{"one of 256 colours", "\x1bP1$r48:5:16m\x1b\\" + model, few},
		{"another colour", "\x1bP1$r48:2:1:2:30m\x1b\\" + model, few},
		{"an error", "\x1bP0$r\x1b\\" + model, few},
		{"a known name", "\x1bP0$r\x1b\\\x1bP>|iTerm2 3.5.0\x1b\\" + model, many},
		{"a name in parentheses", "\x1bP>|kitty(0.35.2)\x1b\\" + model, many},
		{"an unknown name", "\x1bP>|tmux 3.4\x1b\\" + model, few},
		{"the model first", model + "\x1bP1$r48:2:1:2:3m\x1b\\", many},
		{"nonsense", "\x1b]11;rgb:x/y\a\x1bP1$r\x1b\\\x1bP>|\x1b\\\x1b]11;\a" + model, few},
	} {
		for _, how := range []struct {
			name string
			// pause is the time between bytes.
			late, pause time.Duration
		}{
			{"", 0, 0},
			{" in pieces", 0, 20 * time.Millisecond},
			{" late", 10 * time.Second, 0},
			{" late in pieces", 10 * time.Second, 20 * time.Millisecond},
			{" in slow pieces", 0, 400 * time.Millisecond},
		} {
			if strings.HasPrefix(c.answers, model) && how.pause > 50*time.Millisecond {
				// An escape after the last answer is the escape key.
				continue
			}
			t.Run(c.name+how.name, func(t *testing.T) {
				runInBubble(t, nil, func(t *testing.T, h *testServer) {
					p := h.openTerminal(t, sshtest.Options{Silent: true})
					time.Sleep(how.late)
					if how.pause == 0 {
						p.Type(c.answers)
					} else {
						for _, b := range []byte(c.answers) {
							p.Type(string(b))
							time.Sleep(how.pause)
						}
					}
					time.Sleep(2 * time.Second)
					synctest.Wait()
					x, y, _ := p.Find("hello")
					if got := p.Cell(x, y).Fg; got != c.want {
						t.Errorf("got colour %q, want %q", got, c.want)
					}
					p.Press("k")
					p.WaitFor("only the key", func(s string) bool { return strings.Contains(s, "keys: k\n") })
					p.Press("q")
					p.Wait()
				})
			})
		}
	}
}

// TestQuitBeforeAnswers checks that a session that quits before the terminal has answered ends after the
// last answer, or after a second without any, so that no answer arrives in the user's shell.
func TestQuitBeforeAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		answers string
		want    time.Duration
	}{
		"answers":      {"\x1b]11;rgb:ffff/ffff/ffff\a\x1b[?62c", 300 * time.Millisecond},
		"half of them": {"\x1b]11;rgb:ffff/ffff", 1300 * time.Millisecond},
		"silence":      {"", time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			runInBubble(t, nil, func(t *testing.T, h *testServer) {
				start := time.Now()
				p := h.openTerminal(t, sshtest.Options{Silent: true})
				p.Press("q")
				time.Sleep(300 * time.Millisecond)
				if p.IsAltScreen() {
					t.Error("the screen was not closed")
				}
				p.Type(c.answers)
				p.Wait()
				if took := time.Since(start).Round(100 * time.Millisecond); took != c.want {
					t.Errorf("session ended after %v, want %v", took, c.want)
				}
			})
		})
	}
}
