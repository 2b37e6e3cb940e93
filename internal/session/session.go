// Package session represents one player's connection to the lobby, independent of its
// presentation.
//
// A [Session] combines everything that belongs to one player: membership in the lobby, the
// open offer, the match being played or watched, and the chats. Frontends (screens, line
// mode, commands over SSH, the relay) open a session with [Host.Open] and use no other part
// of the lobby:
//
//   - [Session.Do] carries out an [Action], such as [Seek] or [Fire].
//   - [Ask] answers a [Query], such as [Keys] or [Games].
//   - [Session.State] returns the current state as plain values.
//   - [Session.Poll] returns the next change, and [Next] waits for it. Changes do not
//     queue: a slow reader misses intermediate states and old events, never the newest state.
//
// Actions, queries, states and updates are plain values that can be encoded as JSON, see
// [Encode]. Features shared by all frontends belong here.
//
// Returned errors are sentences for the player unless documented otherwise. Texts,
// terminals and keys do not belong in this package, nor do the rules for pairing players
// (package lobby).
package session

import (
	"context"
	"net/netip"
	"time"

	"broadside/match"
)

// Host opens sessions.
type Host interface {
	// Open opens a session for a client. Close it with [Session.Close]. It may wait for
	// the database.
	Open(ctx context.Context, c Client) (Session, error)
}

// Client describes a client, as far as the server has verified it.
type Client struct {
	Name        string        // sent by the client
	Fingerprint string        // of the key whose ownership the client has proved; empty without a key
	Addr        netip.Addr    // of the connection; zero if it is not an IP address
	WatchPace   time.Duration // minimum time between two updates of a watched match; twice that for a preview
	// Unlisted reports that the lobby does not list the player and that the session
	// receives no lobby snapshots, challenges or chats. It is used for commands.
	Unlisted bool   `json:",omitzero"`
	Conn     string `json:",omitzero"` // the connection's number in the log; starts with p for the relay
	// Operator is the client's name in the audit log, or "" if the client is not an
	// operator.
	Operator string `json:",omitzero"`
	// Address is the public address of the server, as host or host:port; empty if it is
	// not known.
	Address string `json:",omitzero"`
	// Program describes a client that is a program on the line protocol; it is nil for
	// people. Programs can only play and are not listed in the lobby. A program can change
	// its name or account until its first match, see [Seek].
	Program *Player `json:",omitzero"`
	// Deliver, if set, is called with updates of the session's match by the goroutine that causes
	// them; see [live.Mailbox.Deliver]. If it returns false, Poll returns the update. It is not
	// called if the session is on another node.
	Deliver func(*MatchUpdate) bool `json:"-"`
	// Remote reports that the client gets lobby snapshots in another way. LobbyChanged
	// then reports only changes of State.Me and State.AccountRevision.
	Remote bool `json:",omitzero"`
	// Previous is the session's state on the former active node; nil for a new session.
	Previous *Previous `json:",omitzero"`
}

// Session is one player's connection to the lobby. Its methods may be called from any
// goroutine, except that only one may use Poll and Changed.
type Session interface {
	// Do carries out an action. It may wait for the database.
	Do(ctx context.Context, a Action) error
	// State returns the current state.
	State() State
	// Poll returns the next update, or the zero Update if there is none. It does not wait. It
	// returns an error if an operator has ended the session.
	Poll() (Update, error)
	// Changed yields a value when Poll, after it has returned the zero Update, may have another
	// update.
	Changed() <-chan struct{}
	// SaveSettings stores settings with the account, if there is one, without waiting.
	// DoNotDisturb takes effect at once, even for guests. The channel yields one value:
	// nil once the settings are stored, or an error.
	SaveSettings(settings Settings) <-chan error
	// Client returns the client that the session was opened for.
	Client() Client
	// Close ends the session. It withdraws an open offer and leaves a running match,
	// which starts the absence clock. It may be called more than once.
	Close()

	// Answer answers a query on behalf of [Ask]. It sets *answer, which must have the
	// query's answer type. A local session calls local, which sets the answer; a remote
	// session sends the query (see [Encode]) and decodes the answer. The answer may
	// be set even if there is an error.
	Answer(ctx context.Context, query, answer any, local func(*Local) error) error
}

