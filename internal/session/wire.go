package session

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/i18n/phrase"
	"broadside/lobby/account"
	"broadside/match"
)

// This file encodes a session's values as JSON to send them between nodes. Unknown fields
// are ignored and missing fields are zero, so that adjacent versions are compatible. Do
// not rename fields or types.

// messages maps names to the types of actions and queries.
var messages = byName(
	[]Action{
		Seek{}, PlayBot{}, QuickGame{}, SendChallenge{}, Accept{}, Decline{}, OpenPrivate{}, JoinPrivate{}, ResumeSeat{}, HotSeat{}, Rejoin{}, Refuse{}, Rematch{},
		Place{}, Fire{}, Move{}, Confirm{}, AcceptTimeout{}, Claim{}, Resign{}, RemoveOpponent{}, Abort{}, LeaveMatch{},
		Watch{}, WatchBy{}, Preview{}, Unwatch{}, ShowFeatured{}, Say{}, Mute{},
		Register{}, Rename{}, LinkKey{}, RemoveKey{}, DoNotDisturb{}, StoreSettings{}, SaveFleet{}, RemoveFleet{}, Follow{}, Unfollow{},
		PlayNamed{}, SeekCup{}, JoinLadder{}, Fill{}, KeepFleet{}, Commit{}, Answer{}, Reveal{}, Forfeit{},
		Announce{}, SetLockdown{},
	},
	query(GetOccupancy{}), query(Cancel{}), query(GetHearing{}), query(Matches{}), query(GetLobby{}), query(Games{}), query(GetRecord{}), query(ExportGames{}), query(GetReview{}), query(Leaderboard{}), query(GetLadder{}), query(GetLadderPage{}),
	query(GetProfile{}), query(Fleets{}), query(Friends{}), query(GetSettings{}), query(Keys{}), query(NewLinkCode{}), query(CheckLinkCode{}), query(Muted{}),
	query(OpenDaily{}), query(FireDaily{}), query(GetDailyStanding{}), query(FindAccount{}),
	query(CheckProgramName{}), query(FindProgram{}), query(FindPrivate{}), query(CanPlayNamed{}), query(OpponentStanding{}),
	query(Programs{}), query(NewToken{}), query(RevokeToken{}), query(GetProgram{}),
	query(NewCup{}), query(ChangeCup{}), query(GetCup{}), query(Cups{}),
	query(ListSessions{}), query(Kick{}), query(RenamePlayer{}), query(MutePlayer{}), query(UnmutePlayer{}), query(Acts{}),
	query(FindSubject{}), query(BanSubject{}), query(Unban{}), query(Bans{}), query(LockedDown{}),
)

// message is a type of action or query.
type message struct {
	of  reflect.Type
	ask func(ctx context.Context, query any, s *Local) (any, error) // nil for an action
}

func query[R any](q Query[R]) message {
	return message{reflect.TypeOf(q), func(ctx context.Context, q any, s *Local) (any, error) { return q.(Query[R]).ask(ctx, s) }}
}

func byName(actions []Action, all ...message) map[string]message {
	for _, a := range actions {
		all = append(all, message{of: reflect.TypeOf(a)})
	}
	m := map[string]message{}
	for _, x := range all {
		m[x.of.Name()] = x
	}
	return m
}

// maxMessage is the maximum size of an encoded action or query in bytes.
const maxMessage = 16 << 10

// Encode encodes an action or a query for [Decode]: its name, a space and its fields as
// JSON.
func Encode(x any) ([]byte, error) {
	fields, err := json.Marshal(x)
	if err != nil {
		return nil, fmt.Errorf("encoding a message: %w", err)
	}
	return append([]byte(reflect.TypeOf(x).Name()+" "), fields...), nil
}

// Order carries out a decoded action or query in a session. The answer to a query can be
// encoded as JSON and decoded into the query's answer type; it may be set even if there
// is an error, see [FireDaily]. For an action it is nil.
type Order func(ctx context.Context, s Session) (answer any, err error)

// Decode decodes an action or a query. It returns an error only if the sender runs an
// incompatible version or is malicious. It is safe to carry out a decoded order.
func Decode(data []byte) (Order, error) {
	x, m, err := decodeMessage(data)
	if err != nil {
		return nil, fmt.Errorf("decoding an action or a query: %w", err)
	}
	return func(ctx context.Context, s Session) (answer any, err error) {
		if a, is := x.(Action); is {
			return nil, s.Do(ctx, a)
		}
		err = s.Answer(ctx, x, nil, func(l *Local) error {
			var err error
			answer, err = m.ask(ctx, x, l)
			return err
		})
		return answer, err
	}, nil
}

