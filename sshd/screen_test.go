package sshd_test

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/test/sshtest"
)

// TestBell checks that a screen can ring the bell, but write no other raw output.
func TestBell(t *testing.T) {
	runInBubble(t, nil, func(t *testing.T, h *testServer) {
		var out bytes.Buffer
		p := h.openTerminal(t, sshtest.Options{Tee: &out})
		p.Type("R")
		synctest.Wait()
		p.Press("q")
		p.Wait()
		if strings.Contains(out.String(), "not for programs") {
			t.Error("a program wrote outside its frames")
		}
		// These bells end a sequence, so they do not ring.
		others := regexp.MustCompile(`\x1b\][^\a]*\a`)
		if n := strings.Count(others.ReplaceAllString(out.String(), ""), "\a"); n != 1 {
			t.Errorf("the bell rang %d times", n)
		}
	})
}

// TestEnvironmentIsBounded checks that the server keeps little of 5,000 variables of 1 KB.
func TestEnvironmentIsBounded(t *testing.T) {
	runInBubble(t, nil, func(t *testing.T, h *testServer) {
		session, err := h.connect(t, "guest").NewSession()
		if err != nil {
			t.Fatal(err)
		}
		defer session.Close()
		if err := session.Setenv("LANG", "de_DE.UTF-8"); err != nil {
			t.Error(err)
		}
		if err := session.Setenv("SHELL", "/bin/sh"); err != nil {
			t.Error(err)
		}
		kept := 0
		for i := range 5000 {
			if session.Setenv(fmt.Sprint("LC_", i), strings.Repeat("x", 1000)) == nil {
				kept++
			}
		}
		if kept > 4 {
			t.Errorf("the server keeps %d KB of environment", kept)
		}
		if err := session.RequestPty("xterm", 24, 80, nil); err != nil {
			t.Fatal(err)
		}
		if err := session.Shell(); err != nil {
			t.Fatal(err)
		}
		h.waitFor(t, "the user", func() bool { return len(h.users) == 1 })
		if env := h.lastUser().Env; !slices.Equal(env, []string{"LANG=de_DE.UTF-8"}) {
			t.Errorf("Env = %q", env)
		}
	})
}

func TestErrorsWithoutScreen(t *testing.T) {
	runInBubble(t, nil, func(t *testing.T, h *testServer) {
		c := h.connect(t, "guest")
		for _, q := range []struct {
			name    string
			options sshtest.Options
			status  int
			says    string
		}{
			{"shell", sshtest.Options{NoPTY: true}, 4, "This is line mode."},
			{"help", sshtest.Options{NoPTY: true, Command: "help"}, 0, "ssh HOST help"},
			{"--help", sshtest.Options{NoPTY: true, Command: "--help"}, 0, "ssh HOST help"},
			{"help at a terminal", sshtest.Options{Command: "help"}, 0, "ssh HOST help"},
			{"unknown command", sshtest.Options{NoPTY: true, Command: "rm -rf /"}, 2, "There is no command rm here."},
			{"unknown command at a terminal", sshtest.Options{Command: "rm -rf /"}, 2, "There is no command rm here."},
			{"hostile command", sshtest.Options{NoPTY: true, Command: "\x1b[2J\u202e'"}, 2, "There is no command [2J' here."},
			{"blank command", sshtest.Options{NoPTY: true, Command: "  \t "}, 4, "This is line mode."},
		} {
			p := sshtest.Open(t, c.Client, q.options)
			if status := p.Wait(); status != q.status {
				t.Errorf("%s: got exit status %d, want %d", q.name, status, q.status)
			}
			if s := p.Screen(); !strings.Contains(s, q.says) {
				t.Errorf("%s: got output\n%s\nwant %q", q.name, s, q.says)
			}
		}
		// Results go to the output, everything else to the standard error.
		for _, q := range []struct{ command, out, errs string }{
			{"help", "ssh HOST help", ""},
			{"nonsense", "", "There is no command nonsense here."},
			{"", "This is line mode.", ""},
		} {
			session, err := c.NewSession()
			if err != nil {
				t.Fatal(err)
			}
			var out, errs bytes.Buffer
			session.Stdout, session.Stderr = &out, &errs
			if q.command == "" {
				err = cmp.Or(session.Shell(), session.Wait())
			} else {
				err = session.Run(q.command)
			}
			if !strings.HasPrefix(out.String(), q.out) || (q.out == "") != (out.Len() == 0) ||
				!strings.HasPrefix(errs.String(), q.errs) || (q.errs == "") != (errs.Len() == 0) || strings.Contains(out.String()+errs.String(), "\r") {
				t.Errorf("%q: got output %q, errors %q (%v)", q.command, &out, &errs, err)
			}
		}
		if h.users != nil {
			t.Error("a screen was opened, want none")
		}
	})
}

