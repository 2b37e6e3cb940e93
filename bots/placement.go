package bots

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"broadside/match"
)

// placeSequence places a fleet by a sequence file and a start offset, FILE:OFFSET. The offset
// is taken modulo the number of cells.
func placeSequence(c Config, args string) (match.Layout, error) {
	colon := max(0, strings.LastIndex(args, ":"))
	file, number := args[:colon], strings.TrimPrefix(args[colon:], ":")
	offset, err := strconv.Atoi(number)
	if file == "" || err != nil {
		return nil, fmt.Errorf("the placement sequence:%s: write a file and the number of the entry to begin with, such as sequence:start.txt:25", args)
	}
	steps, err := c.readSequence(file)
	if err != nil {
		return nil, err
	}
	layout, err := SequenceLayout(c.Rules, stepCells(steps), offset)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return layout, nil
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
			l[i] = redrawShip(c.Rules, c.Rand, l, i, func(s match.Ship) float64 {
				if isAlongEdge(c.Rules, s) {
					return edgeWeight
				}
				return 1
			})
		}
	}
	return l
}

// isAlongEdge reports whether all cells of a ship are on the same edge of the board.
func isAlongEdge(r match.Rules, s match.Ship) bool {
	across := s.Stern.X
	if s.Heading == match.East || s.Heading == match.West {
		across = s.Stern.Y
	}
	return across == 0 || int(across) == r.Size-1
}

// redrawShip draws a place for ship i of a legal layout from all places that are legal given
// the other ships, with probabilities proportional to their weights, which must be
// positive.
func redrawShip(r match.Rules, rng *rand.Rand, l match.Layout, i int, weight func(match.Ship) float64) match.Ship {
	free := r.Cells()
	for j, other := range l {
		if j != i {
			free = free.Minus(r.Contact.Halo(other.Cells()))
		}
	}
	drawn, total := l[i], 0.0
	for _, h := range match.Axes {
		for stern := range free.All() {
			s := match.Ship{Stern: stern, Heading: h, Length: l[i].Length}
			cells := s.Cells()
			if cells.Len() < s.Length || !cells.IsSubsetOf(&free) {
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
