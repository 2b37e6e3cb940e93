package match

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"time"
)

// decodeQuickly decodes the output of EncodeEvents several times as fast as encoding/json, which
// it uses for the rules and for all events except shots and answers. It returns false for
// anything that EncodeEvents would not write; see DecodeEvents for the error.
func decodeQuickly(data []byte) (r Rules, events []Event, ok bool) {
	head, list, ok := bytes.Cut(data, []byte(`,"events":[`)) // no string contains it: its quotes would be escaped
	list, closed := bytes.CutSuffix(list, []byte("]}"))
	var m encodedMatch
	if !ok || !closed || decodeStrictly(append(bytes.Clone(head), '}'), &m) != nil || m.Version != encodingVersion || m.Events != nil {
		return r, nil, false
	}
	events = make([]Event, 0, bytes.Count(list, []byte("},"))+1)
	for len(list) > 0 {
		n := bytes.IndexByte(list, '}') + 1
		e, ok := decodeShot(list[:n])
		if !ok {
			var x encodedEvent
			err := decodeStrictly(list[:n], &x)
			if err == nil {
				e, err = x.decode()
			}
			if err != nil {
				return r, nil, false
			}
		}
		events = append(events, e)
		if list = list[n:]; len(list) > 0 {
			if list[0] != ',' || len(list) == 1 {
				return r, nil, false
			}
			list = list[1:]
		}
	}
	return Rules(m.Rules), events, true
}

// decodeShot decodes a ShotFired or ShotAnswered event.
func decodeShot(object []byte) (e Event, ok bool) {
	rest, fired := bytes.CutPrefix(object, []byte(`{"event":"fired","ms":`))
	e.Kind = ShotFired
	if !fired {
		if rest, ok = bytes.CutPrefix(object, []byte(`{"event":"answered","ms":`)); !ok {
			return e, false
		}
		e.Kind = ShotAnswered
	}
	ms, rest, ok := bytes.Cut(rest, []byte(`,"side":`))
	if !ok || len(ms) == 0 || len(ms) > 9 || ms[0] == '0' && len(ms) > 1 || len(rest) < len(`0,"cell":"A1"}`) || rest[0] < '0' || rest[0] > '1' {
		return e, false
	}
	at, err := strconv.ParseUint(string(ms), 10, 63)
	e.At, e.Side = time.Duration(at)*time.Millisecond, Side(rest[0]-'0')
	rest, has := bytes.CutPrefix(rest[1:], []byte(`,"cell":"`))
	name, rest, closed := bytes.Cut(rest, []byte{'"'})
	cell, wrong := ParseCell(string(name))
	if err != nil || wrong != nil || !has || !closed || cell.String() != string(name) {
		return e, false
	}
	e.Cell = cell
	if after, has := bytes.CutPrefix(rest, []byte(`,"result":`)); has && len(after) > 1 && after[0] >= '1' && after[0] <= '4' {
		e.Result, rest = Result(after[0]-'0'), after[1:]
	}
	if after, has := bytes.CutPrefix(rest, []byte(`,"auto":true`)); has {
		e.Auto, rest = true, after
	}
	return e, string(rest) == "}"
}

// decodeStrictly decodes JSON without unknown fields, and nothing after it.
func decodeStrictly(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is more after the end")
	}
	return nil
}
