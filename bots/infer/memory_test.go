package infer

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"broadside/match"
)

func TestMemoryLearns(t *testing.T) {
	rules := match.Classic()
	m := NewMemory(rules)
	l := rules.RandomLayout(rand.New(rand.NewPCG(1, 1)))
	m.Learn(Game{Fleet: l, Shots: []match.Cell{match.NewCell(3, 0), match.NewCell(4, 0), match.NewCell(3, 0)}})
	m.Learn(Game{Struck: match.SetOf(match.NewCell(9, 9)), Shots: []match.Cell{match.NewCell(4, 0)}})
	if m.Games != 2 || len(m.Layouts) != 1 {
		t.Errorf("%d games, %d layouts", m.Games, len(m.Layouts))
	}
	cells := l.Cells()
	cells.Add(match.NewCell(9, 9))
	for c := range rules.Cells().All() {
		if got := m.Ships[m.Index(c)]; (got > 0) != cells.Has(c) {
			t.Errorf("%v: a ship in %d games", c, got)
		}
	}
	if a, b := m.Index(match.NewCell(3, 0)), m.Index(match.NewCell(4, 0)); m.Shots[a] != 1 || m.Turns[a] != 1 || m.Shots[b] != 2 || m.Turns[b] != 3 {
		t.Errorf("shots %v, turns %v", m.Shots[:10], m.Turns[:10])
	}
	for range 60 {
		m.Learn(Game{Fleet: l})
	}
	if len(m.Layouts) != maxLayouts {
		t.Errorf("%d layouts kept", len(m.Layouts))
	}
	m.Learn(Game{Fleet: match.Layout{{}}, Shots: []match.Cell{match.NewCell(-1, 0)}})
	if m.Games != 63 {
		t.Errorf("%d games", m.Games)
	}
}

// TestMemoryLearnsFromHits checks that hits on a whole fleet reveal its layout, unless ships can
// touch or move.
func TestMemoryLearnsFromHits(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, rules := range []match.Rules{match.Classic(), match.Hasbro(), match.Naval(), match.Salvo()} {
		for range 100 {
			l := rules.RandomLayout(rng)
			m := NewMemory(rules)
			m.Learn(Game{Struck: l.Cells()})
			if rules.Moving || rules.Contact == match.TouchAny {
				if len(m.Layouts) != 0 {
					t.Fatalf("%s: learned %v, want no layout", rules.Name, m.Layouts)
				}
				continue
			}
			if len(m.Layouts) != 1 {
				t.Fatalf("%s: %v is not learned from its cells", rules.Name, l)
			}
			for i, ship := range m.Layouts[0] {
				if ship.Length != rules.Fleet[i].Length || !slices.ContainsFunc(l, func(s match.Ship) bool { return s.Cells() == ship.Cells() }) {
					t.Fatalf("%s: learned %v, want %v", rules.Name, m.Layouts[0], l)
				}
			}
		}
	}
}

func TestMemoryIsStored(t *testing.T) {
	rules := match.Hasbro()
	rng := rand.New(rand.NewPCG(1, 1))
	m := NewMemory(rules)
	for range 3 {
		m.Learn(Game{Fleet: rules.RandomLayout(rng), Shots: []match.Cell{match.NewCell(rng.IntN(10), rng.IntN(10))}})
	}
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var back Memory
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(m, &back) {
		t.Errorf("stored %+v, read %+v", m, back)
	}
	for _, change := range [][2]string{
		{`"version":1`, `"version":2`},
		{`"games":3`, `"games":-3`},
		{`"size":10`, `"size":27`},
		{`"size":10`, `"size":9`},
		{`"ships":[`, `"ships":[0,`},
		{`"layouts":[[`, `"layouts":[["A1E5","A1E4","A1E3","A1E3","A1E2"],[`},
		{`"games":3`, `"games":"3"`},
	} {
		bad := strings.Replace(string(data), change[0], change[1], 1)
		if bad == string(data) {
			t.Fatalf("nothing to change for %q", change[1])
		}
		if err := json.Unmarshal([]byte(bad), &back); err == nil {
			t.Errorf("a memory with %s was read", change[1])
		}
	}
	if !reflect.DeepEqual(m, &back) {
		t.Error("an unreadable memory was half read")
	}
}
