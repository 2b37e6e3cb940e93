package ladder

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"broadside/bots"
	"broadside/internal/store"
	"broadside/internal/store/rating"
	"broadside/match"
)

// Lobby is what a ladder needs from the lobby. Its methods may wait for the database.
type Lobby interface {
	// Waiting returns the programs that can begin a ladder match, by rule set.
	Waiting() map[string][]Entrant
	// Begin begins a match. It returns false if the match would not be rated, and true if it
	// has begun or a player is gone.
	Begin(p Pairing) (rated bool)
	// Online reports whether a program waits on the ladder or plays.
	Online(account string) bool
}

// Config configures [New].
type Config struct {
	Store *store.Store // required
	Log   *slog.Logger // required
	Lobby Lobby        // required
	Bot   func(name string) (account string)
}

// Ladder pairs programs and ranks them. Its methods may be called from any goroutine.
type Ladder struct {
	cfg       Config
	reporting chan struct{} // capacity 1: full while a report is made
	started   chan struct{} // closed after the first attempt to read the results

	mu       sync.Mutex        // never held while waiting
	rules    map[string]*table // guarded by mu, like the fields below
	counting bool              // the results are being read
	since    time.Time         // the last count has all matches that ended before
	added    []store.Tally     // ended at or after since, while counting
	loaded   bool              // the results have been read once
}

// table is the state of one rule set, and a [Past]. Its methods require the ladder's lock.
type table struct {
	results  *results
	computed ratings
	recent   map[string][]string     // last opponents by account, newest last
	barred   map[[2]string]time.Time // until when two players cannot play rated matches
	report   *Report                 // the last one; nil: none, or out of date
}

func newTable() *table {
	return &table{results: newResults(), recent: map[string][]string{}, barred: map[[2]string]time.Time{}}
}

// New returns a ladder that neither pairs nor counts until [Ladder.Run].
func New(cfg Config) *Ladder {
	return &Ladder{cfg: cfg, reporting: make(chan struct{}, 1), started: make(chan struct{}), rules: map[string]*table{}}
}

const (
	// tick is the pause between two calls of [Pair].
	tick = time.Second / 2
	// recount is how often the results are read from the store and all players rated.
	recount = 24 * time.Hour
	// retry is the pause after the store could not be read.
	retry = time.Minute
)

// Run pairs programs until ctx ends. It reads all results first, and again once a day.
func (l *Ladder) Run(ctx context.Context) {
	var due time.Time // of the next count
	var started sync.Once
	clock := time.NewTicker(tick)
	defer clock.Stop()
	for {
		if now := time.Now(); !now.Before(due) {
			due = now.Add(recount)
			if err := l.count(ctx, now); err != nil {
				due = now.Add(retry)
				l.cfg.Log.Error("results of the ladder cannot be read", "error", err)
			}
			started.Do(func() { close(l.started) })
		}
		l.pair()
		select {
		case <-clock.C:
		case <-ctx.Done():
			return
		}
	}
}

// count reads all results and rates all players.
func (l *Ladder) count(ctx context.Context, now time.Time) error {
	l.mu.Lock()
	l.counting, l.since = true, now
	l.mu.Unlock()
	all, err := l.cfg.Store.Matches.Ladder(ctx, now)
	fresh := map[string]*results{}
	for _, t := range all {
		if fresh[t.RuleSet] == nil {
			fresh[t.RuleSet] = newResults()
		}
		fresh[t.RuleSet].add(t)
	}
	computed := map[string]ratings{}
	for name, r := range fresh {
		computed[name] = rate(r, l.fixed(name), now)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err == nil {
		l.loaded = true
		for name, r := range fresh {
			t := l.tableLocked(name)
			t.results, t.computed, t.report = r, computed[name], nil
		}
	}
	for _, t := range l.added {
		l.tableLocked(t.RuleSet).results.add(t)
	}
	l.counting, l.added = false, nil
	return err
}

// Add counts a rated ladder match that has just been stored.
func (l *Ladder) Add(m store.Summary) {
	t := store.Tally{RuleSet: m.RuleSet, Players: [2]string{m.Seats[0].Player, m.Seats[1].Player}, Winner: m.Winner, Reason: m.Reason.String(), Matches: 1}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case !l.counting:
		l.tableLocked(t.RuleSet).results.add(t)
	case !m.Ended().Before(l.since):
		l.added = append(l.added, t)
	}
}

func (l *Ladder) tableLocked(ruleSet string) *table {
	t := l.rules[ruleSet]
	if t == nil {
		t = newTable()
		l.rules[ruleSet] = t
	}
	return t
}

// anchors returns the bots with fixed ratings under a rule set.
func (l *Ladder) anchors(ruleSet string) (all []Anchor) {
	r, err := match.Preset(ruleSet)
	if err != nil {
		return nil
	}
	for _, b := range bots.Offered(r) {
		account := l.cfg.Bot(b.Name)
		if fixed, ok := rating.OfBot(ruleSet, b.Name); ok && account != "" {
			all = append(all, Anchor{account, b.Name, fixed.Value})
		}
	}
	return all
}

// fixed returns the fixed ratings of the bots by their accounts.
func (l *Ladder) fixed(ruleSet string) map[string]float64 {
	all := map[string]float64{}
	for _, a := range l.anchors(ruleSet) {
		all[a.Account] = a.Rating
	}
	return all
}

// pair begins the matches that are possible now.
func (l *Ladder) pair() {
	l.mu.Lock()
	loaded := l.loaded
	l.mu.Unlock()
	if !loaded {
		return
	}
	now := time.Now()
	for ruleSet, waiting := range l.cfg.Lobby.Waiting() {
		anchors := l.anchors(ruleSet)
		accounts := map[Seat]string{}
		for _, e := range waiting {
			accounts[Seat{Offer: e.Offer}] = e.Account
		}
		for _, a := range anchors {
			accounts[Seat{Bot: a.Name}] = a.Account
		}
		l.mu.Lock()
		games := Pair(now, waiting, anchors, l.tableLocked(ruleSet).past(now))
		l.mu.Unlock()
		for _, g := range games {
			rated := l.cfg.Lobby.Begin(g)
			l.mu.Lock()
			l.tableLocked(ruleSet).begun(accounts[g[0]], accounts[g[1]], now, rated)
			l.mu.Unlock()
		}
	}
}

// begun records that a match between two players was begun, or that it would not be rated.
func (t *table) begun(a, b string, now time.Time, rated bool) {
	if !rated {
		t.barred[[2]string{min(a, b), max(a, b)}] = now.UTC().Truncate(24 * time.Hour).Add(24 * time.Hour)
		return
	}
	for _, p := range [2][2]string{{a, b}, {b, a}} {
		last := append(t.recent[p[0]], p[1])
		t.recent[p[0]] = slices.Clone(last[max(0, len(last)-Remembered):])
	}
}

// past returns the table without bars that have ended.
func (t *table) past(now time.Time) Past {
	maps.DeleteFunc(t.barred, func(_ [2]string, until time.Time) bool { return !now.Before(until) })
	return t
}

// Balance implements [Past].
func (t *table) Balance(a, b string) int { return t.results.balance(a, b) }

// Recent implements [Past].
func (t *table) Recent(a string) []string { return t.recent[a] }

// Barred implements [Past].
func (t *table) Barred(a, b string) bool {
	_, barred := t.barred[[2]string{min(a, b), max(a, b)}]
	return barred
}
