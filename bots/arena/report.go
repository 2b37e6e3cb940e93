package arena

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"time"

	"broadside/bots/arena/stats"
	"broadside/match"
)

// Settings determine a tournament's games. Without programs, two tournaments with the
// same settings have the same games.
type Settings struct {
	Version int      `json:"version"`
	Format  Format   `json:"format"`
	Players []string `json:"players"`
	// Externals has the programs' commands by name.
	Externals map[string]string `json:"externals,omitempty"`
	Rules     match.Rules       `json:"rules"`
	// Games is per pairing, or per player in a solo.
	Games     int    `json:"games"`
	Rounds    int    `json:"rounds,omitempty"`
	Seed      uint64 `json:"seed"`
	Placement string `json:"placement,omitempty"`
	Mover     string `json:"mover,omitempty"`
	// Layouts has two layouts. An empty one is random.
	Layouts []match.Layout    `json:"layouts,omitempty"`
	Starts  [][2]match.Layout `json:"starts,omitempty"`
	SPRT    *stats.SPRT       `json:"sprt,omitempty"`
	Brief   bool              `json:"brief,omitempty"`
}

func (c *Config) newSettings() Settings {
	s := Settings{
		Version: recordVersion, Format: c.Format, Players: c.Players, Rules: c.Rules,
		Games: c.Games, Rounds: c.Rounds, Seed: c.Seed, Placement: c.Placement, Mover: c.Mover, Starts: c.Starts, SPRT: c.SPRT, Brief: c.Brief,
	}
	for name, e := range c.Externals {
		if s.Externals == nil {
			s.Externals = map[string]string{}
		}
		s.Externals[name] = e.String()
	}
	if c.Layouts[0] != nil || c.Layouts[1] != nil {
		s.Layouts = []match.Layout{slices.Concat(c.Layouts[0]), slices.Concat(c.Layouts[1])}
	}
	return s
}

// Report is the result of a tournament.
type Report struct {
	Settings Settings `json:"settings"`
	// Interrupted means that not all games were played, although no SPRT was decided.
	Interrupted bool `json:"interrupted"`
	// Games is the number of games included in the report.
	Games int `json:"games"`
	// Seconds and GamesPerSecond cover this run only.
	Seconds        float64 `json:"seconds"`
	GamesPerSecond float64 `json:"games_per_second"`
	// NsPerGame is measured per worker.
	NsPerGame int64 `json:"ns_per_game"`

	// Results has the results of a solo.
	Results  []SoloResult    `json:"results,omitempty"`
	Pairings []PairingResult `json:"pairings,omitempty"`
	// Table and Ratings list more than two players, best first. The table counts finished pairings,
	// and the ratings all games.
	Table   []Row          `json:"table,omitempty"`
	Ratings []stats.Rating `json:"ratings,omitempty"`
	// Champion is a finished knockout's winner.
	Champion string `json:"champion,omitempty"`
}

// Shots are statistics of the shots that a player fired, in won and lost games.
type Shots struct {
	Bot   string  `json:"bot"`
	Games int64   `json:"games"`
	Mean  float64 `json:"mean_shots"`
	// SE is Mean's standard error.
	SE     float64 `json:"se"`
	Median float64 `json:"median"`
	P95    float64 `json:"p95"`
	Max    int     `json:"max"`
	// NsPerMove is the time to choose a shot in nanoseconds. It is the median of the timed games'
	// means.
	NsPerMove int64 `json:"ns_per_move"`

	// Histogram counts games by their number of shots.
	Histogram stats.Counts `json:"-"`
}

// SoloResult is the result of one player in a solo.
type SoloResult struct {
	Shots
	// Failed counts games that did not finish.
	Failed int64 `json:"failed,omitempty"`
	// Notes has the first few error messages.
	Notes []string `json:"notes,omitempty"`
}

// PairingResult is the result of a pairing. Wins and losses are A's.
type PairingResult struct {
	// Round starts from 1.
	Round  int    `json:"round"`
	A      string `json:"a"`
	B      string `json:"b"`
	Games  int64  `json:"games"`
	Wins   int64  `json:"wins"`
	Losses int64  `json:"losses"`
	// Draws counts games without a winner.
	Draws    int64    `json:"draws"`
	Forfeits Forfeits `json:"forfeits"`
	// Notes has the first few error messages.
	Notes []string `json:"notes,omitempty"`
	// Score is A's share of the points, with its 95% interval from units of two games. Elo is
	// the same as a rating difference.
	Score *Bounds `json:"score,omitempty"`
	Elo   *Bounds `json:"elo,omitempty"`
	// Superiority is the probability that A is the stronger player.
	Superiority float64 `json:"superiority"`
	// Pairs counts units of two games by A's points: 0, ½, 1, 1½, 2.
	Pairs  stats.PairCounts `json:"pairs"`
	SPRT   *SPRTResult      `json:"sprt,omitempty"`
	Rounds stats.Spread     `json:"rounds"`
	// Sides has the shots of A and B.
	Sides [2]Shots `json:"sides"`
}

// Forfeits counts forfeited games by reason.
type Forfeits struct {
	A        int64            `json:"a"`
	B        int64            `json:"b"`
	ReasonsA map[string]int64 `json:"reasons_a,omitempty"`
	ReasonsB map[string]int64 `json:"reasons_b,omitempty"`
}

