// Package fairness decides who may play rated matches, and determines the stakes of a
// match.
package fairness

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/internal/store/rating"
	"broadside/lobby/account"
	"broadside/lobby/stakes"
	"broadside/match"
)

// Penalties for aborting rated matches. The first FreeAborts aborts within [store.AbortWindow]
// are free. The next one blocks rated matches for five minutes, and each further one
// doubles the wait, up to a day.
const (
	FreeAborts     = 3
	firstAbortRest = 5 * time.Minute
	maxAbortRest   = 24 * time.Hour
)

// Judge applies the rules that depend on the players' past matches. Its methods may be
// called from any goroutine, and wait briefly for the store.
type Judge struct {
	Store *store.Store // nil: there are no ratings
	Log   *slog.Logger // required
}

// checkTime limits how long the start of a match waits for the store.
const checkTime = time.Second

// abortRest returns how long a player must wait after aborting n rated matches.
func abortRest(n int) time.Duration {
	rest := time.Duration(0)
	for range n - FreeAborts {
		rest = min(max(2*rest, firstAbortRest), maxAbortRest)
	}
	return rest
}

// ErrUncounted is returned to a player whose running matches could all still be aborted, and
// would be too many.
var ErrUncounted = i18n.Errorf("your-rated-matches-have-only")

// CheckAborts returns an error if the match is rated and the player has aborted too many, also
// if the player were to abort those running matches that do not count yet. If the store does
// not answer in time, the player may play.
func (j Judge) CheckAborts(ctx context.Context, p account.Player, choice stakes.Stakes, uncounted int) error {
	if j.Store == nil || p.Account == "" || p.Kind == account.Bot || choice != stakes.Rated {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	now := time.Now()
	n, last, err := j.Store.Ratings.Aborts(ctx, p.Account, now.Add(-store.AbortWindow))
	if err != nil {
		j.Log.Warn("aborted matches cannot be counted", "account", p.Account, "error", err)
		return nil
	}
	if wait := last.Add(abortRest(n)).Sub(now); wait > 0 {
		return i18n.Errorf("wait-n-minutes-before-the-next-rated", int((wait+time.Minute-1)/time.Minute), n)
	}
	if uncounted > 0 && n+uncounted > FreeAborts {
		return ErrUncounted
	}
	return nil
}

// Stakes returns the stakes of a match that two players are about to begin. The match is
// casual if they have played enough rated matches today. If the store does not answer in
// time, the limit is applied when the match is stored.
func (j Judge) Stakes(ctx context.Context, choice stakes.Stakes, r match.Rules, players [2]account.Player) stakes.Stakes {
	s := Stakes(choice, r, players)
	if !s.Rated() || j.Store == nil || players[0].Kind == account.Bot || players[1].Kind == account.Bot {
		return s
	}
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	n, err := j.Store.Ratings.RatedOn(ctx, [2]string{players[0].Account, players[1].Account}, time.Now())
	if err != nil {
		j.Log.Warn("rated matches cannot be counted", "error", err)
	}
	if n >= store.MaxRatedADay {
		return stakes.CasualOften
	}
	return s
}

// Stakes returns the stakes of a match between two players, given the stakes that one
// of them chose.
func Stakes(choice stakes.Stakes, r match.Rules, players [2]account.Player) stakes.Stakes {
	switch {
	case IsHotSeat(players):
		return stakes.CasualHotSeat
	case choice != stakes.Rated:
		return choice
	case players[0].Account == "" || players[1].Account == "":
		return stakes.CasualGuest
	case cmp.Or(players[0].Owner, players[0].Account) == cmp.Or(players[1].Owner, players[1].Account):
		return stakes.CasualOwner // players cannot gain rating against their own programs
	case !HasRatings(r):
		return stakes.CasualRules
	case keepsFleet(players[0]) || keepsFleet(players[1]):
		return stakes.CasualFleet
	}
	for _, p := range players {
		if _, ok := rating.OfBot(r.Name, p.Name); p.Kind == account.Bot && !ok {
			return stakes.CasualRules
		}
	}
	return stakes.Rated
}

// keepsFleet reports whether the player is a program that may change its fleet until the
// first shot.
func keepsFleet(p account.Player) bool { return p.Kind == account.Program && !p.Fixed }

// HasRatings reports whether matches under r can be rated: each preset has its own
// ratings, custom rules have none.
func HasRatings(r match.Rules) bool {
	preset, err := match.Preset(r.Name)
	return err == nil && preset.Same(r)
}

// IsHotSeat reports whether the two players are people sharing a session.
func IsHotSeat(players [2]account.Player) bool {
	return players[0].Kind == account.Person && players[0].ID == players[1].ID
}
