package match

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
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

// encodedChart is a chart in JSON.
type encodedChart struct {
	Rules     *Rules               `json:",omitempty"` // in a view: those of the view
	Cells     string               `json:",omitempty"`
	Fired     int                  `json:",omitempty"`
	SunkShips int                  `json:",omitempty"`
	Afloat    [MaxLength + 1]uint8 `json:",omitzero"`
	Log       string               `json:",omitempty"`
}

// maxLog is the maximum number of shots of a side: see [Rules.ShotLimit].
const maxLog = 10*MaxSize*MaxSize + 1

// sets returns the sets of a chart's cells. In JSON, a cell is a hexadecimal digit in
// which each bit stands for one of them.
func (c *Chart) sets() [4]*Set { return [4]*Set{&c.Shots, &c.Hits, &c.Sunk, &c.Deduced} }

// encode encodes the chart without its rules. Cells are in rows, without the unknown ones at
// the end. A shot of the log is its row and column, both as letters, and its result.
func (c *Chart) encode() encodedChart {
	x := encodedChart{Fired: c.Fired, SunkShips: c.SunkShips, Afloat: c.Afloat}
	var room [MaxSize * MaxSize]byte
	cells, known := room[:0], 0
	for y := range c.Rules.Size {
		for x := range c.Rules.Size {
			digit := 0
			for bit, set := range c.sets() {
				if set.Has(Cell{X: int8(x), Y: int8(y)}) {
					digit |= 1 << bit
				}
			}
			cells = append(cells, "0123456789abcdef"[digit])
			if digit != 0 {
				known = len(cells)
			}
		}
	}
	x.Cells = string(cells[:known])
	log := make([]byte, 0, 3*len(c.Log))
	for _, shot := range c.Log {
		log = append(log, 'A'+byte(shot.Cell.Y), 'a'+byte(shot.Cell.X), '0'+byte(shot.Result))
	}
	x.Log = string(log)
	return x
}

func (x encodedChart) decode(r Rules) (Chart, error) {
	c := Chart{Rules: r, Fired: x.Fired, SunkShips: x.SunkShips, Afloat: x.Afloat}
	if len(x.Cells) > r.Size*r.Size || len(x.Log)%3 != 0 || len(x.Log) > 3*maxLog || x.Fired < 0 || x.Fired > maxLog || x.SunkShips < 0 || x.SunkShips > maxLog {
		return c, errors.New("decoding a chart: out of range")
	}
	for i, digit := range []byte(x.Cells) {
		mask := strings.IndexByte("0123456789abcdef", digit)
		if mask < 0 {
			return c, errors.New("decoding a chart: unknown cell")
		}
		for bit, set := range c.sets() {
			if mask>>bit&1 != 0 {
				set.Add(At(i%r.Size, i/r.Size))
			}
		}
	}
	for i := 0; i < len(x.Log); i += 3 {
		shot := Shot{Cell: Cell{X: int8(x.Log[i+1] - 'a'), Y: int8(x.Log[i] - 'A')}, Result: Result(x.Log[i+2] - '0'), Number: i/3 + 1}
		if !r.Contains(shot.Cell) || !shot.Result.Valid() {
			return c, errors.New("decoding a chart: unknown shot")
		}
		c.Log = append(c.Log, shot)
	}
	return c, nil
}

// MarshalJSON implements json.Marshaler.
func (c Chart) MarshalJSON() ([]byte, error) {
	x := c.encode()
	x.Rules = &c.Rules
	return json.Marshal(x)
}

// UnmarshalJSON implements json.Unmarshaler.
func (c *Chart) UnmarshalJSON(data []byte) error {
	x := encodedChart{Rules: new(Rules)}
	if err := json.Unmarshal(data, &x); err != nil {
		return err
	}
	if x.Rules == nil {
		x.Rules = new(Rules)
	}
	decoded, err := x.decode(*x.Rules)
	if err != nil {
		return err
	}
	*c = decoded
	return nil
}

