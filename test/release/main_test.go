//go:build release

// Package release tests a release's parts, packages and the container image, as
// deploy/package/build has built them. .ci/nightly runs it, as root.
package release

import (
	"bytes"
	"fmt"
	"net"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"broadside/internal/test/need"
	"broadside/internal/test/servers"
	"broadside/match"
)

// patience limits every wait, to end tests that hang.
const patience = time.Minute

// findBuilt returns the only file that matches a pattern in the folder of goreleaser.
func findBuilt(t *testing.T, pattern string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("../../dist", pattern))
	if err != nil || len(files) != 1 {
		t.Fatalf("%s: %q, %v: run deploy/package/build first", pattern, files, err)
	}
	path, err := filepath.Abs(files[0])
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// run runs a command and returns its output.
func run(t *testing.T, c *exec.Cmd) string {
	t.Helper()
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", c, err, out)
	}
	return string(out)
}

// command returns a command that runs in a root folder as a user.
func command(t *testing.T, root string, user uint32, program string, args ...string) *exec.Cmd {
	c := exec.CommandContext(t.Context(), program, args...)
	c.Env = []string{"PATH=/usr/bin:/bin", "HOME=/"}
	c.SysProcAttr = &syscall.SysProcAttr{Chroot: root, Credential: &syscall.Credential{Uid: user, Gid: user}}
	c.Dir = "/"
	return c
}

// server is a running server with the address of SSH.
type server struct {
	t       *testing.T
	command *exec.Cmd
	address string
	log     bytes.Buffer
}

// serve starts a server on a free port, and waits until it accepts a connection.
func serve(t *testing.T, c *exec.Cmd) *server {
	t.Helper()
	l, err := servers.ListenLoopback()
	if err != nil {
		t.Fatal(err)
	}
	s := &server{t: t, command: c, address: l.Addr().String()}
	l.Close()
	c.Env = append(c.Env, "BROADSIDE_SSH="+s.address, "BROADSIDE_RELAY=127.0.0.1:0", "BROADSIDE_BOT_PACE=0s", "BROADSIDE_DRAIN=0s")
	c.Stdout, c.Stderr = &s.log, &s.log
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(s.log.String())
		}
	})
	awaitServer(t, s.address)
	return s
}

// play plays a whole match against a bot, with OpenSSH.
func (s *server) play() {
	s.t.Helper()
	host, port, _ := strings.Cut(s.address, ":")
	c := exec.CommandContext(s.t.Context(), need.Tool(s.t, "ssh"), "-F", "none", "-T", "-p", port, "-o", "StrictHostKeyChecking=no",
		"-o", "UserKnownHostsFile=/dev/null", "-o", "PubkeyAuthentication=no", "-o", "LogLevel=ERROR", "ann@"+host)
	var lines strings.Builder
	lines.WriteString("bot easy\nplace random\n")
	for cell := range match.Classic().Cells().All() {
		fmt.Fprintf(&lines, "fire %v\n", cell)
	}
	c.Stdin = strings.NewReader(lines.String())
	if out := run(s.t, c); !strings.Contains(out, "The battle starts.") || !regexp.MustCompile(`You (won|lost)\.`).MatchString(out) {
		s.t.Errorf("the match:\n%s", out)
	}
}

// stop ends the server like systemd and waits for it.
func (s *server) stop() {
	s.t.Helper()
	s.command.Process.Signal(syscall.SIGTERM)
	if err := s.command.Wait(); err != nil {
		s.t.Errorf("%v:\n%s", err, s.log.String())
	}
}

// awaitServer waits until a server accepts a connection.
func awaitServer(t *testing.T, address string) {
	t.Helper()
	for began := time.Now(); time.Since(began) < patience; time.Sleep(time.Millisecond) {
		if nc, err := net.Dial("tcp", address); err == nil {
			nc.Close()
			return
		}
	}
	t.Fatalf("no server at %s", address)
}
