// Package packed writes values as few bytes, for other nodes of the same
// service, and reads them again. A type is described once, by a function that
// hands each of its fields to a [Coder]; the same function writes and reads, so
// what was written is what is read.
//
// Readers believe nothing: each number has bounds, no list is longer than the
// bytes that are there, and what is left over is an error.
package packed

import (
	"encoding/binary"
	"errors"
	"math"
	"time"
)

// The errors of [Append] and [Read].
var (
	ErrShort = errors.New("packed bytes end too early")
	ErrRange = errors.New("a packed value is out of range")
	ErrLong  = errors.New("packed bytes go on after their end")
)

// Coder writes values, or reads them. It belongs to the call of [Append] or
// [Read] that made it. After its first error it does nothing.
type Coder struct {
	data    []byte // written so far, or left to read
	reading bool
	err     error
}

// Append appends to b what pack hands to its coder. The error is ErrRange; then
// b is as it was.
func Append(b []byte, pack func(*Coder)) ([]byte, error) {
	c := Coder{data: b}
	pack(&c)
	if c.err != nil {
		return b, c.err
	}
	return c.data, nil
}

// Read reads b into what pack hands to its coder. On an error, those values
// mean nothing. Nothing that was read shares memory with b, but for [Coder.Raw].
func Read(b []byte, pack func(*Coder)) error {
	c := Coder{data: b, reading: true}
	pack(&c)
	if c.err == nil && len(c.data) > 0 {
		c.err = ErrLong
	}
	return c.err
}

// Reading tells whether values are read, and not written.
func (c *Coder) Reading() bool { return c.reading }

// Failed tells whether there was an error: what is read means nothing any more.
func (c *Coder) Failed() bool { return c.err != nil }

// Fail makes the coder fail with ErrRange, for a value that its packer does not
// want.
func (c *Coder) Fail() { c.fail(ErrRange) }

func (c *Coder) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

// number is one to nine bytes, few for a small number.
func (c *Coder) number(v uint64) uint64 {
	switch {
	case c.err != nil:
		return 0
	case !c.reading:
		c.data = binary.AppendUvarint(c.data, v)
		return v
	}
	v, n := binary.Uvarint(c.data)
	if n <= 0 {
		c.fail(ErrShort)
		return 0
	}
	c.data = c.data[n:]
	return v
}

// integer is a type of numbers that fit into 63 bits and a sign.
type integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32
}

// Int is a number from least to most, which takes the fewer bytes the closer it
// is to least.
func Int[T integer](c *Coder, v *T, least, most T) {
	if !c.reading && (*v < least || *v > most) {
		c.fail(ErrRange)
	}
	n := c.number(uint64(int64(*v) - int64(least)))
	if n > uint64(int64(most)-int64(least)) {
		c.fail(ErrRange)
		return
	}
	if c.reading && c.err == nil {
		*v = T(int64(n) + int64(least))
	}
}

// Uint is any number, which takes the fewer bytes the smaller it is.
func (c *Coder) Uint(v *uint64) {
	if n := c.number(*v); c.reading {
		*v = n
	}
}

// Byte is one byte.
func Byte[T ~uint8 | ~int8](c *Coder, v *T) {
	switch {
	case c.err != nil:
	case !c.reading:
		c.data = append(c.data, byte(*v))
	case len(c.data) == 0:
		c.fail(ErrShort)
	default:
		*v = T(c.data[0])
		c.data = c.data[1:]
	}
}

// Bits are truths, at most eight in a byte.
func (c *Coder) Bits(all ...*bool) {
	var b uint8
	for i, v := range all {
		if *v {
			b |= 1 << i
		}
	}
	Byte(c, &b)
	if b>>len(all) != 0 {
		c.Fail()
	}
	if c.reading {
		for i, v := range all {
			*v = b>>i&1 != 0
		}
	}
}

// Duration is any duration.
func (c *Coder) Duration(v *time.Duration) {
	n := c.number(uint64(*v<<1) ^ uint64(*v>>63))
	if c.reading {
		*v = time.Duration(n>>1) ^ -time.Duration(n&1)
	}
}

// Time is a moment, as what it is from now; the zero time stays zero. Clocks of
// other nodes may differ, but what is left until then does not.
func (c *Coder) Time(v *time.Time, now time.Time) {
	none := v.IsZero()
	left := v.Sub(now)
	if none {
		left = math.MinInt64
	}
	c.Duration(&left)
	if !c.reading {
		return
	}
	*v = time.Time{}
	if left != math.MinInt64 {
		*v = now.Add(left)
	}
}

// Text is a text of at most most bytes.
func (c *Coder) Text(v *string, most int) {
	if c.reading {
		var b []byte
		c.Raw(&b, most)
		*v = string(b)
		return
	}
	b := []byte(*v)
	c.Raw(&b, most)
}

// Raw is at most most bytes. What is read is a part of what the coder reads.
func (c *Coder) Raw(v *[]byte, most int) {
	n := c.Len(len(*v), most)
	switch {
	case c.err != nil:
	case !c.reading:
		c.data = append(c.data, *v...)
	default:
		*v = c.data[:n:n]
		c.data = c.data[n:]
	}
}

// Len is the length of a list, from 0 to most. What is read is no more than the
// bytes that are left, so each element has to take one at least.
func (c *Coder) Len(n, most int) int {
	Int(c, &n, 0, most)
	if c.reading && n > len(c.data) {
		c.fail(ErrShort)
	}
	if c.err != nil {
		return 0
	}
	return n
}

// List is a list of at most most elements, each of which item hands to the
// coder. An empty list is read as nil.
func List[T any](c *Coder, v *[]T, most int, item func(*Coder, *T)) {
	n := c.Len(len(*v), most)
	if c.reading {
		*v = nil
		if n > 0 {
			*v = make([]T, n)
		}
	}
	for i := range n {
		item(c, &(*v)[i])
	}
}
