package bots

import (
	"errors"
	"fmt"

	"broadside/match"
)

// Quotas of the two placements below. The original system had none.
const (
	// javaShipTries is the number of random places for one ship.
	javaShipTries = 200
	// javaBoards is the number of attempts for a layout.
	javaBoards = 1000
	// prologPlaces is the number of places tried in a search.
	prologPlaces = 20000
	// prologSearches is the number of searches for a layout.
	prologSearches = 50
)

// errQuota is returned by a placement that has used up its quota.
var errQuota = errors.New("found no legal fleet within its quota: choose another placement")

// placeJava places a fleet like the original Java client. For each ship it draws a cell
// and a direction and checks the ship's cells one by one. Each ship has a quota of tries.
// When it is used up, the board is cleared; after too many clearings the placement fails.
func placeJava(c Config, _ string) (match.Layout, error) {
	for range javaBoards {
		l := make(match.Layout, 0, len(c.Rules.Fleet))
		var blocked match.Set
		for _, class := range c.Rules.Fleet {
			s, ok := drawFreeShip(c, class.Length, &blocked)
			if !ok {
				break
			}
			l = append(l, s)
			blocked = blocked.Union(c.Rules.Contact.Halo(s.Cells()))
		}
		if len(l) == len(c.Rules.Fleet) {
			return l, nil
		}
	}
	return nil, fmt.Errorf("the placement java %w", errQuota)
}

// drawFreeShip draws places for a ship until one is on the board and covers no blocked cell, or
// until the quota is used up.
func drawFreeShip(c Config, length int, blocked *match.Set) (match.Ship, bool) {
	for range javaShipTries {
		stern := match.NewCell(c.Rand.IntN(c.Rules.Size), c.Rand.IntN(c.Rules.Size))
		s := match.Ship{Stern: stern, Heading: match.Heading(c.Rand.IntN(4)), Length: length}
		if isFree(c.Rules, s, blocked) {
			return s, true
		}
	}
	return match.Ship{}, false
}

// isFree reports whether all cells of a ship are on the board and unblocked.
func isFree(r match.Rules, s match.Ship, blocked *match.Set) bool {
	for n := range s.Length {
		cell := s.Stern.Step(s.Heading, n)
		if !r.Contains(cell) || blocked.Has(cell) {
			return false
		}
	}
	return true
}

// placeProlog places a fleet like the original Prolog player. It shuffles the ships
// and, for each, the rows and the columns, and advances in both with every place that it tries. If it
// advanced only in the columns, ships would lie beside each other more often than in the original. If a
// ship fits nowhere, it backtracks to the previous ship, as Prolog does. A search that takes too long is
// restarted.
func placeProlog(c Config, _ string) (match.Layout, error) {
	for range prologSearches {
		p := prologPlacer{cfg: c, order: c.Rand.Perm(len(c.Rules.Fleet)), layout: make(match.Layout, len(c.Rules.Fleet)), left: prologPlaces}
		if p.placeFrom(0, match.Set{}) {
			return p.layout, nil
		}
	}
	return nil, fmt.Errorf("the placement prolog %w", errQuota)
}

// prologPlacer is the state of one search for a layout.
type prologPlacer struct {
	cfg Config
	// order lists the ships in the order in which they are placed.
	order  []int
	layout match.Layout
	// left is the number of places that may still be tried.
	left int
}

// placeFrom places the ships from the nth on, avoiding blocked cells.
func (p *prologPlacer) placeFrom(n int, blocked match.Set) bool {
	if n == len(p.order) {
		return true
	}
	rules, rng, ship := p.cfg.Rules, p.cfg.Rand, p.order[n]
	headings, rows, columns := rng.Perm(4), rng.Perm(rules.Size), rng.Perm(rules.Size)
	for _, h := range headings {
		for shift := range columns {
			for i, y := range rows {
				if p.left--; p.left < 0 {
					return false
				}
				x := columns[(i+shift)%rules.Size]
				s := match.Ship{Stern: match.NewCell(x, y), Heading: match.Heading(h), Length: rules.Fleet[ship].Length}
				if !isFree(rules, s, &blocked) {
					continue
				}
				p.layout[ship] = s
				if p.placeFrom(n+1, blocked.Union(rules.Contact.Halo(s.Cells()))) {
					return true
				}
			}
		}
	}
	return false
}
