package arena

import (
	"fmt"
	"time"
)

// Progress is the progress of a tournament.
type Progress struct {
	Done, Total int     // games, including those of an earlier run
	Rate        float64 // games per second in this run
	Left        time.Duration
	Score       string // the current score as short text
}

// progressEvery is the interval between progress reports.
const progressEvery = 200 * time.Millisecond

// reportProgress reports the progress to the caller.
func (t *tournament) reportProgress() {
	if t.cfg.Progress == nil {
		return
	}
	p := Progress{Done: t.done, Total: max(t.total, t.done), Score: t.scoreText()}
	if elapsed := time.Since(t.began).Seconds(); elapsed > 0 {
		p.Rate = float64(t.done-t.before) / elapsed
	}
	if p.Rate > 0 {
		p.Left = time.Duration(float64(p.Total-p.Done) / p.Rate * float64(time.Second))
	}
	t.cfg.Progress(p)
}

// scoreText returns the current score as short text: the score of the only pairing, or the
// leading players.
func (t *tournament) scoreText() string {
	c := t.contests[0]
	switch {
	case c.solo:
		best, at := 0.0, -1
		for i, c := range t.contests {
			if s := c.tally.shots[0].Spread(); s.Mean > 0 && (at < 0 || s.Mean < best) {
				best, at = s.Mean, i
			}
		}
		if at < 0 {
			return ""
		}
		return fmt.Sprintf("%s %.2f", t.contests[at].players[0], best)
	case len(t.contests) == 1:
		return fmt.Sprintf("%s %d–%d %s", c.players[0], c.tally.wins[0], c.tally.wins[1], c.players[1])
	}
	wins := map[string]int64{}
	leader := t.cfg.Players[0]
	for _, c := range t.contests {
		for i, name := range c.players {
			wins[name] += c.tally.wins[i]
		}
	}
	for _, name := range t.cfg.Players {
		if wins[name] > wins[leader] {
			leader = name
		}
	}
	return fmt.Sprintf("%s leads with %d wins", leader, wins[leader])
}