func TestOnlySessionsAreAllowed(t *testing.T) {
	runInBubble(t, nil, func(t *testing.T, h *testServer) {
		c := h.connect(t, "guest")
		for _, kind := range []string{"direct-tcpip", "direct-streamlocal@openssh.com", "x11", "auth-agent@openssh.com", "tun@openssh.com", ""} {
			if ch, _, err := c.OpenChannel(kind, make([]byte, 64)); err == nil {
				ch.Close()
				t.Errorf("the server opened a channel %q", kind)
			}
		}
		for _, kind := range []string{"tcpip-forward", "streamlocal-forward@openssh.com", "cancel-tcpip-forward", ""} {
			if ok, _, err := c.SendRequest(kind, true, make([]byte, 64)); ok || err != nil {
				t.Errorf("the server granted %q: %v", kind, err)
			}
		}
		ch, reqs := c.openChannel(t)
		go func() {
			for range reqs {
			}
		}()
		for _, kind := range []string{"subsystem", "auth-agent-req@openssh.com", "x11-req", "signal", "break", "eow@openssh.com", ""} {
			if ok, err := ch.SendRequest(kind, true, make([]byte, 64)); ok || err != nil {
				t.Errorf("the server granted %q in a session: %v", kind, err)
			}
		}
		for _, kind := range []string{"pty-req", "env"} {
			if ok, err := ch.SendRequest(kind, true, []byte("nonsense")); ok && kind == "pty-req" || err != nil {
				t.Errorf("the server granted a malformed %s: %v", kind, err)
			}
		}
		sendRequest(t, ch, "pty-req", ptyRequest{Term: "xterm", Width: 80, Height: 24})
		sendRequest(t, ch, "shell", nil)
		for _, kind := range []string{"shell", "exec", "pty-req", "env", "subsystem"} {
			if ok, err := ch.SendRequest(kind, true, make([]byte, 64)); ok || err != nil {
				t.Errorf("the server granted a second %s: %v", kind, err)
			}
		}
		h.waitFor(t, "the screen", func() bool { return len(h.users) == 1 })
		time.Sleep(time.Second)
		ch.Close()
	})
}

// TestSSHWrappersOpenScreen checks that the scripts which wrappers of ssh request open a screen.
func TestSSHWrappersOpenScreen(t *testing.T) {
	scripts := []string{
		`exec sh -c 'eval "$(echo "$0" | tr x y)"' payload`,
		`exec sh -c 'eval "$(printf %s "$0")"' ` + strings.Repeat("x", 30_000),
		"exec /bin/bash -l", "exec $SHELL -l", "/bin/sh", "sh -c 'exec zsh'", "bash --rcfile /tmp/rc", `"$SHELL" -l`,
		"env TERM=xterm-256color bash", "TERM=xterm-256color exec sh", "export TERM=xterm-256color; exec bash", "command -v zsh && exec zsh",
	}
	runInBubble(t, nil, func(t *testing.T, h *testServer) {
		for _, script := range scripts {
			p := h.openTerminal(t, sshtest.Options{Term: "xterm-kitty", Command: script})
			p.Press("q")
			if status := p.Wait(); status != 0 {
				t.Errorf("%.40q: got exit status %d", script, status)
			}
		}
		for _, c := range []sshtest.Options{{NoPTY: true, Command: scripts[0]}, {Command: "shell"}, {Command: "export"}, {Command: "rm TERM=x"}} {
			p := sshtest.Open(t, h.connect(t, "guest").Client, c)
			if status := p.Wait(); status != 2 || !strings.Contains(p.Screen(), "There is no command") {
				t.Errorf("%+v: got exit status %d:\n%s", c, status, p.Screen())
			}
		}
	})
}
