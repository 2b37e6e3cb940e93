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
	"broadside/match"
	"broadside/match/audit"
	"broadside/match/layoutfile"
	"broadside/relay"
	"broadside/relay/client"
)

// registered returns a store with a program for each name, each with its own owner, and the
// programs' tokens.
func registered(t testing.TB, names ...string) (*store.Store, map[string]string) {
	t.Helper()
	s := storetest.Open(t)
	tokens := map[string]string{}
	for _, name := range names {
		owner, err := s.Accounts.CreatePerson(t.Context(), name+"-owner", store.Key{Fingerprint: "SHA256:" + name})
		if err != nil {
			t.Fatal(err)
		}
		if _, tokens[name], err = s.Programs.Register(t.Context(), owner.ID, name, 1); err != nil {
			t.Fatal(err)
		}
	}
	return s, tokens
}

// last returns the newest match in a store.
func last(t testing.TB, s *store.Store) store.Match {
	t.Helper()
	games, err := s.Matches.List(t.Context(), store.Cursor{}, 1)
	if err != nil || len(games) != 1 {
		t.Fatalf("the newest match: %v, %v", games, err)
	}
	m, err := s.Matches.ByID(t.Context(), games[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

const (
	pepper = "c0ffee00c0ffee00c0ffee00c0ffee00"
)

// aligned is fleet as arguments of a directive.
var aligned = strings.ReplaceAll(strings.TrimSpace(layoutfile.Format(match.Classic(), fleet)), "\n", ";")

// duel seats two registered programs that commit to fleet. squid defends first.
func duel(t *testing.T, s *store.Store, tokens map[string]string, cfg lobby.Config) (squid, whale *testClient) {
	t.Helper()
	cfg.Store = s
	n := memnet.New()
	server, l := serveOn(t, n, relay.Config{HelloDelay: time.Minute}, cfg)
	r := &internalRelay{n, l, server}
	squid, whale = r.dial(t, ""), r.dial(t, "")
	commit := "% commit " + strings.ToUpper(match.Commitment(match.Opening(pepper, fleet))) + "\n"
	squid.say("% token " + tokens["squid"] + "\n" + commit + "% ready")
	squid.hear("% ok token squid\n% ok commit\n% ok ready\n(3,[]).\n")
	whale.say("% token " + tokens["whale"] + "\n" + commit + "% ready")
	whale.hear("% ok token whale\n% ok commit\n% ok ready\n(4,[]).\n% opponent squid - rated\n(5,[]).\n")
	squid.hear("% opponent whale - rated\n(5,[]).\n")
	return squid, whale
}

// sink lets whale sink squid's fleet.
func sink(squid, whale *testClient) {
	truth := match.NewFleet(fleet)
	for cell := range fleet.Cells().All() {
		r := truth.Shoot(cell)
		volley(whale, squid, cell, r)
		if r != match.LastSunk {
			volley(squid, whale, match.At(9, 9), match.Water)
		}
	}
}

// volley returns a shot and its answer.
func volley(by, at *testClient, cell match.Cell, r match.Result) {
	attack, result := client.Message{Op: client.Attack, Cell: cell}.String(), client.Message{Op: client.Result, Cell: cell, Result: r}.String()
	by.say(attack)
	at.hear(attack + "\n")
	at.say(result)
	by.hear(result + "\n")
}

// TestCommittedMatch checks that the match is rated and that its record opens both
// commitments.
func TestCommittedMatch(t *testing.T) {
	s, tokens := registered(t, "squid", "whale")
	squid, whale := duel(t, s, tokens, lobby.Config{})
	sink(squid, whale)
	for _, c := range []*testClient{squid, whale} {
		c.hear("% reveal\n")
		c.say("% reveal " + pepper + " " + aligned)
		c.hear("% ok reveal\n")
	}
	squid.hear("% result lost sunk shots=16")
	whale.hear("% result won sunk shots=17 rating=")
	m := last(t, s)
	if !m.Rated || m.Winner != match.Second {
		t.Errorf("rated %v, won by %v", m.Rated, m.Winner)
	}
	for side, seat := range m.Seats {
		if want := match.Opening(pepper, fleet); seat.Salt != pepper || seat.Commitment != match.Commitment(want) {
			t.Errorf("side %d has the salt %q and the commitment %s", side, seat.Salt, seat.Commitment)
		}
	}
}

// TestRevealLoses checks that the winner of the battle loses the rated match with a reveal
// that does not match its answers.
func TestRevealLoses(t *testing.T) {
	t.Parallel()
	moved := strings.Replace(aligned, "destroyer I1 I2", "destroyer J1 J2", 1)
	for name, c := range map[string]struct {
		say    string
		hear   string
		reason match.Reason
	}{
		"another fleet":   {"% reveal " + pepper + " " + moved, "% ok reveal\n", match.OtherFleet},
		"another salt":    {"% reveal pepper " + aligned, "% ok reveal\n", match.OtherFleet},
		"no fleet":        {"% reveal " + pepper, "% error reveal say reveal, the salt in 1 to 64 characters, and the ships with ; between them\n", match.Unrevealed},
		"half a fleet":    {"% reveal " + pepper + " carrier A1 A5", "% error reveal the battleship (4 cells) is not placed\n", match.Unrevealed},
		"another message": {"(1,[0,0]).", "", match.OutOfTurn},
	} {
		t.Run(name, func(t *testing.T) {
			s, tokens := registered(t, "squid", "whale")
			squid, whale := duel(t, s, tokens, lobby.Config{})
			sink(squid, whale)
			squid.say("% reveal " + pepper + " " + aligned) // without being asked
			squid.hear("% reveal\n% ok reveal\n")
			whale.hear("% reveal\n")
			whale.say(c.say)
			whale.hear(c.hear)
			squid.hear(fmt.Sprintf("%% result won %v shots=16 rating=", c.reason))
			if m := last(t, s); !m.Rated || m.Winner != match.First || m.Reason != c.reason {
				t.Errorf("rated %v, won by %v: %v", m.Rated, m.Winner, m.Reason)
			}
		})
	}
}

// TestHangupInsteadOfReveal checks that the winner of the battle loses the match by
// disconnecting.
func TestHangupInsteadOfReveal(t *testing.T) {
	s, tokens := registered(t, "squid", "whale")
	squid, whale := duel(t, s, tokens, lobby.Config{})
	sink(squid, whale)
	whale.nc.Close()
	squid.hear("% reveal\n")
	squid.say("% reveal " + pepper + " " + aligned)
	squid.hear("% ok reveal\n% result won hangup shots=16 rating=")
	if m := last(t, s); !m.Rated || m.Winner != match.First {
		t.Errorf("rated %v, won by %v", m.Rated, m.Winner)
	}
}

// TestNoResultBeforeTheReveal checks that nothing is stored or reported before the reveal.
func TestNoResultBeforeTheReveal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, tokens := registered(t, "squid", "whale")
		squid, whale := duel(t, s, tokens, lobby.Config{MoveTimeout: time.Minute})
		sink(squid, whale)
		squid.hear("% reveal\n")
		squid.say("% reveal " + pepper + " " + aligned)
		squid.hear("% ok reveal\n")
		if games, err := s.Matches.List(t.Context(), store.Cursor{}, 1); err != nil || len(games) != 0 {
			t.Errorf("before the winner's reveal there are the matches %v, %v", games, err)
		}
		squid.hear("% result won unrevealed shots=16 rating=")
		whale.hear("% reveal\n% error unrevealed the fleet that was committed to has not been revealed\n% result lost unrevealed shots=17 rating=")
	})
}

