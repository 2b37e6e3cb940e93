package session

import (
	"testing"
	"testing/synctest"

	"broadside/internal/test/lobbytest"
	"broadside/lobby"
	"broadside/match"
)

// TestAcceptedOfferReplacesBotMatch checks that the match with a player replaces the match against a bot, and that
// the player can then continue the match against the bot.
func TestAcceptedOfferReplacesBotMatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := lobbytest.Open(lobby.Config{Seed: 1, BotPace: -1})
		defer l.Close()
		ann, bob := open(t, l, "ann"), open(t, l, "bob")
		defer ann.leave()
		defer bob.leave()
		joined := func(u Update) bool { return u.Kind == MatchJoined }
		ann.must(ann.FindOpponent(match.Classic(), lobby.Casual))
		for range 2 {
			ann.must(ann.PlayBot("easy", match.Classic(), lobby.Casual))
			ann.until("the bot", joined)
			if ann.State().Offer == nil || !ann.State().Offer.IsOpenToAnyone {
				t.Fatal("the offer has ended")
			}
			ann.must(ann.Resign(match.First))
			ann.until("the end", func(u Update) bool { return u.Match != nil && u.Match.View.Phase == match.Over })
			ann.must(ann.OfferRematch())
			ann.until("the rematch", joined)
		}
		ann.must(bob.FindOpponent(match.Classic(), lobby.Casual))
		ann.until("bob", joined)
		s := ann.State()
		if s.Match.Opponent.Name != "bob" || s.Offer != nil {
			t.Fatalf("got a match against %s and the offer %v, want bob and none", s.Match.Opponent.Name, s.Offer)
		}
		ann.LeaveMatch(false)
		bob.must(bob.Resign(match.First))
		synctest.Wait()
		ann.must(ann.RejoinMatch(true, false))
		if got := ann.State().Match.Opponent.Name; got != "easy" {
			t.Errorf("got a match against %s, want easy", got)
		}
	})
}
