package session

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"

	"broadside/internal/i18n"
	"broadside/internal/test/must"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/match"
)

// openProgram opens a program's session.
func openProgram(t *testing.T, host *Host, p account.Player) *Session {
	t.Helper()
	s := must.Get(host.Open(t.Context(), Client{Conn: "p1", Program: &p}))
	t.Cleanup(s.Close)
	return s
}

// next reads updates until one is of the given kind.
func next(t *testing.T, s *Session, k UpdateKind) Update {
	t.Helper()
	for {
		u := must.Get(s.Next(t.Context()))
		if u.Kind == k {
			return u
		}
	}
}

// TestProgramPlays checks that two programs that keep their fleets play a match to
// its end and a rematch with the sides swapped, and that the lobby lists neither.
func TestProgramPlays(t *testing.T) {
	test(t, func(t *testing.T, l *lobby.Lobby, ann, _ *user) {
		host := &Host{Lobby: l}
		squid, whale := openProgram(t, host, account.Player{Name: "squid"}), openProgram(t, host, account.Player{})
		must.Do(squid.FindOpponent(match.Classic(), lobby.Casual))
		if s := squid.State(); s.Offer == nil || s.Me.ID == "" || s.Me.Kind != account.Program {
			t.Fatalf("a program that waits knows %+v", s)
		}
		whale.SetProgram(account.Player{Name: "whale"})
		must.Do(whale.PlayOpponent("SQUID", match.Classic(), lobby.Casual))
		next(t, squid, MatchJoined)
		m := whale.State().Match
		if m == nil || m.Side != match.Second || m.Opponent.Name != "squid" || squid.State().Match.Opponent.Name != "whale" {
			t.Fatalf("the match of a program is %+v", m)
		}
		ann.until("a snapshot with the match", func(u Update) bool {
			s := ann.State().Lobby
			if slices.ContainsFunc(s.People, func(p lobby.Presence) bool { return p.Player.Kind == account.Program }) {
				t.Fatal("the lobby lists a program")
			}
			return u.Kind == LobbyChanged && len(s.Running) == 1
		})
		must.Do(squid.KeepFleet())
		must.Do(whale.KeepFleet())
		for next(t, whale, MatchChanged).Match.View.Phase != match.Battle {
		}
		must.Do(whale.Fire(match.First, 0, match.NewCell(1, 1)))
		for u := next(t, squid, MatchChanged); !u.Match.View.Pending; u = next(t, squid, MatchChanged) {
		}
		must.Do(squid.AnswerShot(match.NewCell(1, 1), match.Hit))
		u := next(t, whale, MatchChanged)
		for ; u.Match.View.Charts[match.Second].Fired == 0; u = next(t, whale, MatchChanged) {
		}
		if last := u.Match.View.LastShot(match.Second); last.Result != match.Hit || last.Cell != match.NewCell(1, 1) {
			t.Errorf("the answer arrives as %+v", last)
		}
		must.Do(squid.Forfeit(match.Malformed))
		for _, s := range []*Session{whale, squid} {
			u := next(t, s, MatchChanged)
			for ; u.Match.View.Phase != match.Over; u = next(t, s, MatchChanged) {
			}
			if v := &u.Match.View; v.Winner != match.Second || v.Reason != match.Malformed {
				t.Errorf("the match ends with %v, %v", v.Winner, v.Reason)
			}
			must.Do(s.OfferRematch())
		}
		next(t, whale, MatchJoined)
		if again := whale.State().Match; again.ID == m.ID || again.Side != match.First {
			t.Errorf("the rematch is %+v", again)
		}
	})
}

// TestProgramIsFilledFor checks that a bot takes the offer of a waiting program.
func TestProgramIsFilledFor(t *testing.T) {
	test(t, func(t *testing.T, l *lobby.Lobby, _, _ *user) {
		squid := openProgram(t, &Host{Lobby: l}, account.Player{})
		if err := squid.AcceptWithBot("easy"); err != ErrNoOffer {
			t.Errorf("without an offer: %v", err)
		}
		must.Do(squid.FindOpponent(match.Classic(), lobby.Casual))
		must.Do(squid.AcceptWithBot("easy"))
		next(t, squid, MatchJoined)
		if m := squid.State().Match; m.Opponent.Kind != account.Bot || m.Side != match.First {
			t.Errorf("the match is %+v", m)
		}
		must.Do(squid.AbortMatch())
		for next(t, squid, MatchChanged).Match.View.Reason != match.Closed {
		}
	})
}

// TestProgramEndedByOperator checks that a program whose session is ended gets the reason
// and loses its match.
func TestProgramEndedByOperator(t *testing.T) {
	bubble(t, func(t *testing.T, l *lobby.Lobby) {
		host := &Host{Lobby: l}
		squid, whale := openProgram(t, host, account.Player{Name: "squid"}), openProgram(t, host, account.Player{Name: "whale"})
		must.Do(squid.FindOpponent(match.Classic(), lobby.Casual))
		must.Do(whale.FindOpponent(match.Classic(), lobby.Casual))
		next(t, squid, MatchJoined)
		waits := make(chan error)
		go func() {
			for {
				if _, err := squid.Next(context.Background()); err != nil {
					waits <- err
					return
				}
			}
		}()
		synctest.Wait()
		if n := host.EndSessions(func(c SessionInfo) bool { return c.Name() == "squid" }, i18n.NewMessage("Away with you.")); n != 1 {
			t.Fatalf("%d sessions were ended", n)
		}
		if err := <-waits; err == nil || err.Error() != "Away with you." {
			t.Errorf("the program receives %v", err)
		}
		u := next(t, whale, MatchChanged)
		for ; u.Match.View.Phase != match.Over; u = next(t, whale, MatchChanged) {
		}
		if u.Match.View.Winner != match.Second {
			t.Errorf("the match is won by %v", u.Match.View.Winner)
		}
		if err := squid.Fire(match.First, 0, match.Cell{}); err == nil || errors.Is(err, ErrNoMatch) {
			t.Errorf("after the end, an action: %v", err)
		}
	})
}
