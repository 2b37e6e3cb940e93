package session

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
	"time"

	"broadside/match"
	"broadside/match/audit"
)

// midgame returns an update of a seat after 30 shots of each side.
func midgame(b *testing.B, r match.Rules) Update {
	g := match.NewGame(r.WithClock(30*time.Second), audit.Flag)
	rng := rand.New(rand.NewPCG(1, 2))
	apply := func(c match.Command) {
		if _, err := g.Apply(c); err != nil {
			b.Fatal(err)
		}
	}
	for side := match.First; side <= match.Second; side++ {
		apply(match.Place(side, r.RandomLayout(rng)))
	}
	for range 60 {
		v := g.View(match.Nobody)
		open := v.Charts[v.Turn].Open()
		apply(match.Fire(v.Turn, open.Nth(rng.IntN(open.Len()))))
	}
	commitment := match.Commitment("some text")
	return Update{Kind: MatchChanged, ID: "bsw06j113yd3", Match: &MatchUpdate{
		View: g.View(match.First), Events: g.Events()[len(g.Events())-2:], Names: [2]string{"ann", "bob"}, Commitments: [2]string{commitment, commitment},
		Deadline: time.Now().Add(30 * time.Second),
	}}
}

// BenchmarkTravel measures encoding and decoding an update of a match, the state in the
// reply to an action, and an action.
func BenchmarkTravel(b *testing.B) {
	me := Player{ID: "tqbp9z30gbrk", Account: "tqbp9z30gbrk", Name: "ann"}
	state := State{Me: me, Match: &Match{ID: "bsw06j113yd3", Opponent: me, Rules: match.Classic().WithClock(30 * time.Second)}, AccountRevision: 2}
	snapshot := Snapshot{People: make([]Presence, 1000), Running: make([]Running, 300)}
	for i := range snapshot.People {
		snapshot.People[i] = Presence{Player: me, Since: time.Now()}
	}
	for i := range snapshot.Running {
		snapshot.Running[i] = Running{ID: "bsw06j113yd3", Rules: match.Classic(), Players: [2]Player{me, me}, Started: time.Now()}
	}
	classic, naval := midgame(b, match.Classic()), midgame(b, match.Naval())
	for _, c := range []struct {
		name string
		of   any
		into func() any
	}{
		{"classic", classic.Encode(), func() any { return new(EncodedUpdate) }},
		{"naval", naval.Encode(), func() any { return new(EncodedUpdate) }},
		{"state", state.Encode(), func() any { return new(EncodedState) }},
		{"snapshot", snapshot, func() any { return new(Snapshot) }},
	} {
		encoded, err := json.Marshal(c.of)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(c.name+"/encode", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := json.Marshal(c.of); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(encoded)), "bytes")
		})
		b.Run(c.name+"/decode", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := json.Unmarshal(encoded, c.into()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	fire := Fire{Cell: match.At(3, 4)}
	encoded, err := Encode(fire)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("action/encode", func(b *testing.B) {
		for b.Loop() {
			if _, err := Encode(fire); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(len(encoded)), "bytes")
	})
	b.Run("action/decode", func(b *testing.B) {
		for b.Loop() {
			if _, err := Decode(encoded); err != nil {
				b.Fatal(err)
			}
		}
	})
}
