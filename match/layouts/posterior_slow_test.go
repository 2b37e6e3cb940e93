//go:build slow

package layouts

import (
	"math"
	"math/rand/v2"
	"testing"

	"broadside/match"
)

func init() { bruteGames = 6 }

// TestNumberOfLayoutsExactly checks the number of all layouts of classic and hasbro.
func TestNumberOfLayoutsExactly(t *testing.T) {
	for _, c := range []struct {
		rules match.Rules
		want  float64
	}{{match.Classic(), 2_898_771_376}, {match.Hasbro(), 15_046_987_768}} {
		p := NewPosterior(NewGeometry(c.rules), rand.New(rand.NewPCG(1, 2)))
		p.ReadLog(NewLog(c.rules))
		if !p.EnumerateSums(math.MaxInt) || p.Total != c.want {
			t.Errorf("%s has %.0f layouts, known are %.0f", c.rules.Name, p.Total, c.want)
		}
	}
}
