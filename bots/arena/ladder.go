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

// A ladder's scale is fixed by the bot anchor, whose rating is anchorRating, also the
// initial rating of new players. It shoots at random until it hits, and then around its
// hits, like a beginner.
const (
	anchor       = "medium"
	anchorRating = 1500
)

// LadderConfig configures the games of a ladder.
type LadderConfig struct {
	Games       int            // per pairing and rule set
	Seed        uint64         // for layouts and random choices
	Concurrency int            // concurrent games; 0: one per processor
	Progress    func(Progress) // see [Config.Progress]; may be nil
}

// Rung is one bot's rating under a rule set.
type Rung struct {
	Rules, Bot        string
	Rating, Deviation int
	Games             int64
}

// Ladder plays all built-in bots against each other under each rule set, with each bot's
// own placement, and returns their ratings, best first.
func Ladder(ctx context.Context, cfg LadderConfig) ([]Rung, error) {
	var all []Rung
	for _, name := range match.Presets() {
		r, err := match.Preset(name)
		if err != nil {
			return nil, err
		}
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

// rungs converts ratings with a mean of 0 to the scale of players.
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

// WriteLadder writes a ladder in the format that package rating reads, including the
// command that created it.
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
