package puzzle

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"time"

	"broadside/internal/store"
	"broadside/lobby/daily"
)

const (
	// startDelay is the time from a server's start to its first puzzles.
	startDelay = 10 * time.Second
	// nightHour is the hour, in UTC, at which new puzzles are made.
	nightHour = 3
	// maxMatches and maxGames limit how many matches are read, and how many games of bots are played, per night.
	maxMatches, maxGames = 500, 200
	// maxPerNight is the number of puzzles after which no more matches are read.
	maxPerNight = 50
	// daysAhead is the number of days, from today, for which puzzles are chosen.
	daysAhead = 3
	// leastUnused is the number of puzzles for days to come below which bots play.
	leastUnused = 5 * PerDay
	// restFactor is how much longer the rest after a match is than the work on it, so that players don't notice it.
	restFactor = 9
)

// Names of values in the store.
const (
	nightName  = "puzzles made"
	cursorName = "puzzles read"
)

// MakeNightly makes puzzles soon after the start, unless they have been made on that day, and then every night,
// until ctx ends.
func (ps *Puzzles) MakeNightly(ctx context.Context, rng *rand.Rand) {
	next := time.Now().Add(startDelay)
	for waitUntil(ctx, next) {
		if err := ps.makePuzzles(ctx, rng); err != nil && ctx.Err() == nil {
			ps.Log.Error("cannot make puzzles", "error", err)
		}
		year, month, day := time.Now().UTC().Date()
		next = time.Date(year, month, day, nightHour, 0, 0, 0, time.UTC)
		if !next.After(time.Now()) {
			next = next.AddDate(0, 0, 1)
		}
	}
}

// waitUntil waits until a time. It returns false if ctx ends first.
func waitUntil(ctx context.Context, at time.Time) bool {
	select {
	case <-time.After(time.Until(at)):
	case <-ctx.Done():
	}
	return ctx.Err() == nil
}

// makePuzzles makes new puzzles if that is due, from matches and, if those are too few, from games of bots. Then it
// chooses the next days' puzzles.
func (ps *Puzzles) makePuzzles(ctx context.Context, rng *rand.Rand) error {
	due, err := ps.claimNight(ctx)
	if due {
		err = errors.Join(ps.useMatches(ctx), ps.useGames(ctx, rng))
	}
	return errors.Join(err, ps.chooseForDays(ctx))
}

// chooseForDays chooses the next days' puzzles.
func (ps *Puzzles) chooseForDays(ctx context.Context) error {
	for n := range daysAhead {
		day := daily.PuzzleDay(time.Now().AddDate(0, 0, n))
		if err := ps.Store.Puzzles.ChooseForDay(ctx, day, PerDay); err != nil {
			return err
		}
	}
	return nil
}

// claimNight reports whether to make puzzles now. They are due once a day, and if there are too few. Of several
// servers with the same database, only one makes them.
func (ps *Puzzles) claimNight(ctx context.Context) (bool, error) {
	unused, err := ps.Store.Puzzles.CountUnused(ctx)
	if err != nil {
		return false, err
	}
	last, err := ps.Store.State.Get(ctx, nightName)
	day := daily.PuzzleDay(time.Now())
	if err != nil || strings.HasPrefix(last, day) && unused >= leastUnused {
		return false, err
	}
	own := day + " " + store.NewID()
	claimed, err := ps.Store.State.SetIfUnchanged(ctx, nightName, last, own)
	return claimed == own, err
}

// useGames makes puzzles from games of bots until there are enough.
func (ps *Puzzles) useGames(ctx context.Context, rng *rand.Rand) error {
	for range maxGames {
		if unused, err := ps.Store.Puzzles.CountUnused(ctx); err != nil || unused >= leastUnused {
			return err
		}
		started := time.Now()
		rules, events, err := PlayBots(rng)
		if err != nil {
			return err
		}
		if err := ps.Store.Puzzles.Add(ctx, FindPuzzles(ctx, rules, events)...); err != nil {
			return err
		}
		if !pauseAfterWork(ctx, started) {
			return nil
		}
	}
	return nil
}

// useMatches makes puzzles from public matches that ended after the last one that was used.
func (ps *Puzzles) useMatches(ctx context.Context) error {
	made := 0
	for n := 0; n < maxMatches && made < maxPerNight; n++ {
		started := time.Now()
		m, err := ps.nextMatch(ctx)
		if err != nil || m == nil {
			return err
		}
		if !m.Reason.IsVoid() {
			found := FindPuzzles(ctx, m.Rules, m.Events)
			if err := ps.Store.Puzzles.Add(ctx, found...); err != nil {
				return err
			}
			made += len(found)
		}
		if !pauseAfterWork(ctx, started) {
			return nil
		}
	}
	return nil
}

// nextMatch returns the next public match, or nil if there is none. It does not return a match twice.
func (ps *Puzzles) nextMatch(ctx context.Context) (*store.Match, error) {
	last, err := ps.Store.State.Get(ctx, cursorName)
	if err != nil {
		return nil, err
	}
	var after store.Cursor
	// A damaged cursor stands for the first match.
	_ = json.NewDecoder(strings.NewReader(last)).Decode(&after)
	found, err := ps.Store.Matches.RestrictTo("").ListSince(ctx, after, "", 1)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	next, err := json.Marshal(found[0].Cursor())
	if err != nil {
		return nil, err
	}
	// Of several servers that read the same match, only one may use it. A new ID tells their claims apart.
	own := string(next) + " " + store.NewID()
	current, err := ps.Store.State.SetIfUnchanged(ctx, cursorName, last, own)
	if err == nil && current != own {
		return ps.nextMatch(ctx)
	}
	return &found[0], err
}

// pauseAfterWork waits restFactor times as long as the work that started at a time took. It returns false if ctx ends.
func pauseAfterWork(ctx context.Context, started time.Time) bool {
	return waitUntil(ctx, time.Now().Add(restFactor*time.Since(started)))
}
