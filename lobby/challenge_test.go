package lobby_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/test/must"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/match"
)

var cara = account.Player{ID: "key-cara", Name: "cara"}

// company is a lobby with ann, bob and cara, and a clock that the test controls.
func company(t *testing.T, test func(t *testing.T, l *lobby.Lobby, bob *lobby.Member)) {
	t.Helper()
	bubble(t, func(t *testing.T, l *lobby.Lobby) {
		l.Enter(ann)
		l.Enter(cara)
		test(t, l, l.Enter(bob))
	})
}

func challenge(t *testing.T, l *lobby.Lobby, from, to account.Player) *lobby.Offer {
	t.Helper()
	return must.Get(l.Offers.Challenge(from, to.ID, match.Hasbro().WithClock(15*time.Second), lobby.Rated))
}

// failed returns why an offer has failed. It must have failed by now.
func failed(t *testing.T, offer *lobby.Offer) string {
	t.Helper()
	select {
	case s := <-offer.Seat():
		if s == nil {
			return offer.Err().Error()
		}
	default:
	}
	t.Fatal("the offer has not failed")
	return ""
}

// refused fails the test unless an error contains a text.
func refused(t *testing.T, err error, text string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), text) {
		t.Errorf("error %v, want one about %q", err, text)
	}
}

func TestChallengeAccepted(t *testing.T) {
	company(t, func(t *testing.T, l *lobby.Lobby, b *lobby.Member) {
		a := challenge(t, l, ann, bob)
		if a.Terms.Challenged.Name != "bob" || time.Until(a.Terms.Expires) != lobby.DefaultAnswerTime {
			t.Errorf("to %v until %v", a.Terms.Challenged, a.Terms.Expires)
		}
		c := <-b.Challenges()
		if c == nil || c.From.Name != "ann" || c.Rules.Name != "hasbro" || c.Rules.Clock != 15*time.Second {
			t.Fatalf("bob sees %+v", c)
		}
		if _, err := l.Offers.Accept(cara, c.Offer); !errors.Is(err, lobby.ErrOfferGone) {
			t.Errorf("another player accepts it: %v", err)
		}
		s := must.Get(l.Offers.Accept(bob, c.Offer))
		if s.Seat.Side() != match.Second || s.Opponent.Name != "ann" {
			t.Errorf("bob has side %v against %s", s.Seat.Side(), s.Opponent.Name)
		}
		if s := seated(t, a); s.Seat.Side() != match.First || s.Opponent.Name != "bob" {
			t.Errorf("ann has side %v against %s", s.Seat.Side(), s.Opponent.Name)
		}
		if c := <-b.Challenges(); c != nil {
			t.Errorf("bob still sees %+v", c)
		}
		// No timer may be left that ends the match.
		time.Sleep(time.Hour)
		s.Seat.Resign()
	})
}

func TestChallengeDeclined(t *testing.T) {
	company(t, func(t *testing.T, l *lobby.Lobby, b *lobby.Member) {
		a := challenge(t, l, ann, bob)
		c := <-b.Challenges()
		l.Offers.Decline(cara, c.Offer)
		l.Offers.Decline(bob, c.Offer+1)
		l.Offers.Decline(bob, c.Offer)
		l.Offers.Decline(bob, c.Offer)
		refused(t, errors.New(failed(t, a)), "declined by bob")
		if c := <-b.Challenges(); c != nil {
			t.Errorf("bob still sees %+v", c)
		}
		_, err := l.Offers.Challenge(ann, bob.ID, match.Classic(), lobby.Rated)
		refused(t, err, "wait 60 seconds")
		time.Sleep(lobby.ChallengePause)
		challenge(t, l, ann, bob)
	})
}

func TestChallengeTimesOut(t *testing.T) {
	company(t, func(t *testing.T, l *lobby.Lobby, b *lobby.Member) {
		a := challenge(t, l, ann, bob)
		c := <-b.Challenges()
		time.Sleep(lobby.DefaultAnswerTime - 1)
		synctest.Wait()
		select {
		case <-a.Seat():
			t.Fatal("it ended too early")
		default:
		}
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		refused(t, errors.New(failed(t, a)), "no answer from bob in time")
		if _, err := l.Offers.Accept(bob, c.Offer); !errors.Is(err, lobby.ErrOfferGone) {
			t.Errorf("taken too late: %v", err)
		}
	})
}

