package match_test

import (
	"math"
	"reflect"
	"testing"

	"broadside/match"
)

// layoutDraws is the number of layouts for each rule set of TestRandomLayoutIsUniform. With
// the tag slow it is 100,000.
var layoutDraws = 10_000

// TestRandomLayoutIsUniform checks that the first and the last ship are drawn at each place as often
// as layouts have them there.
func TestRandomLayoutIsUniform(t *testing.T) {
	for _, rules := range []match.Rules{
		fleetOf(5, match.TouchNone, 3, 2), fleetOf(5, match.TouchCorners, 4, 3, 2), fleetOf(5, match.TouchAny, 5, 3, 2),
		fleetOf(6, match.TouchNone, 4, 3, 2), fleetOf(6, match.TouchCorners, 3, 3, 2),
		// These dense fleets are drawn one ship after another.
		fleetOf(5, match.TouchNone, 4, 3, 2), fleetOf(5, match.TouchNone, 3, 2, 2), fleetOf(6, match.TouchNone, 4, 3, 3),
	} {
		if err := rules.Validate(); err != nil {
			t.Fatal(err)
		}
		for _, which := range []int{0, len(rules.Fleet) - 1} {
			want := map[match.Ship]int{}
			total := 0
			for fleet := range everyLayout(rules) {
				want[fleet[which].ship]++
				total++
			}
			got := map[match.Ship]int{}
			rng := newRand(9)
			for range layoutDraws {
				l := rules.RandomLayout(rng)
				if want[l[which]] == 0 {
					t.Fatalf("%v is in no legal layout", l)
				}
				got[l[which]]++
			}
			chi := 0.0
			for ship, n := range want {
				expected := float64(n*layoutDraws) / float64(total)
				chi += (float64(got[ship]) - expected) * (float64(got[ship]) - expected) / expected
			}
			// Chi-square is about normal for so many degrees of freedom. A value five deviations
			// above the mean has one seed in a million, and this seed is fixed.
			free := float64(len(want) - 1)
			limit := free + 5*math.Sqrt(2*free)
			if chi > limit {
				t.Errorf("size %d, contact %v, ship %d: chi-square is %.0f, at most %.0f expected", rules.Size, rules.Contact, which, chi, limit)
			}
		}
	}
}

func TestRandomLayoutsAreLegalAndRepeatable(t *testing.T) {
	for _, size := range []int{7, 10, 26} {
		for _, contact := range contacts {
			rules, err := match.CustomRules(size, 4, contact)
			if err != nil {
				t.Fatal(err)
			}
			a, b := newRand(3), newRand(3)
			for range 200 {
				l := rules.RandomLayout(a)
				if err := rules.CheckLayout(l); err != nil {
					t.Fatalf("%v: %v", l, err)
				}
				if again := rules.RandomLayout(b); !reflect.DeepEqual(l, again) {
					t.Fatalf("the same source gave %v and %v", l, again)
				}
			}
		}
	}
}

// TestCheckAgreesWithTheEnumeration checks that CheckLayout accepts as many layouts as an enumeration finds.
func TestCheckAgreesWithTheEnumeration(t *testing.T) {
	for _, contact := range contacts {
		rules := fleetOf(5, contact, 3, 3, 2)
		want := 0
		for range everyLayout(rules) {
			want++
		}
		got := 0
		threes, twos := placesFor(rules, 3), placesFor(rules, 2)
		for _, a := range threes {
			for _, b := range threes {
				for _, c := range twos {
					if rules.CheckLayout(match.Layout{a.ship, b.ship, c.ship}) == nil {
						got++
					}
				}
			}
		}
		if got != want || want/2 != countLayouts(rules) {
			t.Errorf("contact %v: Check passes %d layouts, there are %d (%d pairs)", contact, got, want, countLayouts(rules))
		}
	}
}
