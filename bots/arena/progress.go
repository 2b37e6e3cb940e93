package arena

import (
	"fmt"
	"time"
)

// Progress is a tournament's progress.
type Progress struct {
	// Done and Total count games, including those of an earlier run.
	Done, Total int
	// Rate is the games per second in this run.
	Rate float64
	Left time.Duration
	// Score is a short text.
	Score string
}

// progressInterval is the interval between progress reports.
const progressInterval = 200 * time.Millisecond

func (t *tournament) reportProgress() {
	if t.cfg.Progress == nil {
		return
	}
	p := Progress{Done: t.gamesDone, Total: max(t.gamesTotal, t.gamesDone), Score: t.scoreText()}
	elapsed := time.Since(t.started).Seconds()
	if elapsed > 0 {
		p.Rate = float64(t.gamesDone-t.earlierGames) / elapsed
	}
	if p.Rate > 0 {
		p.Left = time.Duration(float64(p.Total-p.Done) / p.Rate * float64(time.Second))
	}
	t.cfg.Progress(p)
}

// scoreText returns the current score as short text: that of the only pairing, or the leading
// player.
func (t *tournament) scoreText() string {
	p := t.pairings[0]
	switch {
	case p.solo:
		best, at := 0.0, -1
		for i, p := range t.pairings {
			s := p.tally.shots[0].Spread()
			if s.Mean > 0 && (at < 0 || s.Mean < best) {
				best, at = s.Mean, i
			}
		}
		if at < 0 {
			return ""
		}
		return fmt.Sprintf("%s %.2f", t.pairings[at].players[0], best)
	case len(t.pairings) == 1:
		return fmt.Sprintf("%s %d–%d %s", p.players[0], p.tally.wins[0], p.tally.wins[1], p.players[1])
	}
	wins := map[string]int64{}
	leader := t.cfg.Players[0]
	for _, p := range t.pairings {
		for i, name := range p.players {
			wins[name] += p.tally.wins[i]
		}
	}
	for _, name := range t.cfg.Players {
		if wins[name] > wins[leader] {
			leader = name
		}
	}
	return fmt.Sprintf("%s leads with %d wins", leader, wins[leader])
}
