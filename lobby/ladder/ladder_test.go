package ladder

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"broadside/match"
)

// scriptedLobby is a [Lobby] whose programs wait until a match of theirs begins.
type scriptedLobby struct {
	waiting []Entrant
	begun   []Pairing
	tries   int // of pairings of two programs
	err     error
}

func (l *scriptedLobby) Waiting() map[string][]Entrant {
	return map[string][]Entrant{"classic": slices.Clone(l.waiting), "no such rules": nil}
}

func (l *scriptedLobby) Begin(p Pairing) error {
	if p[0].Bot == "" && p[1].Bot == "" {
		l.tries++
		if l.err != nil {
			return l.err
		}
	}
	l.begun = append(l.begun, p)
	l.waiting = slices.DeleteFunc(l.waiting, func(e Entrant) bool { return e.Offer == p[0].Offer || e.Offer == p[1].Offer })
	return nil
}

func (l *scriptedLobby) Online(string) bool { return true }

// wait lets both programs wait for a match.
func (l *scriptedLobby) wait() {
	now := time.Now()
	l.waiting = []Entrant{{1, "kraken", "ann", 1500, now}, {2, "squid", "bob", 1510, now}}
}

// testLadder calls test with a ladder on which two programs wait. run lets the ladder pair for some time.
func testLadder(t *testing.T, test func(l *scriptedLobby, run func(time.Duration))) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		lobby := &scriptedLobby{}
		lobby.wait()
		l := New(Config{Lobby: lobby, Bot: func(name string) string {
			if name == "hard" {
				return "account of hard"
			}
			return ""
		}})
		past := map[string]*history{}
		test(lobby, func(d time.Duration) {
			for ; d >= 0; d -= tick {
				l.pair(past)
				time.Sleep(tick)
			}
		})
	})
}

// TestSecondMatchSwapsSides checks that the second match of two programs has swapped sides.
func TestSecondMatchSwapsSides(t *testing.T) {
	testLadder(t, func(l *scriptedLobby, run func(time.Duration)) {
		run(0)
		l.wait()
		run(0)
		want := []Pairing{{{Offer: 1}, {Offer: 2}}, {{Offer: 2}, {Offer: 1}}}
		if !slices.Equal(l.begun, want) {
			t.Errorf("the matches are %+v, want %+v", l.begun, want)
		}
	})
}

// TestUnratedPairingIsBarred checks that two programs whose match would not be rated are not paired
// again on the same day, and play a bot once they have waited long enough.
func TestUnratedPairingIsBarred(t *testing.T) {
	testLadder(t, func(l *scriptedLobby, run func(time.Duration)) {
		l.err = ErrUnrated
		run(patience)
		if l.tries != 1 || len(l.begun) != 2 || l.begun[0][0].Bot+l.begun[0][1].Bot != "hard" {
			t.Errorf("got %d tries and the matches %+v, want 1 try and two matches against hard", l.tries, l.begun)
		}
		time.Sleep(24 * time.Hour)
		l.begun, l.err, l.tries = nil, nil, 0
		for range 2 { // first, each program plays its second match against the bot
			l.wait()
			run(patience)
		}
		if l.tries != 1 {
			t.Errorf("on the next day, the matches are %+v, want one of both programs", l.begun)
		}
	})
}

// TestGonePlayerIsTriedAgain checks that a pairing is tried again if a player was gone.
func TestGonePlayerIsTriedAgain(t *testing.T) {
	testLadder(t, func(l *scriptedLobby, run func(time.Duration)) {
		l.err = ErrGone
		run(4 * tick)
		if l.tries != 5 || len(l.begun) > 0 {
			t.Errorf("got %d tries and the matches %+v, want 5 tries and no match", l.tries, l.begun)
		}
	})
}

// TestRunPairsUntilContextEnds checks that Run pairs immediately and then returns.
func TestRunPairsUntilContextEnds(t *testing.T) {
	lobby := &scriptedLobby{}
	lobby.wait()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	New(Config{Lobby: lobby, Bot: func(string) string { return "" }}).Run(ctx)
	if len(lobby.begun) == 0 {
		t.Error("no match has begun")
	}
}

func TestRatingText(t *testing.T) {
	s := Standing{Rating: Estimate{Value: 1512, Low: 1472, High: 1552}}
	if got, want := s.RatingText(), "1512? ±40"; got != want {
		t.Errorf("provisional: got %q, want %q", got, want)
	}
	s.Settled = true
	if got, want := s.RatingText(), "1512 ±40"; got != want {
		t.Errorf("settled: got %q, want %q", got, want)
	}
}

func TestLossReasons(t *testing.T) {
	sunk, left, resigned := match.FleetSunk.String(), match.Left.String(), match.Resigned.String()
	p := Page{Losses: map[string]int{resigned: 2, left: 2, sunk: 7}}
	if got, want := p.LossReasons(), []string{sunk, left, resigned}; !slices.Equal(got, want) {
		t.Errorf("LossReasons() = %q, want %q", got, want)
	}
}
