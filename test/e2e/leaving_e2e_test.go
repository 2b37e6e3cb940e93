package e2e

import (
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"broadside/internal/server"
	"broadside/internal/test/sshtest"
)

// TestLeavingAtTheWrongMoment checks that no client that leaves between connecting and its command's end is logged as
// an error of the server.
func TestLeavingAtTheWrongMoment(t *testing.T) {
	t.Parallel()
	log := sshtest.NewOutput()
	h := openLogging(t, func(c *server.Config) { c.Limits.ConnRate, c.Limits.ConnBurst = 100000, 100000 }, log)
	key := sshtest.NewSigner(t)
	config := &gossh.ClientConfig{User: "leaver", Auth: []gossh.AuthMethod{gossh.PublicKeys(key)}, HostKeyCallback: gossh.InsecureIgnoreHostKey()}
	// visit leaves after a time, and reports how far it came.
	visit := func(stay time.Duration, terminal bool, command string) (loggedIn, finished bool) {
		nc, err := net.Dial("tcp", h.ssh)
		if err != nil {
			t.Error(err)
			return false, true
		}
		leave := time.AfterFunc(stay, func() { nc.Close() })
		defer leave.Stop()
		defer nc.Close()
		c, chans, reqs, err := gossh.NewClientConn(nc, h.ssh, config)
		if err != nil { // it has left already
			return false, false
		}
		client := gossh.NewClient(c, chans, reqs)
		defer client.Close()
		s, err := client.NewSession()
		if err != nil {
			return true, false
		}
		s.Stdout, s.Stderr = io.Discard, io.Discard
		if terminal {
			// These requests fail when the client has left.
			_ = s.RequestPty("xterm", 24, 80, nil)
		}
		if command == "" {
			if _, err = s.StdinPipe(); err == nil {
				_ = s.Shell()
				_ = s.Wait()
			}
			return true, false
		}
		return true, s.Run(command) == nil
	}
	var clients sync.WaitGroup
	for _, c := range []struct {
		terminal bool
		command  string
	}{{true, ""}, {false, ""}, {true, "watch"}, {false, "leaderboard"}, {false, "history --json"}, {false, "relay vs easy"}, {true, "profile leaver"}, {false, "export --all"}} {
		clients.Go(func() {
			logins, finished := 0, false
			for stay := time.Duration(0); logins < 30 && !finished; stay += 500*time.Microsecond + stay/50 {
				var loggedIn bool
				if loggedIn, finished = visit(stay, c.terminal, c.command); loggedIn {
					logins++
				}
			}
		})
	}
	clients.Wait()
	h.close(t)
	for line := range strings.Lines(log.String()) {
		t.Errorf("%s", line)
	}
}
