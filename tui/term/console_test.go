package term

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode"

	"broadside/internal/sanitize"

	"broadside/internal/i18n"
	"broadside/internal/test/leaks"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// testConsole is a console with its input, output and results.
type testConsole struct {
	*Console
	out   bytes.Buffer
	lines []string
	work  sync.WaitGroup
}

// startConsole reads lines from a console, one after the other.
func startConsole(terminal bool) *testConsole {
	h := &testConsole{}
	h.Console = NewConsole(&h.out, terminal, func() int { return 80 })
	h.ShowPrompt()
	h.work.Go(func() {
		for line := range h.Lines() {
			h.mu.Lock()
			h.lines = append(h.lines, line)
			h.mu.Unlock()
			h.ShowPrompt()
		}
	})
	return h
}

func (h *testConsole) end(ctx context.Context) {
	h.EndInput(ctx)
	h.work.Wait()
}

func TestLines(t *testing.T) {
	for _, c := range []struct {
		terminal bool
		typed    string
		want     []string
	}{
		{false, "a\nb\r\nc\rd", []string{"a", "b", "c", "d"}},
		{false, "a\n\n\nb\n", []string{"a", "", "", "b"}},
		{false, "a\x1b[31mb\x1b[0m\x07c\td\x00\n", []string{"abc d"}},
		{false, "gr\xc3\xbc\xc3\x9fe \xe4\xb8\x96 \xff\xc3x\n", []string{"grüße 世 x"}},
		{false, "a\u202eb\u200bc\u0301\n", []string{"abc"}},
		{false, "back\x7f\x08\x15\x17\x03\n", []string{"back"}},
		{false, "\x1b\nx\n", []string{"", "x"}},
		{true, "fier\x7f\x08re B7\r", []string{"fire B7"}},
		{true, "rubbish\x15board\r", []string{"board"}},
		{true, "fire B7  \x17C8\r", []string{"fire C8"}},
		{true, "fire\x03board\r", []string{"board"}},
		{true, "\x03a\x04\r\x04", []string{Interrupt, "a", Interrupt}},
		{true, "\x1b[A\x1bOBx\x1b[1;5Cy\r", []string{"xy"}},
		{true, "a\x1b\x1b[Ab\x1b\x1bOBc\x1b[[Ad\x1b\x1b\r", []string{"abcd"}},
		{true, "a\x1b]11;rgb:1e1e/1e1e/2e2e\x07b\x1bP1$r0m\x1b\\c\x1b_Gi=1;OK\x1b\\d\x1b]11;rgb\ry\r", []string{"abcd", "y"}},
		{true, "\x7f\x15\x17a\r", []string{"a"}},
		{true, "not ended", nil},
	} {
		for _, step := range []int{1, 3, 1000} {
			h := startConsole(c.terminal)
			for chunk := range slices.Chunk([]byte(c.typed), step) {
				h.Feed(t.Context(), chunk)
			}
			h.end(t.Context())
			if !slices.Equal(h.lines, c.want) {
				t.Errorf("%q, %d bytes at a time: %q, want %q", c.typed, step, h.lines, c.want)
			}
		}
	}
}

func TestLongLine(t *testing.T) {
	h := startConsole(true)
	h.Feed(t.Context(), []byte(strings.Repeat("x", 10*MaxInputLine)+"\r"))
	h.end(t.Context())
	if len(h.lines) != 1 || len(h.lines[0]) != MaxInputLine+1 {
		t.Errorf("%d lines", len(h.lines))
	}
	if n := strings.Count(h.out.String(), "x"); n != MaxInputLine+1 {
		t.Errorf("%d characters are echoed", n)
	}
}

// TestEcho checks the output on a terminal.
func TestEcho(t *testing.T) {
	h := startConsole(true)
	h.Print("The battle starts.")
	h.Feed(t.Context(), []byte("fire"))
	h.Print("easy fires at C3: miss.\nYour turn.")
	h.Feed(t.Context(), []byte(" B8\x7f7\r"))
	h.Print("B7: hit.")
	h.end(t.Context())
	want := "> \rThe battle starts.\r\n> fire\r\neasy fires at C3: miss.\r\nYour turn.\r\n> fire B8\b \b7\r\n"
	if got := h.out.String(); !strings.HasPrefix(got, want) {
		t.Errorf("the terminal got\n%q, want\n%q", got, want)
	}
	if got := h.out.String(); !strings.HasSuffix(got, "B7: hit.\r\n> ") {
		t.Errorf("at the end the terminal got %q", got)
	}
}

