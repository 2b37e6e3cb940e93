package session

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"broadside/lobby"
	"broadside/match"
)

// TestUpdatesTravel encodes and decodes the updates of a match.
func TestUpdatesTravel(t *testing.T) {
	test(t, func(t *testing.T, _ *lobby.Lobby, ann, bob *user) {
		rules := match.Classic().WithClock(30 * time.Second)
		for _, u := range []*user{ann, bob} {
			u.must(Seek{Rules: rules, Stakes: Casual})
		}
		for _, u := range []*user{ann, bob} {
			u.until("a seat", kind(Seated))
			u.must(Place{Layout: rules.RandomLayout(rand.New(rand.NewPCG(1, 2)))})
		}
		ann.until("the end", func(up Update) bool {
			b, err := json.Marshal(up)
			if err != nil {
				t.Fatal(err)
			}
			var again Update
			if err := json.Unmarshal(b, &again); err != nil || !reflect.DeepEqual(again, up) {
				t.Fatalf("%s: %v\n%+v arrived as\n%+v", b, err, up, again)
			}
			if up.Kind != MatchChanged || up.Match.View.Phase != match.Battle {
				return up.Kind == MatchChanged && up.Match.View.Phase == match.Over
			}
			who := ann
			if up.Match.View.Turn == match.Second {
				who = bob
			}
			open := up.Match.View.Charts[up.Match.View.Turn].Open()
			who.must(Fire{Cell: open.Nth(0)})
			return false
		})
	})
}
