package sshd_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/test/sshtest"
	"broadside/sshd"
	"broadside/tui/term"
)

// echoLines repeats each line. It ends at the word quit. After the word deutsch, its language is German.
func echoLines(ctx context.Context, who sshd.User, c *term.Console) int {
	c.Print("Hello " + strings.Join([]string{who.Name, fmt.Sprint(who.StartScreen)}, " ") + ".")
	for {
		c.ShowPrompt()
		var line string
		var open bool
		select {
		case line, open = <-c.Lines():
		case <-ctx.Done():
		}
		switch {
		case !open || line == "quit":
			return 3
		case line == "panic":
			panic("it was told to")
		case line == "deutsch":
			c.SetLanguage(i18n.MustParse("de"))
		}
		c.Print("You said " + line + ".")
	}
}

// TestLineMode checks which sessions are in line mode.
func TestLineMode(t *testing.T) {
	runInBubble(t, func(c *sshd.Config) {
		c.Lines = echoLines
		c.Command = newTestCommand
	}, func(t *testing.T, h *testServer) {
		c := h.connect(t, "guest")
		for _, q := range []struct {
			o      sshtest.Options
			typed  string
			status int
			says   string
		}{
			{sshtest.Options{NoPTY: true}, "a\nquit\n", 3, "You said a."},
			{sshtest.Options{Term: "dumb"}, "ab\x7f\rquit\r", 3, "You said a."},
			{sshtest.Options{Command: "dance tango --plain"}, "quit\r", 3, "Hello guest tango."},
			{sshtest.Options{Command: "dance tango", NoPTY: true}, "quit\n", 3, "Hello guest tango."},
			{sshtest.Options{Command: "low"}, "quit\r", 3, "Hello guest low."},
			{sshtest.Options{NoPTY: true}, "panic\n", 1, "Internal error."},
			{sshtest.Options{NoPTY: true}, "deutsch\npanic\n", 1, "Interner Fehler."},
		} {
			p := sshtest.Open(t, c.Client, q.o)
			p.Type(q.typed)
			if status := p.Wait(); status != q.status {
				t.Errorf("%+v: got exit status %d, want %d", q.o, status, q.status)
			}
			if s := p.Screen(); !strings.Contains(s, q.says) {
				t.Errorf("%+v: got output\n%s\nwant %q", q.o, s, q.says)
			}
		}
	})
}

// TestIdleLineModeEnds checks that line mode is warned and ended like a screen.
func TestIdleLineModeEnds(t *testing.T) {
	runInBubble(t, func(c *sshd.Config) {
		c.Lines = echoLines
		c.IdleTimeout, c.SessionTime = 10*time.Minute, 20*time.Minute
	}, func(t *testing.T, h *testServer) {
		p := sshtest.Open(t, h.connect(t, "guest").Client, sshtest.Options{Term: "dumb"})
		p.WaitText("Hello guest")
		time.Sleep(9*time.Minute - time.Second)
		if s := p.Screen(); strings.Contains(s, "still there") {
			t.Errorf("warned too early:\n%s", s)
		}
		time.Sleep(2 * time.Second)
		p.WaitText("Are you still there?")
		p.Type("deutsch\r")
		p.WaitText("You said deutsch.")
		time.Sleep(6 * time.Minute)
		p.WaitText("Diese Sitzung erreicht bald ihre Höchstdauer")
		time.Sleep(4 * time.Minute)
		p.WaitText("Du warst zu lange inaktiv.")
		p.Wait()
	})
}

// TestLineModeEndsWithChannel checks that line mode can go on after the end of its
// input, and ends with its channel or connection.
func TestLineModeEndsWithChannel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan struct{}, 10)
		h := startServerInBubble(t, func(c *sshd.Config) {
			c.Lines = func(ctx context.Context, who sshd.User, c *term.Console) int {
				c.Print("Hello.")
				<-ctx.Done()
				ended <- struct{}{}
				return 0
			}
		})
		c := h.connect(t, "guest")
		p := sshtest.Open(t, c.Client, sshtest.Options{NoPTY: true})
		p.WaitText("Hello.")
		p.CloseInput()
		synctest.Wait()
		if len(ended) != 0 {
			t.Fatal("the end of the input ended the session")
		}
		p.Close()
		<-ended
		q := sshtest.Open(t, c.Client, sshtest.Options{NoPTY: true})
		q.WaitText("Hello.")
		c.Close()
		<-ended
	})
}