// TestContradictionIsRated checks that contradictions count in rated matches, whatever the
// operator's setting for casual ones.
func TestContradictionIsRated(t *testing.T) {
	for _, mode := range []audit.Mode{audit.Flag, audit.Off} {
		s, tokens := registered(t, "squid", "whale")
		squid, whale := duel(t, s, tokens, lobby.Config{Audit: mode})
		for n := range 4 {
			volley(whale, squid, match.At(n, 9), match.Water)
			volley(squid, whale, match.At(n, 9), match.Water)
		}
		volley(whale, squid, match.At(0, 0), match.Hit)
		volley(squid, whale, match.At(9, 9), match.Water)
		whale.say("(1,[0,0]).")
		squid.hear("(1,[0,0]).\n")
		squid.say("(2,[0,0,1]).")
		whale.hear("(2,[0,0,1]).\n% result won contradiction shots=6 rating=")
		if m := last(t, s); !m.Rated || m.Winner != match.Second {
			t.Errorf("mode %v: rated %v, won by %v", mode, m.Rated, m.Winner)
		}
	}
}

// TestRatedLosses ends matches by faults of the attacker. With three shots of each side the loss is
// rated, and with fewer it is not.
func TestRatedLosses(t *testing.T) {
	for _, c := range []struct {
		name   string
		shots  int
		fault  func(c *testClient)
		reason match.Reason
	}{
		{"hang-up", match.CountingShots, func(c *testClient) { c.nc.Close() }, match.Hangup},
		{"malformed", match.CountingShots, func(c *testClient) { c.say("hello") }, match.Malformed},
		{"silence", match.CountingShots, func(*testClient) {}, match.Silent},
		{"early hang-up", match.CountingShots - 1, func(c *testClient) { c.nc.Close() }, match.Hangup},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, tokens := registered(t, "squid", "whale")
				squid, whale := duel(t, s, tokens, lobby.Config{MoveTimeout: time.Minute})
				for n := range c.shots {
					volley(whale, squid, match.At(n, 9), match.Water)
					volley(squid, whale, match.At(n, 9), match.Water)
				}
				c.fault(whale)
				squid.hear("% result ")
				m := last(t, s)
				if m.Winner != match.First || m.Reason != c.reason || m.Rated != (c.shots == match.CountingShots) {
					t.Errorf("rated %v, won by %v: %v", m.Rated, m.Winner, m.Reason)
				}
			})
		})
	}
}

