package match

import (
	"encoding/json"
	"errors"
	"fmt"
)

// This file implements the JSON encoding of values that are sent between processes.
// Decoding checks the limits that a value's methods rely on, but not whether the value is
// consistent.

// FullRules are rules whose JSON has all fields, for files that are kept. The JSON of [Rules]
// leaves out fields that follow from a preset's name.
type FullRules Rules

// MarshalJSON implements json.Marshaler.
func (r Rules) MarshalJSON() ([]byte, error) {
	if p, err := Preset(r.Name); err == nil && p.Name == r.Name && p.Same(r) {
		if r.Clock == 0 {
			return fmt.Appendf(nil, `{"name":%q}`, r.Name), nil
		}
		return fmt.Appendf(nil, `{"name":%q,"clock":%d}`, r.Name, int64(r.Clock)), nil
	}
	return json.Marshal(FullRules(r))
}

// maxName is the maximum length of names of rules and ships, in bytes.
const maxName = 200

// UnmarshalJSON implements json.Unmarshaler. It also reads [FullRules]. It does not
// check that the rules can be played: see [Rules.Validate].
func (r *Rules) UnmarshalJSON(data []byte) error {
	var x FullRules
	if err := json.Unmarshal(data, &x); err != nil {
		return err
	}
	if x.Size == 0 && x.Fleet == nil {
		if p, err := Preset(x.Name); err == nil {
			p.Clock = x.Clock
			x = FullRules(p)
		}
	}
	if x.Size < 0 || x.Size > MaxSize || len(x.Fleet) > MaxShips || len(x.Name) > maxName || x.Clock < 0 {
		return errors.New("decoding rules: out of range")
	}
	for _, c := range x.Fleet {
		if c.Length < 0 || c.Length > MaxLength || len(c.Name) > maxName {
			return errors.New("decoding rules: a ship is out of range")
		}
	}
	*r = Rules(x)
	return nil
}

// MarshalText implements encoding.TextMarshaler: the cell's name, or "-" for a
// cell outside every board.
func (c Cell) MarshalText() ([]byte, error) {
	if !c.valid() {
		return []byte("-"), nil
	}
	return []byte(c.String()), nil
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (c *Cell) UnmarshalText(text []byte) (err error) {
	if string(text) == "-" {
		*c = At(-1, -1)
		return nil
	}
	*c, err = ParseCell(string(text))
	return err
}

// MarshalJSON implements json.Marshaler. The time of the event is rounded down to
// milliseconds.
func (e Event) MarshalJSON() ([]byte, error) {
	if int(e.Kind) >= len(kindNames) || int(e.Reason) >= len(reasonNames) {
		return nil, errors.New("encoding an event: unknown kind or reason")
	}
	return json.Marshal(e.encode())
}

// UnmarshalJSON implements json.Unmarshaler.
func (e *Event) UnmarshalJSON(data []byte) error {
	var x encodedEvent
	if err := json.Unmarshal(data, &x); err != nil {
		return err
	}
	decoded, err := x.decode()
	if err != nil {
		return fmt.Errorf("decoding an event: %w", err)
	}
	*e = decoded
	return nil
}
