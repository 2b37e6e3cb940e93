package lobby

import (
	"context"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/match"
)

// What it costs to abort rated matches: within [store.AbortWindow] the first three
// are free. After the fourth the player waits five minutes before the next rated
// match, and after each further one twice as long, up to a day.
const (
	freeAborts     = 3
	firstAbortRest = 5 * time.Minute
	maxAbortRest   = 24 * time.Hour
)

// abortRest returns how long a player waits who has aborted n rated matches.
func abortRest(n int) time.Duration {
	rest := time.Duration(0)
	for range n - freeAborts {
		rest = min(max(2*rest, firstAbortRest), maxAbortRest)
	}
	return rest
}

// mayPlay returns why a player must not begin a match yet: they have chosen a rated
// one and have aborted too many. It reads from the store, for a short time at most;
// what that cannot say keeps nobody from playing.
func (l *Lobby) mayPlay(p Player, choice Stakes) error {
	if l.cfg.Store == nil || p.Account == "" || p.Kind == Bot || choice != Rated {
		return nil
	}
	ctx, cancel := context.WithTimeout(l.ctx, fairTime)
	defer cancel()
	now := time.Now()
	n, last, err := l.cfg.Store.Ratings.Aborts(ctx, p.Account, now.Add(-store.AbortWindow))
	if err != nil {
		l.cfg.Log.Warn("aborted matches cannot be counted", "account", p.Account, "error", err)
		return nil
	}
	if wait := last.Add(abortRest(n)).Sub(now); wait > 0 {
		return i18n.Errorf("you have aborted %d rated matches in the last 24 hours: wait %d minutes before the next one, or play casual matches",
			n, int((wait+time.Minute-1)/time.Minute))
	}
	return nil
}

// fairTime bounds how long the beginning of a match waits for the store.
const fairTime = time.Second

// stakes returns what a match is played for that two players are about to begin. If
// they have played enough rated ones today, it is casual; should the store not say
// so in time, it does when the match is stored.
func (l *Lobby) stakes(choice Stakes, r match.Rules, players [2]Player) Stakes {
	s := stakesOf(choice, r, players)
	if !s.Rated() || l.cfg.Store == nil || players[0].Kind == Bot || players[1].Kind == Bot {
		return s
	}
	ctx, cancel := context.WithTimeout(l.ctx, fairTime)
	defer cancel()
	n, err := l.cfg.Store.Ratings.RatedOn(ctx, [2]string{players[0].Account, players[1].Account}, time.Now())
	if err != nil {
		l.cfg.Log.Warn("rated matches cannot be counted", "error", err)
	}
	if n >= store.MaxRatedADay {
		return CasualOften
	}
	return s
}
