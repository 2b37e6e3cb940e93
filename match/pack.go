package match

import (
	"math"

	"broadside/match/packed"
)

// This file is about how values of the game travel between nodes. What is read
// has bounds that keep every method of the value from failing, and no more than
// that: whether it is true only a [Game] knows.

// Pack hands the view to a coder.
func (v *View) Pack(c *packed.Coder) {
	if c.Reading() {
		*v = View{}
	}
	v.Rules.pack(c)
	packed.Int(c, &v.Viewer, First, Nobody)
	packed.Int(c, &v.Phase, Placing, Over)
	packed.Int(c, &v.Turn, First, Nobody)
	packed.Int(c, &v.Winner, First, Nobody)
	packed.Int(c, &v.Reason, 0, lastReason)
	packed.Int(c, &v.Aborter, First, Second)
	c.Bits(&v.Ready[0], &v.Ready[1], &v.Kept[0], &v.Kept[1], &v.Disputed[0], &v.Disputed[1], &v.Pending, &v.MayMove)
	c.Bits(&v.Due[0], &v.Due[1])
	v.Target.pack(c)
	c.Duration(&v.Took)
	for side := First; side <= Second; side++ {
		v.Charts[side].pack(c, v.Rules)
		v.Last[side].pack(c)
		v.Fleets[side].pack(c)
		if !v.Rules.afloat(v.Fleets[side]) {
			c.Fail()
		}
		for i := range v.Fleets[side] {
			packed.Byte(c, &v.Damage[side][i])
		}
	}
}

// Pack hands the event to a coder.
func (e *Event) Pack(c *packed.Coder) {
	packed.Int(c, &e.Kind, FleetPlaced, GameAborted)
	packed.Int(c, &e.Side, First, Nobody)
	e.Cell.pack(c)
	packed.Int(c, &e.Result, 0, LastSunk)
	c.Bits(&e.Auto)
	packed.Int(c, &e.Reason, 0, lastReason)
	packed.Int(c, &e.Move, Stay, MoveOf(maxShips-1, Anticlockwise))
	fleet := about{e.Layout(), e.Commitment(), e.Salt()}
	fleet.layout.pack(c)
	switch e.Kind {
	case FleetCommitted:
		c.Text(&fleet.commitment, commitmentLength)
	case FleetRevealed:
		c.Text(&fleet.salt, maxSalt)
	}
	if c.Reading() {
		e.about = nil
		if fleet.layout != nil || fleet.commitment != "" || fleet.salt != "" {
			e.about = &about{fleet.layout, fleet.commitment, fleet.salt}
		}
	}
	c.Duration(&e.At)
}

// PackEvents hands a list of events to a coder.
func PackEvents(c *packed.Coder, events *[]Event) {
	packed.List(c, events, 5*maxLog, func(c *packed.Coder, e *Event) { e.Pack(c) })
}

// Pack hands the command to a coder. Its time does not travel: whoever carries
// it out stamps it.
func (m *Command) Pack(c *packed.Coder) {
	packed.Byte(c, &m.Action)
	packed.Int(c, &m.Side, First, Nobody)
	m.Cell.pack(c)
	packed.Byte(c, &m.Result)
	c.Bits(&m.Auto)
	packed.Byte(c, &m.Reason)
	packed.Byte(c, &m.Move)
	m.Layout.pack(c)
	switch m.Action {
	case CommitFleet:
		c.Text(&m.Commitment, commitmentLength)
	case RevealFleet:
		c.Text(&m.Salt, maxSalt)
	}
}

func (r *Rules) pack(c *packed.Coder) {
	c.Text(&r.Name, maxName)
	packed.Int(c, &r.Size, 0, MaxSize)
	packed.List(c, &r.Fleet, maxShips, func(c *packed.Coder, class *Class) {
		c.Text(&class.Name, maxName)
		packed.Int(c, &class.Length, 0, maxLength)
	})
	packed.Int(c, &r.Contact, 0, TouchAny)
	c.Bits(&r.Moving)
	packed.Int(c, &r.Clock, 0, math.MaxInt64)
}

func (x *Cell) pack(c *packed.Coder) {
	packed.Byte(c, &x.X)
	packed.Byte(c, &x.Y)
}

func (s *Shot) pack(c *packed.Coder) {
	s.Cell.pack(c)
	packed.Int(c, &s.Result, 0, LastSunk)
	packed.Int(c, &s.Number, 0, maxLog)
}

func (l *Layout) pack(c *packed.Coder) {
	packed.List(c, (*[]Ship)(l), maxShips, func(c *packed.Coder, s *Ship) {
		s.Stern.pack(c)
		packed.Byte(c, &s.Heading)
		packed.Int(c, &s.Length, 0, MaxSize)
	})
}

// pack leaves the rules to the view, whose charts all have the same.
func (k *Chart) pack(c *packed.Coder, r Rules) {
	k.Rules = r
	for _, s := range []*Set{&k.Shots, &k.Hits, &k.Sunk, &k.Deduced} {
		s.pack(c, r.Size)
	}
	packed.Int(c, &k.Fired, 0, maxLog)
	packed.Int(c, &k.SunkShips, 0, maxLog)
	for i := range k.Afloat {
		packed.Byte(c, &k.Afloat[i])
	}
	packed.List(c, &k.Log, maxLog, func(c *packed.Coder, s *Shot) { s.pack(c) })
}

// pack is a number for each row of a board: its cells, as bits.
func (s *Set) pack(c *packed.Coder, size int) {
	if c.Reading() {
		*s = Set{}
	}
	for y := range size {
		at := uint(y * stride)
		row := uint64(s[at/64] >> (at % 64))
		if next := at/64 + 1; next < uint(len(s)) {
			row |= s[next] << (64 - at%64)
		}
		bits := int64(row & (1<<size - 1))
		packed.Int(c, &bits, 0, 1<<size-1)
		if !c.Reading() || c.Failed() {
			continue
		}
		for x := range size {
			if bits>>x&1 != 0 {
				s.Add(At(x, y))
			}
		}
	}
}
