package rating_test

import (
	"os"
	"regexp"
	"strconv"
	"testing"

	"broadside/bots"
	"broadside/internal/store/rating"
	"broadside/internal/test/must"
	"broadside/match"
)

// TestLadderOfBots checks that the ladder has all bots under every preset, from enough
// games for a small deviation.
func TestLadderOfBots(t *testing.T) {
	rated := 0
	for _, name := range match.PresetNames() {
		r := must.Get(match.Preset(name))
		for _, b := range bots.Opponents(r) {
			got, ok := rating.BotRating(name, b.Name)
			if !ok {
				t.Errorf("%s has no rating under %s: run go test ./internal/store/rating -run TestWriteBotRatings -timeout 0 -write-ratings 300", b.Name, name)
				continue
			}
			rated++
			if got.Value < 400 || got.Value > 2600 || got.Deviation <= 0 || got.Deviation > 80 {
				t.Errorf("%s under %s: %v", b.Name, name, got)
			}
		}
	}
	if _, ok := rating.BotRating("classic", "nobody"); ok {
		t.Error("a bot that does not exist has a rating")
	}
	file := must.Get(os.ReadFile("bot-ratings.csv"))
	if lines := len(regexp.MustCompile(`(?m)^[a-z]+,[a-z]+,\d`).FindAll(file, -1)); rated != lines {
		t.Errorf("%d bots of %d in the file exist", rated, lines)
	}
	head := regexp.MustCompile(`^# .* from (\d+) games .*\n#   go test ./internal/store/rating -run TestWriteBotRatings -timeout 0 -write-ratings \d+\n`).FindSubmatch(file)
	if head == nil {
		t.Fatalf("the file does not say how it was made:\n%.200s", file)
	}
	if games, err := strconv.Atoi(string(head[1])); err != nil || games < 10_000 {
		t.Errorf("only %d games", games)
	}
}

// TestNewcomersAgainstBots checks that a newcomer who wins every other match against medium is
// soon rated like medium, and that a single win against easy changes little.
func TestNewcomersAgainstBots(t *testing.T) {
	easy, _ := rating.BotRating("classic", "easy")
	medium, _ := rating.BotRating("classic", "medium")
	won, _ := rating.RateMatch(rating.New(), easy, 0, 0, 1)
	if gain := won.Value - rating.New().Value; gain < 0 || gain > 100 {
		t.Errorf("a first win over easy gains %v", gain)
	}
	r := rating.New()
	for i := range 20 {
		r, _ = rating.RateMatch(r, medium, 0, 0, float64(i%2))
	}
	checkNear(t, "half of the points against medium", r.Value, medium.Value, 60)
	if !r.IsSettled() {
		t.Errorf("deviation %v after 20 matches", r.Deviation)
	}
}

// TestValuesAreWhole checks that stored and displayed values are the same whole numbers.
func TestValuesAreWhole(t *testing.T) {
	a, b := rating.New(), rating.New()
	for i := range 50 {
		a, b = rating.RateMatch(a, b, 0, 0, float64(i%3/2))
		if a.Value != float64(int(a.Value)) || b.Value != float64(int(b.Value)) {
			t.Fatalf("after %d matches: %v and %v", i+1, a.Value, b.Value)
		}
	}
}
