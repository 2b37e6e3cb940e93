package text

import (
	"broadside/bots"
	"broadside/match"
)

// Advice is the admiral bot's choice of the next shot in a frame.
type Advice struct {
	Frame int
	bots.Advice
}

// Advise returns a function that asks the admiral for advice on a frame of a running
// battle. The function takes milliseconds, or up to seconds if ships move, and may be
// called on any goroutine. If the admiral cannot explain the answers so far, its advice has
// no Odds.
func (r *Replay) Advise(n int) func() *Advice {
	rules, turns, shots := r.rules, r.turnsBefore(n), max(1, r.View(n).Shots)
	return func() *Advice {
		a, err := bots.NewAdviser(rules)
		if err != nil {
			return &Advice{Frame: n}
		}
		for _, t := range turns {
			a.Observe(t...)
		}
		return &Advice{n, a.Advise(shots)}
	}
}

// turnsBefore returns the answered shots of the earlier turns of the side that shoots next
// in a frame.
func (r *Replay) turnsBefore(n int) (turns [][]match.Shot) {
	shooter := r.View(n).Turn
	for i := range n {
		if t, ok := r.Turn(i + 1); ok && t.Side == shooter {
			turns = append(turns, t.Shots)
		}
	}
	return turns
}
