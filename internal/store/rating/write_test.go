package rating_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"flag"
	"fmt"
	"math"
	"os"
	"strconv"
	"testing"

	"broadside/bots"
	"broadside/bots/arena"
	"broadside/bots/arena/stats"
	"broadside/internal/test/must"
	"broadside/match"
)

var ratingGames = flag.Int("write-ratings", 0, "games per pairing and preset for a new bot-ratings.csv; 0: leave the file unchanged")

// The scale is fixed by the bot anchor. It fires at random until it hits, and then around its hits, like
// a beginner. Its rating is the initial rating of new players.
const (
	anchor       = "medium"
	anchorRating = 1500
)

// TestWriteBotRatings writes bot-ratings.csv if -write-ratings is set. Otherwise it checks the ladder of a few games.
func TestWriteBotRatings(t *testing.T) {
	if *ratingGames == 0 {
		rows, games, err := playRoundRobin(t.Context(), match.Classic(), []string{"hard", "easy", anchor}, 40)
		must.Do(err)
		if len(rows) != 3 || games != 240 || rows[0][1] != "hard" || rows[1][1] != anchor || rows[1][2] != "1500" || rows[2][1] != "easy" {
			t.Errorf("got %v from %d games, want hard, medium with 1500, and easy", rows, games)
		}
		return
	}
	total := int64(0)
	all := [][]string{{"rules", "bot", "rating", "deviation", "games"}}
	for _, name := range match.PresetNames() {
		r := must.Get(match.Preset(name))
		var players []string
		for _, b := range bots.Opponents(r) {
			players = append(players, b.Name)
		}
		rows, games, err := playRoundRobin(t.Context(), r, players, *ratingGames)
		must.Do(err)
		all, total = append(all, rows...), total+games
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "# The fixed ratings of the built-in bots, from %d games among them:\n", total/2)
	fmt.Fprintf(&b, "#   go test ./internal/store/rating -run TestWriteBotRatings -timeout 0 -write-ratings %d\n", *ratingGames)
	fmt.Fprintf(&b, "# %s has %d under all rules.\n", anchor, anchorRating)
	must.Do(csv.NewWriter(&b).WriteAll(all))
	must.Do(os.WriteFile("bot-ratings.csv", b.Bytes(), 0o666))
}

// playRoundRobin lets bots play each other with their own placements. It returns their rows of the ladder, best
// first, and the sum of their games.
func playRoundRobin(ctx context.Context, r match.Rules, players []string, games int) (rows [][]string, total int64, err error) {
	report, err := arena.Run(ctx, arena.Config{
		Format: arena.RoundRobin, Players: players, Rules: r, Games: games, Seed: 1, Placement: arena.OwnPlacement,
	})
	if err != nil {
		return nil, 0, fmt.Errorf("playing %s: %w", r.Name, err)
	}
	shift := 0.0
	for _, x := range report.Ratings {
		if x.Bot == anchor {
			shift = anchorRating - x.Elo
		}
	}
	for _, x := range report.Ratings {
		deviation := (x.High - x.Low) / 2 / stats.Quantile95
		rows = append(rows, []string{
			r.Name, x.Bot, strconv.Itoa(int(math.Round(x.Elo + shift))), strconv.Itoa(int(math.Ceil(deviation))), strconv.FormatInt(x.Games, 10),
		})
		total += x.Games
	}
	return rows, total, nil
}
