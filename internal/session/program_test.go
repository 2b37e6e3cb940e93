package session

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"

	"broadside/internal/i18n"
	"broadside/internal/test/lobbytest"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/match"
)

// openProgram opens a program's session.
func openProgram(t *testing.T, host Host, p account.Player) Session {
	t.Helper()
	s, err := host.Open(t.Context(), Client{Conn: "p1", Program: &p})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func do(t *testing.T, s Session, a Action) {
	t.Helper()
	if err := s.Do(t.Context(), a); err != nil {
		t.Fatalf("%T: %v", a, err)
	}
}

// next reads updates until one is of the given kind.
func next(t *testing.T, s Session, k UpdateKind) Update {
	t.Helper()
	for {
		u, err := Next(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		if u.Kind == k {
			return u
		}
	}
}

// TestProgramPlays checks that two programs that keep their fleets play a match to
// its end and a rematch with the sides swapped, and that the lobby lists neither.
func TestProgramPlays(t *testing.T) {
	test(t, func(t *testing.T, l *lobby.Lobby, ann, _ *user) {
		host := &Lobby{Lobby: l}
		squid, whale := openProgram(t, host, account.Player{Name: "squid"}), openProgram(t, host, account.Player{})
		do(t, squid, Seek{Rules: match.Classic(), Stakes: lobby.Casual})
		if s := squid.State(); s.Offer == nil || s.Me.ID == "" || s.Me.Kind != account.Program {
			t.Fatalf("a program that waits knows %+v", s)
		}
		do(t, whale, PlayNamed{Name: "SQUID", Rules: match.Classic(), Stakes: lobby.Casual, As: &account.Player{Name: "whale"}})
		next(t, squid, Seated)
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
		do(t, squid, KeepFleet{})
		do(t, whale, Commit{match.Commitment("salt")})
		for next(t, whale, MatchChanged).Match.View.Phase != match.Battle {
		}
		do(t, whale, Fire{Cell: match.At(1, 1)})
		for u := next(t, squid, MatchChanged); !u.Match.View.Pending; u = next(t, squid, MatchChanged) {
		}
		do(t, squid, Answer{match.At(1, 1), match.Hit, false})
		u := next(t, whale, MatchChanged)
		for ; u.Match.View.Charts[match.Second].Fired == 0; u = next(t, whale, MatchChanged) {
		}
		if last := u.Match.View.LastShot(match.Second); last.Result != match.Hit || last.Cell != match.At(1, 1) {
			t.Errorf("the answer arrives as %+v", last)
		}
		do(t, squid, Forfeit{match.Malformed})
		for _, s := range []Session{whale, squid} {
			u := next(t, s, MatchChanged)
			for ; u.Match.View.Phase != match.Over; u = next(t, s, MatchChanged) {
			}
			if v := &u.Match.View; v.Winner != match.Second || v.Reason != match.Malformed {
				t.Errorf("the match ends with %v, %v", v.Winner, v.Reason)
			}
			do(t, s, Rematch{})
		}
		next(t, whale, Seated)
		if again := whale.State().Match; again.ID == m.ID || again.Side != match.First {
			t.Errorf("the rematch is %+v", again)
		}
	})
}

// TestProgramIsFilledFor checks that a bot takes the offer of a waiting program.
func TestProgramIsFilledFor(t *testing.T) {
	test(t, func(t *testing.T, l *lobby.Lobby, _, _ *user) {
		squid := openProgram(t, &Lobby{Lobby: l}, account.Player{})
		if err := squid.Do(t.Context(), Fill{"easy"}); err != ErrNoOffer {
			t.Errorf("without an offer: %v", err)
		}
		do(t, squid, Seek{Rules: match.Classic(), Stakes: lobby.Casual})
		do(t, squid, Fill{"easy"})
		next(t, squid, Seated)
		if m := squid.State().Match; m.Opponent.Kind != account.Bot || m.Side != match.First {
			t.Errorf("the match is %+v", m)
		}
		do(t, squid, Abort{})
		for next(t, squid, MatchChanged).Match.View.Reason != match.Closed {
		}
	})
}

// TestKindsOfClients checks that programs cannot use features of the lobby, nor people
// those of programs, and that neither crashes the server.
func TestKindsOfClients(t *testing.T) {
	test(t, func(t *testing.T, l *lobby.Lobby, ann, bob *user) {
		host := &Lobby{Lobby: l}
		squid := openProgram(t, host, account.Player{})
		for _, a := range []Action{
			Register{}, Rename{}, LinkKey{}, RemoveKey{}, DoNotDisturb{}, Say{}, Mute{}, Watch{}, WatchBy{}, Preview{}, ShowFeatured{}, OpenPrivate{},
			SendChallenge{}, Accept{}, Decline{}, ResumeSeat{}, HotSeat{}, Rejoin{}, Refuse{}, RemoveOpponent{}, SaveFleet{}, Confirm{}, Claim{},
		} {
			if err := squid.Do(t.Context(), a); err != ErrForPeople {
				t.Errorf("a program's %T: %v", a, err)
			}
		}
		if _, err := Ask(t.Context(), squid, Keys{}); err != ErrForPeople {
			t.Errorf("a program's query: %v", err)
		}
		if err := <-squid.SaveSettings(account.Settings{}); err != ErrForPeople {
			t.Errorf("a program's settings: %v", err)
		}
		fight(ann, bob)
		for _, a := range []Action{KeepFleet{}, Commit{}, Answer{}, Reveal{}, Forfeit{}, Fill{}, JoinLadder{}, Abort{}} {
			if err := ann.Do(t.Context(), a); err != ErrForPrograms {
				t.Errorf("a person's %T: %v", a, err)
			}
		}
		if _, err := Ask(t.Context(), Session(ann), FindProgram{}); err != ErrForPrograms {
			t.Errorf("a person's query: %v", err)
		}
	})
}

// TestProgramEndedByOperator checks that a program whose session is ended gets the reason
// and loses its match.
func TestProgramEndedByOperator(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := lobbytest.Open(lobby.Config{Seed: 1})
		defer l.Close()
		host := &Lobby{Lobby: l}
		squid, whale := openProgram(t, host, account.Player{Name: "squid"}), openProgram(t, host, account.Player{Name: "whale"})
		do(t, squid, Seek{Rules: match.Classic(), Stakes: lobby.Casual})
		do(t, whale, Seek{Rules: match.Classic(), Stakes: lobby.Casual})
		next(t, squid, Seated)
		waits := make(chan error)
		go func() {
			for {
				if _, err := Next(context.Background(), squid); err != nil {
					waits <- err
					return
				}
			}
		}()
		synctest.Wait()
		if n := host.End(func(c Connected) bool { return c.Name() == "squid" }, i18n.NewMessage("Away with you.")); n != 1 {
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
		if err := squid.Do(t.Context(), Fire{}); err == nil || errors.Is(err, ErrNoMatch) {
			t.Errorf("after the end, an action: %v", err)
		}
	})
}
