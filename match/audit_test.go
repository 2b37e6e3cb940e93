package match_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"broadside/match"
	"broadside/match/audit"
)

var contacts = []match.Contact{match.TouchNone, match.TouchCorners, match.TouchAny}

func fleetOf(size int, contact match.Contact, lengths ...int) match.Rules {
	r := match.Rules{Name: "test", Size: size, Contact: contact}
	for _, n := range lengths {
		r.Fleet = append(r.Fleet, match.Class{Name: fmt.Sprintf("ship of %d", n), Length: n})
	}
	return r
}

// TestAuditAgainstBruteForce checks that the verdict after each result agrees with a list of all
// layouts.
func TestAuditAgainstBruteForce(t *testing.T) {
	accused, held := 0, 0
	for _, contact := range contacts {
		for _, lengths := range [][]int{{2}, {5}, {3, 2}, {2, 2}, {3, 2, 2}, {4, 3, 2}, {3, 3, 2}} {
			rules := fleetOf(5, contact, lengths...)
			var all []suspect
			for fleet := range everyLayout(rules) {
				s := make(suspect, len(fleet))
				for i, p := range fleet {
					s[i] = p.hull
				}
				all = append(all, s)
			}
			if len(all) == 0 {
				continue
			}
			for seed := range uint64(150) {
				if checkAudit(t, rules, all, seed) {
					held++
				} else {
					accused++
				}
			}
		}
	}
	t.Logf("%d sides held out, %d were accused", held, accused)
	if held < 500 || accused < 500 {
		t.Error("the games were too one-sided to prove anything")
	}
}

// checkAudit audits a side whose results are mostly those of some layout.
func checkAudit(t *testing.T, rules match.Rules, all []suspect, seed uint64) bool {
	rng := rand.New(rand.NewPCG(seed, 77))
	lies := []float64{0, 0.02, 0.1, 0.3}[seed%4]
	repeats := []float64{0, 0.2}[seed/4%2]
	audit := audit.New(rules)
	suspects := append([]suspect(nil), all...)
	truth := all[rng.IntN(len(all))]
	var shots grid
	var log []string
	for len(log) < 60 {
		cell := rng.IntN(rules.Size * rules.Size)
		if shots.has(cell) && rng.Float64() >= repeats {
			if shots.len() == rules.Size*rules.Size {
				return true
			}
			continue
		}
		shots = shots.with(cell)
		if seed%8 >= 6 {
			// Some sides follow another fleet after each shot.
			truth = suspects[rng.IntN(len(suspects))]
		}
		r := truth.answer(cell, shots)
		if rng.Float64() < lies {
			r = match.Result(1 + rng.IntN(4))
		}
		n := 0
		for _, s := range suspects {
			if s.answer(cell, shots) == r {
				suspects[n] = s
				n++
			}
		}
		suspects = suspects[:n]
		c := match.NewCell(cell%rules.Size, cell/rules.Size)
		log = append(log, fmt.Sprintf("%v %v", c, r))
		if got := audit.Add(c, r); got != (n > 0) {
			t.Fatalf("fleet %v, contact %v, seed %d: the audit says %v, %d layouts explain %v",
				rules.Fleet, rules.Contact, seed, got, n, log)
		}
		if n == 0 {
			return false
		}
		if r == match.LastSunk {
			return true
		}
	}
	return true
}