// TestUnfixedFleetIsCasual checks that a registered program is notified once in a series. A
// program that has asked for casual matches or is not registered is not notified.
func TestUnfixedFleetIsCasual(t *testing.T) {
	s, tokens := registered(t, "squid")
	address, _ := serve(t, relay.Config{HelloDelay: time.Minute}, lobby.Config{Store: s})
	const role = "(4,[]).\n% opponent easy - casual\n(5,[]).\n"
	warning := "% error unrated your fleet is not fixed before the first shot, so your matches are casual: "
	c := dial(t, address)
	c.say("% token " + tokens["squid"] + "\n% games 2\n% vs bot easy")
	c.hear("% ok token squid\n% ok games 2\n% ok vs bot easy\n" + warning + "send layout or commit before your first role to play rated ones\n" + role)
	c.say("(1,[0,0]).")
	if _, err := c.line(); err != nil {
		t.Fatal(err)
	}
	attack, err := c.line()
	if err != nil {
		t.Fatal(err)
	}
	m, err := client.Parse([]byte(attack))
	if err != nil {
		t.Fatal(err)
	}
	c.say(client.Message{Op: client.Result, Cell: m.Cell, Result: match.LastSunk}.String())
	c.hear("% result lost sunk shots=1 disputed\n(3,[]).\n% opponent easy - casual\n(5,[]).\n")
	c.nc.Close()
	c = dial(t, address)
	c.say("% token " + tokens["squid"] + "\n% commit " + match.Commitment("x") + "\n% rules naval\n% vs bot easy")
	c.hear("% ok token squid\n% ok commit\n% ok rules\n% ok vs bot easy\n" + warning + "commitments prove nothing if ships move: send layout to play rated matches\n" + role)
	c.nc.Close()
	c = dial(t, address)
	c.say("% token " + tokens["squid"] + "\n% casual\n% vs bot easy")
	c.hear("% ok token squid\n% ok casual\n% ok vs bot easy\n" + role)
	c.nc.Close()
	c = dial(t, address)
	c.say("% vs bot easy")
	c.hear("% ok vs bot easy\n" + role)
}

