package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"broadside/lobby"
	"broadside/match"
	"broadside/words"
)

// This file is about how the values of a session travel between two processes,
// as JSON. The values' own packages encode what is in them. Unknown fields are
// ignored and missing ones are zero, so that adjacent versions understand each
// other: rename neither fields nor types.

// actions are those that can travel, by name.
var actions = byName(
	Seek{}, PlayBot{}, SendChallenge{}, Accept{}, Decline{}, OpenRoom{}, JoinRoom{}, TakeSeat{}, HotSeat{}, Rejoin{}, Refuse{}, Rematch{},
	Place{}, Fire{}, Move{}, Confirm{}, Lapse{}, Claim{}, Resign{}, RemoveOpponent{}, BreakOff{}, LeaveMatch{},
	Watch{}, WatchBy{}, Glance{}, Unwatch{}, Look{}, Say{}, Mute{},
	Register{}, Rename{}, LinkKey{}, RemoveKey{}, DoNotDisturb{}, StoreSettings{}, SaveFleet{}, RemoveFleet{},
)

// queries are those that can travel, by name.
var queries = asked(
	query(GetOccupancy{}), query(Cancel{}), query(Hears{}), query(Matches{}), query(Games{}), query(GetRecord{}), query(Leaderboard{}),
	query(GetProfile{}), query(Fleets{}), query(GetSettings{}), query(Keys{}), query(NewLinkCode{}), query(LinkOpen{}), query(Muted{}),
	query(OpenDaily{}), query(FireDaily{}), query(GetDailyStanding{}), query(FindAccount{}),
)

// maxRequest bounds an encoded action or query, in bytes.
const maxRequest = 16 << 10

// request is an action or a query as it travels.
type request struct {
	Do   string          `json:"do,omitempty"`
	Ask  string          `json:"ask,omitempty"`
	With json.RawMessage `json:"with"`
}

func byName(all ...Action) map[string]reflect.Type {
	m := map[string]reflect.Type{}
	for _, a := range all {
		m[reflect.TypeOf(a).Name()] = reflect.TypeOf(a)
	}
	return m
}

// asking is a type of queries, and how one is answered.
type asking struct {
	query reflect.Type
	ask   func(ctx context.Context, query any, s *Local) (any, error)
}

func query[R any](q Query[R]) asking {
	return asking{reflect.TypeOf(q), func(ctx context.Context, q any, s *Local) (any, error) { return q.(Query[R]).ask(ctx, s) }}
}

func asked(all ...asking) map[string]asking {
	m := map[string]asking{}
	for _, a := range all {
		m[a.query.Name()] = a
	}
	return m
}

// EncodeAction writes an action for [DecodeAction].
func EncodeAction(a Action) ([]byte, error) {
	with, err := json.Marshal(a)
	if err != nil {
		return nil, fmt.Errorf("encoding an action: %w", err)
	}
	return json.Marshal(request{Do: reflect.TypeOf(a).Name(), With: with})
}

// DecodeAction reads an action. Its error means that the sender is of an
// incompatible version or malicious: any action that DecodeAction returns can
// be done without harm.
func DecodeAction(data []byte) (Action, error) {
	r, err := readRequest(data)
	if err != nil {
		return nil, fmt.Errorf("decoding an action: %w", err)
	}
	t, ok := actions[r.Do]
	if !ok {
		return nil, fmt.Errorf("decoding an action: unknown name %.20q", r.Do)
	}
	v, err := r.read(t)
	if err != nil {
		return nil, fmt.Errorf("decoding the action %s: %w", r.Do, err)
	}
	return v.(Action), nil
}

// EncodeQuery writes a query for [DecodeQuery].
func EncodeQuery(query any) ([]byte, error) {
	with, err := json.Marshal(query)
	if err != nil {
		return nil, fmt.Errorf("encoding a query: %w", err)
	}
	return json.Marshal(request{Ask: reflect.TypeOf(query).Name(), With: with})
}

// Question is a decoded query. The answer can be encoded as JSON and decoded
// into the query's type of answers; some queries answer even with an error, see
// [FireDaily].
type Question func(ctx context.Context, s *Local) (answer any, err error)

