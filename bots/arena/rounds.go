package arena

import (
	"cmp"
	"errors"
	"slices"

	"broadside/bots"
	"broadside/bots/arena/stats"
	"broadside/bots/infer"
	"broadside/internal/pairing"
)

// addRound adds the pairings of the next round, which is a cycle of a round robin or gauntlet. The earlier
// rounds must be finished. It returns false at the end of the tournament.
func (t *tournament) addRound() (bool, error) {
	pairs, err := t.pairRound()
	for _, p := range pairs {
		c := t.cfg.newContest(len(t.contests), t.round, p)
		t.contests = append(t.contests, c)
		t.total += c.games
	}
	t.round++
	return len(pairs) > 0, err
}

// pairRound returns the pairs of the next round.
func (t *tournament) pairRound() ([]pairing.Pair, error) {
	n := len(t.cfg.Players)
	if t.cfg.Mode == Knockout {
		rounds := pairing.Knockout(n, t.results())
		if t.round == len(rounds) {
			return nil, nil
		}
		return rounds[t.round], nil
	}
	if t.round == t.cfg.Rounds {
		return nil, nil
	}
	switch t.cfg.Mode {
	case Solo:
		var pairs []pairing.Pair
		for i := range n {
			pairs = append(pairs, pairing.Pair{First: i, Second: pairing.Bye})
		}
		return pairs, nil
	case Swiss:
		pairs, err := pairing.Swiss(n, t.results())
		if errors.Is(err, pairing.ErrNoPairing) {
			return nil, nil // everyone has played everyone
		}
		return pairs, err
	case Gauntlet:
		return flatten(pairing.Gauntlet(n, 1)), nil
	}
	return flatten(pairing.RoundRobin(n, 1)), nil
}

// flatten returns the pairs of rounds that do not depend on results, in the order of the players. The
// games of a pair swap sides anyway.
func flatten(rounds [][]pairing.Pair) []pairing.Pair {
	pairs := slices.Concat(rounds...)
	for i, p := range pairs {
		pairs[i] = pairing.Pair{First: min(p.First, p.Second), Second: max(p.First, p.Second)}
	}
	slices.SortFunc(pairs, func(a, b pairing.Pair) int {
		return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.Second, b.Second))
	})
	return pairs
}

// newContest returns a contest of the players of a pair. A player without an opponent plays a target in
// a solo, and otherwise no games.
func (c *Config) newContest(index, round int, pair pairing.Pair) *contest {
	k := &contest{index: index, round: round, pair: pair, solo: c.Mode == Solo, games: c.Games, units: (c.Games + 1) / 2}
	k.players[0] = c.Players[pair.First]
	switch {
	case k.solo:
		k.players[1], k.units = targetName, c.Games
	case pair.IsBye():
		k.games, k.units = 0, 0
	default:
		k.players[1] = c.Players[pair.Second]
	}
	for i, name := range k.players {
		bot, err := bots.Find(name)
		if err != nil { // a program, a target or nobody; names have been validated
			continue
		}
		k.bots[i] = bot
		if bot.Info().Learns && !k.solo {
			k.ordered = true
			k.memories[i] = infer.NewMemory(c.Rules)
		}
	}
	return k
}

// finished reports whether no more units of the contest are needed. It must be called by the collector.
func (c *contest) finished() bool {
	return c.tally.decision != stats.Undecided || c.tally.games == int64(c.games)
}

// roundFinished reports whether all pairings so far are finished.
func (t *tournament) roundFinished() bool {
	return !slices.ContainsFunc(t.contests, func(c *contest) bool { return !c.finished() })
}

// results returns the results of the finished pairings. A pairing is worth one point, and so is a bye.
func (t *tournament) results() []pairing.Result {
	var all []pairing.Result
	for _, c := range t.contests {
		if c.finished() {
			all = append(all, pairing.Result{Round: c.round, Pair: c.pair, Points: c.points()})
		}
	}
	return all
}

// points returns the points of a pairing: one for the player that has scored more in its games, a half
// for each if both have scored the same.
func (c *contest) points() [2]float64 {
	wins := c.tally.wins
	switch {
	case c.pair.IsBye() || wins[0] > wins[1]:
		return [2]float64{1, 0}
	case wins[0] < wins[1]:
		return [2]float64{0, 1}
	}
	return [2]float64{0.5, 0.5}
}

// Row is a player's place in the table.
type Row struct {
	Player   string  `json:"player"`
	Points   float64 `json:"points"`
	Won      int     `json:"won"` // pairings
	Drawn    int     `json:"drawn"`
	Lost     int     `json:"lost"`
	Byes     int     `json:"byes"`
	Buchholz float64 `json:"buchholz"`
	Forfeits int64   `json:"forfeits"` // games lost by forfeit
}

// rank returns the table, best first, and the winner of a finished knockout.
func (t *tournament) rank() (table []Row, champion string) {
	players, results := t.cfg.Players, t.results()
	forfeits := make([]int64, len(players))
	for _, c := range t.contests {
		if !c.pair.IsBye() {
			forfeits[c.pair.First] += c.tally.forfeits[0]
			forfeits[c.pair.Second] += c.tally.forfeits[1]
		}
	}
	for _, s := range pairing.Standings(len(players), results) {
		table = append(table, Row{
			Player: players[s.Entrant], Points: s.Points, Won: s.Wins, Drawn: s.Draws, Lost: s.Losses, Byes: s.Byes,
			Buchholz: s.Buchholz, Forfeits: forfeits[s.Entrant],
		})
	}
	if t.cfg.Mode == Knockout {
		if winner := pairing.Champion(len(players), results); winner >= 0 {
			champion = players[winner]
		}
	}
	return table, champion
}