func TestRefusedChallenges(t *testing.T) {
	company(t, func(t *testing.T, l *lobby.Lobby, b *lobby.Member) {
		for _, c := range []struct{ id, want string }{
			{"key-nobody", "player left"}, {"", "player left"}, {ann.ID, "against yourself"},
		} {
			_, err := l.Offers.Challenge(ann, c.id, match.Classic(), lobby.Rated)
			refused(t, err, c.want)
		}
		challenge(t, l, cara, bob)
		_, err := l.Offers.Challenge(ann, bob.ID, match.Classic(), lobby.Rated)
		refused(t, err, "another player is challenging")
		l.Offers.Decline(bob, (<-b.Challenges()).Offer)
		<-b.Challenges()
		other := l.Enter(bob)
		// This applies to all of the player's sessions.
		b.SetDoNotDisturb(true)
		other.Leave()
		_, err = l.Offers.Challenge(ann, bob.ID, match.Classic(), lobby.Rated)
		refused(t, err, "is not accepting challenges")
		b.SetDoNotDisturb(false)
		s := must.Get(l.Matches.PlayBot(bob, "easy", match.Classic(), lobby.Rated))
		_, err = l.Offers.Challenge(ann, bob.ID, match.Classic(), lobby.Rated)
		refused(t, err, "bob, who is playing")
		s.Seat.Resign()
		<-s.Seat.Match().Done()
		synctest.Wait()
		challenge(t, l, ann, bob)
		select {
		case c := <-b.Challenges():
			if c == nil || c.From.Name != "ann" {
				t.Errorf("bob sees %+v", c)
			}
		default:
			t.Error("bob sees nothing")
		}
	})
}

// TestOffersEnd ends a seek, a challenge to bob and a private match in every possible way.
func TestOffersEnd(t *testing.T) {
	for _, c := range []struct {
		name, want string
		end        func(t *testing.T, l *lobby.Lobby, a, b *lobby.Member)
		// spared reports that only the offer to bob ends.
		spared bool
	}{
		{"who offers leaves", "player left", func(_ *testing.T, _ *lobby.Lobby, a, _ *lobby.Member) { a.Leave() }, false},
		{"who is challenged leaves", "player left", func(_ *testing.T, _ *lobby.Lobby, _, b *lobby.Member) { b.Leave() }, true},
		{"who offers sits down", "started another match", func(t *testing.T, l *lobby.Lobby, _, _ *lobby.Member) {
			if _, err := l.Matches.PlayBot(ann, "easy", match.Classic(), lobby.Rated); err != nil {
				t.Error(err)
			}
		}, false},
		{"who is challenged sits down", "bob has started another match", func(t *testing.T, l *lobby.Lobby, _, _ *lobby.Member) {
			if _, err := l.Matches.PlayBot(bob, "easy", match.Classic(), lobby.Rated); err != nil {
				t.Error(err)
			}
		}, true},
		{"another offer", "since offered another match", func(t *testing.T, l *lobby.Lobby, _, _ *lobby.Member) {
			playNow(t, l, ann, match.Classic())
		}, false},
		{"the server drains", "shutting down", func(t *testing.T, l *lobby.Lobby, _, _ *lobby.Member) {
			must.Do(l.Drain(t.Context()))
		}, false},
		{"the lobby closes", "shutting down", func(_ *testing.T, l *lobby.Lobby, _, _ *lobby.Member) { l.Close() }, false},
	} {
		for i, offer := range []func(l *lobby.Lobby) (*lobby.Offer, error){
			func(l *lobby.Lobby) (*lobby.Offer, error) {
				return l.Offers.Challenge(ann, bob.ID, match.Classic(), lobby.Rated)
			},
			func(l *lobby.Lobby) (*lobby.Offer, error) {
				return l.Offers.FindOpponent(ann, match.Classic(), lobby.Rated)
			},
			func(l *lobby.Lobby) (*lobby.Offer, error) {
				return l.Offers.OpenPrivateMatch(ann, match.Classic(), lobby.Rated)
			},
		} {
			t.Run(fmt.Sprint(c.name, " ", i), func(t *testing.T) {
				bubble(t, func(t *testing.T, l *lobby.Lobby) {
					a, b := l.Enter(ann), l.Enter(bob)
					offer := must.Get(offer(l))
					c.end(t, l, a, b)
					// An offer to anyone stays open while its player plays a bot.
					if i > 0 && c.spared || i == 1 && c.name == "who offers sits down" {
						if !offer.Cancel() {
							t.Errorf("it has ended: %v", offer.Err())
						}
						return
					}
					refused(t, errors.New(failed(t, offer)), c.want)
				})
			})
		}
	}
}

// TestSecondVisitKeepsOffers ends one of two sessions of a player.
func TestSecondVisitKeepsOffers(t *testing.T) {
	company(t, func(t *testing.T, l *lobby.Lobby, b *lobby.Member) {
		again := l.Enter(ann)
		a := challenge(t, l, ann, bob)
		again.Leave()
		late := l.Enter(bob)
		b.Leave()
		if c := <-late.Challenges(); c == nil || c.From.Name != "ann" {
			t.Errorf("bob's other session sees %+v", c)
		}
		if !a.Cancel() {
			t.Errorf("the challenge has ended: %v", a.Err())
		}
		if c := <-late.Challenges(); c != nil {
			t.Errorf("after it was taken back, bob sees %+v", c)
		}
	})
}