// State is a session's state at one moment, except for boards and chat lines, which are
// part of updates. The values that its pointers refer to never change.
type State struct {
	Me        Player
	Lobby     *Snapshot  `json:",omitzero"` // never nil
	Challenge *Challenge `json:",omitzero"` // the challenge that the player can answer, or nil
	Offer     *Offer     `json:",omitzero"` // the player's open offer, or nil
	Match     *Match     `json:",omitzero"` // the match being played or just ended, or nil
	Seat      SeatState  `json:",omitzero"` // the state of the seat outside the match itself
	Stakes    Stakes     `json:",omitzero"` // current stakes of Match
	Outcome   Outcome    `json:",omitzero"` // of Match, after its end
	Watching  *Running   `json:",omitzero"` // the match being watched, or nil
	// AccountRevision grows when any session changes the player's account: its name, keys
	// or muted players. LobbyChanged follows.
	AccountRevision int  `json:",omitzero"`
	HasStore        bool `json:",omitzero"` // the server stores accounts and records
	HasChat         bool `json:",omitzero"` // the match being played or watched has a chat
	// Waiting reports that the active node is currently unreachable. All other fields are
	// the last known state.
	Waiting bool `json:",omitzero"`
}

// Offer is an open offer of the session's player.
type Offer struct {
	Rules  match.Rules // with its clock
	Stakes Stakes      `json:",omitzero"`
	Since  time.Time
	Code   string    `json:",omitzero"` // of a private match; else empty
	To     *Player   `json:",omitzero"` // the challenged person; nil: not a challenge
	For    string    `json:",omitzero"` // the name of the only program that can accept it; else empty
	Until  time.Time `json:",omitzero"` // when a challenge expires
	// TakesOver reports that the offer requests a seat in use. Its player can refuse
	// until Until.
	TakesOver bool `json:",omitzero"`
}

// Match describes a match from the session's side.
type Match struct {
	ID       string
	Side     match.Side `json:",omitzero"` // First in a hot-seat match
	Opponent Player
	Rules    match.Rules // with its clock
	HotSeat  bool        `json:",omitzero"` // the player holds both seats
	Host     bool        `json:",omitzero"` // the player hosts this private match, see RemoveOpponent
	Names    [2]string   `json:",omitzero"` // of both sides in a hot-seat match
}

// UpdateKind is the kind of an [Update].
type UpdateKind uint8

// The kinds of updates.
const (
	LobbyChanged     UpdateKind = iota + 1 // State.Lobby or State.Me has changed
	ChallengeChanged                       // State.Challenge has changed
	OfferChanged                           // State.Offer has ended; Err says why
	Seated                                 // State.Match is a new match
	MatchChanged                           // Match has the view of Side and new events
	MatchLost                              // the session has lost its match; Err says why
	SeatChanged                            // State.Seat has changed
	WatchChanged                           // Match has the spectators' view and new events
	WatchEnded                             // the match being watched has ended
	ChatChanged                            // Lines has the lines of Room
	WaitingChanged                         // State.Waiting has changed
	ReviewReady                            // the review of the match ID is ready, see [GetReview]
)

// Update is a change of a session's state.
type Update struct {
	Kind  UpdateKind
	ID    string       `json:",omitzero"` // ID of the match of Match, or of a match's chat
	Match *MatchUpdate `json:",omitzero"` // see Kind; owned by the receiver (by a program only until its next call of Poll)
	Side  match.Side   `json:",omitzero"` // the side of Match in a hot-seat match
	Room  Room         `json:",omitzero"`
	Lines []Line       `json:",omitzero"` // shared; must not be modified
	Err   error        `json:",omitzero"`
}

// Action is something that a player does.
type Action interface {
	do(ctx context.Context, s *Local) error
}

// Do implements [Session].
func (s *Local) Do(ctx context.Context, a Action) error {
	if err := s.hasEnded(); err != nil {
		return err
	}
	if err := allow(a, s.member == nil); err != nil {
		return err
	}
	if s.hasDone(ctx, a) {
		return nil
	}
	return a.do(ctx, s)
}

// Query is a question with an answer of type R.
type Query[R any] interface {
	ask(ctx context.Context, s *Local) (R, error)
}

// Ask answers a query. It may wait for the database.
func Ask[R any](ctx context.Context, s Session, q Query[R]) (R, error) {
	var r R
	err := s.Answer(ctx, q, &r, func(l *Local) (err error) {
		r, err = q.ask(ctx, l)
		return err
	})
	return r, err
}

// Answer implements [Session].
func (s *Local) Answer(_ context.Context, query, _ any, local func(*Local) error) error {
	if err := allow(query, s.member == nil); err != nil {
		return err
	}
	return local(s)
}
