// Package e2e tests the product through its real interfaces: it opens the whole
// server on loopback ports and connects with real clients.
//
// Most tests are scripts of [testscript] in testdata: they run the program with "exec broadside".
// Further commands start a server in this process and play on it:
//
//	server [OPTION...]    starts the server, with the data folder $WORK/data, then $SSH, $PORT,
//	                      $RELAY, $SITE and $HOSTKEY tell where it is
//	stop                  shuts the server down
//	draining              starts to shut the server down
//	log TEXT              waits until the server has logged a text
//	get PATH              gets a page of the website as stdout
//	ssh NAME COMMAND      runs a command as a player with a key, with "< FILE" at its end as the input
//	await NAME COMMAND REGEXP
//	                      repeats a command until its output matches, and sets variables
//	find REGEXP           sets variables to the named groups of a match in stdout
//	guest NAME...         makes players guests, who have no key
//	operator NAME         makes a player an operator
//
// A player at a terminal of 80×24:
//
//	enter NAME...         connects with a new key, creates an account and waits in the lobby
//	screen NAME [COMMAND] connects, also again, and with a command
//	keys NAME KEY...      presses keys, such as b, enter or ctrl+c
//	type NAME TEXT        types a text
//	paste NAME FILE       pastes a file
//	see NAME TEXT...      waits until all texts are on the screen, "! see" until a text is gone
//	hides NAME TEXT...    checks that the texts are not on the screen now
//	place NAME...         places a random fleet and starts
//	fire NAME CELL...     waits for the turn and fires at each cell
//	finish NAME...        fires at cell after cell until the match is over
//
// A player without a terminal, in line mode, or a program of the relay:
//
//	line NAME [COMMAND]   connects in line mode, as say and hear do
//	program NAME [IP]     connects a program, from an address
//	say NAME LINE         types a line
//	hear NAME TEXT        waits for a line with a text, after the previous one
//
// Both:
//
//	match NAME REGEXP     waits for a match, and sets variables to its named groups. "! match" checks
//	                      that the screen does not match now
//	hangup NAME...        loses the connection
//	end NAME              waits until the session ends, "! end" for a status other than 0.
//	                      In line mode, the input ends
//
// [testscript]: https://pkg.go.dev/github.com/rogpeppe/go-internal/testscript
package e2e

import (
	"bufio"
	"context"
	"io"
	"net"
	"regexp"
	"strings"
	"testing"
	"time"

	"broadside/internal/logging"
	"broadside/internal/server"
	"broadside/internal/test/sshtest"
	"broadside/internal/test/storetest"
	"broadside/match"
)

// patience limits every wait, so that a test that hangs ends.
const patience = 5 * time.Minute

// testServer is a running server.
type testServer struct {
	// ssh and relay are addresses.
	ssh, relay string
	// site is the website's URL, or empty.
	site string
	// data is the data folder.
	data string
	// hostKey is the host key's fingerprint.
	hostKey string
	stop    context.CancelFunc
	stopped chan error
}

// open starts a server as the command does. It is shut down with the test.
func open(t testing.TB, change func(*server.Config)) *testServer {
	t.Helper()
	return openLogging(t, change, testLog{t})
}

// openLogging is like open, with a writer for the log. It returns once people can connect, also if the server is a node.
func openLogging(t testing.TB, change func(*server.Config), log io.Writer) *testServer {
	t.Helper()
	cfg := server.Config{
		SSH: "127.0.0.1:0", Relay: "127.0.0.1:0", Data: storetest.NewFolder(t), LogLevel: "error", LogFormat: "text",
		Audit: "flag", Drain: 100 * time.Millisecond, RelayHello: 50 * time.Millisecond, MoveTimeout: time.Minute, GuestTalk: true,
	}
	if change != nil {
		change(&cfg)
	}
	ctx, cancel := context.WithCancel(context.Background())
	h := &testServer{data: cfg.Data, stop: cancel, stopped: make(chan error, 1)}
	s, err := newServer(ctx, cfg, log)
	if err != nil {
		cancel()
		t.Fatalf("cannot open the server: %v", err)
	}
	h.ssh, h.relay, h.hostKey = s.SSHAddr().String(), s.RelayAddr().String(), s.Fingerprint()
	go func() { h.stopped <- s.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-h.stopped; err != nil {
			t.Errorf("serving: %v", err)
		}
		h.stopped <- nil
	})
	if cfg.Store != "" {
		h.awaitActive(t)
	}
	return h
}

