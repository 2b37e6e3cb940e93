package session

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/test/leaks"
	"broadside/internal/test/lobbytest"
	"broadside/internal/test/must"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/chat"
	"broadside/lobby/ratingmode"
	"broadside/match"
	"broadside/match/live"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// user is a session and the goroutine that reads its updates.
type user struct {
	*Session
	t       *testing.T
	updates chan Update
	cancel  context.CancelFunc
}

func open(t *testing.T, l *lobby.Lobby, name string) *user {
	return read(t, New(Config{Lobby: l, Player: account.Player{ID: "key " + name, Name: name}}))
}

// read reads a session's updates.
func read(t *testing.T, s *Session) *user {
	ctx, cancel := context.WithCancel(t.Context())
	u := &user{t: t, Session: s, updates: make(chan Update), cancel: cancel}
	go u.read(ctx)
	return u
}

// read hands on what Next returns.
func (u *user) read(ctx context.Context) {
	defer close(u.updates)
	for {
		up, err := u.Next(ctx)
		if err != nil {
			return
		}
		u.updates <- up
	}
}

// leave ends the session like a dropped connection.
func (u *user) leave() {
	u.cancel()
	for range u.updates {
	}
	u.Close()
	u.Close()
}

// must checks that an action has succeeded.
func (u *user) must(err error) {
	u.t.Helper()
	if err != nil {
		u.t.Fatal(err)
	}
}

// until reads updates until one satisfies ok.
func (u *user) until(what string, fits func(Update) bool) Update {
	u.t.Helper()
	late := time.After(time.Hour)
	for {
		select {
		case up := <-u.updates:
			if fits(up) {
				return up
			}
		case <-late:
			u.t.Fatalf("waited in vain for %s", what)
		}
	}
}

func kind(k UpdateKind) func(Update) bool { return func(u Update) bool { return u.Kind == k } }

// bubble runs a test with a lobby and a clock that the test controls.
func bubble(t *testing.T, f func(t *testing.T, l *lobby.Lobby)) {
	synctest.Test(t, func(t *testing.T) {
		l := lobbytest.Open(lobby.Config{Seed: 1, BotPace: -1})
		defer l.Close()
		f(t, l)
	})
}

// test runs a test with a lobby, two sessions and a clock that the test controls.
func test(t *testing.T, f func(t *testing.T, l *lobby.Lobby, ann, bob *user)) {
	bubble(t, func(t *testing.T, l *lobby.Lobby) {
		ann, bob := open(t, l, "ann"), open(t, l, "bob")
		defer ann.leave()
		defer bob.leave()
		f(t, l, ann, bob)
	})
}

// sitDown pairs two sessions. The second one attacks first.
func sitDown(ann, bob *user) {
	ann.must(ann.FindOpponent(match.Classic(), lobby.Casual))
	bob.must(bob.FindOpponent(match.Classic(), lobby.Casual))
	ann.until("a seat", kind(MatchJoined))
	bob.until("a seat", kind(MatchJoined))
}

// fight pairs two sessions and places their fleets.
func fight(ann, bob *user) {
	sitDown(ann, bob)
	for _, u := range []*user{ann, bob} {
		u.must(u.Place(match.First, match.Classic().RandomLayout(rand.New(rand.NewPCG(1, 2)))))
	}
	begun := func(u Update) bool { return u.Kind == MatchChanged && u.Match.View.Phase == match.Battle }
	ann.until("the battle", begun)
	bob.until("the battle", begun)
}

