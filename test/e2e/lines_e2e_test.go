package e2e

import (
	"bufio"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"broadside/internal/server"
	"broadside/internal/test/need"
	"broadside/internal/test/sshtest"
	"broadside/match"
)

// lineClient is a player in line mode without a terminal.
type lineClient struct {
	t    testing.TB
	name string
	// client and session are nil for a program.
	client  *ssh.Client
	session *ssh.Session
	// close closes the connection.
	close func() error
	in    io.WriteCloser
	// lines receives the output, and is closed when the session ends.
	lines chan string
	// unmatched has the lines since the last one that a test waited for.
	unmatched []string
}

// openLineMode opens a session in line mode with a command, which may be empty.
func (h *testServer) openLineMode(t *testing.T, name, command string) *lineClient {
	t.Helper()
	return h.openLineModeAs(t, sshtest.Options{User: name}, command)
}

// openLineModeAs is like talk for a user with a key.
func (h *testServer) openLineModeAs(t testing.TB, o sshtest.Options, command string) *lineClient {
	t.Helper()
	client, err := sshtest.Connect(h.ssh, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	s, err := client.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	k := &lineClient{t: t, name: o.User, client: client, session: s, close: client.Close, lines: make(chan string, 10_000)}
	for name, value := range o.Env {
		if err := s.Setenv(name, value); err != nil {
			t.Fatal(err)
		}
	}
	k.in, _ = s.StdinPipe()
	out, _ := s.StdoutPipe()
	if command == "" {
		err = s.Shell()
	} else {
		err = s.Start(command)
	}
	if err != nil {
		t.Fatal(err)
	}
	go k.read(out)
	return k
}

// asLineClient returns a program as one.
func (r *program) asLineClient(name string) *lineClient {
	k := &lineClient{t: r.t, name: name, in: r.nc, close: r.nc.Close, lines: make(chan string, 10_000)}
	go k.read(r.nc)
	return k
}

func (k *lineClient) read(out io.Reader) {
	defer close(k.lines)
	for lines := bufio.NewScanner(out); lines.Scan(); {
		k.lines <- lines.Text()
	}
}

// send types a line.
func (k *lineClient) send(line string) {
	k.t.Helper()
	if _, err := io.WriteString(k.in, line+"\n"); err != nil {
		k.t.Fatalf("%s types %q: %v", k.name, line, err)
	}
}

// await waits for a line that matches, and returns its groups.
func (k *lineClient) await(want *regexp.Regexp) []string {
	k.t.Helper()
	timeout := time.After(patience)
	for {
		select {
		case line, open := <-k.lines:
			if !open {
				k.t.Fatalf("%s waits for %v, but the session has ended after\n%s", k.name, want, strings.Join(k.unmatched, "\n"))
			}
			if m := want.FindStringSubmatch(line); m != nil {
				k.unmatched = nil
				return m
			}
			k.unmatched = append(k.unmatched, line)
		case <-timeout:
			k.t.Fatalf("%s: timed out waiting for %v; got:\n%s", k.name, want, strings.Join(k.unmatched, "\n"))
		}
	}
}

// awaitEnd waits for the end of the session and returns its status and the rest.
func (k *lineClient) awaitEnd() (status int, rest string) {
	k.t.Helper()
	for line := range k.lines {
		rest += line + "\n"
	}
	if k.session == nil {
		return 0, rest
	}
	if err := k.session.Wait(); err != nil {
		if exit, ok := err.(*ssh.ExitError); ok {
			return exit.ExitStatus(), rest
		}
		k.t.Errorf("%s: %v", k.name, err)
	}
	return 0, rest
}

// wholeMatch is a file of commands that fires at every cell.
func wholeMatch() string {
	var b strings.Builder
	b.WriteString("bot easy\nplace random\n")
	for c := range match.Classic().Cells().All() {
		fmt.Fprintf(&b, "fire %v\n", c)
	}
	return b.String()
}

// TestOpenSSHPlaysAFile checks that OpenSSH plays a whole match from a file, through a pipe.
func TestOpenSSHPlaysAFile(t *testing.T) {
	t.Parallel()
	tool := need.Tool(t, "ssh")
	h := open(t, func(c *server.Config) { c.BotPace = time.Microsecond })
	host, port, _ := strings.Cut(h.ssh, ":")
	cmd := exec.CommandContext(t.Context(), tool, "-F", "none", "-T", "-p", port, "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null",
		"-o", "PubkeyAuthentication=no", "-o", "LogLevel=ERROR", "ann@"+host)
	cmd.Stdin = strings.NewReader(wholeMatch())
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	for _, want := range []string{"You are playing against easy, a bot (", "): classic, no clock.", "The battle starts."} {
		if !strings.Contains(string(out), want) {
			t.Errorf("it does not say %q:\n%s", want, out)
		}
	}
	if !regexp.MustCompile(`You (won|lost)\.`).Match(out) {
		t.Errorf("the match has no end:\n%s", out)
	}
	if strings.ContainsAny(string(out), "\x1b\r\b") {
		t.Errorf("there are control characters:\n%q", out)
	}
}
