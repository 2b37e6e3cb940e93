package ladder

import (
	"math"
	"slices"
	"time"
)

// Entrant is a program that waits for a match.
type Entrant struct {
	Offer   int       // identifies the entrant to the [Lobby]
	Account string    // of the program
	Owner   string    // account of the person who registered the program
	Rating  float64   // current
	Since   time.Time // since when it could play
}

// Anchor is a built-in bot with a fixed rating.
type Anchor struct {
	Account, Name string
	Rating        float64
}

// Seat is a side of a [Pairing]: an entrant or a bot.
type Seat struct {
	Offer int    // of the entrant; 0 for a bot
	Bot   string // the bot's name; empty for an entrant
}

// Pairing is a match that begins. The first seat defends first.
type Pairing [2]Seat

const (
	// repeatCost is what an earlier match with a recent opponent costs, in rating points: a
	// program plays someone else unless everyone else is much weaker or stronger.
	repeatCost = 75
	// firstLimit is the cost that a program accepts at once, and limitGrowth is how much
	// more it accepts for each second of waiting.
	firstLimit, limitGrowth = 150, 25
	// patience is how long a program waits for another program before it also accepts bots,
	// and then at any cost.
	patience = 10 * time.Second
	// anchored is the number of matches without a bot after which a bot is due.
	anchored = 8
	// maxConsidered limits the work of one call: only the programs that have waited longest
	// are paired.
	maxConsidered = 400
)

// pair decides which of the waiting programs play each other or a bot now. The program that
// has waited longest is paired first. It finishes its pair of matches with swapped sides, or
// else plays the opponent with the closest rating, preferably one that it has not just
// played. After [anchored] matches against programs, a bot is due. The same input always
// gives the same result.
func pair(now time.Time, waiting []Entrant, anchors []Anchor, past *history) (all []Pairing) {
	queue := slices.Clone(waiting)
	slices.SortStableFunc(queue, func(a, b Entrant) int { return a.Since.Compare(b.Since) })
	queue = queue[:min(len(queue), maxConsidered)]
	for len(queue) > 0 {
		e := queue[0]
		queue = queue[1:]
		waited := now.Sub(e.Since)
		limit, accepts := firstLimit+limitGrowth*waited.Seconds(), waited >= patience
		if accepts {
			limit = math.Inf(1)
		}
		due := botIsDue(e.Account, anchors, past)
		other, cost := -1, math.Inf(1)
		if !due {
			other, cost = closest(e, queue, past, now)
		}
		bot, botCost := -1, math.Inf(1)
		if due || accepts {
			bot, botCost = closestBot(e, anchors, past)
		}
		switch {
		case bot >= 0 && (due || botCost+firstLimit < cost):
			all = append(all, sides(e.Account, anchors[bot].Account, Seat{Offer: e.Offer}, Seat{Bot: anchors[bot].Name}, past))
		case other >= 0 && cost <= limit:
			o := queue[other]
			queue = slices.Delete(queue, other, other+1)
			all = append(all, sides(e.Account, o.Account, Seat{Offer: e.Offer}, Seat{Offer: o.Offer}, past))
		}
	}
	return all
}

// botIsDue reports whether a player plays a bot next: the second match of a pair, or because
// none of the last opponents was one.
func botIsDue(account string, anchors []Anchor, past *history) bool {
	recent := past.recent[account]
	bots := 0
	for _, a := range anchors {
		if past.balance(account, a.Account) != 0 {
			return true
		}
		bots += count(recent[max(0, len(recent)-anchored):], a.Account)
	}
	return len(anchors) > 0 && len(recent) >= anchored && bots == 0
}

// closest returns the entrant that costs e least, or -1 if it can play none.
func closest(e Entrant, others []Entrant, past *history, now time.Time) (at int, cost float64) {
	at, cost = -1, math.Inf(1)
	for i, o := range others {
		if o.Account == e.Account || o.Owner == e.Owner || past.isBarred(e.Account, o.Account, now) {
			continue
		}
		if c := costOf(e.Account, o.Account, e.Rating-o.Rating, past); c < cost {
			at, cost = i, c
		}
	}
	return at, cost
}

// closestBot returns the bot that costs e least, or -1 if there is none.
func closestBot(e Entrant, anchors []Anchor, past *history) (at int, cost float64) {
	at, cost = -1, math.Inf(1)
	for i, a := range anchors {
		if c := costOf(e.Account, a.Account, e.Rating-a.Rating, past); c < cost {
			at, cost = i, c
		}
	}
	return at, cost
}

// costOf returns how far a match is from an ideal one, in rating points. The second match of
// a pair costs least.
func costOf(a, b string, difference float64, past *history) float64 {
	if past.balance(a, b) != 0 {
		return -1
	}
	repeats := max(count(past.recent[a], b), count(past.recent[b], a))
	return math.Abs(difference) + repeatCost*float64(repeats)
}

func count(all []string, one string) (n int) {
	for _, x := range all {
		if x == one {
			n++
		}
	}
	return n
}

// sides returns the pairing whose first side is the player that has been first less often,
// or a if both have been first equally often.
func sides(a, b string, seatA, seatB Seat, past *history) Pairing {
	if past.balance(a, b) > 0 {
		return Pairing{seatB, seatA}
	}
	return Pairing{seatA, seatB}
}
