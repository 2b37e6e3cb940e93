package tournament

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"broadside/bots/arena"
	"broadside/internal/pairing"
)

// Options are the settings that are not in a tournament file.
type Options struct {
	Dir      string // for the records of all rounds and the report
	Resume   bool   // continue the tournament in Dir
	Progress func(round int, p arena.Progress)
}

// Run plays a tournament. If ctx ends first, the report covers the games played so far and is
// marked as interrupted; Run with Resume continues the tournament.
func Run(ctx context.Context, p *Plan, o Options) (*Report, error) {
	if o.Dir == "" {
		return nil, errors.New("name a folder for the tournament")
	}
	if err := p.config().Validate(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(o.Dir, 0o777); err != nil {
		return nil, fmt.Errorf("the folder cannot be made: %w: choose another", err)
	}
	if err := arena.PrepareFolder(o.Dir, roundFolder(o.Dir, 0), o.Resume, p.settings()); err != nil {
		return nil, err
	}
	t := &tournament{plan: p, options: o}
	for t.report = (&Report{Format: p.Format, Rules: p.Rules}); ; t.round++ {
		pairs, err := t.pairs()
		if err != nil {
			return nil, err
		}
		if len(pairs) == 0 {
			break
		}
		if err := t.play(ctx, pairs); err != nil {
			return nil, fmt.Errorf("round %d: %w", t.round+1, err)
		}
		if t.report.Interrupted {
			break
		}
	}
	t.finish()
	return t.report, t.report.write(o.Dir)
}

// roundFolder returns a round's folder in dir. The first round is 0.
func roundFolder(dir string, round int) string {
	return filepath.Join(dir, fmt.Sprintf("round-%d", round+1))
}

// tournament is the state of a running tournament.
type tournament struct {
	plan    *Plan
	options Options
	round   int              // from 0
	results []pairing.Result // of the finished rounds
	report  *Report
}

// pairs returns the pairs of the next round, or none at the end.
func (t *tournament) pairs() ([]pairing.Pair, error) {
	n := len(t.plan.Programs)
	var rounds [][]pairing.Pair
	switch t.plan.Format {
	case Swiss:
		if t.round == t.plan.Rounds {
			return nil, nil
		}
		pairs, err := pairing.Swiss(n, t.results)
		if errors.Is(err, pairing.ErrNoPairing) {
			return nil, nil // everyone has played everyone
		}
		return pairs, err
	case Knockout:
		rounds = pairing.Knockout(n, t.results)
	case Gauntlet:
		rounds = pairing.Gauntlet(n, t.plan.Rounds)
	default:
		rounds = pairing.RoundRobin(n, t.plan.Rounds)
	}
	if t.round >= len(rounds) {
		return nil, nil
	}
	return rounds[t.round], nil
}

// play plays a round and adds its results, unless it is interrupted.
func (t *tournament) play(ctx context.Context, pairs []pairing.Pair) error {
	cfg := t.plan.config()
	round := Round{Number: t.round + 1}
	var results []pairing.Result
	for _, p := range pairs {
		if p.IsBye() {
			round.Byes = append(round.Byes, cfg.Players[p.First])
			results = append(results, pairing.Result{Round: t.round, Pair: p, Points: [2]float64{1, 0}})
			continue
		}
		cfg.Pairings = append(cfg.Pairings, [2]string{cfg.Players[p.First], cfg.Players[p.Second]})
	}
	cfg.Players, cfg.Externals = taking(cfg)
	cfg.Seed = t.plan.Seed + uint64(t.round)
	cfg.Dir, cfg.Resume = roundFolder(t.options.Dir, t.round), t.options.Resume
	if t.options.Progress != nil {
		cfg.Progress = func(p arena.Progress) { t.options.Progress(t.round+1, p) }
	}
	report, err := arena.Run(ctx, cfg)
	if err != nil {
		return err
	}
	round.Pairings = report.Pairings
	t.report.Rounds = append(t.report.Rounds, round)
	t.report.Games += report.Games
	if t.report.Interrupted = report.Interrupted; report.Interrupted {
		return nil
	}
	next := 0
	for _, p := range pairs {
		if !p.IsBye() {
			results = append(results, pairing.Result{Round: t.round, Pair: p, Points: score(&report.Pairings[next])})
			next++
		}
	}
	t.results = append(t.results, results...)
	return nil
}

// taking returns the players that take part in the pairings, and the programs among them.
func taking(cfg arena.Config) (players []string, externals map[string]arena.External) {
	plays := map[string]bool{}
	for _, pair := range cfg.Pairings {
		plays[pair[0]], plays[pair[1]] = true, true
	}
	externals = map[string]arena.External{}
	for _, name := range cfg.Players {
		if !plays[name] {
			continue
		}
		players = append(players, name)
		if e, ok := cfg.Externals[name]; ok {
			externals[name] = e
		}
	}
	return players, externals
}

// score returns the points of a pairing: one for the player that has scored more in its games,
// a half for each if both have scored the same.
func score(p *arena.PairingResult) [2]float64 {
	switch {
	case p.Wins > p.Losses:
		return [2]float64{1, 0}
	case p.Wins < p.Losses:
		return [2]float64{0, 1}
	}
	return [2]float64{0.5, 0.5}
}
