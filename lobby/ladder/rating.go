package ladder

import (
	"fmt"
	"math"
	"slices"
	"time"

	"broadside/bots/arena/stats"
)

// maxRated is the maximum number of players that are rated and listed: those who have played
// most. The work grows with its third power.
const maxRated = 100

// extraDraws is the number of drawn matches that are added for each pair of players. More would pull
// all ratings together, because most players have met only a few times.
const extraDraws = 0.1

// Estimate is a rating with its 95% interval, in whole numbers.
type Estimate struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

func newEstimate(value, low, high float64) Estimate {
	return Estimate{math.Round(value), math.Round(low), math.Round(high)}
}

// String returns the rating with half the width of its interval, such as "1512 ±40".
func (e Estimate) String() string { return e.text("") }

func (e Estimate) text(mark string) string {
	return fmt.Sprintf("%.0f%s ±%.0f", e.Value, mark, (e.High-e.Low)/2)
}

// ratings are the ratings of all players, computed from all results at once.
type ratings struct {
	at      time.Time
	players map[string]Estimate // by account
}

// rate rates the players from all results in the Bradley–Terry model. The scale is that of
// the bots: their fixed ratings are right on average. Players without a chain of opponents to a
// bot are left out.
func rate(r *results, fixed map[string]float64, now time.Time) ratings {
	out := ratings{at: now, players: map[string]Estimate{}}
	players := connected(r, r.busiest(), fixed)
	var pairings []stats.Pairing
	for i, a := range players {
		for _, b := range players[:i] {
			s := r.between(a, b)
			if s.games == 0 {
				continue
			}
			// Every match has its own layouts, so each is a sample.
			pairings = append(pairings, stats.Pairing{
				Players: [2]string{a, b}, Games: int64(s.games), Points: [2]float64{float64(s.won[0]), float64(s.won[1])},
				Pairs: stats.PairCounts{0: int64(s.won[1]), 2: int64(s.games - s.won[0] - s.won[1]), 4: int64(s.won[0])},
			})
		}
	}
	all := stats.Rate(players, pairings, extraDraws)
	offset, weight := 0.0, 0.0
	for _, p := range all {
		if value, ok := fixed[p.Bot]; ok {
			offset += float64(p.Games) * (value - p.Elo)
			weight += float64(p.Games)
		}
	}
	if weight == 0 {
		return out
	}
	offset /= weight
	for _, p := range all {
		out.players[p.Bot] = newEstimate(p.Elo+offset, p.Low+offset, p.High+offset)
	}
	return out
}

// connected returns those players who have a chain of opponents to a bot.
func connected(r *results, players []string, fixed map[string]float64) (all []string) {
	rest := slices.Clone(players)
	for _, p := range players {
		if _, bot := fixed[p]; bot {
			all = append(all, p)
		}
	}
	rest = slices.DeleteFunc(rest, func(p string) bool { return slices.Contains(all, p) })
	for i := 0; i < len(all); i++ {
		rest = slices.DeleteFunc(rest, func(p string) bool {
			linked := r.between(p, all[i]).games > 0
			if linked {
				all = append(all, p)
			}
			return linked
		})
	}
	return all
}
