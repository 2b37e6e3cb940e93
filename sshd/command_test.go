package sshd_test

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/test/sshtest"
	"broadside/sshd"
)

// testCommand is a command line for tests. "dance STEP" opens a screen, "low" opens line mode, "sing" writes
// its words, and "help" writes a line. "parrot" is long-running: it repeats its input or waits for its end.
// Some songs make it panic.
type testCommand struct {
	user  sshd.User
	words []string
}

// newTestCommand implements [sshd.Config].Command.
func newTestCommand(user sshd.User, words []string) sshd.Command { return testCommand{user, words} }

func (c testCommand) IsLongRunning() bool { return c.words[0] == "parrot" || c.words[0] == "dance" }

func (c testCommand) StartScreen() (opening any, lines, ok bool) {
	last := c.words[len(c.words)-1]
	switch c.words[0] {
	case "dance":
		return c.words[1], last == "--plain", true
	case "low":
		return "low", true, true
	}
	return nil, false, false
}

func (c testCommand) Run(ctx context.Context, in io.ReadCloser, out, errs io.Writer) (status int) {
	if slices.Contains(c.words, "wrongly") {
		fmt.Fprintln(errs, "This is wrong.")
		return 2
	}
	switch strings.Join(c.words, " ") {
	case "help", "--help":
		fmt.Fprintln(out, "ssh HOST help")
		return 0
	case "sing out of tune":
		panic("out of tune")
	case "parrot":
		<-ctx.Done()
		return 1
	case "parrot now":
		if _, err := io.Copy(out, in); err != nil || ctx.Err() != nil {
			return 1
		}
	case "dance tango", "dance tango --plain", "dance [31mtango", "low", "sing a b", "sing a [31mb":
		fmt.Fprintf(out, "%s: %q\n", c.user.Name, c.words)
	default:
		fmt.Fprintf(errs, "There is no command %s here.\n", c.words[0])
		return 2
	}
	return 0
}

// TestCommandEndsAtTimeLimit checks that a command ends like any session, whether it
// reads its input or not.
func TestCommandEndsAtTimeLimit(t *testing.T) {
	runInBubble(t, func(c *sshd.Config) { c.Command, c.SessionTime = newTestCommand, 2*time.Hour }, func(t *testing.T, h *testServer) {
		c := h.connect(t, "guest")
		for _, command := range []string{"parrot", "parrot now"} {
			say := sshtest.Open(t, c.Client, sshtest.Options{NoPTY: true, Command: command})
			time.Sleep(2*time.Hour - time.Second)
			if text := say.Screen(); strings.TrimSpace(text) != "" {
				t.Errorf("%s: wrote %q too early", command, text)
			}
			if status := say.Wait(); status != 1 {
				t.Errorf("%s: got exit status %d", command, status)
			}
		}
	})
}

// TestLongRunningCommandCountsAsSession checks that a command that lasts counts as a session, with and
// without a screen.
func TestLongRunningCommandCountsAsSession(t *testing.T) {
	runInBubble(t, func(c *sshd.Config) { c.Command, c.MaxSessions = newTestCommand, 1 }, func(t *testing.T, h *testServer) {
		c := h.connect(t, "guest")
		say := sshtest.Open(t, c.Client, sshtest.Options{NoPTY: true, Command: "parrot now"})
		say.Type("pretty polly")
		say.WaitText("pretty polly")
		full := sshtest.Open(t, c.Client, sshtest.Options{NoPTY: true, Command: "parrot"})
		full.WaitText("The server is full right now")
		if status := full.Wait(); status != 1 {
			t.Errorf("one session too many: got exit status %d", status)
		}
		say.CloseInput()
		if status := say.Wait(); status != 0 {
			t.Errorf("after the end of its input: got exit status %d", status)
		}
		synctest.Wait()
		// Closing the session ends the command.
		sshtest.Open(t, c.Client, sshtest.Options{NoPTY: true, Command: "parrot"}).Close()
		synctest.Wait()
	})
}

// TestCommandsRunOrOpenScreens checks what commands get, and what happens after them.
func TestCommandsRunOrOpenScreens(t *testing.T) {
	runInBubble(t, func(c *sshd.Config) { c.Command = newTestCommand }, func(t *testing.T, h *testServer) {
		c := h.connect(t, "guest")
		for _, q := range []struct {
			command  string
			terminal bool
			status   int
			says     string
		}{
			{"sing a \x1b[31mb", false, 0, `guest: ["sing" "a" "[31mb"]`},
			{"sing a b", true, 0, `guest: ["sing" "a" "b"]`},
			{"sing wrongly", false, 2, "This is wrong."},
			{"dance wrongly", true, 2, "This is wrong."},
			{"sing out of tune", false, 1, "Internal error."},
		} {
			p := sshtest.Open(t, c.Client, sshtest.Options{NoPTY: !q.terminal, Command: q.command})
			if status := p.Wait(); status != q.status {
				t.Errorf("%s: got exit status %d, want %d", q.command, status, q.status)
			}
			// Wait for the session's end, because a connection's sessions are limited.
			synctest.Wait()
			if s := p.Screen(); !strings.Contains(s, q.says) {
				t.Errorf("%s: got output\n%s\nwant %q", q.command, s, q.says)
			}
		}
		if h.users != nil {
			t.Fatal("a screen was opened, want none")
		}
		p := h.openTerminal(t, sshtest.Options{Command: "dance  \x1b[31mtan\u202ego\x07 "})
		if got := h.lastUser().StartScreen; got != "[31mtango" {
			t.Errorf("StartScreen = %q", got)
		}
		p.Press("q")
		p.Wait()
		h.openTerminal(t, sshtest.Options{})
		if got := h.lastUser().StartScreen; got != nil {
			t.Errorf("StartScreen without a command = %q", got)
		}
	})
}
