package lobby

import (
	"cmp"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/store/rating"
	"broadside/lobby/account"
	"broadside/lobby/ratingmode"
	"broadside/match"
)

// Penalties for aborting rated matches. The first FreeAborts aborts within [store.AbortWindow] are
// free. The next one blocks rated matches for five minutes, and each further one doubles the wait,
// up to a day.
const (
	FreeAborts     = 3
	firstAbortRest = 5 * time.Minute
	maxAbortRest   = 24 * time.Hour
)

// waitAfterAborts returns how long a player must wait after aborting n rated matches.
func waitAfterAborts(n int) time.Duration {
	rest := time.Duration(0)
	for range n - FreeAborts {
		rest = min(max(2*rest, firstAbortRest), maxAbortRest)
	}
	return rest
}

// ErrTooManyEarlyMatches is returned to a player who could still abort too many running matches.
var ErrTooManyEarlyMatches = i18n.Errorf("your rated matches have only just started: fire three shots in one of them before the next one, or play casual matches")

// checkAborts returns an error if a player may not start another rated match. The player has
// aborted n rated matches, the last one at the given time, and could still abort some more.
func checkAborts(n int, last time.Time, abortable int) error {
	wait := time.Until(last.Add(waitAfterAborts(n)))
	if wait > 0 {
		return i18n.Errorf("wait %d minute before the next rated match, or play casual matches: you have aborted %d in the last 24 hours||wait %d minutes before the next rated match, or play casual matches: you have aborted %d in the last 24 hours", int((wait+time.Minute-1)/time.Minute), n)
	}
	if abortable > 0 && n+abortable > FreeAborts {
		return ErrTooManyEarlyMatches
	}
	return nil
}

// actualRatingMode returns the rating mode of a match between two players, one of whom chose choice.
func actualRatingMode(choice RatingMode, r match.Rules, players [2]account.Player) RatingMode {
	switch {
	case isHotSeat(players):
		return ratingmode.CasualHotSeat
	case choice != Rated:
		return choice
	case players[0].Account == "" || players[1].Account == "":
		return ratingmode.CasualGuest
	case cmp.Or(players[0].Owner, players[0].Account) == cmp.Or(players[1].Owner, players[1].Account):
		// Players cannot gain rating against their own programs.
		return ratingmode.CasualOwner
	case !hasRatings(r):
		return ratingmode.CasualRules
	case keepsFleet(players[0]) || keepsFleet(players[1]):
		return ratingmode.CasualFleet
	}
	for _, p := range players {
		if _, ok := rating.BotRating(r.Name, p.Name); p.Kind == account.Bot && !ok {
			return ratingmode.CasualRules
		}
	}
	return Rated
}

// keepsFleet reports whether the player is a program that may change its fleet until the first
// shot.
func keepsFleet(p account.Player) bool { return p.Kind == account.Program && !p.Fixed }

// hasRatings reports whether matches under r can be rated. Each preset has its own ratings, and
// custom rules have none.
func hasRatings(r match.Rules) bool {
	preset, err := match.Preset(r.Name)
	return err == nil && preset.IsEquivalent(r)
}

func isHotSeat(players [2]account.Player) bool {
	return players[0].Kind == account.Person && players[0].ID == players[1].ID
}
