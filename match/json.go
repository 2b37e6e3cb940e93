package match

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// This file implements the JSON of rules and events. Records, the journal and the arena store it.
// Decoding checks the limits that a value's methods rely on, but not whether the value is consistent.

// encodedRules has the fields of [Rules] without the methods.
type encodedRules Rules

// MarshalJSON implements json.Marshaler.
func (r Rules) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		encodedRules
		Clock float64 `json:"clock_s"`
	}{encodedRules(r), r.Clock.Seconds()})
}

// maxName is the maximum length in bytes of the name of rules or a ship.
const maxName = 200

// UnmarshalJSON implements json.Unmarshaler. It does not check that the rules can be played, as
// [Rules.Validate] does.
func (r *Rules) UnmarshalJSON(data []byte) error {
	var x struct {
		encodedRules
		Clock float64 `json:"clock_s"`
		// Earlier versions wrote Nanoseconds.
		Nanoseconds time.Duration `json:"clock"`
	}
	if err := json.Unmarshal(data, &x); err != nil {
		return err
	}
	if x.Size < 0 || x.Size > MaxSize || len(x.Fleet) > MaxShips || len(x.Name) > maxName ||
		x.Clock < 0 || x.Clock > math.MaxInt32 || x.Nanoseconds < 0 {
		return errors.New("decode rules: a value is out of range")
	}
	for _, c := range x.Fleet {
		if c.Length < 0 || c.Length > MaxLength || len(c.Name) > maxName {
			return fmt.Errorf("decode rules: ship %q of length %d is not possible", c.Name, c.Length)
		}
	}
	*r = Rules(x.encodedRules)
	r.Clock = cmp.Or(x.Nanoseconds, time.Duration(math.Round(x.Clock*float64(time.Second))))
	return nil
}

// MarshalText implements encoding.TextMarshaler.
func (c Cell) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (c *Cell) UnmarshalText(text []byte) (err error) {
	*c, err = ParseCell(string(text))
	return err
}

// resultCodes are the names of results in JSON.
var resultCodes = []string{"", "water", "hit", "sunk", "last"}

// MarshalText implements encoding.TextMarshaler.
func (r Result) MarshalText() ([]byte, error) { return []byte(resultCodes[r]), nil }

// UnmarshalJSON implements json.Unmarshaler. Earlier versions wrote results as numbers.
func (r *Result) UnmarshalJSON(data []byte) error {
	name := strings.Trim(string(data), `"`)
	i := slices.Index(resultCodes, name)
	if n, err := strconv.ParseUint(name, 10, 8); err == nil && n < uint64(len(resultCodes)) {
		i = int(n)
	}
	if i < 0 {
		return fmt.Errorf("unknown result %.40s", data)
	}
	*r = Result(i)
	return nil
}

// JSONIndex returns a pointer to the index of the side's player in JSON, or nil for Nobody.
func (s Side) JSONIndex() *int {
	if s == Nobody {
		return nil
	}
	i := int(s)
	return &i
}

// EncodedEvent is the JSON form of an event. docs/records.md describes it.
type EncodedEvent struct {
	// At is in milliseconds since the match was created.
	At    int64  `json:"ms"`
	Event string `json:"event"`
	// Player is the index of the side's player.
	Player *int   `json:"player,omitempty"`
	Cell   string `json:"cell,omitempty"`
	Result Result `json:"result,omitempty"`
	// Auto reports whether the clock acted for the player.
	Auto bool `json:"auto,omitempty"`
	// Ship is the moved ship's index in the layout.
	Ship *int `json:"ship,omitempty"`
	// Move is the kind of move, or stay.
	Move   string `json:"move,omitempty"`
	Reason Reason `json:"reason,omitempty"`
	Layout Layout `json:"layout,omitempty"`
}

// Encode returns the JSON form of the event.
func (e Event) Encode() EncodedEvent {
	x := EncodedEvent{
		At: e.At.Milliseconds(), Event: eventNames[e.Kind], Player: e.Side.JSONIndex(), Result: e.Result, Auto: e.Auto,
		Reason: e.Reason, Layout: e.Layout(),
	}
	if e.Kind == ShotFired || e.Kind == ShotAnswered {
		x.Cell = e.Cell.String()
	}
	if e.Kind == FleetMoved {
		x.Move = "stay"
		if e.Move != Stay {
			ship := e.Move.ShipIndex()
			x.Ship, x.Move = &ship, e.Move.Kind().String()
		}
	}
	return x
}

