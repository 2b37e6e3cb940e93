package tui

import (
	"fmt"
	"testing"
	"time"

	"broadside/internal/narrate"
	"broadside/match"
)

// shoot fires at a cell, and lets the other player's screen receive the shot.
func (d *driver) shoot(at string, other *driver) {
	d.t.Helper()
	fired := d.game().last.View.Charts[d.game().side].Fired
	d.setCursor(parseCell(d.t, at))
	d.press("enter")
	d.wait("the answer", func(string) bool { return d.game().last.View.Charts[d.game().side].Fired > fired })
	other.handleFor(time.Second)
}

func (d *driver) mayMove() bool { return d.game().last.View.CanMove }

// TestMovesAreHiddenFromOpponent checks that the opponent's screen is the same whether or
// not a ship moves.
func TestMovesAreHiddenFromOpponent(t *testing.T) {
	var seen [2][]string
	for i, keys := range [][]string{{"0", "up"}, {"p"}} {
		runNavalBattle(t, 80, 24, []string{"15s"}, func(t *testing.T, a, b *driver) {
			b.shoot("A1", a)
			began := time.Now()
			last := ""
			b.onFrame = func(s string) {
				// A terminal receives nothing for an unchanged frame.
				if s != last {
					seen[i] = append(seen[i], fmt.Sprint(time.Since(began), s))
				}
				last = s
			}
			// A step never ends when the clock changes.
			const step = 490 * time.Millisecond
			for range 5 {
				b.handleFor(step)
			}
			a.press(keys...)
			for range 7 {
				b.handleFor(step)
			}
			if a.handlePending(); a.mayMove() {
				t.Errorf("%v is no move", keys)
			}
			b.onFrame = nil
		})
	}
	if len(seen[0]) != len(seen[1]) {
		t.Fatalf("%d frames with a move, %d without", len(seen[0]), len(seen[1]))
	}
	for n := range seen[0] {
		if seen[0][n] != seen[1][n] {
			t.Errorf("frame %d shows whether a ship moved:\n%s\n%s", n, seen[0][n], seen[1][n])
		}
	}
}

// unhit returns a cell of the player's fleet that is not hit.
func (d *driver) unhit() match.Cell {
	v := &d.game().last.View
	for i, ship := range v.Fleets[d.game().side] {
		for n := range ship.Length {
			if !v.Damage[d.game().side].IsHit(i, n) {
				return ship.Stern.Step(ship.Heading, n)
			}
		}
	}
	return match.NewCell(0, 0)
}

// TestNavalMatch plays a whole match between two players, who move a ship whenever possible, and then watches
// the replay.
func TestNavalMatch(t *testing.T) {
	runNavalBattle(t, 80, 24, nil, func(t *testing.T, a, b *driver) {
		over := func(d *driver) bool { return d.game().last.View.Phase == match.Over }
		moves := 0
		for !over(a) {
			for _, d := range []*driver{a, b} {
				v := &d.game().last.View
				if over(a) || v.Turn != d.game().side || v.Pending {
					continue
				}
				if v.CanMove {
					d.press("tab")
					status := v.FleetStatus(d.game().side)
					if legal := status.LegalMoves(); len(legal) > 0 {
						moves++
						ship := *fieldPointer[int](d.shownPage(), "moveInput", "selected")
						for _, m := range legal {
							if m.ShipIndex() == ship {
								d.press(string("fbca"[m.Kind()]))
								break
							}
						}
					}
					d.wait("the move", func(string) bool { return !d.mayMove() })
				}
				other := b
				if d == b {
					other = a
				}
				chart := &d.game().last.View.Charts[d.game().side]
				at := chart.OpenCells().Nth(chart.Fired % 7)
				// Otherwise, the players would never find each other's ships.
				if chart.Fired%2 == 0 {
					at = other.unhit()
				}
				d.shoot(at.String(), other)
			}
		}
		if moves < 20 {
			t.Errorf("only %d moves were made", moves)
		}
		v := a.game().last.View
		a.waitForText(fmt.Sprintf("%d rounds in %s.", v.RoundCount(), narrate.MinutesAndSeconds(v.Took)))
	})
}
