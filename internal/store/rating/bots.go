package rating

import (
	"bytes"
	_ "embed" // for bot-ratings.csv
	"encoding/csv"
	"fmt"
	"strconv"
	"sync"
)

// botRatingsFile is what TestWriteBotRatings writes. Its first lines contain the command.
//
//go:embed bot-ratings.csv
var botRatingsFile []byte

type entry struct{ ruleSet, bot string }

var botRatings = sync.OnceValue(func() map[entry]Rating {
	all, err := parseBotRatings(botRatingsFile)
	if err != nil {
		panic(err) // the file is part of the program, and a test reads it
	}
	return all
})

// parseBotRatings reads a CSV file with the columns rule set, bot, rating, deviation and games
// after a header line.
func parseBotRatings(file []byte) (map[entry]Rating, error) {
	r := csv.NewReader(bytes.NewReader(file))
	r.Comment = '#'
	lines, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("read the bots' ratings: %w", err)
	}
	all := map[entry]Rating{}
	for _, line := range lines[min(1, len(lines)):] {
		value, err := strconv.ParseFloat(line[2], 64)
		if err != nil {
			return nil, fmt.Errorf("read the bots' ratings: %w", err)
		}
		deviation, err := strconv.ParseFloat(line[3], 64)
		if err != nil {
			return nil, fmt.Errorf("read the bots' ratings: %w", err)
		}
		all[entry{line[0], line[1]}] = Rating{Value: value, Deviation: deviation, Volatility: startVolatility}
	}
	return all, nil
}

// BotRating returns a built-in bot's fixed rating under a rule set, or false if there is none.
func BotRating(ruleSet, bot string) (Rating, bool) {
	r, ok := botRatings()[entry{ruleSet, bot}]
	return r, ok
}
