package check_test

import (
	"math/rand/v2"
	"testing"

	"broadside/bots"
	"broadside/match"
	"broadside/relay/client"
)

// TestCommitments checks the client of package relay as a registered program that commits
// to its fleets, and one whose fleet differs from its commitment.
func TestCommitments(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		strategy string
		player   func(client.Player) client.Player
		well     bool
	}{
		"honest":  {"medium", func(p client.Player) client.Player { return p }, true},
		"changes": {"medium", func(p client.Player) client.Player { return &restless{Player: p} }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := uint64(0)
			r := examineTalker(t, func(address string) error {
				err := client.PlaySeries(t.Context(), client.Invitation{Address: address, Rules: match.Classic(), Token: "bs_x", Games: 100},
					func() (client.Player, error) {
						n++
						b, err := bots.New(c.strategy, bots.Config{Rules: match.Classic(), Rand: rand.New(rand.NewPCG(n, n))})
						if err != nil {
							return nil, err
						}
						return c.player(b), nil
					}, func(client.Outcome) {})
				return gone(err)
			})
			if r.Well() != c.well || c.well && r.Warned > 0 {
				t.Errorf("%s %+v", r.Summary(), r.Findings)
			}
			if !c.well && r.Findings[0].Rule != "truth" {
				t.Errorf("%+v", r.Findings[0])
			}
		})
	}
}

// restless changes its layout after committing to it.
type restless struct {
	client.Player
	layout match.Layout
}

func (r *restless) Place() match.Layout {
	r.layout = append(match.Layout{}, r.Player.Place()...)
	return r.layout
}

// Observe turns a ship around, which changes the commitment but no answer.
func (r *restless) Observe(cell match.Cell, result match.Result) {
	r.Player.Observe(cell, result)
	s := &r.layout[0]
	s.Stern, s.Heading = s.Bow(), (s.Heading+2)%4
}
