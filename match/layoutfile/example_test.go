package layoutfile_test

import (
	"fmt"

	"broadside/match"
	"broadside/match/layoutfile"
)

// Ships can be named in English or German, and end at a cell or in a direction.
func Example() {
	rules := match.Classic()
	layouts, err := layoutfile.Parse(rules, `
		carrier A1 A5
		battleship C1 east
		Kreuzer (0,4) O
		submarine G1 G3
		Zerstörer I1, I2`)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(layoutfile.Format(rules, layouts...))
	// Output:
	// carrier A1 A5
	// battleship C1 C4
	// cruiser E1 E3
	// submarine G1 G3
	// destroyer I1 I2
}

// An error says which line is wrong.
func ExampleParse() {
	_, err := layoutfile.Parse(match.Classic(), "carrier A1 A5\nbattleship C1 C3")
	fmt.Println(err)
	// Output: line 2: the battleship is 4 cells long, not 3
}