func TestWholeMatch(t *testing.T) {
	test(t, func(t *testing.T, _ *lobby.Lobby, ann, bob *user) {
		ann.must(ann.FindOpponent(match.Classic(), lobby.Casual))
		if s := ann.State().Offer; s == nil || s.Rules.Name != "classic" {
			t.Fatalf("the open offer is %+v", s)
		}
		bob.must(bob.FindOpponent(match.Classic(), lobby.Casual))
		ann.until("a seat", kind(MatchJoined))
		if s := ann.State(); s.Offer != nil || s.Match == nil || s.Match.Opponent.Name != "bob" || s.Match.Side != match.First {
			t.Fatalf("after pairing, ann's state is %+v", s)
		}
		layout := match.Classic().RandomLayout(rand.New(rand.NewPCG(1, 2)))
		ann.must(ann.Place(match.First, layout))
		bob.must(bob.Place(match.First, layout))
		over := func(u Update) bool { return u.Kind == MatchChanged && u.Match.View.Phase == match.Over }
		var targets []match.Cell
		for _, ship := range layout {
			for i := range ship.Length {
				targets = append(targets, ship.Stern.Step(ship.Heading, i))
			}
		}
		turn := func(u *user) {
			u.until("its turn", func(up Update) bool {
				return up.Kind == MatchChanged && up.Match.View.Phase == match.Battle && up.Match.View.Turn == u.State().Match.Side && !up.Match.View.Pending
			})
		}
		for i, c := range targets {
			if i > 0 {
				turn(ann)
				// A second shot at the same cell is wasted but allowed.
				ann.must(ann.Fire(match.First, 0, match.NewCell(0, 0)))
			}
			turn(bob)
			bob.must(bob.Fire(match.First, 0, c))
		}
		if won := bob.until("the end", over); won.Match.View.Winner != match.Second {
			t.Errorf("the winner is %v", won.Match.View.Winner)
		}
		ann.until("the end", over)
		ann.must(ann.OfferRematch())
		bob.until("ann's rematch offer", kind(SeatChanged))
		if !bob.State().Seat.RematchOffered || ann.State().Offer == nil {
			t.Errorf("no rematch is offered: %+v, %+v", bob.State().Seat, ann.State().Offer)
		}
		bob.must(bob.OfferRematch())
		ann.until("the rematch", kind(MatchJoined))
		if ann.State().Match.Side != match.Second {
			t.Error("the sides were not swapped")
		}
	})
}

// TestSlowReader checks that an unread session stays bounded and gets the newest state when
// it is read.
func TestSlowReader(t *testing.T) {
	bubble(t, func(t *testing.T, l *lobby.Lobby) {
		ann := New(Config{Lobby: l, Player: account.Player{ID: "key ann", Name: "ann"}})
		defer ann.Close()
		for i := range 100 {
			if err := ann.PlayBot("easy", match.Classic(), lobby.Casual); err != nil {
				t.Fatalf("match %d: %v", i, err)
			}
			must.Do(ann.Resign(ann.State().Match.Side))
			synctest.Wait()
		}
		seated := 0
		for {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			u, err := ann.Next(ctx)
			cancel()
			if err != nil {
				break
			}
			if u.Kind == MatchJoined {
				seated++
			}
			if u.Match != nil && u.ID != ann.State().Match.ID {
				t.Errorf("an update of match %s, which was left", u.ID)
			}
		}
		if seated != 1 {
			t.Errorf("%d updates say that there is a new match: they have to be joined", seated)
		}
	})
}

// TestSecondSession checks that a player's second session takes the seat only on request.
func TestSecondSession(t *testing.T) {
	test(t, func(t *testing.T, l *lobby.Lobby, ann, bob *user) {
		fight(ann, bob)
		again := open(t, l, "bob")
		defer again.leave()
		again.must(again.RejoinMatch(false, false))
		if o := again.Occupancy(); again.State().Match != nil || o != lobby.UsedSeat {
			t.Errorf("a second session has the state %+v, and the seat is %v", again.State(), o)
		}
		again.must(again.RejoinMatch(false, true))
		lost := bob.until("the loss", kind(MatchLost))
		if !errors.Is(lost.Err, live.ErrReplaced) || bob.State().Match != nil {
			t.Errorf("lost by %v with the state %+v", lost.Err, bob.State())
		}
		if err := bob.Fire(match.First, 0, match.Cell{}); !errors.Is(err, ErrNoMatch) {
			t.Errorf("firing without a seat: %v", err)
		}
		bob.must(bob.RejoinMatch(false, true))
		again.until("the loss", kind(MatchLost))
		bob.until("the board", kind(MatchChanged))
		bob.must(bob.Resign(match.Second))
		bob.until("the end", func(u Update) bool { return u.Kind == MatchChanged && u.Match.View.Phase == match.Over })
		// The lobby forgets the match once its end is published.
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
			o := again.Occupancy()
			if o == lobby.NoSeat {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("after the match the seat is %v", o)
			}
		}
	})
}