// EncodedView is the JSON form of a [View], in which the charts share the rules of the view.
// It has no MarshalJSON, so values that contain it are encoded in one pass. Turns of several
// shots have separate fields, so that older versions can read and write all other views.
type EncodedView struct {
	plainView
	Charts  [2]encodedChart
	Target  Cell      `json:",omitzero"` // of a pending shot
	Targets []Cell    `json:",omitzero"` // all others
	Last    [2]Shot   `json:",omitzero"` // the last of each Volley
	Volley  [2][]Shot `json:",omitzero"` // View.Last, where a turn has several shots
}

type plainView View

// Encode returns the JSON form of the view.
func (v *View) Encode() EncodedView {
	x := EncodedView{plainView: plainView(*v), Charts: [2]encodedChart{v.Charts[0].encode(), v.Charts[1].encode()}, Targets: v.Targets}
	if v.Pending && len(v.Targets) == 1 {
		x.Target, x.Targets = v.Targets[0], nil
	}
	for side := range v.Last {
		x.Last[side] = v.LastShot(Side(side))
		if len(v.Last[side]) > 1 {
			x.Volley[side] = v.Last[side]
		}
	}
	return x
}

// MarshalJSON implements json.Marshaler.
func (v View) MarshalJSON() ([]byte, error) { return json.Marshal(v.Encode()) }

// UnmarshalJSON implements json.Unmarshaler.
func (v *View) UnmarshalJSON(data []byte) error {
	var x EncodedView
	err := json.Unmarshal(data, &x)
	if err == nil {
		*v, err = x.Decode()
	}
	return err
}

// Decode returns the view, or an error if a method of the view could fail.
func (x *EncodedView) Decode() (v View, err error) {
	v = View(x.plainView)
	x.decodeTurns(&v)
	if max(v.Viewer, v.Turn, v.Winner) > Nobody || v.Aborter > Second || v.Phase > Over || v.Reason > lastReason {
		return v, errors.New("decoding a view: out of range")
	}
	if v.Shots < 0 || v.Shots > MaxShips || len(v.Targets) > v.Shots {
		return v, errors.New("decoding a view: a turn is out of range")
	}
	for side := range v.Charts {
		if v.Charts[side], err = x.Charts[side].decode(v.Rules); err != nil {
			return v, err
		}
		if len(v.Last[side]) > MaxShips || v.Turns[side] < 0 || v.Turns[side] > maxLog {
			return v, errors.New("decoding a view: a turn is out of range")
		}
		for _, shot := range v.Last[side] {
			if shot.Result > LastSunk || shot.Number < 0 || shot.Number > maxLog {
				return v, errors.New("decoding a view: a shot is out of range")
			}
		}
		if !v.Rules.afloat(v.Fleets[side]) {
			return v, errors.New("decoding a view: a fleet is out of range")
		}
	}
	return v, nil
}

// decodeTurns decodes the fields about turns into v.
func (x *EncodedView) decodeTurns(v *View) {
	v.Targets, v.Last = x.Targets, x.Volley
	if v.Pending && v.Targets == nil {
		v.Targets = []Cell{x.Target}
	}
	if v.Phase == Battle && v.Shots == 0 && !v.MayMove { // here and below: from a version without turns
		v.Shots = 1
	}
	for side := range v.Last {
		if x.Last[side] != (Shot{}) && v.Last[side] == nil {
			v.Last[side] = []Shot{x.Last[side]}
		}
		if v.Turns[side] == 0 {
			v.Turns[side] = x.Charts[side].Fired
		}
	}
}

// afloat reports whether a layout is empty, or has a ship for each class that is entirely on
// the board.
func (r *Rules) afloat(l Layout) bool {
	for i, s := range l {
		if len(l) != len(r.Fleet) || s.Length != r.Fleet[i].Length || s.Heading > West || !r.Contains(s.Stern) || !r.Contains(s.Bow()) {
			return false
		}
	}
	return true
}
