package notation_test

import (
	"fmt"
	"time"

	"broadside/match"
	"broadside/match/audit"
	"broadside/match/notation"
)

// rowLayout is a fleet with a ship in every second row.
func rowLayout() (l match.Layout) {
	for i, class := range match.Classic().Fleet {
		l = append(l, match.Ship{Stern: match.NewCell(0, 2*i), Heading: match.East, Length: class.Length})
	}
	return l
}

// Two sides fire three shots, and then one of them resigns.
func ExampleGame_Append() {
	played := match.NewGame(match.Classic(), audit.Off)
	for _, c := range []match.Command{
		match.PlaceCommand(match.First, rowLayout()), match.PlaceCommand(match.Second, rowLayout()),
		match.FireCommand(match.Second, match.NewCell(0, 0)), match.FireCommand(match.First, match.NewCell(9, 9)), match.FireCommand(match.Second, match.NewCell(0, 1)),
		match.ForfeitCommand(match.First, match.Resigned),
	} {
		if _, err := played.Apply(c); err != nil {
			fmt.Println(err)
			return
		}
	}
	game := notation.Game{
		ID: "example", Started: time.Date(2026, 11, 22, 18, 30, 0, 0, time.UTC),
		Names: [2]string{"ann", "bob"}, Rules: match.Classic(), Events: played.Events(),
	}
	line, err := game.Append(nil)
	fmt.Printf("%s%v\n", line, err)
	// Output:
	// game('example','2026-11-22T18:30:00Z',classic,0,casual,['ann','bob'],[[a1e,c1e,e1e,g1e,i1e],[a1e,c1e,e1e,g1e,i1e]],'A1j10b1',[forfeit(1,resigned)],2,resigned).
	// <nil>
}
