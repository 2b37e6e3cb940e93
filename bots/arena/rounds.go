package arena

import (
	"cmp"
	"errors"
	"slices"

	"broadside/bots"
	"broadside/bots/arena/stats"
	"broadside/bots/infer"
	pairs "broadside/internal/pairing"
)

// addRound adds the next round's pairings. A round of a round robin or gauntlet is a cycle. The earlier
// rounds must be finished. It returns false at the end of the tournament.
func (t *tournament) addRound() (added bool, err error) {
	round, err := t.nextPairs()
	for _, pair := range round {
		p := t.cfg.newPairing(len(t.pairings), t.roundCount, pair)
		t.pairings = append(t.pairings, p)
		t.gamesTotal += p.games
	}
	t.roundCount++
	return len(round) > 0, err
}

// nextPairs returns the next round's pairs, or none at the end of the tournament.
func (t *tournament) nextPairs() ([]pairs.Pair, error) {
	n := len(t.cfg.Players)
	if t.cfg.Format == Knockout {
		rounds := pairs.Knockout(n, t.pairingResults())
		if t.roundCount == len(rounds) {
			return nil, nil
		}
		return rounds[t.roundCount], nil
	}
	if t.roundCount == t.cfg.Rounds {
		return nil, nil
	}
	switch t.cfg.Format {
	case Solo:
		var all []pairs.Pair
		for i := range n {
			all = append(all, pairs.Pair{First: i, Second: pairs.Bye})
		}
		return all, nil
	case Swiss:
		round, err := pairs.Swiss(n, t.pairingResults())
		if errors.Is(err, pairs.ErrNoPairing) {
			// Everyone has played everyone.
			return nil, nil
		}
		return round, err
	case Gauntlet:
		return sortedPairs(pairs.Gauntlet(n, 1)), nil
	}
	return sortedPairs(pairs.RoundRobin(n, 1)), nil
}

// sortedPairs returns the pairs of rounds that do not depend on results, in the order of the players. The
// games of a pair swap sides anyway.
func sortedPairs(rounds [][]pairs.Pair) []pairs.Pair {
	all := slices.Concat(rounds...)
	for i, p := range all {
		all[i] = pairs.Pair{First: min(p.First, p.Second), Second: max(p.First, p.Second)}
	}
	slices.SortFunc(all, func(a, b pairs.Pair) int {
		return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.Second, b.Second))
	})
	return all
}

// newPairing returns the pairing for pair. In a solo, the player fires at a target. In other formats, a player
// without an opponent plays no games.
func (c *Config) newPairing(index, round int, pair pairs.Pair) *pairing {
	p := &pairing{index: index, round: round, pair: pair, solo: c.Format == Solo, games: c.Games, units: (c.Games + 1) / 2}
	p.players[0] = c.Players[pair.First]
	switch {
	case p.solo:
		p.players[1], p.units = targetName, c.Games
	case pair.IsBye():
		p.games, p.units = 0, 0
	default:
		p.players[1] = c.Players[pair.Second]
	}
	for i, name := range p.players {
		bot, err := bots.Find(name)
		// Names have been validated, so this is a program, a target or no one.
		if err != nil {
			continue
		}
		p.bots[i] = bot
		if bot.Info().UsesMemory && !p.solo {
			p.ordered = true
			p.memories[i] = infer.NewMemory(c.Rules)
		}
	}
	return p
}

// isFinished reports whether no more units are needed. It must be called by the collector.
func (p *pairing) isFinished() bool {
	return p.tally.decision != stats.Undecided || p.tally.games == int64(p.games)
}

// isRoundFinished reports whether all pairings so far are finished.
func (t *tournament) isRoundFinished() bool {
	return !slices.ContainsFunc(t.pairings, func(p *pairing) bool { return !p.isFinished() })
}

// pairingResults returns the finished pairings' results. A pairing is worth one point, and so is a bye.
func (t *tournament) pairingResults() []pairs.Result {
	var all []pairs.Result
	for _, p := range t.pairings {
		if p.isFinished() {
			all = append(all, pairs.Result{Round: p.round, Pair: p.pair, Points: p.points()})
		}
	}
	return all
}

// points returns one point for the player that has won more games, or a half for each.
func (p *pairing) points() [2]float64 {
	wins := p.tally.wins
	switch {
	case p.pair.IsBye() || wins[0] > wins[1]:
		return [2]float64{1, 0}
	case wins[0] < wins[1]:
		return [2]float64{0, 1}
	}
	return [2]float64{0.5, 0.5}
}

// Row is a player's place in the table.
type Row struct {
	Player string  `json:"player"`
	Points float64 `json:"points"`
	// Won, Drawn and Lost count pairings.
	Won      int     `json:"won"`
	Drawn    int     `json:"drawn"`
	Lost     int     `json:"lost"`
	Byes     int     `json:"byes"`
	Buchholz float64 `json:"buchholz"`
	// Forfeits counts games lost by forfeit.
	Forfeits int64 `json:"forfeits"`
}

// rankPlayers returns the table, best first, and a finished knockout's winner.
func (t *tournament) rankPlayers() (table []Row, champion string) {
	players, results := t.cfg.Players, t.pairingResults()
	forfeits := make([]int64, len(players))
	for _, p := range t.pairings {
		if !p.pair.IsBye() {
			forfeits[p.pair.First] += p.tally.forfeits[0]
			forfeits[p.pair.Second] += p.tally.forfeits[1]
		}
	}
	for _, s := range pairs.Standings(len(players), results) {
		table = append(table, Row{
			Player: players[s.Entrant], Points: s.Points, Won: s.Wins, Drawn: s.Draws, Lost: s.Losses, Byes: s.Byes,
			Buchholz: s.Buchholz, Forfeits: forfeits[s.Entrant],
		})
	}
	if t.cfg.Format == Knockout {
		winner := pairs.Champion(len(players), results)
		if winner >= 0 {
			champion = players[winner]
		}
	}
	return table, champion
}
