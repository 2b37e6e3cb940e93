package match_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"broadside/match"
	"broadside/match/audit"
)

// TestVoidMatchShowsNoFleet checks that no one sees another side's fleet after a match without a result,
// and that the public events can be replayed.
func TestVoidMatchShowsNoFleet(t *testing.T) {
	for _, preset := range match.PresetNames() {
		r, err := match.Preset(preset)
		if err != nil {
			t.Fatal(err)
		}
		for name, end := range map[string]match.Command{
			"aborted": match.AbortCommand(match.Second, match.Resigned), "closed": match.VoidCommand(match.Closed), "endless": match.VoidCommand(match.Endless),
			"resigned": match.ForfeitCommand(match.Second, match.Resigned),
		} {
			t.Run(r.Name+" "+name, func(t *testing.T) {
				g, rng := match.NewGame(r, audit.Forfeit), rand.New(rand.NewPCG(1, 2))
				apply := func(c match.Command) {
					t.Helper()
					if _, err := g.Apply(c); err != nil {
						t.Fatal(err)
					}
				}
				for side := match.First; side <= match.Second; side++ {
					apply(match.PlaceCommand(side, r.RandomLayout(rng)))
				}
				// Too few shots are fired for the match to count.
				for n := range map[bool]int{true: 1, false: 4}[r.Salvo] {
					turn := g.Turn()
					if g.CanMove(turn.Side) {
						v := g.View(turn.Side)
						status := v.FleetStatus(turn.Side)
						if moves := status.LegalMoves(); len(moves) > 0 {
							apply(match.MoveCommand(turn.Side, moves[0]))
						}
					}
					var cells []match.Cell
					for i := range turn.Shots {
						cells = append(cells, match.NewCell(i, n))
					}
					apply(match.FireCommand(turn.Side, cells...))
				}
				apply(end)
				shown := end.Reason == match.Endless || end.Action == match.ForfeitGame
				for viewer := match.First; viewer <= match.Nobody; viewer++ {
					v := g.View(viewer)
					for side := match.First; side <= match.Second; side++ {
						if got, want := v.Fleets[side] != nil, shown || side == viewer; got != want {
							t.Errorf("viewer %v sees the fleet of %v: %v, want %v", viewer, side, got, want)
						}
					}
				}
				public, err := match.Replay(r, audit.Forfeit, match.HideFleets(g.Events()))
				if err != nil {
					t.Fatalf("replay without fleets: %v", err)
				}
				v, want := public.FullView(), g.View(match.Nobody)
				if v.Fleets[0] != nil || v.Fleets[1] != nil || !reflect.DeepEqual(v.Charts, want.Charts) || v.Reason != want.Reason {
					t.Errorf("replay shows %+v", v)
				}
			})
		}
	}
}