// TestFixedLayout checks that the server holds a layout sent by the client and answers
// for it.
func TestFixedLayout(t *testing.T) {
	address, _ := serve(t, relay.Config{HelloDelay: time.Minute}, lobby.Config{})
	whale, squid := dial(t, address), dial(t, address)
	for _, d := range []struct{ say, hear string }{
		{"% layout carrier A1 A5; carrier C1 C5", "% error layout line 2: one ship too many: this fleet has no other \"carrier\"\n"},
		{"% layout " + aligned, "% ok layout\n"},
		{"% rules naval", "% error rules the layout that you sent before does not fit these rules: send layout after them\n"},
		{"% rules classic", "% ok rules\n"},
		{"% ready", "% ok ready\n(3,[]).\n"},
	} {
		squid.say(d.say)
		squid.hear(d.hear)
	}
	whale.say("% ready")
	whale.hear("% ok ready\n(4,[]).\n% opponent program-1 - casual\n(5,[]).\n")
	squid.hear("% opponent program-2 - casual\n(5,[]).\n")
	whale.say("(1,[4,0]).")
	whale.hear("(2,[4,0,2]).\n")
	squid.hear("(1,[4,0]).\n")
	squid.say("(1,[9,9]).")
	whale.hear("(1,[9,9]).\n")
}

// TestCommitInSeries checks that each game waits for its own commitment.
func TestCommitInSeries(t *testing.T) {
	s, tokens := registered(t, "squid")
	address, _ := serve(t, relay.Config{HelloDelay: time.Minute}, lobby.Config{Store: s})
	all, err := playSeries(t, client.Invitation{Address: address, Token: tokens["squid"], Versus: "bot medium", Games: 4}, "hard")
	if err != nil {
		t.Error(err)
	}
	wantSwaps(t, all, 4, false)
	games, err := s.Matches.List(t.Context(), store.Cursor{}, 9)
	if err != nil || len(games) != 4 {
		t.Fatalf("%d matches, %v", len(games), err)
	}
	commitments := map[string]bool{}
	for _, g := range games {
		for _, seat := range g.Seats {
			if seat.Name == "squid" {
				commitments[seat.Commitment] = true
			}
		}
		if !g.Rated || g.Reason != match.FleetSunk {
			t.Errorf("rated %v: %v", g.Rated, g.Reason)
		}
	}
	if len(commitments) != 4 || commitments[""] {
		t.Errorf("got the commitments %v, want 4 different ones", commitments)
	}
}

// TestCommitAtTheWrongTime checks that such a commitment causes an error message and
// nothing else.
func TestCommitAtTheWrongTime(t *testing.T) {
	address, _ := serve(t, relay.Config{HelloDelay: time.Minute}, lobby.Config{})
	c := dial(t, address)
	for _, d := range []struct{ say, hear string }{
		{"% commit abc", "% error commit say commit and a SHA-256 in 64 hexadecimal digits\n"},
		{"% reveal x y", "% error reveal you have no fleet to reveal now\n"},
		{"% vs bot easy", "% ok vs bot easy\n(4,[]).\n% opponent easy - casual\n(5,[]).\n"},
		{"% commit " + match.Commitment("x"), "% error late commit has to come before your first role: reconnect\n"},
		{"% reveal x " + aligned, "% error reveal you have no fleet to reveal now\n"},
		{"(1,[0,0]).", "(2,["},
	} {
		c.say(d.say)
		c.hear(d.hear)
	}
}

// TestBaseClientAgainstCommitment checks that a client of the base protocol receives only
// base messages, and can leave after the last result without consequences.
func TestBaseClientAgainstCommitment(t *testing.T) {
	bubble(t, relay.Config{}, lobby.Config{}, func(t *testing.T, r *internalRelay) {
		base := r.dial(t, "")
		waiting(t, r.lobby, 1)
		c := r.dial(t, "")
		c.say("% commit " + match.Commitment(match.Opening(pepper, fleet)) + "\n% ready")
		c.hear("% ok commit\n% ok ready\n(4,[]).\n")
		c.line() // the opponent
		c.hear("(5,[]).\n")
		base.hear("(3,[]).\n(5,[]).\n")
		sink(base, c)
		base.nc.Close()
		c.hear("% reveal\n")
		c.say("% reveal " + pepper + " " + aligned)
		c.hear("% ok reveal\n% result won sunk shots=17\n")
	})
}
