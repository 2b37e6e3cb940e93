package packed_test

import (
	"errors"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"broadside/match/packed"
)

// parcel has one value of each kind.
type parcel struct {
	small    int8
	large    int64
	sum      uint64
	letter   byte
	yes, no  bool
	took     time.Duration
	at, zero time.Time
	text     string
	list     []uint16
}

func (p *parcel) pack(now time.Time) func(*packed.Coder) {
	return func(c *packed.Coder) {
		packed.Int(c, &p.small, -100, 100)
		packed.Int(c, &p.large, math.MinInt64, math.MaxInt64)
		c.Uint(&p.sum)
		packed.Byte(c, &p.letter)
		c.Bits(&p.yes, &p.no)
		c.Duration(&p.took)
		c.Time(&p.at, now)
		c.Time(&p.zero, now)
		c.Text(&p.text, 10)
		packed.List(c, &p.list, 5, func(c *packed.Coder, v *uint16) { packed.Int(c, v, 0, math.MaxUint16) })
	}
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		here, there := time.Unix(1000, 0), time.Unix(5000, 7)
		left := time.Duration(rapid.Int64Range(-1e15, 1e15).Draw(t, "left"))
		p := parcel{
			small: rapid.Int8Range(-100, 100).Draw(t, "small"), large: rapid.Int64().Draw(t, "large"), sum: rapid.Uint64().Draw(t, "sum"),
			letter: rapid.Byte().Draw(t, "letter"), yes: rapid.Bool().Draw(t, "yes"), took: time.Duration(rapid.Int64().Draw(t, "took")),
			at: here.Add(left), text: rapid.StringN(0, 2, 10).Draw(t, "text"), list: rapid.SliceOfN(rapid.Uint16(), 0, 5).Draw(t, "list"),
		}
		b, err := packed.Append(nil, p.pack(here))
		if err != nil {
			t.Fatal(err)
		}
		var q parcel
		if err := packed.Read(b, q.pack(there)); err != nil {
			t.Fatal(err)
		}
		if !q.at.Equal(there.Add(left)) || !q.zero.IsZero() {
			t.Fatalf("%v from now is %v from then", left, q.at.Sub(there))
		}
		again, err := packed.Append(nil, q.pack(there))
		if err != nil || string(again) != string(b) || q.took != p.took || q.text != p.text || q.large != p.large || q.sum != p.sum {
			t.Fatalf("%+v arrived as %+v, %v", p, q, err)
		}
	})
}

func TestOutOfRange(t *testing.T) {
	for _, p := range []parcel{{small: 101}, {small: -101}, {text: "12345678901"}, {list: make([]uint16, 6)}} {
		if b, err := packed.Append([]byte("x"), p.pack(time.Time{})); !errors.Is(err, packed.ErrRange) || string(b) != "x" {
			t.Errorf("%+v was packed: %q, %v", p, b, err)
		}
	}
	// A list that says that it is longer than all that is there.
	var list []uint16
	b, _ := packed.Append(nil, func(c *packed.Coder) { c.Len(1e6, 1e6) })
	err := packed.Read(b, func(c *packed.Coder) { packed.List(c, &list, 1e7, func(*packed.Coder, *uint16) {}) })
	if !errors.Is(err, packed.ErrShort) || len(list) > 0 {
		t.Errorf("a list of nothing: %d elements, %v", len(list), err)
	}
}
