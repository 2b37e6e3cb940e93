package match

import (
	"reflect"
	"testing"
)

// FuzzDecodeQuickly checks that events that can be decoded quickly are those that encoding/json
// decodes.
func FuzzDecodeQuickly(f *testing.F) {
	g := NewGame(Classic(), nil)
	layout := Layout{{At(0, 0), East, 5}, {At(0, 2), East, 4}, {At(0, 4), East, 3}, {At(0, 6), East, 3}, {At(0, 8), East, 2}}
	auto := Fire(Second, At(9, 9))
	auto.Auto = true
	for _, c := range []Command{Place(First, layout), Place(Second, layout), auto, Fire(First, At(0, 0)), Forfeit(First, Resigned)} {
		c.At = 1234e6
		if _, err := g.Apply(c); err != nil {
			f.Fatal(err)
		}
	}
	data, err := EncodeEvents(Classic(), g.Events())
	if err != nil {
		f.Fatal(err)
	}
	if _, _, ok := decodeQuickly(data); !ok {
		f.Fatalf("not decoded quickly: %s", data)
	}
	f.Add(data)
	f.Add([]byte(`{"version":1,"rules":{},"events":[]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		rules, events, ok := decodeQuickly(data)
		if !ok {
			return
		}
		rules2, events2, err := decodeSlowly(data)
		if err != nil || !reflect.DeepEqual(rules, rules2) || !reflect.DeepEqual(events, events2) {
			t.Errorf("%s is decoded as %+v %+v, not as %+v %+v, %v", data, rules, events, rules2, events2, err)
		}
	})
}
