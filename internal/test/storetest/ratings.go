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
	type key struct{ player, rules string }
	type standing struct {
		rating.Rating
		games int
		last  time.Time
	}
	now := map[key]standing{}
	var errs []error
	wrong := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	for _, id := range ids {
		m, err := s.Matches.ByID(ctx, id)
		if err != nil {
			wrong("half a match is there: %w", err)
			continue
		}
		if _, err := match.Replay(m.Rules, audit.Flag, m.Events); err != nil {
			wrong("the match %s cannot be replayed: %w", id, err)
		}
		if !m.Rated {
			continue
		}
		var both [2]standing
		var idle [2]time.Duration
		for side, seat := range m.Seats {
			x, ok := now[key{seat.Player, m.RuleSet}]
			switch fixed, bot := rating.OfBot(m.RuleSet, seat.Name); {
			case seat.Kind == store.Bot && bot:
				x.Rating = fixed
			case !ok:
				x.Rating = rating.New()
			default:
				idle[side] = m.Ended().Sub(x.last)
			}
			both[side] = x
		}
		won := 0.0
		if m.Winner == match.First {
			won = 1
		}
		before := both
		both[0].Rating, both[1].Rating = rating.Game(both[0].Rating, both[1].Rating, idle[0], idle[1], won)
		for side, seat := range m.Seats {
			x := &both[side]
			if seat.Kind == store.Bot {
				x.Rating = before[side].Rating
			}
			x.games++
			if m.Ended().After(x.last) {
				x.last = m.Ended()
			}
			if x.Value != seat.After {
				wrong("match %s, side %d: rating %v, want %v", id, side, seat.After, x.Value)
			}
			now[key{seat.Player, m.RuleSet}] = *x
		}
	}
	players := map[string]int{}
	for k := range now {
		players[k.player]++
	}
	for player, scales := range players {
		got, err := s.Ratings.Of(ctx, player)
		if err != nil {
			wrong("the ratings of player %s: %w", player, err)
			continue
		}
		for _, g := range got {
			want, played := now[key{player, g.RuleSet}]
			switch fixed, bot := rating.OfBot(g.RuleSet, g.Name); {
			case played:
				scales--
			case g.Kind == store.Bot && bot: // it has a rating before its first match
				want.Rating = fixed
			}
			if g.Rating != want.Rating || g.Games != want.games {
				wrong("player %s: %+v after %d games, want %+v after %d", player, g.Rating, g.Games, want.Rating, want.games)
			}
		}
		if scales > 0 {
			wrong("player %s has no rating under %d rule sets of its rated matches", player, scales)
		}
	}
	return errors.Join(errs...)
}