// Decode is the inverse of [Event.Encode].
func (x *EncodedEvent) Decode() (Event, error) {
	e := Event{Side: Nobody, Result: x.Result, Auto: x.Auto, Reason: x.Reason, At: time.Duration(x.At) * time.Millisecond}
	kind := slices.Index(eventNames, x.Event)
	switch {
	case kind <= 0:
		return e, fmt.Errorf("unknown event %.40q", x.Event)
	case x.Player != nil && (*x.Player < 0 || *x.Player > 1):
		return e, fmt.Errorf("player %d: a player is 0 or 1", *x.Player)
	case x.At < 0 || x.At > int64(1000*time.Hour/time.Millisecond):
		return e, fmt.Errorf("time %d ms is out of range", x.At)
	}
	e.Kind = EventKind(kind)
	if e.Kind == FleetPlaced && x.Layout == nil {
		// Records of version 0.1.0 may have no layout.
		return e, errors.New("the layout is missing: fetch the record again")
	}
	for i, ship := range x.Layout {
		if ship.Length == 0 {
			// A ship that is null in JSON has no length.
			return e, fmt.Errorf("ship %d of the layout is missing", i+1)
		}
	}
	if x.Layout != nil {
		e.layout = &x.Layout
	}
	if x.Player != nil {
		e.Side = Side(*x.Player)
	}
	var err error
	if x.Cell != "" {
		if e.Cell, err = ParseCell(x.Cell); err != nil {
			return e, err
		}
	}
	if x.Move != "" && x.Move != "stay" {
		e.Move, err = x.decodeMove()
	}
	return e, err
}

// decodeMove returns a ship's move.
func (x *EncodedEvent) decodeMove() (Move, error) {
	if x.Ship == nil {
		// An earlier version wrote ship and kind in one text.
		return ParseMove(x.Move)
	}
	m := slices.Index(moveKindNames[:], x.Move)
	if m < 0 || *x.Ship < 0 || *x.Ship >= MaxShips {
		return Stay, fmt.Errorf("ship %d cannot move %.40q", *x.Ship, x.Move)
	}
	return NewMove(*x.Ship, MoveKind(m)), nil
}

// encodingVersion is the version that [EncodeEvents] writes. [DecodeEvents] also reads version 1,
// which has other names. Increase it for a change that old readers would misread.
const encodingVersion = 2

// maxEncoded is the maximum input of DecodeEvents, in bytes. The longest legal match has
// about 14,000 shots of 70 bytes per side.
const maxEncoded = 4 << 20

// EncodeEvents writes rules and events as JSON, with a version number.
func EncodeEvents(r Rules, events []Event) ([]byte, error) {
	for i, e := range events {
		if int(e.Kind) >= len(eventNames) || int(e.Reason) >= len(reasonNames) {
			return nil, fmt.Errorf("encode events: event %d is of an unknown kind or reason", i+1)
		}
	}
	b, err := json.Marshal(struct {
		Version int            `json:"version"`
		Rules   Rules          `json:"rules,omitzero"`
		Events  []EncodedEvent `json:"events"`
	}{encodingVersion, r, NewRecord(r, events).Events})
	if err != nil {
		return nil, fmt.Errorf("encode events: %w", err)
	}
	return b, nil
}

// DecodeEvents decodes the output of EncodeEvents. It checks only the format; use [Replay]
// to check that the events are a match's history.
func DecodeEvents(data []byte) (Rules, []Event, error) {
	if len(data) > maxEncoded {
		return Rules{}, nil, fmt.Errorf("decode events: %d bytes are more than the %d that a match can have", len(data), maxEncoded)
	}
	var m struct {
		Version int   `json:"version"`
		Rules   Rules `json:"rules"`
		Events  []struct {
			EncodedEvent
			// Side is called player since version 2.
			Side *int `json:"side"`
		} `json:"events"`
	}
	err := json.Unmarshal(data, &m)
	switch {
	case m.Version < 0 || m.Version > encodingVersion:
		return Rules{}, nil, fmt.Errorf("decode events: version %d, this program reads versions up to %d", m.Version, encodingVersion)
	case err == nil && m.Version == 0:
		err = errors.New("the version is missing")
	}
	if err != nil {
		return Rules{}, nil, fmt.Errorf("decode events: %w", err)
	}
	r := Record{Rules: m.Rules, Events: make([]EncodedEvent, len(m.Events))}
	for i, x := range m.Events {
		x.Player = cmp.Or(x.Player, x.Side)
		r.Events[i] = x.EncodedEvent
	}
	events, err := r.DecodeEvents()
	return m.Rules, events, err
}

// Record is a finished match as JSON. It has what the server's and the arena's records have in common.
type Record struct {
	Rules Rules `json:"rules,omitzero"`
	// Winner is the player's index, or null if no one won.
	Winner *int           `json:"winner"`
	Reason Reason         `json:"reason,omitempty"`
	Events []EncodedEvent `json:"events,omitempty"`
}

// NewRecord returns a match's record.
func NewRecord(r Rules, events []Event) Record {
	record := Record{Rules: r, Events: make([]EncodedEvent, len(events))}
	for i, e := range events {
		record.Events[i] = e.Encode()
		if e.Kind == GameEnded {
			record.Winner, record.Reason = record.Events[i].Player, e.Reason
		}
	}
	return record
}

// DecodeEvents returns the record's events. It checks only their format; see [DecodeEvents].
func (r *Record) DecodeEvents() ([]Event, error) {
	settled := removeReveals(r.Events)
	events := make([]Event, len(settled))
	for i := range settled {
		e, err := settled[i].Decode()
		if err != nil {
			return nil, fmt.Errorf("decoding event %d: %w", i+1, err)
		}
		events[i] = e
	}
	return events, nil
}