// Bounds is an estimate with its 95% interval. Infinite values are nil.
type Bounds struct {
	Value *float64 `json:"value"`
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"`
}

// SPRTResult is a test's state. The test is decided when LLR, the likelihood's logarithm
// ratio, reaches Lower or Upper.
type SPRTResult struct {
	stats.SPRT
	LLR      float64        `json:"llr"`
	Lower    float64        `json:"lower"`
	Upper    float64        `json:"upper"`
	Decision stats.Decision `json:"decision"`
}

// buildReport returns the report on the collected results.
func (t *tournament) buildReport() *Report {
	r := &Report{Settings: t.cfg.newSettings(), Interrupted: !t.isOver, Seconds: t.elapsed.Seconds()}
	played := t.gamesDone - t.earlierGames
	if played > 0 {
		r.GamesPerSecond = float64(played) / t.elapsed.Seconds()
		r.NsPerGame = int64(t.workTime) / int64(played)
	}
	for _, p := range t.pairings {
		k := &p.tally
		r.Games += int(k.games)
		if p.solo {
			r.Results = append(r.Results, SoloResult{Shots: p.shotStatistics(0), Failed: k.games - k.wins[0], Notes: k.notes})
			continue
		}
		if p.pair.IsBye() {
			continue
		}
		r.Pairings = append(r.Pairings, p.pairingResult(t.cfg.SPRT))
	}
	if len(t.cfg.Players) > 2 && t.cfg.Format != Solo {
		r.Table, r.Champion = t.rankPlayers()
		var pairings []stats.Pairing
		for i := range r.Pairings {
			pairings = append(pairings, r.Pairings[i].toStats())
		}
		r.Ratings = stats.RatePlayers(t.cfg.Players, pairings, 1)
	}
	return r
}

// pairingResult returns the result of a pairing of two players. sprt may be nil.
func (p *pairing) pairingResult(sprt *stats.SPRT) PairingResult {
	k := &p.tally
	result := PairingResult{
		Round: p.round + 1, A: p.players[0], B: p.players[1], Games: k.games, Wins: k.wins[0], Losses: k.wins[1], Draws: k.draws,
		Forfeits: Forfeits{A: k.forfeits[0], B: k.forfeits[1], ReasonsA: k.reasons[0], ReasonsB: k.reasons[1]},
		Notes:    k.notes, Superiority: k.pairs.Superiority(), Pairs: k.pairs, Rounds: k.rounds.Spread(),
		Sides: [2]Shots{p.shotStatistics(0), p.shotStatistics(1)},
	}
	if i, ok := k.pairs.ScoreInterval(); ok {
		result.Score = newBounds(i)
		result.Elo = newBounds(stats.Interval{Value: stats.EloDifference(i.Value), Low: stats.EloDifference(i.Low), High: stats.EloDifference(i.High)})
	}
	if sprt != nil {
		lower, upper := sprt.Bounds()
		result.SPRT = &SPRTResult{SPRT: *sprt, LLR: k.logRatio, Lower: lower, Upper: upper, Decision: k.decision}
	}
	return result
}

// toStats returns the result for [stats.RatePlayers].
func (p *PairingResult) toStats() stats.Pairing {
	draws := float64(p.Draws) / 2
	return stats.Pairing{
		Players: [2]string{p.A, p.B}, Games: p.Games, Pairs: p.Pairs,
		Points: [2]float64{float64(p.Wins) + draws, float64(p.Losses) + draws},
	}
}

func (p *pairing) shotStatistics(player int) Shots {
	k := &p.tally
	s := k.shots[player].Spread()
	f := Shots{
		Bot: p.players[player], Games: k.shots[player].Total(), Histogram: k.shots[player],
		Mean: s.Mean, SE: s.SE, Median: s.Median, P95: s.P95, Max: s.Max,
	}
	pace := slices.Clone(k.nsPerShot[player])
	if len(pace) > 0 {
		slices.Sort(pace)
		f.NsPerMove = int64(pace[(len(pace)-1)/2])
	}
	return f
}

func newBounds(i stats.Interval) *Bounds {
	finite := func(v float64) *float64 {
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return nil
		}
		return &v
	}
	return &Bounds{Value: finite(i.Value), Low: finite(i.Low), High: finite(i.High)}
}

// JSON returns the report as a JSON object.
func (r *Report) JSON() ([]byte, error) {
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write the report: %w", err)
	}
	return append(b, '\n'), nil
}

// write writes the report to the tournament's folder.
func (r *Report) write(dir string) error {
	data, err := r.JSON()
	if err != nil {
		return err
	}
	table, err := r.CSV()
	if err != nil {
		return err
	}
	for name, content := range map[string][]byte{"report.json": data, "report.md": []byte(r.Markdown()), "report.csv": table} {
		if err := writeFileAtomically(filepath.Join(dir, name), content); err != nil {
			return err
		}
	}
	return nil
}

func formatDuration(d time.Duration) string {
	switch {
	case d < time.Microsecond:
		return fmt.Sprintf("%d ns", d)
	case d < time.Millisecond:
		return fmt.Sprintf("%.1f µs", float64(d)/1e3)
	case d < time.Second:
		return fmt.Sprintf("%.1f ms", float64(d)/1e6)
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return d.Round(time.Second).String()
}
