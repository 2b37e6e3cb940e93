package arena

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"broadside/bots"
	"broadside/bots/arena/stats"
	"broadside/match"
)

// The scale of a ladder has one fixed point: the bot anchor has anchorRating, which is also
// the initial rating of new players. It shoots at random until it hits, and then around its
// hits, like a person who has just learnt the game.
const (
	anchor       = "medium"
	anchorRating = 1500
)

// LadderConfig describes the games of a ladder.
type LadderConfig struct {
	Rules       []match.Rules  // empty: all presets
	Games       int            // of each pairing under each rule set
	Seed        uint64         // for layouts and choices
	Concurrency int            // games at a time; 0: one for each processor
	Progress    func(Progress) // as [Config.Progress]; may be nil
}

// Rung is one bot's rating under a rule set.
type Rung struct {
	Rules, Bot        string
	Rating, Deviation int
	Games             int64
}

// Ladder lets all built-in bots play each other under each rule set, with the
// fleets they place themselves, and returns their ratings, best first.
func Ladder(ctx context.Context, cfg LadderConfig) ([]Rung, error) {
	rules := cfg.Rules
	if len(rules) == 0 {
		for _, name := range match.Presets() {
			r, err := match.Preset(name)
			if err != nil {
				return nil, err
			}
			rules = append(rules, r)
		}
	}
	var all []Rung
	for _, r := range rules {
		run := Config{
			Mode: RoundRobin, Rules: r, Games: cfg.Games, Seed: cfg.Seed, Concurrency: cfg.Concurrency,
			Placement: OwnPlacement, Progress: cfg.Progress,
		}
		for _, b := range bots.Offered(r) {
			run.Players = append(run.Players, b.Name)
		}
		report, err := Run(ctx, run)
		if err != nil {
			return nil, fmt.Errorf("playing %s: %w", r.Name, err)
		}
		if report.Interrupted {
			return nil, cmp.Or(ctx.Err(), errors.New("the ladder was interrupted"))
		}
		all = append(all, rungs(r.Name, report.Ratings)...)
	}
	return all, nil
}

// rungs puts ratings, whose mean is 0, on the scale of players.
func rungs(rules string, ratings []stats.Rating) []Rung {
	shift := 0.0
	for _, r := range ratings {
		if r.Bot == anchor {
			shift = anchorRating - r.Elo
		}
	}
	all := make([]Rung, len(ratings))
	for i, r := range ratings {
		all[i] = Rung{
			Rules: rules, Bot: r.Bot, Games: r.Games,
			Rating: int(math.Round(r.Elo + shift)), Deviation: int(math.Ceil((r.High - r.Low) / 2 / stats.Quantile95)),
		}
	}
	return all
}

// WriteLadder writes a ladder as a file that package rating reads. The command
// that played it is written into the file.
func WriteLadder(w io.Writer, rungs []Rung, command string) error {
	games := int64(0)
	for _, r := range rungs {
		games += r.Games
	}
	if _, err := fmt.Fprintf(w, "# The fixed ratings of the built-in bots, from %d games among them:\n#   %s\n# %s has %d under all rules.\n",
		games/2, command, anchor, anchorRating); err != nil {
		return err
	}
	c := csv.NewWriter(w)
	rows := [][]string{{"rules", "bot", "rating", "deviation", "games"}}
	for _, r := range rungs {
		rows = append(rows, []string{r.Rules, r.Bot, strconv.Itoa(r.Rating), strconv.Itoa(r.Deviation), strconv.FormatInt(r.Games, 10)})
	}
	return c.WriteAll(rows)
}
