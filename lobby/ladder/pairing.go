package ladder

import (
	"math"
	"slices"
	"time"
)

// Player is a program that waits for a match, or a built-in bot with a fixed rating.
type Player struct {
	Account string
	// Bot is the bot's name, or empty for a program.
	Bot string
	// Owner is the account of the player who registered the program.
	Owner  string
	Rating float64
	// Since is when a program started to wait.
	Since time.Time
	// Offer identifies a program's offer.
	Offer int
}

// Pairing is a match that starts. The first player defends first.
type Pairing [2]Player

const (
	// repeatCost is what each earlier match against a recent opponent costs, in rating points. A
	// program therefore plays someone else unless all others are much weaker or stronger.
	repeatCost = 75
	// firstLimit is the cost that a program accepts immediately. limitGrowth is how much more it
	// accepts for each second of waiting.
	firstLimit, limitGrowth = 150, 25
	// patience is how long a program waits for another program. Then it also accepts bots, at any
	// cost.
	patience = 10 * time.Second
	// maxGamesWithoutBot is the number of matches without a bot after which a bot is due.
	maxGamesWithoutBot = 8
	// maxConsidered limits the work of one call to the programs that have waited longest.
	maxConsidered = 400
)

// PairPlayers decides which of the waiting programs play each other or a bot now. It pairs the
// program that has waited longest first. A program first plays the return match with swapped sides.
// Otherwise it plays the opponent with the closest rating, preferably one that it has not just
// played. The difference in ratings that it accepts grows with waiting, and after patience it accepts any
// program or bot. After [maxGamesWithoutBot] matches against programs, a bot is due. The same input always
// gives the same result.
func PairPlayers(now time.Time, waiting, bots []Player, past *History) (all []Pairing) {
	queue := slices.Clone(waiting)
	slices.SortStableFunc(queue, func(a, b Player) int { return a.Since.Compare(b.Since) })
	queue = queue[:min(len(queue), maxConsidered)]
	for len(queue) > 0 {
		p := queue[0]
		queue = queue[1:]
		waited := now.Sub(p.Since)
		limit := firstLimit + limitGrowth*waited.Seconds()
		acceptsAnyone := waited >= patience
		if acceptsAnyone {
			limit = math.Inf(1)
		}
		due := isBotDue(p.Account, bots, past)
		other, cost := -1, math.Inf(1)
		if !due {
			other, cost = findCheapest(p, queue, past, now)
		}
		bot, botCost := -1, math.Inf(1)
		if due || acceptsAnyone {
			bot, botCost = findCheapest(p, bots, past, now)
		}
		// Programs are preferred: a bot must be closer by firstLimit.
		switch {
		case bot >= 0 && (due || botCost+firstLimit < cost):
			all = append(all, chooseSides(p, bots[bot], past))
		case other >= 0 && cost <= limit:
			all = append(all, chooseSides(p, queue[other], past))
			queue = slices.Delete(queue, other, other+1)
		}
	}
	return all
}

// isBotDue reports whether a player must play a bot next, either a return match or because none of
// the last opponents was a bot.
func isBotDue(account string, bots []Player, past *History) bool {
	recent := past.recent[account]
	played := 0
	for _, b := range bots {
		if past.firstSideBalance(account, b.Account) != 0 {
			return true
		}
		played += countEqual(recent[max(0, len(recent)-maxGamesWithoutBot):], b.Account)
	}
	return len(bots) > 0 && len(recent) >= maxGamesWithoutBot && played == 0
}

// findCheapest returns the index of the opponent that costs a program least, or -1 if it can play
// none.
func findCheapest(p Player, others []Player, past *History, now time.Time) (at int, cost float64) {
	at, cost = -1, math.Inf(1)
	for i, o := range others {
		if o.Account == p.Account || o.Owner == p.Owner || past.isBlocked(p.Account, o.Account, now) {
			continue
		}
		c := pairingCost(p, o, past)
		if c < cost {
			at, cost = i, c
		}
	}
	return at, cost
}

// pairingCost returns how far a match is from an ideal one, in rating points. A return match costs
// least.
func pairingCost(a, b Player, past *History) float64 {
	if past.firstSideBalance(a.Account, b.Account) != 0 {
		return -1
	}
	repeats := max(countEqual(past.recent[a.Account], b.Account), countEqual(past.recent[b.Account], a.Account))
	return math.Abs(a.Rating-b.Rating) + repeatCost*float64(repeats)
}

func countEqual(all []string, one string) (n int) {
	for _, x := range all {
		if x == one {
			n++
		}
	}
	return n
}

// chooseSides puts the player first who has been first less often against the other, or a if both
// were first equally often.
func chooseSides(a, b Player, past *History) Pairing {
	if past.firstSideBalance(a.Account, b.Account) > 0 {
		return Pairing{b, a}
	}
	return Pairing{a, b}
}