var errRange = errors.New("out of range")

func decodeMessage(data []byte) (x any, m message, err error) {
	if len(data) > maxMessage {
		return nil, m, fmt.Errorf("%d bytes are too many", len(data))
	}
	name, fields, _ := bytes.Cut(data, []byte(" "))
	m, ok := messages[string(name)]
	if !ok {
		return nil, m, fmt.Errorf("unknown name %.20q", name)
	}
	v := reflect.New(m.of)
	if err := json.Unmarshal(fields, v.Interface()); err != nil {
		return nil, m, fmt.Errorf("%s: %w", name, err)
	}
	for i := range m.of.NumField() {
		if name := m.of.Field(i).Name; !valid(name, v.Elem().Field(i).Interface()) {
			return nil, m, fmt.Errorf("%s: %w", name, errRange)
		}
	}
	return v.Elem().Interface(), m, nil
}

// maxRows limits how many rows a query can ask for.
const maxRows = 1000

// valid reports whether a field of an action or a query has a value that a frontend of this
// program could have set. It checks only conditions that the lobby relies on.
func valid(name string, field any) bool {
	switch x := field.(type) {
	case match.Rules:
		return offered(x)
	case CupSettings:
		return offered(x.Rules) && x.Stakes <= Casual
	case match.Side:
		return x <= match.Second
	case match.Move:
		return x <= match.MoveOf(match.MaxShips-1, match.Anticlockwise)
	case Stakes:
		return x <= Casual
	case Room:
		return x < chatRooms
	case Hearing:
		return x <= MutedPermanently
	case Board:
		return x <= Machines
	case []match.Cell:
		return len(x) < match.MaxShips
	case int:
		return x >= 0 && (x <= maxRows || name != "Limit" && name != "Rows")
	}
	return true
}

// offered reports whether players could have chosen the rules: a preset or custom rules,
// with a valid clock.
func offered(r match.Rules) bool {
	known, err := match.Preset(r.Name)
	if err != nil {
		known, err = account.CustomRules(r.Size, len(r.Fleet), r)
	}
	return err == nil && known.Name == r.Name && known.Same(r) && account.CheckClock(r.Clock) == nil
}

// sentinels are the errors that frontends distinguish, by their encoded names. Other
// errors are encoded by their messages.
var sentinels = []struct {
	name string
	err  error
}{
	{"replaced", ErrReplaced}, {"no-store", ErrNoStore}, {"store", ErrStore}, {"fleet-name", ErrFleetName}, {"fleet-account", ErrFleetAccount}, {"no-fleet", ErrNoFleet}, {"two-fleets", ErrTwoFleets},
	{"too-many-fleets", ErrTooManyFleets}, {"last-key", ErrLastKey}, {"not-found", ErrNotFound}, {"no-seek", ErrNoOffer}, {"hot-seat", ErrHotSeat},
	{"no-match", ErrNoMatch}, {"cup-over", ErrCupOver}, {"uncounted", ErrUncounted}, {"token", ErrToken}, {"no-match-to-watch", ErrNoMatchToWatch}, {"no-chat", ErrNoChat}, {"guests", ErrGuests}, {"not-operator", ErrNotOperator}, {"for-people", ErrForPeople}, {"for-programs", ErrForPrograms},
	{"cancelled", context.Canceled}, {"deadline", context.DeadlineExceeded},
}

// carriedError is the encoded form of an error: its message, and the sentinels that it is
// or wraps.
type carriedError struct {
	Said json.RawMessage `json:"said"` // see [i18n.EncodeError]
	Is   []string        `json:"is,omitempty"`
}

// EncodeError encodes an error for [DecodeError]. It returns nil for nil.
func EncodeError(err error) json.RawMessage {
	if err == nil {
		return nil
	}
	c := carriedError{Said: i18n.EncodeError(phrase.Localize(err))}
	for _, s := range sentinels {
		if errors.Is(err, s.err) {
			c.Is = append(c.Is, s.name)
		}
	}
	b, _ := json.Marshal(c) // cannot fail for JSON and strings
	return b
}

