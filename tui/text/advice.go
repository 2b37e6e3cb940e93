package text

import (
	"broadside/bots"
	"broadside/match"
)

// Advice is the admiral's advice on the next shot in a frame.
type Advice struct {
	Frame int
	bots.Advice
}

// AdviceFunc returns a function that asks the admiral for advice on frame n, in which the battle
// is running. The function takes milliseconds, or up to seconds if ships move, and may be
// called on any goroutine. If no fleet fits the results so far, the advice has no Odds.
func (r *Replay) AdviceFunc(n int) func() *Advice {
	rules, turns, shots := r.rules, r.earlierTurns(n), max(1, r.FrameView(n).Shots)
	return func() *Advice {
		a, err := bots.NewAdviser(rules)
		if err != nil {
			return &Advice{Frame: n}
		}
		for _, t := range turns {
			a.RecordTurn(t...)
		}
		return &Advice{n, a.Advise(shots)}
	}
}

// earlierTurns returns the shots, by turn, of the side that fires next in frame n.
func (r *Replay) earlierTurns(n int) (turns [][]match.Shot) {
	attacker := r.FrameView(n).Turn
	for i := range n {
		if t, ok := r.Turn(i + 1); ok && t.Side == attacker {
			turns = append(turns, t.Shots)
		}
	}
	return turns
}
