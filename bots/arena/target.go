package arena

import (
	"cmp"
	"fmt"

	"broadside/bots"
	"broadside/match"
)

// targetName is the name of the opponent in a solo.
const targetName = "target"

// target is the opponent in a solo. It has the fleet to sink, and its own shots never hit.
type target struct {
	// Bot places and moves the fleet.
	bots.Bot
	// safeCells has cells without the opponent's ships.
	safeCells []match.Cell
	fired     int
}

// newTarget returns a target whose fleet moves only if c has a mover.
func newTarget(c bots.Config) (*target, error) {
	c.Mover = cmp.Or(c.Mover, "stay")
	b, err := bots.New("easy", c)
	if err != nil {
		return nil, fmt.Errorf("create a target: %w", err)
	}
	return &target{Bot: b}, nil
}

// setSafeCells makes the target fire only at cells without ships of an opponent that does not move.
func (t *target) setSafeCells(r match.Rules, opponent match.Layout) {
	free := r.Cells()
	for _, ship := range opponent {
		free = free.Minus(ship.Cells())
	}
	for cell := range free.All() {
		t.safeCells = append(t.safeCells, cell)
	}
}

// Fire implements [bots.Bot].
func (t *target) Fire(*match.Chart) match.Cell {
	t.fired++
	return t.safeCells[t.fired%len(t.safeCells)]
}

// stationary is a bot whose fleet does not move.
type stationary struct{ bots.Bot }

// Move implements [bots.Bot].
func (stationary) Move(match.FleetStatus) match.Move { return match.Stay }
