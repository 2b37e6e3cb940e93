package check_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"broadside/bots"
	"broadside/internal/test/leaks"
	"broadside/internal/test/parallel"
	"broadside/internal/test/testprogram"
	"broadside/match"
	"broadside/relay/check"
	"broadside/relay/client"
)

func TestMain(m *testing.M) {
	testprogram.RunIfRequested()
	parallel.AllowWaitingTests()
	leaks.Main(m)
}

// runCheck checks a client. play plays one game and is called until it returns an error.
func runCheck(t *testing.T, move time.Duration, play func(address string) error) check.Report {
	t.Helper()
	return runCheckWith(t, check.Config{Rules: match.Classic(), Move: move}, play)
}

// patience is much longer than any step takes on a busy computer.
const patience = 3 * time.Minute

// runCheckWith is like runCheck with other settings. The client has much time to connect
// unless they say otherwise.
func runCheckWith(t *testing.T, cfg check.Config, play func(address string) error) check.Report {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var client sync.WaitGroup
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	client.Go(func() {
		for play(l.Addr().String()) == nil {
		}
	})
	cfg.Listener, cfg.Seed, cfg.Connect = l.(*net.TCPListener), 1, cmp.Or(cfg.Connect, patience)
	report, err := check.Run(ctx, cfg)
	if err != nil {
		t.Error(err)
	}
	client.Wait()
	return report
}

// errNoRelay means that the relay no longer listens.
var errNoRelay = errors.New("no relay")

// newFaultyClient returns a function that plays one game with at most one fault.
func newFaultyClient(t *testing.T, fault string) func(address string) error {
	return func(address string) error {
		nc, err := net.Dial("tcp", address)
		if err != nil {
			return errNoRelay
		}
		if fault == "stays" {
			t.Cleanup(func() { nc.Close() })
		} else {
			defer nc.Close()
		}
		testprogram.Play(nc, fault)
		return nil
	}
}

func TestFaultlessClientPasses(t *testing.T) {
	t.Parallel()
	r := runCheck(t, patience, newFaultyClient(t, ""))
	if !r.HasPassed() || r.Warned > 0 || r.Connections != len(r.Findings) {
		t.Errorf("got %s with findings %+v, want all ok", r.Summary(), r.Findings)
	}
}

// TestFaultsAreFound checks that each fault is reported in the right situation, and that nothing
// else is reported.
func TestFaultsAreFound(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		fault, rule string
		grade       check.Grade
		// at names the situations that must have a fault, while all others have none. If empty, any may.
		at string
	}{
		{"off the board", "cell", check.Fail, ""},
		{"two shots", "turn", check.Fail, ""},
		{"no full stop", "grammar", check.Fail, ""},
		{"hang", "time", check.Fail, "attack-first"},
		{"all water", "truth", check.Fail, ""},
		{"never the last", "truth", check.Fail, ""},
		{"a hit once", "truth", check.Fail, "repeats"},
		{"no result", "answer", check.Fail, ""},
		{"another cell", "answer", check.Fail, ""},
		{"shot before answer", "turn", check.Fail, ""},
		{"leaves", "end", check.Fail, ""},
		{"early", "turn", check.Fail, "wait"},
		{"only newlines", "time", check.Fail, "cr"},
		{"a read is a line", "time", check.Fail, "joined"},
		{"stays", "end", check.Fail, ""},
		{"same cell again", "shots", check.Warn, ""},
		{"goes on", "end", check.Warn, ""},
		{"unknown directive", "directive", check.Warn, ""},
	} {
		move := 20 * time.Second
		// The check waits for each of these faults.
		if c.fault == "goes on" || c.fault == "stays" || c.rule == "time" {
			move = time.Second / 4
		}
		// late reports whether the client was late only because the computer is busy.
		late := func(r check.Report) bool {
			return c.rule != "time" && slices.ContainsFunc(r.Findings, func(f check.Finding) bool { return f.Rule == "time" && f.Grade == check.Fail })
		}
		// The checks spend most of their time waiting, so all run at the same time, whatever -parallel says.
		examined := make(chan check.Report, 1)
		go func() {
			r := runCheck(t, move, newFaultyClient(t, c.fault))
			for ; late(r) && move < patience; move *= 2 {
				r = runCheck(t, 2*move, newFaultyClient(t, c.fault))
			}
			examined <- r
		}()
		t.Run(c.fault, func(t *testing.T) {
			t.Parallel()
			r := <-examined
			found := 0
			for _, f := range r.Findings {
				switch {
				case f.Grade == c.grade && f.Rule == c.rule && (c.at == "" || c.at == f.Situation):
					found++
				case f.Grade != check.OK && c.rule != "time" && c.fault != "stays":
					t.Errorf("this is found, too: %v", f)
				}
				if f.Grade == check.Fail && (f.Text == "" || len(f.Last) == 0) {
					t.Errorf("nothing is said of it: %+v", f)
				}
			}
			if found == 0 || (r.Failed > 0) != (c.grade == check.Fail) || r.HasPassed() != (c.grade != check.Fail) {
				t.Errorf("it is not found: %s", r.Summary())
			}
		})
	}
}

