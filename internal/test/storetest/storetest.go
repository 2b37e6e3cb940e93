// Package storetest makes finished matches for tests, each determined by a seed, and
// checks the ratings in a store against its matches.
package storetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"time"

	"broadside/internal/store"
	"broadside/match"
	"broadside/match/audit"
)

// FirstStart is when the match with the seed 0 starts.
var FirstStart = time.Date(2026, 5, 4, 18, 30, 0, 0, time.UTC)

// NewMatch returns a finished match between two guests. Each shot takes one to four seconds;
// matches with greater seeds start later. It panics if the rules are invalid.
func NewMatch(seed uint64, rules match.Rules, first, second string) store.Match {
	rng := rand.New(rand.NewPCG(seed, 7))
	g := match.NewGame(rules, audit.Flag)
	m := store.Match{
		Summary: store.Summary{ID: fmt.Sprintf("sample%06d", seed), RuleSet: rules.Name, Started: FirstStart.Add(time.Duration(seed) * time.Hour)},
		Rules:   rules,
	}
	at := time.Duration(0)
	apply := func(c match.Command) {
		c.At = at
		if _, err := g.Apply(c); err != nil {
			panic(err)
		}
	}
	for side, name := range [2]string{first, second} {
		at += time.Second
		layout := rules.RandomLayout(rng)
		// Tests know the matches that follow from these numbers.
		rng.Uint64()
		rng.Uint64()
		m.Seats[side] = store.Seat{Name: name, Kind: store.Person}
		apply(match.PlaceCommand(match.Side(side), layout))
	}
	for g.Phase() != match.Over {
		at += time.Duration(1000+rng.IntN(3000)) * time.Millisecond
		v := g.View(g.ActingSide())
		if v.CanMove {
			status := v.FleetStatus(g.ActingSide())
			legal := status.LegalMoves()
			if len(legal) > 0 {
				apply(match.MoveCommand(g.ActingSide(), legal[rng.IntN(len(legal))]))
			}
		}
		chart := g.Chart(g.ActingSide())
		cells := chart.AppendTargets(nil, g.Turn().Shots, func(c *match.Chart) match.Cell { return chooseTarget(c, rng) })
		apply(match.FireCommand(g.ActingSide(), cells...))
	}
	m.Events, m.Took = g.Events(), at
	v := g.View(match.Nobody)
	m.Winner, m.Reason = v.Winner, v.Reason
	for side := range m.Seats {
		chart := v.Charts[side]
		m.Seats[side].Shots, m.Seats[side].Hits = chart.Fired, chart.Hits.Union(chart.Sunk).Len()
	}
	return m
}

// chooseTarget returns a random open cell, next to a hit if there is one.
func chooseTarget(chart *match.Chart, rng *rand.Rand) match.Cell {
	open := chart.OpenCells()
	var beside match.Set
	for hit := range chart.Hits.All() {
		for h := match.North; h <= match.West; h++ {
			c := hit.Step(h, 1)
			if chart.Rules.Contains(c) && open.Has(c) {
				beside.Add(c)
			}
		}
	}
	if beside.IsEmpty() {
		beside = open
	}
	if beside.IsEmpty() { // late in a match of salvos
		beside = chart.Rules.Cells().Minus(chart.Shots)
	}
	return beside.Nth(rng.IntN(beside.Len()))
}

// AgeAccounts makes all accounts in the database of a data folder old enough for the daily table,
// with enough rated matches. The database may be in use.
func AgeAccounts(folder string) error {
	return execSQL(folder, `UPDATE players SET created = 1;
		INSERT INTO ratings (player, rules, machine, value, deviation, volatility, settled, games, updated)
		SELECT id, 'classic', FALSE, 1500, 350, 0.06, FALSE, 5, 0 FROM players WHERE kind = 'person'
		ON CONFLICT DO UPDATE SET games = 5`)
}

// SettleRatings makes all ratings in the database of a data folder certain enough for the
// leaderboards at any time, and those of people a little higher. The database may be in use.
func SettleRatings(folder string) error {
	return execSQL(folder, `UPDATE ratings SET settled = TRUE, settled_until = 9223372036854775807, deviation = MIN(deviation, 100),
		updated = 4102444800000000, -- in the year 2100
		value = value + CASE WHEN machine THEN 0 ELSE 3 END`)
}

func execSQL(folder, statement string) error {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(folder, store.FileName)+"?_busy_timeout=10000")
	if err != nil {
		return err
	}
	_, err = db.Exec(statement)
	return errors.Join(err, db.Close())
}

// StoreLadderMatch stores a ladder match that the program whale loses to the program squid.
func StoreLadderMatch(ctx context.Context, s *store.Store) (store.Summary, error) {
	m := NewMatch(1, match.Classic(), "squid", "whale")
	m.Rated, m.Ladder = true, true
	owner, err := s.Accounts.CreatePerson(ctx, "captain", store.Key{Fingerprint: "SHA256:captain"})
	if err != nil {
		return store.Summary{}, err
	}
	for side, name := range map[match.Side]string{m.Winner: "squid", m.Winner.Other(): "whale"} {
		p, _, err := s.Programs.Register(ctx, owner.ID, name, 2)
		if err != nil {
			return store.Summary{}, err
		}
		m.Seats[side].Player, m.Seats[side].Name, m.Seats[side].Kind = p.ID, p.Name, p.Kind
	}
	return s.Matches.Finish(ctx, m)
}