// DecodeQuery reads a query. Its error is as that of [DecodeAction].
func DecodeQuery(data []byte) (Question, error) {
	r, err := readRequest(data)
	if err != nil {
		return nil, fmt.Errorf("decoding a query: %w", err)
	}
	of, ok := queries[r.Ask]
	if !ok {
		return nil, fmt.Errorf("decoding a query: unknown name %.20q", r.Ask)
	}
	q, err := r.read(of.query)
	if err != nil {
		return nil, fmt.Errorf("decoding the query %s: %w", r.Ask, err)
	}
	return func(ctx context.Context, s *Local) (any, error) { return of.ask(ctx, q, s) }, nil
}

func readRequest(data []byte) (r request, err error) {
	if len(data) > maxRequest {
		return r, fmt.Errorf("%d bytes are too many", len(data))
	}
	return r, json.Unmarshal(data, &r)
}

// read reads the fields of a value of a type. The error says what is out of
// range.
func (r request) read(t reflect.Type) (any, error) {
	v := reflect.New(t)
	if len(r.With) > 0 {
		if err := json.Unmarshal(r.With, v.Interface()); err != nil {
			return nil, err
		}
	}
	for i := range t.NumField() {
		if err := check(t.Field(i).Name, v.Elem().Field(i).Interface()); err != nil {
			return nil, fmt.Errorf("%s: %w", t.Field(i).Name, err)
		}
	}
	return v.Elem().Interface(), nil
}

// maxRows bounds how much a query can ask for.
const maxRows = 1000

// offered reports whether rules are such as players are offered: those of a preset
// or custom ones, with a clock that can be chosen.
func offered(r match.Rules) bool {
	known, err := match.Preset(r.Name)
	if err != nil {
		known, err = lobby.CustomRules(r.Size, len(r.Fleet), r.Contact, r.Moving)
	}
	return err == nil && known.Name == r.Name && known.Same(r) && lobby.CheckClock(r.Clock) == nil
}

var errRange = errors.New("out of range")

// check checks a field of an action or a query, as far as its type allows
// values that cannot be.
func check(name string, field any) error {
	ok := true
	switch x := field.(type) {
	case match.Rules:
		ok = offered(x)
	case match.Side:
		ok = x <= match.Second
	case match.Move:
		ok = x <= match.MoveOf(match.MaxShips-1, match.Anticlockwise)
	case Stakes:
		ok = x <= Casual
	case Room:
		ok = x < chatRooms
	case Hearing:
		ok = x <= MutedPermanently
	case Board:
		ok = x <= Machines
	case int:
		ok = x >= 0 && (x <= maxRows || name != "Limit" && name != "Rows")
	}
	if !ok {
		return errRange
	}
	return nil
}

// sentinels are the errors that frontends tell apart, by their names on the way.
// Other errors of [words.Errorf] are known by their text.
var sentinels = []struct {
	name string
	err  error
}{
	{"replaced", ErrReplaced}, {"no-store", ErrNoStore}, {"store", ErrStore}, {"fleet-name", ErrFleetName}, {"fleet-account", ErrFleetAccount}, {"no-fleet", ErrNoFleet}, {"two-fleets", ErrTwoFleets},
	{"too-many-fleets", ErrTooManyFleets}, {"last-key", ErrLastKey}, {"not-found", ErrNotFound}, {"no-seek", ErrNoSeek}, {"hot-seat", ErrHotSeat},
	{"no-match", ErrNoMatch}, {"no-match-to-watch", ErrNoMatchToWatch}, {"no-chat", ErrNoChat},
	{"cancelled", context.Canceled}, {"deadline", context.DeadlineExceeded},
}

// carriedError is an error as it travels: its words, and the sentinels that it is
// or wraps.
type carriedError struct {
	Said json.RawMessage `json:"said"` // see [words.Carry]
	Is   []string        `json:"is,omitempty"`
}

// EncodeError encodes an error for [DecodeError]. It returns nil for nil.
func EncodeError(err error) json.RawMessage {
	if err == nil {
		return nil
	}
	c := carriedError{Said: words.Carry(err)}
	for _, s := range sentinels {
		if errors.Is(err, s.err) {
			c.Is = append(c.Is, s.name)
		}
	}
	b, _ := json.Marshal(c) // of JSON and strings it cannot fail
	return b
}

// DecodeError returns an error that says the same in every language, and that
// [errors.Is] takes for the same sentinels. It returns nil for no data.
func DecodeError(data json.RawMessage) error {
	if len(data) == 0 || string(data) == "null" {
		return nil
	}
	var c carriedError
	if err := json.Unmarshal(data, &c); err != nil {
		return fmt.Errorf("decoding an error: %w", err)
	}
	said, err := words.Carried(c.Said)
	if err != nil {
		return err
	}
	all := []error{said}
	for _, s := range sentinels {
		if slices.Contains(c.Is, s.name) {
			all = append(all, s.err)
		}
	}
	if len(all) == 1 {
		return said
	}
	return &remoteError{said, all}
}

