package lobby_test

import (
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/test/lobbytest"
	"broadside/internal/test/must"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/match"
)

// TestOnlyLongWaitAlerts checks that only a person who waits for anyone, and for long enough, causes an alert.
func TestOnlyLongWaitAlerts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		alerts := 0
		l := lobbytest.Open(lobby.Config{Seed: 1, Alert: func(lobby.Alert) bool { alerts++; return true }})
		defer l.Close()
		classic := match.Classic()
		for range 5 {
			o := playNow(t, l, ann, classic)
			time.Sleep(lobby.LongWait - time.Second)
			o.Cancel()
		}
		must.Get(l.Offers.OpenPrivateMatch(bob, classic, lobby.Casual))
		playNow(t, l, kraken, match.Hasbro())
		time.Sleep(time.Hour)
		synctest.Wait()
		if alerts != 0 {
			t.Errorf("got %d alerts before a person waited long, want 0", alerts)
		}
		playNow(t, l, ann, classic)
		time.Sleep(lobby.LongWait + time.Second)
		synctest.Wait()
		if alerts != 1 {
			t.Errorf("got %d alerts, want 1", alerts)
		}
	})
}

// TestUsualWaitIsMedianOfLastHour checks what an offer says about the waits before it.
func TestUsualWaitIsMedianOfLastHour(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := lobbytest.Open(lobby.Config{Seed: 1, MaxMatches: 10})
		defer l.Close()
		pair := func(wait time.Duration) {
			o := playNow(t, l, ann, match.Classic())
			time.Sleep(wait)
			playNow(t, l, bob, match.Classic())
			seated(t, o).Forfeit(match.Resigned)
			synctest.Wait()
		}
		usual := func() time.Duration {
			o := playNow(t, l, ann, match.Classic())
			defer o.Cancel()
			return o.Terms.UsualWait
		}
		if got := usual(); got != 0 {
			t.Errorf("got %v before any match, want 0", got)
		}
		for _, seconds := range []time.Duration{300, 10, 40} {
			pair(seconds * time.Second)
		}
		if got := usual(); got != 40*time.Second {
			t.Errorf("got %v, want 40s", got)
		}
		time.Sleep(time.Hour)
		if got := usual(); got != 0 {
			t.Errorf("got %v after an hour, want 0", got)
		}
	})
}

// TestOfferStaysOpenDuringBotMatch checks that a person who plays a bot can still be called, that the match against
// the bot then waits for them, and that the limit on matches holds.
func TestOfferStaysOpenDuringBotMatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := lobbytest.Open(lobby.Config{Seed: 1, BotPace: -1, MaxMatches: 2})
		defer l.Close()
		me := account.Player{ID: "account", Account: "account", Name: "ann"}
		o := playNow(t, l, me, match.Classic())
		bot := must.Get(l.Matches.PlayBot(me, "easy", match.Classic().WithClock(10*time.Second), lobby.Casual))
		if !o.Waits() || bot.Rules().Clock != 0 {
			t.Fatalf("the offer waits: %v, clock %v, want true and no clock", o.Waits(), bot.Rules().Clock)
		}
		box := bot.Attach(nil)
		must.Get(l.Matches.PlayBot(bob, "easy", match.Classic(), lobby.Casual))
		playNow(t, l, bob, match.Classic())
		bot.Detach(box)
		seated(t, o).Attach(nil)
		time.Sleep(50 * time.Minute)
		select {
		case <-bot.Match().Done():
			t.Error("the match against the bot has ended, want it to wait")
		default:
		}
		time.Sleep(20 * time.Minute)
		synctest.Wait()
		<-bot.Match().Done()
	})
}

// TestOfferEndsIfNoMatchIsLeft checks that no one can accept an offer whose player could not play the match.
func TestOfferEndsIfNoMatchIsLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := lobbytest.Open(lobby.Config{Seed: 1, BotPace: -1, MaxMatches: 1})
		defer l.Close()
		o := playNow(t, l, ann, match.Classic())
		must.Get(l.Matches.PlayBot(ann, "easy", match.Classic(), lobby.Casual))
		if o.Waits() {
			t.Error("the offer is still open")
		}
	})
}
