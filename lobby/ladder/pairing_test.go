package ladder

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// world simulates a ladder: programs that return after each match, and their results.
type world struct {
	History
	now     time.Time
	anchors []Player
	waiting []Player
	met     map[string]map[string]int
	// longest is the longest time that a program has waited.
	longest time.Duration
	// distance holds the rating differences in matches between programs.
	distance []float64
}

func newWorld(programs int) *world {
	w := &world{History: *NewHistory(), now: time.Unix(1e9, 0), met: map[string]map[string]int{}}
	for i := range 5 {
		w.anchors = append(w.anchors, Player{Account: fmt.Sprint("bot", i), Bot: fmt.Sprint("bot", i), Rating: 1000 + 250*float64(i)})
	}
	for i := range programs {
		account := fmt.Sprint("p", i)
		w.waiting = append(w.waiting, Player{Offer: i + 1, Account: account, Owner: "owner of " + account, Rating: 1000 + 50*float64(i), Since: w.now})
	}
	return w
}

// rating returns the rating of a player by its account.
func (w *world) rating(account string) float64 {
	for _, a := range w.anchors {
		if a.Account == account {
			return a.Rating
		}
	}
	var n float64
	fmt.Sscanf(account, "p%f", &n)
	return 1000 + 50*n
}

// run simulates a time. Matches take random times.
func (w *world) run(t *testing.T, d time.Duration) {
	t.Helper()
	type running struct {
		back  []Player
		until time.Time
	}
	rng, games := rand.New(rand.NewPCG(1, 2)), []running(nil)
	for end := w.now.Add(d); w.now.Before(end); w.now = w.now.Add(time.Second) {
		games = slices.DeleteFunc(games, func(g running) bool {
			if w.now.Before(g.until) {
				return false
			}
			for _, e := range g.back {
				e.Since = w.now
				w.waiting = append(w.waiting, e)
			}
			return true
		})
		for _, p := range PairPlayers(w.now, w.waiting, w.anchors, &w.History) {
			g := running{until: w.now.Add(time.Duration(1+rng.IntN(20)) * time.Second)}
			for _, player := range p {
				if player.Bot != "" {
					continue
				}
				at := slices.Index(w.waiting, player)
				if at < 0 {
					t.Fatalf("%v plays twice", player)
				}
				w.longest = max(w.longest, w.now.Sub(w.waiting[at].Since))
				g.back = append(g.back, w.waiting[at])
				w.waiting = slices.Delete(w.waiting, at, at+1)
			}
			a, b := p[0].Account, p[1].Account
			for _, x := range [2][2]string{{a, b}, {b, a}} {
				if w.met[x[0]] == nil {
					w.met[x[0]] = map[string]int{}
				}
				w.met[x[0]][x[1]]++
			}
			if len(g.back) == 2 {
				w.distance = append(w.distance, math.Abs(w.rating(a)-w.rating(b)))
			}
			w.Add(a, b)
			games = append(games, g)
		}
	}
}

// TestPairOfTwenty lets 20 programs play for ten minutes: all play at least five other
// programs and some bots, with sides swapped, no one waits long, and ratings are close.
func TestPairOfTwenty(t *testing.T) {
	w := newWorld(20)
	w.run(t, 10*time.Minute)
	for i := range 20 {
		account := fmt.Sprint("p", i)
		met := w.met[account]
		programs, bots := 0, 0
		for other, n := range met {
			if other[0] == 'p' {
				programs++
			} else {
				bots += n
			}
			if n := w.firstSideBalance(account, other); n < -1 || n > 1 {
				t.Errorf("%s was first against %s %d times more", account, other, n)
			}
		}
		if programs < 5 || bots < 2 {
			t.Errorf("%s met %d programs and played %d matches against bots: %v", account, programs, bots, met)
		}
	}
	sum := 0.0
	for _, d := range w.distance {
		sum += d
	}
	// The mean would be 350 if opponents were random.
	if mean := sum / float64(len(w.distance)); !(mean <= 200) {
		t.Errorf("ratings of opponents differ by %.0f", mean)
	}
	for _, e := range w.waiting {
		w.longest = max(w.longest, w.now.Sub(e.Since))
	}
	if w.longest > patience+time.Second {
		t.Errorf("a program waited %v", w.longest)
	}
}

// TestPairOfFew checks programs without a suitable opponent: one alone, two of one owner, two
// that have played enough today, and two of very different strength.
func TestPairOfFew(t *testing.T) {
	start := time.Unix(1e9, 0)
	a := Player{Offer: 1, Account: "a", Owner: "ann", Rating: 1500, Since: start}
	b := Player{Offer: 2, Account: "b", Owner: "bob", Rating: 1500, Since: start}
	sibling, weak := b, b
	sibling.Owner, weak.Rating = "ann", 300
	barred := NewHistory()
	barred.BlockPair("b", "a", start)
	bots := []Player{{Account: "x", Bot: "hard", Rating: 1650}, {Account: "y", Bot: "medium", Rating: 1510}}
	for name, c := range map[string]struct {
		waiting []Player
		past    *History
		// want is the number of matches against bots in the end.
		want int
	}{
		"alone": {[]Player{a}, NewHistory(), 1}, "one owner": {[]Player{a, sibling}, NewHistory(), 2},
		"enough today": {[]Player{a, b}, barred, 2}, "too weak": {[]Player{a, weak}, NewHistory(), 2},
	} {
		if got := PairPlayers(start, c.waiting, bots, c.past); len(got) != 0 {
			t.Errorf("%s: at once: %v", name, got)
		}
		got := PairPlayers(start.Add(patience), c.waiting, bots, c.past)
		if len(got) != c.want || got[0] != (Pairing{a, bots[1]}) {
			t.Errorf("%s: %v", name, got)
		}
	}
	if got := PairPlayers(start, []Player{a, b}, bots, NewHistory()); len(got) != 1 || got[0] != (Pairing{a, b}) {
		t.Errorf("two equal programs: %v", got)
	}
	if got := PairPlayers(start.Add(24*time.Hour), []Player{a, b}, nil, barred); len(got) != 1 {
		t.Errorf("on the next day: %v", got)
	}
	// The second match of a pair comes before anything else, even against a bot.
	c := Player{Offer: 3, Account: "c", Owner: "carl", Rating: 2500, Since: start.Add(2)}
	b.Since = start.Add(1)
	past := NewHistory()
	past.Add("a", "c")
	if got := PairPlayers(start, []Player{a, b, c}, nil, past); len(got) != 1 || got[0] != (Pairing{c, a}) {
		t.Errorf("after one match: %v", got)
	}
	past.Add("x", "a")
	if got := PairPlayers(start, []Player{a, b, c}, bots[:1], past); len(got) != 1 || got[0] != (Pairing{a, bots[0]}) {
		t.Errorf("after one match against a bot: %v", got)
	}
}
