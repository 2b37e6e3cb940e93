package session

import (
	"testing"
	"testing/synctest"

	"broadside/internal/test/lobbytest"
	"broadside/internal/test/must"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/match"
)

// TestCancelledRematch checks that a rematch starts only if both players still want one,
// whether they are people or programs and however a player withdraws.
func TestCancelledRematch(t *testing.T) {
	person := func(t *testing.T, l *lobby.Lobby, name string) *Session {
		s := New(Config{Lobby: l, Player: account.Player{ID: "key " + name, Name: name}})
		t.Cleanup(s.Close)
		return s
	}
	program := func(t *testing.T, l *lobby.Lobby, name string) *Session {
		return openProgram(t, &Host{Lobby: l}, account.Player{Name: name})
	}
	cancel := func(t *testing.T, s *Session) {
		if ok, err := s.CancelOffer(); !ok || err != nil {
			t.Fatalf("%v, %v", ok, err)
		}
	}
	replace := func(t *testing.T, s *Session) {
		must.Do(s.FindOpponent(match.Hasbro(), lobby.Casual))
		cancel(t, s)
	}
	for name, c := range map[string]struct {
		open     func(*testing.T, *lobby.Lobby, string) *Session
		takeBack func(*testing.T, *Session)
	}{
		"people":                     {person, cancel},
		"people who seek another":    {person, replace},
		"programs":                   {program, cancel},
		"programs that seek another": {program, replace},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := lobbytest.Open(lobby.Config{Seed: 1, BotPace: -1})
				t.Cleanup(l.Close)
				ann, bob := c.open(t, l, "ann"), c.open(t, l, "bob")
				for _, s := range []*Session{ann, bob} {
					must.Do(s.FindOpponent(match.Classic(), lobby.Casual))
				}
				next(t, ann, MatchJoined)
				next(t, bob, MatchJoined)
				first := ann.State().Match.ID
				must.Do(ann.Resign(match.First))
				for _, s := range []*Session{ann, bob} {
					for next(t, s, MatchChanged).Match.View.Phase != match.Over {
					}
				}
				must.Do(ann.OfferRematch())
				c.takeBack(t, ann)
				if bob.State().Seat.RematchOffered {
					t.Error("a rematch is wanted that was taken back")
				}
				must.Do(bob.OfferRematch())
				if s := bob.State(); s.Match.ID != first || s.Offer == nil {
					t.Fatalf("bob does not wait for a rematch: %+v, %+v", s.Match, s.Offer)
				}
				must.Do(ann.OfferRematch())
				next(t, ann, MatchJoined)
				next(t, bob, MatchJoined)
				if a, b := ann.State().Match, bob.State().Match; a.ID != b.ID || a.ID == first {
					t.Errorf("ann is in %s, bob in %s after %s", a.ID, b.ID, first)
				}
			})
		})
	}
}
