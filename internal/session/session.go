// Package session is one player's connection to the lobby, apart from how it is
// displayed.
//
// A [Session] combines what belongs to one player: membership in the lobby, the open
// offer, the match that is played or watched, and the chats. Frontends (screens, line
// mode, commands over SSH, the relay) open one with [Host.Open] and use nothing else of
// the lobby:
//
//   - [Session.Do] carries out an [Action], such as [Seek] or [Fire].
//   - [Ask] answers a [Query], such as [Keys] or [Games].
//   - [Session.State] returns the current state, as plain values.
//   - [Session.Next] waits for the next change. It never queues: a slow reader
//     misses intermediate states and old events, never the newest state.
//
// Actions, queries, states and updates are plain values that can travel as JSON, see
// [EncodeAction]. A feature that every frontend should have is added here once.
//
// Errors that a frontend receives are sentences for the player, unless comments say
// otherwise. Texts, terminals and keys do not belong here, nor do the rules of who may
// play whom (package lobby).
package session

import (
	"context"
	"net/netip"
	"time"

	"broadside/match"
)

// Host opens sessions.
type Host interface {
	// Open opens a session for a client, until [Session.Close]. It may wait for the
	// database.
	Open(ctx context.Context, c Client) (Session, error)
}

// Client describes a client, as far as the server has proved it.
type Client struct {
	Name        string        // that the client sent
	Fingerprint string        // of the key that the client has proved to own; empty without one
	Addr        netip.Addr    // of the connection; zero if it is not an IP address
	WatchPace   time.Duration // the shortest time between two updates of a watched match; twice that for a preview
	// Unlisted says that the lobby does not show the player, and that the session
	// receives no lobby snapshots, challenges or chats. It is for commands.
	Unlisted bool   `json:",omitzero"`
	Conn     string `json:",omitzero"` // the connection's number in the log, with a leading p for the relay
	// Operator is the client's name in the operators' log. It is empty for clients that
	// are not operators.
	Operator string `json:",omitzero"`
	// Program describes the client if it is a program on the line protocol, and is nil
	// for a person. A program only plays, and is not listed in the lobby. It gets its ID
	// when it plays for the first time.
	Program *Player `json:",omitzero"`
	// Remote says that lobby snapshots reach the client in another way. LobbyChanged
	// then only reports changes of State.Me and State.AccountRevision.
	Remote bool `json:",omitzero"`
	// Previous is what the session had at the former active node; nil for a new session.
	Previous *Previous `json:",omitzero"`
}

// Session is one player's connection to the lobby. All methods may be called from any
// goroutine, but only one goroutine may be in Next at a time.
type Session interface {
	// Do carries out an action. It may wait for the database.
	Do(ctx context.Context, a Action) error
	// State returns the current state.
	State() State
	// Next waits for the next update. Its error is ctx's, or that an operator has ended
	// the session.
	Next(ctx context.Context) (Update, error)
	// SaveSettings stores settings with the account, if there is one, without waiting;
	// DoNotDisturb takes effect at once, for guests as well. The channel yields once: nil
	// when they are stored, or else an error.
	SaveSettings(settings Settings) <-chan error
	// Player returns the player as the lobby knows them.
	Player() Player
	// Client returns the client that the session was opened for.
	Client() Client
	// HasStore reports whether the server keeps accounts and records.
	HasStore() bool
	// HasChat reports whether the match that is played or watched has a chat.
	HasChat() bool
	// Close ends the session: an open offer is withdrawn and a running match is left, so
	// that its absence clock starts. It may be called more than once.
	Close()

	// Answer answers a query for [Ask]: it writes the answer to *answer, which has the
	// query's type of answers. A local session calls local, which does so; a remote one
	// sends the query, see [EncodeQuery], and decodes the answer. There can be an answer
	// even if there is an error.
	Answer(ctx context.Context, query, answer any, local func(*Local) error) error
}

// State is what a session's player knows at one moment, except for boards and chat
// lines, which updates contain. The values of its pointers never change.
type State struct {
	Me        Player
	Lobby     *Snapshot  `json:",omitzero"` // never nil
	Challenge *Challenge `json:",omitzero"` // that the player can answer, or nil
	Offer     *Offer     `json:",omitzero"` // the player's open offer, or nil
	Match     *Match     `json:",omitzero"` // the match being played or just ended, or nil
	Seat      SeatState  `json:",omitzero"` // see SeatState
	Stakes    Stakes     `json:",omitzero"` // current stakes of Match
	Outcome   Outcome    `json:",omitzero"` // of Match, after its end
	Watching  *Running   `json:",omitzero"` // the match being watched, or nil
	// AccountRevision grows when the player's account has changed in any session: its
	// name, its keys, or whom it has muted. LobbyChanged follows.
	AccountRevision int `json:",omitzero"`
	// Waiting says that the active node cannot be reached at the moment. The rest is the
	// last known state.
	Waiting bool `json:",omitzero"`
}

// Offer is an open offer of the session's player.
type Offer struct {
	Rules   match.Rules // with its clock
	Stakes  Stakes      `json:",omitzero"`
	Since   time.Time
	Code    string    `json:",omitzero"` // of a private match; else empty
	To      *Player   `json:",omitzero"` // the challenged player; nil: not a challenge
	Until   time.Time `json:",omitzero"` // when a challenge expires
	Rematch bool      `json:",omitzero"` // a rematch offer to the last opponent
	// TakesOver says that a seat in use is requested, and Until when its player can
	// no longer refuse.
	TakesOver bool `json:",omitzero"`
}

// Match describes a match from the session's side.
type Match struct {
	ID       string
	Side     match.Side `json:",omitzero"` // in a hot seat: First
	Opponent Player
	Rules    match.Rules // with its clock
	HotSeat  bool        `json:",omitzero"` // the player holds both seats
	Host     bool        `json:",omitzero"` // the player hosts this private match, see RemoveOpponent
	Names    [2]string   `json:",omitzero"` // of both sides, in a hot seat
}

// SeatState is what concerns the player's seat besides the match itself.
type SeatState struct {
	RematchOffered bool      `json:",omitzero"` // by the opponent
	OpponentLeft   bool      `json:",omitzero"` // there will be no rematch
	Takeover       *Takeover `json:",omitzero"` // a request for the seat, which succeeds without Refuse; or nil
	Code           string    `json:",omitzero"` // the guest's resume code; empty: not needed
}

// UpdateKind says what an [Update] is about.
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
)

// Update is one change of what a player knows.
type Update struct {
	Kind  UpdateKind
	ID    string       `json:",omitzero"` // of the match that Match, or a match's chat, belongs to
	Match *MatchUpdate `json:",omitzero"` // see Kind; the receiver owns it, a program until it calls Next again
	Side  match.Side   `json:",omitzero"` // of Match, in a hot seat
	Room  Room         `json:",omitzero"`
	Lines []Line       `json:",omitzero"` // shared: never change them
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
	return a.do(ctx, s)
}

// Query is a question whose answer is an R.
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
