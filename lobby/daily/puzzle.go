// Package daily implements the Daily sea, one hidden fleet per day for all players.
//
// The Daily sea is not a match, because there is no opponent. An [Attempt] is an immutable value
// made of the hidden layout and the shots so far. Each shot returns the next value. The layout is
// derived from the day and a secret in the database. A shot is stored before its result is shown,
// and only as the successor of the last stored shot. Two sessions, a lost connection or a restart
// therefore cannot undo a shot.
package daily

import (
	"context"
	"crypto/hmac"
	crand "crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log/slog"
	"math/rand/v2"
	"time"

	"broadside/internal/store"
	"broadside/lobby/account"
	"broadside/match"
)

// extraTime is how long an attempt can be continued after the end of its day.
const extraTime = time.Hour

// secretName is the name of the secret in the store.
const secretName = "daily secret"

// Config configures [Open].
type Config struct {
	// Store may be nil. Then there is only practice.
	Store *store.Store
	// Log is required.
	Log *slog.Logger
	// Rand returns a random source for a practice fleet.
	Rand func() *rand.Rand
}

// Puzzle is the Daily sea. Its methods may be called from any goroutine.
type Puzzle struct {
	cfg Config
	// secret is nil if there is only practice.
	secret []byte
}

// Open opens the Daily sea and reads its secret from the store, or creates it. If that fails, only
// practice is possible. The error is meant for the log.
func Open(ctx context.Context, cfg Config) (*Puzzle, error) {
	p := &Puzzle{cfg: cfg}
	if cfg.Store == nil {
		return p, nil
	}
	ctx, cancel := context.WithTimeout(ctx, 10*account.StoreTimeout)
	defer cancel()
	fresh := make([]byte, sha256.Size)
	crand.Read(fresh)
	// Another server may have stored a secret meanwhile. Then that one counts.
	kept, err := cfg.Store.State.SetIfUnchanged(ctx, secretName, "", hex.EncodeToString(fresh))
	if err != nil {
		return nil, err
	}
	secret, err := hex.DecodeString(kept)
	if err != nil || len(secret) < sha256.Size {
		// The error of DecodeString could contain the secret, so it is not logged.
		cfg.Log.Error("daily sea unavailable", "error", "the secret is damaged")
		return p, nil
	}
	p.secret = secret
	return p, nil
}

// dayLayout returns the fleet of a day. It must be the same in all versions, because an attempt can
// start in one version and end in the next.
func dayLayout(secret []byte, day string) match.Layout {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte("daily sea " + day))
	return match.Classic().RandomLayout(rand.New(rand.NewChaCha8([32]byte(mac.Sum(nil)))))
}

// PuzzleDay returns the puzzle's day at a time, formatted as [time.DateOnly]. Days start at midnight
// UTC.
func PuzzleDay(at time.Time) string { return at.UTC().Format(time.DateOnly) }

// OpenAttempt returns the player's current attempt at today's puzzle. In the first hour of a day it
// returns yesterday's attempt if that was started but not finished. A guest gets a new practice
// fleet. The error is a sentence for the player.
func (p *Puzzle) OpenAttempt(ctx context.Context, player account.Player) (*Attempt, error) {
	now := time.Now()
	today := PuzzleDay(now)
	if player.Account == "" {
		r := match.Classic()
		return &Attempt{puzzle: p, layout: r.RandomLayout(p.cfg.Rand()), view: View{Day: today, Practice: true, Chart: match.NewChart(r)}}, nil
	}
	yesterday := PuzzleDay(now.Add(-extraTime))
	if yesterday != today {
		a, err := p.loadAttempt(ctx, player.Account, yesterday)
		if err != nil {
			return nil, err
		}
		if len(a.view.Cells) > 0 && !a.view.Done {
			return a, nil
		}
	}
	return p.loadAttempt(ctx, player.Account, today)
}

func (p *Puzzle) loadAttempt(ctx context.Context, player, day string) (*Attempt, error) {
	if p.secret == nil {
		return nil, account.ErrStore
	}
	a := &Attempt{
		puzzle: p, account: player, layout: dayLayout(p.secret, day),
		view: View{Day: day, Chart: match.NewChart(match.Classic())},
	}
	kept, err := p.cfg.Store.Daily.Get(ctx, player, day)
	if errors.Is(err, store.ErrNotFound) {
		return a, nil
	}
	var names []string
	if err == nil {
		err = json.Unmarshal(kept.Progress, &names)
	}
	var cells []match.Cell
	for _, name := range names {
		cell, bad := match.ParseCell(name)
		err = errors.Join(err, bad)
		cells = append(cells, cell)
	}
	if err != nil {
		return nil, p.explain(ctx, err)
	}
	return a.replayShots(cells), nil
}

// explain logs an error of the store and returns an error for the player.
func (p *Puzzle) explain(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		p.cfg.Log.Error("daily sea cannot be read", "error", err)
	}
	return account.ErrStore
}