// TestLineEditedBeyondTheEdge checks that the cursor never moves back into the previous
// row, which terminals cannot do.
func TestLineEditedBeyondTheEdge(t *testing.T) {
	h := startConsole(true)
	h.Feed(t.Context(), []byte(strings.Repeat("x", 80)+"\x7f\x15y\r"))
	h.end(t.Context())
	if want := "\r\n> " + strings.Repeat("x", 79) + "\r\n> y\r\n"; !strings.Contains(h.out.String(), want) {
		t.Errorf("the terminal got %q", h.out.String())
	}
}

// TestNoTerminal checks that input is not echoed and lines do not end with a carriage
// return.
func TestNoTerminal(t *testing.T) {
	h := startConsole(false)
	h.Feed(t.Context(), []byte("board\n"))
	h.Print("one\x1b[2J\u202etwo\n世界")
	h.end(t.Context())
	if got, want := h.out.String(), "one[2Jtwo\n世界\n"; got != want {
		t.Errorf("it says %q, want %q", got, want)
	}
}

// TestPace checks that input arriving too fast is delayed.
func TestPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := startConsole(false)
		h.work.Go(func() {
			h.Feed(t.Context(), bytes.Repeat([]byte("x\n"), lineBurst+3*lineRate))
			h.EndInput(t.Context())
		})
		synctest.Wait()
		h.mu.Lock()
		n := len(h.lines)
		h.mu.Unlock()
		if n != lineBurst {
			t.Errorf("%d lines are taken at once", n)
		}
		h.work.Wait()
		if len(h.lines) != lineBurst+3*lineRate {
			t.Errorf("%d lines are taken in the end", len(h.lines))
		}
	})
}

// TestPastedLines pastes far more lines at a terminal than a person types.
func TestPastedLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := startConsole(true)
		h.Feed(t.Context(), bytes.Repeat([]byte("fire B7\r"), 25000))
		time.Sleep(quietTime)
		h.Feed(t.Context(), []byte("board\r"))
		h.end(t.Context())
		if n := len(h.lines); n != typedBurst+1 || h.lines[n-1] != "board" {
			t.Errorf("%d lines are taken, %q at last", n, h.lines[n-1])
		}
		if n := strings.Count(h.out.String(), i18n.English.Text(tooManyLines)); n != 1 {
			t.Errorf("the person is told %d times", n)
		}
		if n := strings.Count(h.out.String(), "> "); n < 24900 {
			t.Errorf("%d prompts are shown", n)
		}
	})
}

// TestFeedEndsWithContext checks that Feed ends when the session does.
func TestFeedEndsWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c := NewConsole(&bytes.Buffer{}, false, nil)
	cancel()
	c.Feed(ctx, []byte("a\nb\n"))
	c.EndInput(ctx)
}

func FuzzConsole(f *testing.F) {
	f.Add([]byte("fire B7\r\x1b[A\x7f\xc3\xbc\x03"), true)
	f.Add([]byte("a\nb\x00\x1b]0;title\x07\n"), false)
	f.Fuzz(func(t *testing.T, typed []byte, terminal bool) {
		if bytes.Count(typed, []byte("\n"))+bytes.Count(typed, []byte("\r"))+len(typed) > lineBurst {
			return
		}
		h := startConsole(terminal)
		h.Feed(t.Context(), typed)
		h.Print("news")
		h.end(t.Context())
		for _, l := range h.lines {
			if l != Interrupt && sanitize.Text(l) != l || len([]rune(l)) > MaxInputLine+1 {
				t.Errorf("a line is %q", l)
			}
		}
		for _, r := range h.out.String() {
			if unicode.IsControl(r) && r != '\r' && r != '\n' && r != '\b' {
				t.Errorf("the terminal got %q", h.out.String())
			}
		}
	})
}