// remoteError is an error that has travelled.
type remoteError struct {
	error
	all []error // itself and the sentinels that it is or wraps
}

func (e *remoteError) Unwrap() []error { return e.all }

// plainState, plainUpdate, plainMatch and plainCode have no methods.
type (
	plainState  State
	plainUpdate Update
	plainMatch  MatchUpdate
	plainCode   LinkCode
)

// carriedState is a state as it travels. The lobby travels apart from it.
type carriedState struct {
	Sent time.Time
	*plainState
	Lobby json.RawMessage `json:",omitempty"`
}

// carriedUpdate is an update as it travels.
type carriedUpdate struct {
	Sent time.Time
	*plainUpdate
	Match *carriedMatch   `json:",omitempty"`
	Err   json.RawMessage `json:",omitempty"`
}

type carriedMatch struct {
	plainMatch
	Refused json.RawMessage `json:",omitempty"`
}

// carriedCode is a link code as it travels.
type carriedCode struct {
	Sent time.Time
	*plainCode
}

// received corrects moments at which time runs out: so much later than now as
// they were when they were sent, whatever the other node's clock.
func received(sent time.Time, moments ...*time.Time) {
	now := time.Now()
	for _, m := range moments {
		if !m.IsZero() {
			*m = now.Add(m.Sub(sent))
		}
	}
}

// MarshalJSON implements json.Marshaler. It leaves out s.Lobby.
func (s State) MarshalJSON() ([]byte, error) {
	return json.Marshal(carriedState{Sent: time.Now().UTC(), plainState: (*plainState)(&s)})
}

// UnmarshalJSON implements json.Unmarshaler. It leaves s.Lobby as it is.
func (s *State) UnmarshalJSON(data []byte) error {
	*s = State{Lobby: s.Lobby}
	x := carriedState{plainState: (*plainState)(s)}
	if err := json.Unmarshal(data, &x); err != nil {
		return err
	}
	if s.Match != nil && s.Match.Side > match.Second {
		return fmt.Errorf("decoding a state: Side: %w", errRange)
	}
	if s.Challenge != nil {
		received(x.Sent, &s.Challenge.Until)
	}
	if s.Seek != nil {
		received(x.Sent, &s.Seek.Until)
	}
	if s.Table.Takeover != nil {
		received(x.Sent, &s.Table.Takeover.Until)
	}
	return nil
}

// MarshalJSON implements json.Marshaler.
func (u Update) MarshalJSON() ([]byte, error) {
	x := carriedUpdate{Sent: time.Now().UTC(), plainUpdate: (*plainUpdate)(&u), Err: EncodeError(u.Err)}
	if u.Match != nil {
		x.Match = &carriedMatch{plainMatch(*u.Match), EncodeError(u.Match.Refused)}
	}
	return json.Marshal(x)
}

// UnmarshalJSON implements json.Unmarshaler.
func (u *Update) UnmarshalJSON(data []byte) error {
	*u = Update{}
	x := carriedUpdate{plainUpdate: (*plainUpdate)(u)}
	if err := json.Unmarshal(data, &x); err != nil {
		return err
	}
	if u.Side > match.Second || u.Room >= chatRooms {
		return fmt.Errorf("decoding an update: Side or Room: %w", errRange)
	}
	u.Err = DecodeError(x.Err)
	if x.Match != nil {
		u.Match = (*MatchUpdate)(&x.Match.plainMatch)
		u.Match.Refused = DecodeError(x.Match.Refused)
		received(x.Sent, &u.Match.Deadline, &u.Match.AwayUntil[0], &u.Match.AwayUntil[1])
	}
	return nil
}

// MarshalJSON implements json.Marshaler.
func (c LinkCode) MarshalJSON() ([]byte, error) {
	return json.Marshal(carriedCode{time.Now().UTC(), (*plainCode)(&c)})
}

// UnmarshalJSON implements json.Unmarshaler.
func (c *LinkCode) UnmarshalJSON(data []byte) error {
	x := carriedCode{plainCode: (*plainCode)(c)}
	if err := json.Unmarshal(data, &x); err != nil {
		return err
	}
	received(x.Sent, &c.Until)
	return nil
}
