package examples_test

import (
	"context"
	"net"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"broadside/internal/test/lobbytest"
	"broadside/internal/test/need"
	"broadside/lobby"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/match/audit"
	"broadside/relay"
	"broadside/relay/check"
)

// listWords returns each client's command.
func listWords(t *testing.T) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, c := range clients {
		all[c.name] = []string{need.Tool(t, c.tool), c.file}
	}
	return all
}

// TestExamplesConform checks every client with package check.
func TestExamplesConform(t *testing.T) {
	for name, command := range listWords(t) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		r, err := check.Run(ctx, check.Config{
			Listener: l.(*net.TCPListener), Command: command, Rules: match.Classic(), Seed: 1, Connect: patience, Move: patience,
		})
		cancel()
		if err != nil || !r.HasPassed() || r.Warned > 0 {
			t.Errorf("%s: %v, %s %v", name, err, r.Summary(), r.Findings)
		}
	}
}

// TestExamplesPlaySeries checks that clients play a series on one connection under hasbro, where ships may
// touch.
func TestExamplesPlaySeries(t *testing.T) {
	l := lobbytest.Open(lobby.Config{Audit: audit.Forfeit})
	defer l.Close()
	server := relay.New(relay.Config{Host: &session.Host{Lobby: l}, HelloDelay: time.Minute}) // a client may take its time
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	defer func() {
		listener.Close()
		if err := server.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
		if err := <-served; err != nil {
			t.Error(err)
		}
	}()
	all := listWords(t)
	for name := range all {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		runUnder := func(rules, versus string) (string, error) {
			args := append(append([]string{}, all[name][1:]...), listener.Addr().String(), "6", rules, versus)
			cmd := exec.CommandContext(ctx, all[name][0], args...)
			cmd.WaitDelay = time.Second
			out, err := cmd.CombinedOutput()
			return string(out), err
		}
		run := func(versus string) (string, error) { return runUnder("hasbro", versus) }
		out, err := run("bot easy")
		// A player that chases its hits seldom loses to random shots, and three times of six practically never.
		if err != nil || !regexp.MustCompile(`^End of game. \w+ won [456] times and lost [012] times.\n$`).MatchString(out) {
			t.Errorf("%s: %v, output %q", name, err, out)
		}
		if out, err := run("bot nobody"); err == nil {
			t.Errorf("%s played an unknown opponent: %q", name, out)
		}
		if out, err := runUnder("naval", "bot easy"); err == nil || !strings.Contains(out, "choose classic or hasbro") {
			t.Errorf("%s played unknown rules: %v, %q", name, err, out)
		}
		cancel()
	}
}
