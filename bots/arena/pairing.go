package arena

import (
	"slices"
	"time"

	"broadside/bots"
	"broadside/bots/arena/stats"
	"broadside/bots/infer"
	pairs "broadside/internal/pairing"
	"broadside/match"
)

// pairing is two players who play each other, or a player of a solo and its target. It consists
// of units of two games, or of one in a solo.
type pairing struct {
	index int
	round int
	pair  pairs.Pair
	solo  bool
	// The second player is empty in a bye. bots are set for built-in bots.
	players [2]string
	bots    [2]bots.Choice
	games   int
	units   int

	// ordered means that a player learns, so the units are played in order by one worker at
	// a time.
	ordered bool
	// memories are what each player knows of the other. They are nil for players that do not
	// learn, and owned by the worker that plays the pairing.
	memories [2]*infer.Memory

	// The next four fields are guarded by the schedule's lock.
	nextUnit int
	// isClaimed means that a worker is playing this ordered pairing.
	isClaimed bool
	// isDecided means that no more units are needed.
	isDecided     bool
	recordedUnits map[int]bool

	// tally is owned by the collector.
	tally tally
}

// unitGames returns the number of games of a unit. If the pairing's number of games is odd, the last
// unit has only one.
func (p *pairing) unitGames(unit int) int {
	if p.solo {
		return 1
	}
	return min(2, p.games-2*unit)
}

// result is a game's result. Players are numbered 0 and 1 as in the pairing, whichever
// side they played.
type result struct {
	shots [2]int32
	// roundCount counts the rounds in which at least one side fired.
	roundCount int32
	// winner is -1 if there is none.
	winner int8
	reason match.Reason
	note   string
	// thinkingTime is 0 if the game was not timed.
	thinkingTime [2]time.Duration
}

// unit is a played unit of a pairing.
type unit struct {
	pairing, number int
	gameCount       int
	games           [2]result
}

// tally adds up a pairing's results.
type tally struct {
	games int64
	wins  [2]int64
	draws int64
	// forfeits and reasons are by the player that forfeited.
	forfeits [2]int64
	reasons  [2]map[string]int64
	// notes has the first few error messages.
	notes  []string
	pairs  stats.PairCounts
	shots  [2]stats.Counts
	rounds stats.Counts
	// nsPerShot has each timed game's mean.
	nsPerShot [2][]float64
	decision  stats.Decision
	logRatio  float64
	// waiting holds units after dueUnit that have arrived, if the order matters.
	waiting map[int]unit
	dueUnit int
}

// maxNotes is the maximum number of distinct notes per pairing.
const maxNotes = 5

func (t *tally) addUnit(u unit) {
	// half counts the first player's half points.
	half := 0
	for _, g := range u.games[:u.gameCount] {
		t.games++
		for i := range t.nsPerShot {
			if g.thinkingTime[i] > 0 && g.shots[i] > 0 {
				t.nsPerShot[i] = append(t.nsPerShot[i], float64(g.thinkingTime[i])/float64(g.shots[i]))
			}
		}
		if g.note != "" && len(t.notes) < maxNotes && !slices.Contains(t.notes, g.note) {
			t.notes = append(t.notes, g.note)
		}
		if g.reason == match.FleetSunk {
			t.rounds.Add(int(g.roundCount))
			for i := range t.shots {
				t.shots[i].Add(int(g.shots[i]))
			}
		}
		switch g.winner {
		case 0, 1:
			t.wins[g.winner]++
			half += 2 * int(1-g.winner)
			loser := 1 - g.winner
			if g.reason != match.FleetSunk {
				t.forfeits[loser]++
				if t.reasons[loser] == nil {
					t.reasons[loser] = map[string]int64{}
				}
				t.reasons[loser][g.reason.String()]++
			}
		default:
			t.draws++
			half++
		}
	}
	if u.gameCount == 2 {
		t.pairs[half]++
	}
}