// DecodeError returns an error that has the same message in every language and that
// [errors.Is] matches to the same sentinels. It returns nil for no data.
func DecodeError(data json.RawMessage) error {
	if len(data) == 0 || string(data) == "null" {
		return nil
	}
	var c carriedError
	if err := json.Unmarshal(data, &c); err != nil {
		return fmt.Errorf("decoding an error: %w", err)
	}
	said, err := i18n.DecodeError(c.Said)
	if err != nil {
		return err
	}
	all := append([]error{said}, phrase.Sentinels(said)...)
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

// remoteError is an error received from another node.
type remoteError struct {
	error
	all []error // the error itself and the sentinels that it is or wraps
}

func (e *remoteError) Unwrap() []error { return e.all }

// plainState, plainUpdate and plainPlayed have no methods.
type (
	plainState  State
	plainUpdate Update
	plainPlayed MatchUpdate
)

// EncodedState is the JSON form of a [State], without the lobby. Like [EncodedUpdate], it
// has no JSON methods, so that values that contain it are encoded in one pass.
type EncodedState struct {
	Sent time.Time
	plainState
	Lobby json.RawMessage `json:",omitempty"`
}

// EncodedUpdate is the JSON form of an [Update].
type EncodedUpdate struct {
	Sent time.Time
	plainUpdate
	Match *encodedMatch   `json:",omitempty"`
	Err   json.RawMessage `json:",omitempty"`
}

type encodedMatch struct {
	plainPlayed
	View    match.EncodedView
	Refused json.RawMessage `json:",omitempty"`
}

// received converts expiry times from the sender's clock to this node's clock: each is as
// far from now as it was from sent.
func received(sent time.Time, moments ...*time.Time) {
	now := time.Now()
	for _, m := range moments {
		if !m.IsZero() && !sent.IsZero() {
			*m = now.Add(m.Sub(sent))
		}
	}
}

// Encode returns the JSON form of the state.
func (s *State) Encode() *EncodedState {
	return &EncodedState{Sent: time.Now().UTC(), plainState: plainState(*s)}
}

// MarshalJSON implements json.Marshaler. It omits s.Lobby.
func (s State) MarshalJSON() ([]byte, error) { return json.Marshal(s.Encode()) }

// Decode returns the state, without a lobby.
func (x *EncodedState) Decode() State {
	s := State(x.plainState)
	if s.Challenge != nil {
		received(x.Sent, &s.Challenge.Until)
	}
	if s.Offer != nil {
		received(x.Sent, &s.Offer.Until)
	}
	if s.Seat.Takeover != nil {
		received(x.Sent, &s.Seat.Takeover.Until)
	}
	return s
}

// UnmarshalJSON implements json.Unmarshaler. It leaves s.Lobby unchanged.
func (s *State) UnmarshalJSON(data []byte) error {
	var x EncodedState
	if err := json.Unmarshal(data, &x); err != nil {
		return err
	}
	lobby := s.Lobby
	*s = x.Decode()
	s.Lobby = lobby
	return nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (m *Match) UnmarshalJSON(data []byte) error {
	type plain Match
	if err := json.Unmarshal(data, (*plain)(m)); err != nil {
		return err
	}
	if m.Side > match.Second {
		return fmt.Errorf("decoding a match: Side: %w", errRange)
	}
	return nil
}

// Encode returns the JSON form of the update.
func (u *Update) Encode() *EncodedUpdate {
	x := &EncodedUpdate{Sent: time.Now().UTC(), plainUpdate: plainUpdate(*u), Err: EncodeError(u.Err)}
	if m := u.Match; m != nil {
		x.Match = &encodedMatch{plainPlayed(*m), m.View.Encode(), EncodeError(m.Refused)}
	}
	return x
}

// MarshalJSON implements json.Marshaler.
func (u Update) MarshalJSON() ([]byte, error) { return json.Marshal(u.Encode()) }

// Decode returns the update. It returns an error if a value is out of range.
func (x *EncodedUpdate) Decode() (u Update, err error) {
	u = Update(x.plainUpdate)
	if u.Side > match.Second || u.Room >= chatRooms {
		return u, fmt.Errorf("decoding an update: Side or Room: %w", errRange)
	}
	u.Err = DecodeError(x.Err)
	if x.Match == nil {
		return u, nil
	}
	u.Match = (*MatchUpdate)(&x.Match.plainPlayed)
	u.Match.Refused = DecodeError(x.Match.Refused)
	u.Match.View, err = x.Match.View.Decode()
	received(x.Sent, &u.Match.Deadline, &u.Match.AwayUntil[0], &u.Match.AwayUntil[1])
	return u, err
}

// UnmarshalJSON implements json.Unmarshaler.
func (u *Update) UnmarshalJSON(data []byte) error {
	var x EncodedUpdate
	err := json.Unmarshal(data, &x)
	if err == nil {
		*u, err = x.Decode()
	}
	return err
}
