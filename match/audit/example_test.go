package audit_test

import (
	"fmt"

	"broadside/match"
	"broadside/match/audit"
)

// A ship of classic rules has at least two cells, so no layout explains a ship that is sunk by the
// first shot.
func ExampleAudit() {
	a := audit.New(match.Classic())
	fmt.Println(a.Add(match.NewCell(0, 0), match.Miss))
	fmt.Println(a.Add(match.NewCell(1, 0), match.Hit))
	fmt.Println(a.Add(match.NewCell(5, 5), match.Sunk))
	// Output:
	// true
	// true
	// false
}
