package account

import (
	"context"
	"slices"
	"time"

	"broadside/internal/store"
)

// history holds what limits an account's rated matches. It is in memory, so that the lobby pairs
// players without the database.
type history struct {
	// read reports that the history comes from the database. Otherwise it starts with the account's first match.
	read bool
	// aborts holds when the player aborted rated matches, oldest first.
	aborts []time.Time
	// rated is the number of rated matches on Accounts.day, by the opponent's account.
	rated map[string]int
}

// LoadRatedCounts reads how many rated matches an account has aborted and played today, unless they are
// known. Call it when a player signs in. If several lobbies use the database, each knows the others'
// matches only up to this moment.
func (a *Accounts) LoadRatedCounts(ctx context.Context, account string) {
	a.mu.Lock()
	known := a.histories[account].read
	a.mu.Unlock()
	if known {
		return
	}
	now := time.Now()
	recent, err := a.cfg.Store.Ratings.RecentMatches(ctx, account, now)
	if err != nil {
		a.cfg.Log.Warn("rated matches cannot be counted", "account", account, "error", err)
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.startDayLocked(now)
	a.histories[account] = history{read: true, aborts: recent.Aborts, rated: recent.Rated}
}

// AddMatch adds a stored match to its players' histories. aborter is the account that aborted the
// match, or empty.
func (a *Accounts) AddMatch(m store.Summary, aborter string) {
	now := time.Now()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.startDayLocked(now)
	if aborter != "" {
		h := a.histories[aborter]
		h.aborts = append(recentAborts(h.aborts, now), m.EndTime())
		a.histories[aborter] = h
	}
	if !m.Rated || m.EndTime().Before(a.day) {
		return
	}
	for side, seat := range m.Seats {
		h := a.histories[seat.Player]
		if h.rated == nil {
			h.rated = map[string]int{}
		}
		h.rated[m.Seats[1-side].Player]++
		a.histories[seat.Player] = h
	}
}

// startDayLocked forgets what no longer counts when a new UTC day has started.
func (a *Accounts) startDayLocked(now time.Time) {
	day := now.UTC().Truncate(24 * time.Hour)
	if day.Equal(a.day) {
		return
	}
	a.day = day
	for account, h := range a.histories {
		h.aborts, h.rated = recentAborts(h.aborts, now), nil
		a.histories[account] = h
		if len(h.aborts) == 0 {
			delete(a.histories, account)
		}
	}
}

func recentAborts(aborts []time.Time, now time.Time) []time.Time {
	start := now.Add(-store.AbortWindow)
	return slices.DeleteFunc(slices.Clone(aborts), func(t time.Time) bool { return t.Before(start) })
}

// CountAborts returns how many rated matches an account has aborted within [store.AbortWindow], and
// when the last one was.
func (a *Accounts) CountAborts(account string) (n int, last time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	aborts := recentAborts(a.histories[account].aborts, time.Now())
	if len(aborts) == 0 {
		return 0, time.Time{}
	}
	return len(aborts), aborts[len(aborts)-1]
}

// CountRatedToday returns how many rated matches two accounts have played against each other on the current
// UTC day.
func (a *Accounts) CountRatedToday(players [2]string) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.day.Equal(time.Now().UTC().Truncate(24 * time.Hour)) {
		return 0
	}
	// Perhaps only one of the two histories has been read.
	return max(a.histories[players[0]].rated[players[1]], a.histories[players[1]].rated[players[0]])
}
