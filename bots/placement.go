package bots

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"broadside/match"
)

type placementEntry struct {
	Info
	place func(c Config) match.Layout
	try   func(c Config) (match.Layout, error) // instead of place, if it can fail
}

func placements() []placementEntry {
	return []placementEntry{
		{Info: Info{Name: "uniform", About: "every-legal-layout-is-as"}, place: placeUniform},
		{Info: Info{Name: "java", About: "each-ship-where-it-of"}, try: placeJava},
		{Info: Info{Name: "prolog", About: "each-ship-where-it-rows"}, try: placeProlog},
		{Info: Info{Name: "edges", About: "ships-lie-along-the-edges"}, place: placeEdges},
		{Info: Info{Name: "sequence", About: "in-the-order-of-from", Takes: "FILE:OFFSET"}},
		{Info: Info{Name: "resist", About: "where-ships-are-rarely-looked"}, place: placeResist},
	}
}

// Placements lists the available placements. Any bot can use any of them.
func Placements() []Info {
	var all []Info
	for _, p := range placements() {
		all = append(all, p.Info)
	}
	return all
}

// findPlacement returns the placement named in a config, or uniform if none is named.
func findPlacement(c Config) (func(Config) match.Layout, error) {
	name, args, _ := strings.Cut(c.Placement, ":")
	if name == "" {
		return placeUniform, nil
	}
	if name == "sequence" && args != "" {
		return c.placeBySequence(args)
	}
	var names []string
	for _, p := range placements() {
		switch {
		case p.Name == c.Placement && p.place != nil:
			return p.place, nil
		case p.Name == c.Placement && p.try != nil:
			layout, err := p.try(c)
			return func(Config) match.Layout { return layout }, err
		}
		if p.Takes != "" {
			p.Name += ":" + p.Takes
		}
		names = append(names, p.Name)
	}
	return nil, fmt.Errorf("there is no placement called %q: choose one of %s", c.Placement, strings.Join(names, ", "))
}

// placeBySequence returns a placement that uses a sequence file and a start offset,
// FILE:OFFSET. The offset is taken modulo the number of cells.
func (c Config) placeBySequence(args string) (func(Config) match.Layout, error) {
	file, number, ok := cutLast(args, ":")
	offset, err := strconv.Atoi(number)
	if !ok || err != nil {
		return nil, fmt.Errorf("the placement sequence:%s: write a file and the number of the entry to begin with, such as sequence:start.txt:25", args)
	}
	steps, err := c.readSequence(file)
	if err != nil {
		return nil, err
	}
	layout, err := SequenceLayout(c.Rules, cellsOf(steps), offset)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return func(Config) match.Layout { return layout }, nil
}

// cutLast is [strings.Cut] around the last separator.
func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

func placeUniform(c Config) match.Layout { return c.Rules.RandomLayout(c.Rand) }

const (
	// edgeWeight is the weight of a position along the edge, relative to others.
	edgeWeight = 20
	// edgeRounds is the number of times each ship is redrawn. The first few rounds already
	// move most ships to the edge.
	edgeRounds = 20
)

// placeEdges prefers layouts with ships along the edge of the board: each such ship makes a
// layout edgeWeight times as likely. It starts with a uniform layout and repeatedly redraws
// each ship from its legal positions by weight, so its work is bounded under any rules.
func placeEdges(c Config) match.Layout {
	l := placeUniform(c)
	for range edgeRounds {
		for i := range l {
			l[i] = drawPlace(c.Rules, c.Rand, l, i, func(s match.Ship) float64 {
				if alongEdge(c.Rules, s) {
					return edgeWeight
				}
				return 1
			})
		}
	}
	return l
}

// alongEdge reports whether all cells of a ship are on the same edge of the board.
func alongEdge(r match.Rules, s match.Ship) bool {
	across := s.Stern.X
	if s.Heading == match.East || s.Heading == match.West {
		across = s.Stern.Y
	}
	return across == 0 || int(across) == r.Size-1
}

// drawPlace draws a place for ship i of a legal layout from all places that are legal given
// the other ships, with probabilities proportional to their weights, which must be
// positive.
func drawPlace(r match.Rules, rng *rand.Rand, l match.Layout, i int, weight func(match.Ship) float64) match.Ship {
	free := r.Board()
	for j, other := range l {
		if j != i {
			free = free.Minus(r.Contact.Halo(other.Cells()))
		}
	}
	drawn, total := l[i], 0.0
	for _, h := range [...]match.Heading{match.East, match.South} {
		for stern := range free.All() {
			s := match.Ship{Stern: stern, Heading: h, Length: l[i].Length}
			if cells := s.Cells(); cells.Len() < s.Length || !cells.Within(&free) {
				continue
			}
			w := weight(s)
			total += w
			if rng.Float64()*total < w {
				drawn = s
			}
		}
	}
	return drawn
}