func TestClientThatDoesNotReconnectFails(t *testing.T) {
	t.Parallel()
	var r check.Report
	// The first two games may be late on a busy computer.
	for connect := time.Second; len(r.Findings) != 3 && connect < patience; connect *= 2 {
		games := 0
		r = runCheckWith(t, check.Config{Rules: match.Classic(), Connect: connect, Move: patience}, func(address string) error {
			if games++; games > 2 {
				return errNoRelay
			}
			return newFaultyClient(t, "")(address)
		})
	}
	last := r.Findings[len(r.Findings)-1]
	if r.HasPassed() || len(r.Findings) != 3 || last.Rule != "connect" || !strings.Contains(r.Summary(), "not played") {
		t.Errorf("got %s and last finding %v", r.Summary(), last)
	}
}

// TestBotsPass checks the clients of package client: one that plays a game on each connection, and one that
// plays series on few connections. They send directives under rules with several shots a turn, and move ships
// secretly if the rules allow it.
func TestBotsPass(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rules  match.Rules
		bot    string
		series bool
	}{
		{match.Hasbro(), "medium", true}, {match.Salvo(), "hard", false}, {match.Salvo(), "hard", true},
		{match.Naval(), "warship", false}, {match.Naval(), "warship", true},
	} {
		t.Run(fmt.Sprint(c.rules.Name, " in series: ", c.series), func(t *testing.T) {
			t.Parallel()
			n := uint64(0)
			player := func() (client.Player, error) {
				n++
				return bots.New(c.bot, bots.Config{Rules: c.rules, Rand: rand.New(rand.NewPCG(n, n))})
			}
			cfg := check.Config{Rules: match.Classic(), Hello: patience, Move: patience}
			// This client sends no directives.
			if !c.series && !c.rules.Salvo {
				cfg = check.Config{Rules: c.rules, Move: patience}
			}
			r := runCheckWith(t, cfg, func(address string) error {
				if c.series {
					return ignoreClosed(client.PlaySeries(t.Context(), address, c.rules, client.Directives{Name: "kraken", Games: 100}, player, func(client.Outcome) {}))
				}
				p, err := player()
				if err != nil {
					return err
				}
				_, err = client.Play(t.Context(), address, c.rules, p)
				return ignoreClosed(err)
			})
			if !r.HasPassed() || r.Warned > 0 || c.series && r.Connections > 4 {
				t.Errorf("got %s with findings %+v, want all ok", r.Summary(), r.Findings)
			}
		})
	}
}

// TestUnknownRulesFail checks a client that has not asked for salvos, and one that lies about ships that move.
func TestUnknownRulesFail(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rules       match.Rules
		fault, rule string
	}{{match.Salvo(), "", "directive"}, {match.Naval(), "all sunk", "truth"}} {
		r := runCheckWith(t, check.Config{Rules: c.rules, Move: patience}, newFaultyClient(t, c.fault))
		if r.Failed == 0 || r.Findings[0].Rule != c.rule {
			t.Errorf("check by %s rules = %s, findings %+v", c.rules.Name, r.Summary(), r.Findings)
		}
	}
}

// ignoreClosed returns errNoRelay if a client could not connect. Otherwise it plays on.
func ignoreClosed(err error) error {
	var refused *net.OpError
	if errors.As(err, &refused) && refused.Op == "dial" {
		return errNoRelay
	}
	return nil
}

// TestCommandIsStarted checks that a client that ends after each game is started again.
func TestCommandIsStarted(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	reported := 0
	r, err := check.Run(t.Context(), check.Config{
		Listener: l.(*net.TCPListener), Command: []string{"env", testprogram.FaultEnv("one game"), os.Args[0]}, Rules: match.Classic(), Seed: 1,
		Connect: patience, Move: patience, OnFinding: func(check.Finding) { reported++ },
	})
	if err != nil || !r.HasPassed() || reported != len(r.Findings) {
		t.Errorf("Run = %v, %s, findings %+v", err, r.Summary(), r.Findings)
	}
	if text, err := json.Marshal(r); err != nil || !strings.Contains(string(text), `"situation":"defend-first"`) {
		t.Errorf("Marshal = %s, %v", text, err)
	}
	for _, c := range []struct{ command, want string }{{"/no/such/program", "cannot start the program"}, {"", "exit status"}} {
		words := []string{c.command}
		if c.command == "" {
			words = []string{os.Args[0], "-no-such-flag"}
		}
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		r, err := check.Run(t.Context(), check.Config{Listener: l.(*net.TCPListener), Command: words, Rules: match.Classic(), Connect: patience, Move: patience})
		text := fmt.Sprint(err, r.Findings)
		if !strings.Contains(text, c.want) {
			t.Errorf("check of %q = %s, want %q", words, text, c.want)
		}
	}
}
