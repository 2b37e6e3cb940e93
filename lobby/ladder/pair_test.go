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
	history
	now      time.Time
	anchors  []Anchor
	waiting  []Entrant
	met      map[string]map[string]int
	longest  time.Duration // a program has waited
	distance []float64     // differences of the ratings in matches between programs
}

func newWorld(programs int) *world {
	w := &world{history: *newHistory(), now: time.Unix(1e9, 0), met: map[string]map[string]int{}}
	for i := range 5 {
		w.anchors = append(w.anchors, Anchor{fmt.Sprint("bot", i), fmt.Sprint("bot", i), 1000 + 250*float64(i)})
	}
	for i := range programs {
		account := fmt.Sprint("p", i)
		w.waiting = append(w.waiting, Entrant{i + 1, account, "owner of " + account, 1000 + 50*float64(i), w.now})
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
		back  []Entrant
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
		for _, p := range pair(w.now, w.waiting, w.anchors, &w.history) {
			g := running{until: w.now.Add(time.Duration(1+rng.IntN(20)) * time.Second)}
			var players [2]string
			for side, seat := range p {
				if players[side] = seat.Bot; seat.Bot != "" {
					continue
				}
				at := slices.IndexFunc(w.waiting, func(e Entrant) bool { return e.Offer == seat.Offer })
				if at < 0 {
					t.Fatalf("%v plays twice", seat)
				}
				players[side] = w.waiting[at].Account
				w.longest = max(w.longest, w.now.Sub(w.waiting[at].Since))
				g.back = append(g.back, w.waiting[at])
				w.waiting = slices.Delete(w.waiting, at, at+1)
			}
			a, b := players[0], players[1]
			for _, x := range [2][2]string{{a, b}, {b, a}} {
				if w.met[x[0]] == nil {
					w.met[x[0]] = map[string]int{}
				}
				w.met[x[0]][x[1]]++
			}
			if len(g.back) == 2 {
				w.distance = append(w.distance, math.Abs(w.rating(a)-w.rating(b)))
			}
			w.begun(a, b)
			games = append(games, g)
		}
	}
}

// TestPairOfTwenty lets 20 programs play for ten minutes: all play at least five other
// programs and some bots, with sides swapped, nobody waits long, and ratings are close.
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
			if n := w.balance(account, other); n < -1 || n > 1 {
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
	if mean := sum / float64(len(w.distance)); !(mean <= 200) { // 350 if opponents were random
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
	a, b := Entrant{1, "a", "ann", 1500, start}, Entrant{2, "b", "bob", 1500, start}
	sibling, weak := b, b
	sibling.Owner, weak.Rating = "ann", 300
	barred := newHistory()
	barred.bar("b", "a", start)
	anchors := []Anchor{{"x", "hard", 1650}, {"y", "medium", 1510}}
	for name, c := range map[string]struct {
		waiting []Entrant
		past    *history
		want    int // matches against bots in the end
	}{
		"alone": {[]Entrant{a}, newHistory(), 1}, "one owner": {[]Entrant{a, sibling}, newHistory(), 2},
		"enough today": {[]Entrant{a, b}, barred, 2}, "too weak": {[]Entrant{a, weak}, newHistory(), 2},
	} {
		if got := pair(start, c.waiting, anchors, c.past); len(got) != 0 {
			t.Errorf("%s: at once: %v", name, got)
		}
		got := pair(start.Add(patience), c.waiting, anchors, c.past)
		if len(got) != c.want || got[0] != (Pairing{{Offer: 1}, {Bot: "medium"}}) {
			t.Errorf("%s: %v", name, got)
		}
	}
	if got := pair(start, []Entrant{a, b}, anchors, newHistory()); len(got) != 1 || got[0] != (Pairing{{Offer: 1}, {Offer: 2}}) {
		t.Errorf("two equal programs: %v", got)
	}
	if got := pair(start.Add(24*time.Hour), []Entrant{a, b}, nil, barred); len(got) != 1 {
		t.Errorf("on the next day: %v", got)
	}
}

// TestSidesAreSwapped checks that the second match of a pair comes before anything else, even
// against a bot.
func TestSidesAreSwapped(t *testing.T) {
	start := time.Unix(1e9, 0)
	waiting := []Entrant{{1, "a", "ann", 1500, start}, {2, "b", "bob", 1500, start.Add(1)}, {3, "c", "carl", 2500, start.Add(2)}}
	past := newHistory()
	past.begun("a", "c")
	if got := pair(start, waiting, nil, past); len(got) != 1 || got[0] != (Pairing{{Offer: 3}, {Offer: 1}}) {
		t.Errorf("after one match: %v", got)
	}
	past.begun("x", "a")
	if got := pair(start, waiting, []Anchor{{"x", "hard", 600}}, past); len(got) != 1 || got[0] != (Pairing{{Offer: 1}, {Bot: "hard"}}) {
		t.Errorf("after one match against a bot: %v", got)
	}
}