// newServer opens a server that logs to log.
func newServer(ctx context.Context, cfg server.Config, log io.Writer) (*server.Server, error) {
	l, err := logging.New(log, cfg.LogLevel, cfg.LogFormat)
	if err != nil {
		return nil, err
	}
	return server.New(ctx, cfg, l.Logger)
}

// close shuts the server down before the test ends.
func (h *testServer) close(t testing.TB) {
	t.Helper()
	h.stop()
	if err := <-h.stopped; err != nil {
		t.Errorf("serving: %v", err)
	}
	h.stopped <- nil
}

// readAddresses reads the program's output at startup.
func (h *testServer) readAddresses(r io.Reader) {
	lines := bufio.NewScanner(r)
	for h.hostKey == "" && lines.Scan() {
		if m := sshLine.FindStringSubmatch(lines.Text()); m != nil {
			h.ssh = net.JoinHostPort(m[2], m[1])
		}
		if m := relayLine.FindStringSubmatch(lines.Text()); m != nil {
			h.relay = m[1]
		}
		if _, site, ok := strings.Cut(lines.Text(), "website"); ok {
			h.site = strings.TrimSpace(site)
		}
		if _, key, ok := strings.Cut(lines.Text(), "host key"); ok {
			h.hostKey = strings.TrimSpace(key)
		}
	}
}

// waitUntil waits for a condition.
func waitUntil(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("still waiting: %s", what)
		}
	}
}

var (
	sshLine   = regexp.MustCompile(`ssh -t -p (\d+) (\S+)`)
	relayLine = regexp.MustCompile(`programs\s+(\S+)`)
)

// testLog writes a server's log to the test's log.
type testLog struct{ t testing.TB }

func (l testLog) Write(b []byte) (int, error) {
	l.t.Logf("server: %s", strings.TrimSpace(string(b)))
	return len(b), nil
}

// enterLobby opens a session for a player and waits for the lobby.
func (h *testServer) enterLobby(t testing.TB, name string) *sshtest.Terminal {
	t.Helper()
	p := sshtest.Dial(t, h.ssh, sshtest.Options{User: name, Signer: sshtest.NewSigner(t)})
	createAccount(p)
	p.WaitText(name + " (you)")
	return p
}

// createAccount creates an account for a new key, with the suggested name.
func createAccount(p *sshtest.Terminal) {
	p.WaitText("Welcome aboard")
	p.Press("n")
	p.WaitText("Choose a player name.")
	p.Press("enter")
}

// place places a random fleet and starts.
func place(p *sshtest.Terminal) {
	p.WaitText("Place your fleet")
	p.Press("x")
	p.WaitText("All ships are placed.")
	p.Press("enter")
}

// addSite adds a website to a server.
func addSite(t testing.TB, address *string) func(*server.Config) {
	*address = freeAddress(t)
	return func(c *server.Config) { c.Web, c.RelayHello = *address, time.Minute }
}

// finishMatch fires at one cell after another until the match is over, and returns the last
// screen.
func finishMatch(p *sshtest.Terminal) string {
	next := 0
	for {
		s := p.WaitFor("one's turn or the end", func(s string) bool {
			return strings.Contains(s, "YOUR TURN") || strings.Contains(s, "YOU ")
		})
		if strings.Contains(s, "YOU ") {
			return s
		}
		for {
			cell := match.NewCell(next%10, next/10).String()
			next++
			p.Type(cell)
			p.Press("enter")
			s := p.WaitFor("the shot at "+cell, func(s string) bool {
				return strings.Contains(s, "You fired at "+cell+":") || isShotRefused(s, cell) || strings.Contains(s, "YOU ")
			})
			if !isShotRefused(s, cell) {
				break
			}
		}
	}
}

// isShotRefused reports whether the screen says that a shot at a cell would be wasted.
func isShotRefused(screen, cell string) bool {
	return strings.Contains(screen, cell+" is next to a sunk ship") || strings.Contains(screen, "already fired at "+cell)
}

// runCommand returns the output of a command that needs no terminal.
func (h *testServer) runCommand(t testing.TB, o sshtest.Options, line string) string {
	t.Helper()
	client, err := sshtest.Connect(h.ssh, o)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	session, err := client.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	out, err := session.Output(line)
	if err != nil {
		t.Errorf("command %q: %v", line, err)
	}
	return string(out)
}
