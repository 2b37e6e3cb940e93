package bots

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"broadside/match"
)

// Bot plays one match. Its methods are called from one goroutine at a time,
// return at once, and for the same seed and the same calls always answer the
// same.
type Bot interface {
	// Place is the bot's layout. It is called once, first.
	Place() match.Layout
	// Fire is the cell to shoot at next, one not shot at yet. It is called
	// once a turn, with at least one such cell, and must not change the chart.
	Fire(chart *match.Chart) match.Cell
	// Told tells the answer to the bot's own last shot, as it was entered
	// into the chart, before the next Fire.
	Told(cell match.Cell, r match.Result)
}

// Info is what people should know of a bot before they challenge it.
type Info struct {
	Name  string
	About string // how it plays, in half a sentence
}

type entry struct {
	Info
	make func(match.Rules, *rand.Rand) Bot
}

// entries lists the bots from the weakest to the strongest.
func entries() []entry {
	return []entry{
		{Info{"easy", "shoots at random"}, newEasy},
		{Info{"prolog", "at random until it hits, then along the ship it has found"}, newProlog},
		{Info{"hard", "in a pattern that the smallest ship cannot slip through"}, newHard},
	}
}

// All lists the bots, from the weakest to the strongest.
func All() []Info {
	var all []Info
	for _, e := range entries() {
		all = append(all, e.Info)
	}
	return all
}

// New makes a bot for one match under the given rules, which must be valid.
// All its choices come from rng, which is its own from then on. The error is a
// sentence that names the bots there are.
func New(name string, rules match.Rules, rng *rand.Rand) (Bot, error) {
	var names []string
	for _, e := range entries() {
		if e.Name == name {
			return e.make(rules, rng), nil
		}
		names = append(names, e.Name)
	}
	return nil, fmt.Errorf("there is no bot called %q: choose one of %s", name, strings.Join(names, ", "))
}

// base is what all strategies share: they place their fleets uniformly and
// draw from one source.
type base struct {
	rules match.Rules
	rng   *rand.Rand
}

func (b *base) Place() match.Layout { return b.rules.RandomLayout(b.rng) }

// pick draws one cell of a set that is not empty.
func (b *base) pick(cells match.Set) match.Cell { return cells.Nth(b.rng.IntN(cells.Len())) }
