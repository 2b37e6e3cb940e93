package rating

import (
	"bytes"
	_ "embed" // the ladder
	"encoding/csv"
	"fmt"
	"strconv"
	"sync"
)

// ladderFile is what "broadside arena ladder" has printed. Its first lines say
// which command that was.
//
//go:embed ladder.csv
var ladderFile []byte

// rung names a bot under a rule set.
type rung struct{ rules, bot string }

var ladder = sync.OnceValue(func() map[rung]Rating {
	all, err := readLadder(ladderFile)
	if err != nil { // the file is part of the program, and read by its tests
		panic(err)
	}
	return all
})

// readLadder reads a ladder: rule set, bot, rating, deviation and games in each
// line after the first.
func readLadder(file []byte) (map[rung]Rating, error) {
	r := csv.NewReader(bytes.NewReader(file))
	r.Comment = '#'
	lines, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("reading the ladder of the bots: %w", err)
	}
	all := map[rung]Rating{}
	for _, line := range lines[min(1, len(lines)):] {
		value, err := strconv.ParseFloat(line[2], 64)
		if err != nil {
			return nil, fmt.Errorf("reading the ladder of the bots: %w", err)
		}
		deviation, err := strconv.ParseFloat(line[3], 64)
		if err != nil {
			return nil, fmt.Errorf("reading the ladder of the bots: %w", err)
		}
		all[rung{line[0], line[1]}] = Rating{Value: value, Deviation: deviation, Volatility: startVolatility}
	}
	return all, nil
}

// OfBot returns the rating of a built-in bot under a rule set, which never
// changes. It is false where the ladder has none.
func OfBot(ruleSet, bot string) (Rating, bool) {
	r, ok := ladder()[rung{ruleSet, bot}]
	return r, ok
}
