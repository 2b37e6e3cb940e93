package storetest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"broadside/internal/store"
	"broadside/internal/store/rating"
	"broadside/match"
	"broadside/match/audit"
)

// CheckRatings replays stored matches and rates them again. The IDs must be in the order in
// which the matches were stored. It returns an error for each match that cannot be replayed,
// and for each rating, in a match or of a player, that does not follow from the matches.
func CheckRatings(ctx context.Context, s *store.Store, ids []string) error {
	c := ratingCheck{now: map[ratingKey]standing{}}
	for _, id := range ids {
		m, err := s.Matches.FindByID(ctx, id)
		if err != nil {
			c.addError("incomplete match: %w", err)
			continue
		}
		if _, err := match.Replay(m.Rules, audit.Flag, m.Events); err != nil {
			c.addError("cannot replay match %s: %w", id, err)
		}
		if m.Rated {
			c.rateMatch(m)
		}
	}
	players := map[string]int{}
	for k := range c.now {
		players[k.player]++
	}
	for player, scales := range players {
		got, err := s.Ratings.ListByPlayer(ctx, player)
		if err != nil {
			c.addError("ratings of player %s: %w", player, err)
			continue
		}
		c.compareRatings(player, scales, got)
	}
	return errors.Join(c.errs...)
}

// ratingCheck computes ratings from matches and collects the differences from the stored ones.
type ratingCheck struct {
	now  map[ratingKey]standing
	errs []error
}

type ratingKey struct{ player, rules string }

type standing struct {
	rating.Rating
	games int
	last  time.Time
}

func (c *ratingCheck) addError(format string, args ...any) {
	c.errs = append(c.errs, fmt.Errorf(format, args...))
}

// rateMatch rates the next match.
func (c *ratingCheck) rateMatch(m store.Match) {
	var both [2]standing
	var idle [2]time.Duration
	for side, seat := range m.Seats {
		x, ok := c.now[ratingKey{seat.Player, m.RuleSet}]
		switch fixed, bot := rating.BotRating(m.RuleSet, seat.Name); {
		case seat.Kind == store.Bot && bot:
			x.Rating = fixed
		case !ok:
			x.Rating = rating.New()
		default:
			idle[side] = m.EndTime().Sub(x.last)
		}
		both[side] = x
	}
	won := 0.0
	if m.Winner == match.First {
		won = 1
	}
	before := both
	both[0].Rating, both[1].Rating = rating.RateMatch(both[0].Rating, both[1].Rating, idle[0], idle[1], won)
	for side, seat := range m.Seats {
		x := &both[side]
		if seat.Kind == store.Bot {
			x.Rating = before[side].Rating
		}
		x.games++
		if m.EndTime().After(x.last) {
			x.last = m.EndTime()
		}
		if x.Value != seat.After {
			c.addError("match %s, side %d: rating %v, want %v", m.ID, side, seat.After, x.Value)
		}
		c.now[ratingKey{seat.Player, m.RuleSet}] = *x
	}
}

// compareRatings compares the stored ratings of a player with the computed ones. scales is the
// number of rule sets under which the player has rated matches.
func (c *ratingCheck) compareRatings(player string, scales int, stored []store.Standing) {
	for _, g := range stored {
		want, played := c.now[ratingKey{player, g.RuleSet}]
		switch fixed, bot := rating.BotRating(g.RuleSet, g.Name); {
		case played:
			scales--
		case g.Kind == store.Bot && bot: // it has a rating before its first match
			want.Rating = fixed
		}
		if g.Rating != want.Rating || g.Games != want.games {
			c.addError("player %s: %+v after %d games, want %+v after %d", player, g.Rating, g.Games, want.Rating, want.games)
		}
	}
	if scales > 0 {
		c.addError("player %s has no rating under %d rule sets of its rated matches", player, scales)
	}
}
