package relay_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/memnet"
	"broadside/internal/test/storetest"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/tournament"
	"broadside/match"
	"broadside/relay"
)

// TestTotalClock checks that a program that takes 50 seconds for each shot loses in the ladder and in a
// cup, after two minutes and two seconds for each of its two shots, but not elsewhere.
func TestTotalClock(t *testing.T) {
	const pace, limit = 50 * time.Second, lobby.ProgramTime + 2*lobby.ProgramShotTime
	for _, c := range []struct {
		name string
		lost bool
	}{{"ladder", true}, {"vs cup ", true}, {"vs bot easy", false}} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := storetest.Open(t)
				n := memnet.New()
				server, l := serveOn(t, n, relay.Config{HelloDelay: time.Minute}, lobby.Config{Store: s, Ladder: true})
				r := &internalRelay{n, l, server}
				ann, err := s.Accounts.CreatePerson(t.Context(), "ann", store.Key{Fingerprint: "SHA256:ann"})
				if err != nil {
					t.Fatal(err)
				}
				squid, secret, err := s.Programs.Register(t.Context(), ann.ID, "squid", 1)
				if err != nil {
					t.Fatal(err)
				}
				versus := c.name
				if versus == "vs cup " {
					versus += newCup(t, l, account.OfPerson(ann), account.OfProgram(squid))
				}
				p := r.dial(t, "")
				p.say("% token " + secret + "\n% layout uniform\n% " + versus)
				p.await("(5,[]).")
				began := time.Now()
				for shot := range 2 {
					time.Sleep(pace)
					p.say(fmt.Sprintf("(1,[%d,0]).", shot))
					p.await("(2,")
				}
				if c.lost {
					p.await("% result lost silent")
					if took := time.Since(began); took != limit {
						t.Errorf("it lost after %v, want %v", took, limit)
					}
					return
				}
				time.Sleep(pace)
				p.say("(1,[2,0]).")
				p.await("(2,[2,0,")
			})
		})
	}
}

// newCup starts a cup of a program and a bot, and returns its code.
func newCup(t *testing.T, l *lobby.Lobby, owner, program account.Player) string {
	t.Helper()
	c, err := l.Tournaments.New(t.Context(), owner, tournament.Settings{
		Name: "class", Format: tournament.RoundRobin, Rules: match.Classic(), Stakes: lobby.Casual,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []account.Player{program, l.Accounts.Bot("easy")} {
		if _, err := l.Tournaments.Join(t.Context(), c.Code, owner, l.TournamentEntrant(t.Context(), p, c.Rules)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.Tournaments.Start(t.Context(), c.Code, owner); err != nil {
		t.Fatal(err)
	}
	return c.Code
}

// await reads lines up to one with a prefix.
func (c *testClient) await(prefix string) {
	c.t.Helper()
	for {
		switch line, err := c.line(); {
		case err != nil:
			c.t.Fatalf("waiting for a line with the prefix %q: %v", prefix, err)
		case strings.HasPrefix(line, prefix):
			return
		}
	}
}
