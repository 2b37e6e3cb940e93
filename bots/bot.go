package bots

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"broadside/match"
)

// Bot plays one match. Its methods are called from one goroutine at a time.
// They never wait and look at no clock, network or file, and for the same seed
// and the same calls they always answer the same.
type Bot interface {
	// Place is the bot's layout, a legal one. It is called once, first.
	Place() match.Layout
	// Fire is the cell to shoot at next. It is called once a turn and must
	// not change the chart. The cell has not been shot at before, as long as
	// there is such a cell: only an opponent whose answers are not true can
	// bring a bot to where there is none.
	Fire(chart *match.Chart) match.Cell
	// Told tells the answer to a shot of the bot's side, after it was entered
	// into the chart and before the next Fire. It is called once for each
	// shot, also for one that the clock fired in the bot's place.
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

// openCells is the cells worth a shot. Answers that are not true can leave
// none: then it is the cells not shot at, or at last the whole board, for a
// side must fire even so.
func openCells(chart *match.Chart) match.Set {
	if open := chart.Open(); !open.Empty() {
		return open
	}
	return untried(chart)
}

// untried is the cells not shot at; the whole board if there are none.
func untried(chart *match.Chart) match.Set {
	board := chart.Rules.Board()
	if left := board.Minus(chart.Shots); !left.Empty() {
		return left
	}
	return board
}

// pick draws one cell of a set that is not empty.
func (b *base) pick(cells match.Set) match.Cell { return cells.Nth(b.rng.IntN(cells.Len())) }