// TestTakeover checks that a guest's seat in use can be taken over with its code, unless
// the guest refuses.
func TestTakeover(t *testing.T) {
	bubble(t, func(t *testing.T, l *lobby.Lobby) {
		guest := &user{Session: New(Config{Lobby: l, Player: account.Player{Name: "gus"}}), t: t}
		defer guest.Close()
		guest.must(guest.PlayBot("easy", match.Classic(), lobby.Casual))
		other := open(t, l, "bob")
		defer other.leave()
		code := guest.State().Seat.ResumeCode
		other.must(other.ResumeSeat(code))
		if s := other.State().Offer; s == nil || !s.IsTakeover {
			t.Fatalf("asking for a seat in use leads to %+v", s)
		}
		for guest.State().Seat.Takeover == nil {
			must.Get(guest.Next(t.Context()))
		}
		guest.must(guest.RefuseTakeover())
		if refused := other.until("the refusal", kind(OfferEnded)); refused.Err == nil {
			t.Error("a refusal gives no reason")
		}
		if now := guest.State().Seat; now.Takeover != nil || now.ResumeCode == "" || now.ResumeCode == code {
			t.Errorf("after the refusal: %+v", now)
		}
		other.must(other.ResumeSeat(guest.State().Seat.ResumeCode))
		other.until("the seat", kind(MatchJoined))
	})
}

func TestHotSeat(t *testing.T) {
	bubble(t, func(t *testing.T, l *lobby.Lobby) {
		both := open(t, l, "dan")
		defer both.leave()
		both.must(both.StartHotSeat([2]string{"dan", "eve"}, match.Classic()))
		m := both.State().Match
		if m == nil || !m.HotSeat || m.HotSeatNames != [2]string{"dan", "eve"} {
			t.Fatalf("the match is %+v", m)
		}
		var seen [2]bool
		both.until("both views", func(u Update) bool {
			if u.Kind == MatchChanged {
				seen[u.Side] = true
			}
			return seen == [2]bool{true, true}
		})
		both.must(both.AbortMatch())
		both.until("the end", func(u Update) bool { return u.Kind == MatchChanged && u.Match.View.Phase == match.Over })
		plain := open(t, l, "dan")
		defer plain.leave()
		both.must(both.StartHotSeat([2]string{"dan", "eve"}, match.Classic()))
		if err := plain.RejoinMatch(false, true); !errors.Is(err, ErrHotSeat) {
			t.Errorf("a frontend without a hot seat rejoins with %v", err)
		}
	})
}

func TestOffers(t *testing.T) {
	test(t, func(t *testing.T, _ *lobby.Lobby, ann, bob *user) {
		if ok, err := ann.CancelOffer(); ok || !errors.Is(err, ErrNoOffer) {
			t.Errorf("cancelling nothing: %v, %v", ok, err)
		}
		ann.must(ann.FindOpponent(match.Classic(), lobby.Casual))
		if ok, err := ann.CancelOffer(); !ok || err != nil {
			t.Errorf("cancelling an offer: %v, %v", ok, err)
		}
		if ann.State().Offer != nil {
			t.Error("a cancelled offer is still open")
		}
		ann.must(ann.Challenge("key bob", match.Classic(), lobby.Casual))
		bob.until("the challenge", func(u Update) bool { return u.Kind == ChallengeChanged && bob.State().Challenge != nil })
		bob.DeclineChallenge(bob.State().Challenge.Offer)
		failed := ann.until("the answer", kind(OfferEnded))
		if failed.Err == nil || ann.State().Offer != nil {
			t.Errorf("declined with %v and the state %+v", failed.Err, ann.State())
		}
		ann.must(ann.OpenPrivateMatch(match.Classic(), lobby.Casual))
		bob.must(bob.JoinPrivateMatch(ann.State().Offer.Code))
		ann.until("a seat", kind(MatchJoined))
		if m := bob.State().Match; m == nil || m.Side != match.Second {
			t.Errorf("in the room, bob's match is %+v", m)
		}
	})
}