func TestOpenOffersAreTaken(t *testing.T) {
	company(t, func(t *testing.T, l *lobby.Lobby, b *lobby.Member) {
		k := playNow(t, l, kraken, match.Hasbro())
		a := playNow(t, l, ann, match.Classic().WithClock(time.Minute))
		room := must.Get(l.Offers.OpenPrivateMatch(cara, match.Classic(), lobby.Rated))
		time.Sleep(time.Second)
		var s *lobby.Snapshot
		for s = <-b.Snapshots(); len(s.Waiting) != 2; s = <-b.Snapshots() {
		}
		if w := s.Waiting[1]; w.Player.Name != "ann" || w.Rules.Clock != time.Minute {
			t.Errorf("ann waits as %+v", w)
		}
		if _, err := l.Offers.Accept(ann, s.Waiting[1].Offer); !errors.Is(err, lobby.ErrSelf) {
			t.Errorf("her own offer: %v", err)
		}
		mine := must.Get(l.Offers.Accept(bob, s.Waiting[0].Offer))
		if mine.Opponent.Name != "kraken" || seated(t, k).Opponent.Name != "bob" {
			t.Errorf("bob plays %s", mine.Opponent.Name)
		}
		if _, err := l.Offers.Accept(cara, s.Waiting[0].Offer); !errors.Is(err, lobby.ErrOfferGone) {
			t.Errorf("taken twice: %v", err)
		}
		if !a.Cancel() || !room.Cancel() {
			t.Error("the other offers have ended")
		}
	})
}

func TestRooms(t *testing.T) {
	company(t, func(t *testing.T, l *lobby.Lobby, b *lobby.Member) {
		codes := map[string]bool{}
		for i := range 200 {
			room := must.Get(l.Offers.OpenPrivateMatch(account.Player{ID: fmt.Sprint("key-", i), Name: fmt.Sprint("guest", i)}, match.Classic(), lobby.Rated))
			code := room.Terms.Code
			if c, err := lobby.ParseCode(" " + strings.ToLower(code)); err != nil || c != code || codes[code] {
				t.Fatalf("room code %q: %v", code, err)
			}
			codes[code] = true
		}
		a := must.Get(l.Offers.OpenPrivateMatch(ann, match.Hasbro(), lobby.Rated))
		if p := playNow(t, l, bob, match.Hasbro()); !p.Cancel() {
			t.Error("a private room was taken by play now")
		}
		for _, c := range []struct {
			code string
			want error
		}{{"K3F", lobby.ErrCodeFormat}, {"K3F-97W-QX!", lobby.ErrCodeFormat}, {"K3F-97W-QXM-2", lobby.ErrCodeFormat}, {"\x1b[2J", lobby.ErrCodeFormat}, {"", lobby.ErrCodeFormat}, {a.Terms.Code, nil}} {
			if _, err := l.Offers.FindPrivateMatch(c.code); !errors.Is(err, c.want) {
				t.Errorf("room %q: %v, want %v", c.code, err, c.want)
			}
		}
		if o, err := l.Offers.FindPrivateMatch(a.Terms.Code); err != nil || o.Terms.Rules.Name != "hasbro" {
			t.Errorf("the private match of ann: %v", err)
		}
		wrong := "KKK-KKK-KKK"
		if codes[wrong] || a.Terms.Code == wrong {
			t.Fatal("choose another wrong code")
		}
		if _, err := l.Offers.FindPrivateMatch(wrong); !errors.Is(err, lobby.ErrNoPrivate) {
			t.Errorf("room %s: %v", wrong, err)
		}
		if _, err := l.Offers.JoinPrivateMatch(bob, wrong); !errors.Is(err, lobby.ErrNoPrivate) {
			t.Errorf("a wrong code: %v", err)
		}
		if _, err := l.Offers.JoinPrivateMatch(ann, a.Terms.Code); !errors.Is(err, lobby.ErrSelf) {
			t.Errorf("her own room: %v", err)
		}
		s := must.Get(l.Offers.JoinPrivateMatch(bob, strings.ToLower(a.Terms.Code)))
		if s.Seat.Side() != match.Second || seated(t, a).Opponent.Name != "bob" {
			t.Errorf("bob has side %v", s.Seat.Side())
		}
		if _, err := l.Offers.FindPrivateMatch(a.Terms.Code); !errors.Is(err, lobby.ErrNoPrivate) {
			t.Errorf("the room is still there: %v", err)
		}
	})
}
