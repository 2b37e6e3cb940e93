// Command goclient is a player for any server that speaks Broadside's line protocol.
// Package relay implements the protocol, so only the strategy is here.
//
//	go run ./examples/goclient HOST:PORT [GAMES [RULES [OPPONENT]]]
//
// It plays GAMES games (default 1). With RULES it plays them on one connection, otherwise
// it reconnects for each game. BROADSIDE_TOKEN can have the token of a registered program.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"strconv"

	"broadside/match"
	"broadside/relay"
)

// player shoots in line with two hits, else next to a hit, else anywhere.
type player struct{ rules match.Rules }

// Place implements [relay.Player].
func (p player) Place() match.Layout {
	return p.rules.RandomLayout(rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())))
}

// Fire implements [relay.Player]. Cells that the chart has deduced to be water are not
// open.
func (p player) Fire(chart *match.Chart) match.Cell {
	open := chart.Open()
	var beside, line match.Set
	for hit := range chart.Hits.All() {
		for h := match.North; h <= match.West; h++ {
			next, behind := hit.Step(h, 1), hit.Step(h, -1)
			if !p.rules.Contains(next) || !open.Has(next) {
				continue
			}
			beside.Add(next)
			if p.rules.Contains(behind) && chart.Hits.Has(behind) {
				line.Add(next)
			}
		}
	}
	for _, cells := range []match.Set{line, beside, open, p.rules.Board().Minus(chart.Shots)} {
		if !cells.Empty() {
			return cells.Nth(rand.IntN(cells.Len()))
		}
	}
	return match.At(0, 0)
}

// Observe implements [relay.Player]. The chart already has the result.
func (player) Observe(match.Cell, match.Result) {}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	arg := func(i int) string {
		if i < len(args) {
			return args[i]
		}
		return ""
	}
	address := cmp.Or(arg(0), os.Getenv("BROADSIDE_RELAY"))
	if address == "" {
		return errors.New("usage: goclient HOST:PORT [GAMES [RULES [OPPONENT]]]")
	}
	games, err := strconv.Atoi(cmp.Or(arg(1), "1"))
	if err != nil || games < 1 {
		return fmt.Errorf("%q is no number of games", arg(1))
	}
	rules, err := match.Preset(cmp.Or(arg(2), "classic"))
	if err != nil {
		return err
	}
	won, lost := 0, 0
	count := func(o relay.Outcome) {
		if o.Won {
			won++
		} else {
			lost++
		}
	}
	defer func() { fmt.Printf("End of game. Go won %d times and lost %d times.\n", won, lost) }()
	if arg(2) != "" {
		return relay.PlaySeries(ctx, relay.Invitation{
			Address: address, Rules: rules, Name: "goclient", Token: os.Getenv("BROADSIDE_TOKEN"), Versus: cmp.Or(arg(3), "any"), Games: games,
		}, func() (relay.Player, error) { return player{rules}, nil }, count)
	}
	for range games {
		out, err := relay.Play(ctx, address, rules, player{rules})
		switch {
		case errors.Is(err, relay.ErrBroken): // disconnected during the game
		case err != nil:
			return err
		default:
			count(out)
		}
	}
	return nil
}