func TestChat(t *testing.T) {
	test(t, func(t *testing.T, _ *lobby.Lobby, ann, bob *user) {
		says := func(room ChatKind, text string) func(Update) bool {
			return func(u Update) bool {
				return u.Kind == ChatChanged && u.Chat == room && len(u.Lines) > 0 && u.Lines[len(u.Lines)-1].Text == text
			}
		}
		ann.must(ann.Say(ann.t.Context(), LobbyChat, "hello"))
		bob.until("ann's line", says(LobbyChat, "hello"))
		if err := ann.Say(t.Context(), MatchChat, "too early"); !errors.Is(err, ErrNoChat) {
			t.Errorf("a line without a match: %v", err)
		}
		sitDown(ann, bob)
		bob.must(bob.Say(bob.t.Context(), MatchChat, "good luck"))
		ann.until("bob's line", says(MatchChat, "good luck"))
		bob.must(bob.SetMuteState(bob.t.Context(), bob.State().Match.Opponent, chat.MutedForSession))
		if how := bob.MuteState("key ann"); how != chat.MutedForSession {
			t.Errorf("ann is heard as %v", how)
		}
	})
}

// TestRemoveOpponent checks that a private match's host can remove the opponent, and
// that the match is then open again with a new code.
func TestRemoveOpponent(t *testing.T) {
	test(t, func(t *testing.T, _ *lobby.Lobby, ann, bob *user) {
		if err := ann.RemoveOpponent(t.Context()); !errors.Is(err, ErrNoMatch) {
			t.Errorf("without a match: %v", err)
		}
		enter := func() string {
			code := ann.State().Offer.Code
			bob.must(bob.JoinPrivateMatch(code))
			ann.until("a seat", kind(MatchJoined))
			bob.until("a seat", kind(MatchJoined))
			return code
		}
		ann.must(ann.OpenPrivateMatch(match.Hasbro(), lobby.Casual))
		code := enter()
		if !ann.State().Match.IsHost || bob.State().Match.IsHost {
			t.Error("the room is not ann's alone")
		}
		if err := bob.RemoveOpponent(t.Context()); !errors.Is(err, lobby.ErrNotHost) {
			t.Errorf("bob removes ann: %v", err)
		}
		ann.must(ann.RemoveOpponent(ann.t.Context()))
		over := bob.until("the end", func(u Update) bool { return u.Kind == MatchChanged && u.Match.View.Phase == match.Over })
		if v := over.Match.View; v.Winner != match.Nobody || v.Reason != match.Removed || v.Aborter != match.First {
			t.Errorf("%v won: %v by %v", v.Winner, v.Reason, v.Aborter)
		}
		if u := ann.until("the open room", kind(OpponentRemoved)); u.Err != nil || u.Name != bob.Player().Name {
			t.Errorf("removed is %q: %v", u.Name, u.Err)
		}
		s := ann.State()
		if s.Match != nil || s.Offer == nil || s.Offer.Code == "" || s.Offer.Code == code || s.Offer.Rules.Name != "hasbro" || s.Offer.RatingMode != ratingmode.CasualGuest && s.Offer.RatingMode != lobby.Casual {
			t.Fatalf("afterwards ann's state is %+v", s)
		}
		bob.LeaveMatch(false)
		if err := bob.JoinPrivateMatch(code); !errors.Is(err, lobby.ErrNoPrivate) {
			t.Errorf("the old code: %v", err)
		}

		enter()
		for _, u := range []*user{ann, bob} {
			u.must(u.Place(match.First, match.Hasbro().RandomLayout(rand.New(rand.NewPCG(1, 2)))))
		}
		ann.until("the battle", func(u Update) bool { return u.Kind == MatchChanged && u.Match.View.Phase == match.Battle })
		ann.must(ann.RemoveOpponent(ann.t.Context()))
		refused := ann.until("the refusal", func(u Update) bool { return u.Kind == MatchChanged && u.Match.Refused != nil })
		if !errors.Is(refused.Match.Refused, match.ErrRemoval) {
			t.Errorf("in battle: %v", refused.Match.Refused)
		}
	})
}
