// Package session is one player's place at the server, apart from how it is
// shown.
//
// A [Session] joins what belongs to one player: the presence in the lobby, the
// offer that is open, the match that is played or watched, and the chats.
// Frontends (screens, line mode, commands over SSH, the relay) open one with
// [Host.Open] and use nothing else of the lobby:
//
//   - [Session.Do] carries out an [Action], such as [Seek] or [Fire].
//   - [Ask] answers a [Query], such as [Keys] or [Games].
//   - [Session.State] returns the current state, as plain values.
//   - [Session.Next] waits for the next change. It never queues: a slow reader
//     misses intermediate states and old events, never the newest state.
//
// Actions, queries, states and updates are plain values that can travel as JSON,
// see [EncodeAction]. A feature that every frontend should have is added here once.
//
// Text for people, terminals and keys do not belong here, nor do the rules of
// who may play whom (package lobby).
package session

import (
	"context"
	"net/netip"
	"sync"
	"time"

	"broadside/lobby"
	"broadside/lobby/chat"
	"broadside/lobby/daily"
	"broadside/match"
	"broadside/match/live"
)

// Host opens sessions.
type Host interface {
	// Open opens a session for a client, until [Session.Close]. It may wait for the
	// database.
	Open(ctx context.Context, c Client) (Session, error)
}

// Client describes who connects, as far as the server has proved it.
type Client struct {
	Name        string        // that the client sent
	Fingerprint string        // of the key that the client has proved to own; empty without one
	Addr        netip.Addr    // of the connection; zero if that is no IP address
	WatchPace   time.Duration // see [Config]
	Unlisted    bool          `json:",omitzero"` // see [Config]
	Conn        string        `json:",omitzero"` // the connection's number, as in the log; p and a number for the relay's
	// Operator is how the operators' log names the client. Only operators have a
	// name there: others must leave this empty.
	Operator string `json:",omitzero"`
	// Program says who the client is if it is a program on the line protocol; nil for a
	// person. A program plays only, and the lobby does not list it. It gets its ID when
	// it plays for the first time.
	Program *Player `json:",omitzero"`
	// Remote says that lobby snapshots reach the client in another way. LobbyChanged
	// then only reports changes of State.Me and State.AccountRevision.
	Remote bool `json:",omitzero"`
	// Had is what the session had at the former active node; nil: it is new.
	Previous *Previous `json:",omitzero"`
}

// Session is one player's place at the server. All methods may be called from
// any goroutine, except that only one may be in Next at a time.
type Session interface {
	// Do carries out an action. It may wait for the database. Its error is a
	// sentence for the player.
	Do(ctx context.Context, a Action) error
	// State returns the current state.
	State() State
	// Next waits for the next update. Its error is ctx's, or, once an operator has
	// ended the session, a sentence for the player.
	Next(ctx context.Context) (Update, error)
	// Keep stores settings with the account, without waiting; Do Not Disturb takes
	// effect at once, for guests as well. The channel yields once: nil when they are
	// stored, or else a sentence for the player.
	SaveSettings(settings Settings) <-chan error
	// Player returns the player as the lobby knows them.
	Player() Player
	// HasStore reports whether the server keeps accounts and records.
	HasStore() bool
	// Fingerprint returns the fingerprint of the player's proved key, or an empty
	// string.
	Fingerprint() string
	// Label returns the name that the player's SSH client sent.
	Label() string
	// HasChat reports whether the match that is played or watched has a chat.
	HasChat() bool
	// Close ends the player's presence: an open offer is withdrawn and a running
	// match is left, so that its absence clock starts. Closing twice is closing
	// once.
	Close()

	// Answer answers a query for [Ask]: it writes the answer to *answer, which is of
	// the query's type of answers. A session in the process of the lobby calls
	// local, which does so; any other session sends the query, see [EncodeQuery],
	// and decodes the answer. There can be an answer even if there is an error.
	Answer(ctx context.Context, query, answer any, local func(*Local) error) error
}

// Config describes the player of a session.
type Config struct {
	Lobby       *lobby.Lobby
	Player      Player     // see [lobby.Lobby.Receive]
	Fingerprint string     // of the key that the player has proved to own; empty without one
	Addr        netip.Addr // of the connection; zero if that is no IP address
	Label       string     // the name that the player's SSH client sent: labels a new key
	// WatchPace is the shortest time between two updates of a match that is
	// watched; of one that is only seen in passing, twice that.
	WatchPace time.Duration
	// Unlisted: the lobby does not show the player, and the session has neither
	// lobby snapshots nor challenges nor chats. It is a program's, or a command's.
	Unlisted bool
}

// Local is a [Session] in the same process as the lobby.
type Local struct {
	lobby       *lobby.Lobby
	member      *lobby.Member // nil for a program
	fingerprint string
	addr        netip.Addr
	label       string
	unlisted    bool
	remote      bool   // see [Client]
	conn        string // see [Client]
	operator    string // see [Client]
	since       time.Time
	host        *Lobby // that lists the session; nil: none
	pace        time.Duration
	rewired     chan struct{} // capacity 1: Next has to wait for something else

	mu      sync.Mutex // never held while waiting
	closed  bool       // guarded by mu, as all below
	ended   error      // why an operator has ended the session; nil: nobody has
	state   State      // without what its getter adds
	seek    *lobby.Offer
	seats   [2]*seat        // by side; the other one is nil, except in a hot seat
	polled  int             // the seat that was looked at last
	table   lobby.SeatState // of the match that is played
	code    string          // of that seat
	watch   *watch
	chats   [chatRooms]*chat.Place
	daily   *daily.Attempt // the daily sea as far as this session has shot at it
	pending []Update       // changes that Do has made and Next has not returned
	held    *Snapshot      // a lobby snapshot that waits for its turn to be drawn
	known   reported       // what LobbyChanged reported last, if remote
	past    *Match         // that ended at the former active node
	turn    <-chan time.Time

	lent *live.Update // that a program's Next has returned last
}

// seat is a seat that this session holds.
type seat struct {
	*lobby.Seat
	box  *live.Mailbox
	over bool // the end of the match has been delivered
}

// watch is a spectator's place that this session holds.
type watch struct {
	*lobby.Spectator
	counted bool
	rest    <-chan time.Time // until the next update; nil: none
	due     bool             // an update is there, but waits for its turn to be drawn
	ended   bool             // there will be no more
}

// State is what a session's player knows at one moment, except for boards and
// chat, which updates carry. What its pointers lead to never changes.
type State struct {
	Me        Player
	Lobby     *Snapshot  `json:",omitzero"` // never nil
	Challenge *Challenge `json:",omitzero"` // which the player may answer; nil: none
	Offer     *Offer     `json:",omitzero"` // the player's own open offer; nil: none
	Match     *Match     `json:",omitzero"` // that is being played or has just ended; nil: none
	Seat      SeatState  `json:",omitzero"` // what concerns the seat besides the match
	Stakes    Stakes     `json:",omitzero"` // of Match, as they stand now
	Outcome   Outcome    `json:",omitzero"` // of Match, once it is over
	Watching  *Running   `json:",omitzero"` // the match being watched; nil: none
	// AccountRevision grows when the player's account has changed, in whatever
	// session: its name, its keys, or whom it has muted. LobbyChanged follows.
	AccountRevision int `json:",omitzero"`
	// Waiting means that the server cannot be reached for the moment: the rest is as
	// it was last.
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
	Rematch bool      `json:",omitzero"` // asks the last opponent for a rematch
	// TakesOver: asks for a seat in use, until its player can no longer refuse.
	TakesOver bool `json:",omitzero"`
}

// Match describes a match from the session's side.
type Match struct {
	ID       string
	Side     match.Side `json:",omitzero"` // in a hot seat: First
	Opponent Player
	Rules    match.Rules // with its clock
	HotSeat  bool        `json:",omitzero"` // the player holds both seats
	Host     bool        `json:",omitzero"` // the match began in the player's private room: see RemoveOpponent
	Names    [2]string   `json:",omitzero"` // of both sides, in a hot seat
}

// Table is what concerns a seat besides the match itself.
type SeatState struct {
	RematchOffered bool      `json:",omitzero"` // the opponent wants a rematch
	OpponentLeft   bool      `json:",omitzero"` // the opponent has left: there will be no rematch
	Takeover       *Takeover `json:",omitzero"` // somebody asks for the seat, and gets it unless Refuse
	Code           string    `json:",omitzero"` // the guest's resume code; empty: not needed
}

// UpdateKind says what an [Update] is about.
type UpdateKind uint8

// The kinds of updates.
const (
	LobbyChanged     UpdateKind = iota + 1 // State.Lobby or State.Me
	ChallengeChanged                       // State.Challenge
	OfferChanged                           // State.Offer; Err says why an offer failed
	Seated                                 // State.Match is a new match
	MatchChanged                           // Match holds the view of Side and its events
	MatchLost                              // another session has the match, or it is gone: Err
	SeatChanged                            // State.Seat
	WatchChanged                           // Match holds the spectators' view
	WatchEnded                             // the match being watched is over and stays as it is
	ChatChanged                            // Lines holds what is to be read in Room
	WaitingChanged                         // State.Waiting
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

// New opens a session, until [Session.Close].
func New(cfg Config) *Local {
	s := &Local{
		lobby: cfg.Lobby, fingerprint: cfg.Fingerprint, addr: cfg.Addr, label: cfg.Label, unlisted: cfg.Unlisted, pace: cfg.WatchPace,
		rewired: make(chan struct{}, 1), state: State{Lobby: &noSnapshot},
	}
	if s.unlisted {
		s.member = cfg.Lobby.Unlisted(cfg.Player)
		return s
	}
	s.member = cfg.Lobby.Enter(cfg.Player)
	s.member.AddKey(cfg.Fingerprint)
	s.chats[InLobby] = s.member.Chat.JoinLobby()
	return s
}

// noSnapshot is what a session knows of the lobby at first. It never changes.
var noSnapshot Snapshot

// Close implements [Session].
func (s *Local) Close() {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return
	}
	s.closed = true
	seek := s.seek
	s.seek = nil
	s.mu.Unlock()
	if s.host != nil {
		s.host.remove(s)
	}
	if seek != nil {
		withdraw(seek)
	}
	s.mu.Lock()
	s.leaveSeatsLocked()
	s.unwatchLocked()
	if place := s.chats[InLobby]; place != nil {
		place.Leave()
	}
	s.mu.Unlock()
	if s.member != nil {
		s.member.Leave()
	}
}

// Player implements [Session].
func (s *Local) Player() Player {
	if s.member != nil {
		return s.member.Player()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state.Me
}

// HasStore implements [Session].
func (s *Local) HasStore() bool { return s.lobby.Store() != nil }

// Fingerprint implements [Session].
func (s *Local) Fingerprint() string { return s.fingerprint }

// Label implements [Session].
func (s *Local) Label() string { return s.label }

// State implements [Session].
func (s *Local) State() State {
	s.mu.Lock()
	defer s.mu.Unlock()
	state := s.state
	if s.member != nil {
		state.Me, state.AccountRevision = s.member.Player(), s.member.AccountRevision()
	}
	if s.past != nil && s.state.Match == s.past {
		state.Seat.OpponentLeft, state.Outcome.Stored = true, true
	}
	if held := s.seatLocked(); held != nil {
		state.Seat = SeatState{s.table.RematchOffered, s.table.OpponentLeft, s.table.Takeover, s.code}
		state.Stakes, state.Outcome = held.Stakes(), held.Outcome()
	}
	return state
}

// Action is something that a player does. Its error is a sentence for the
// player.
type Action interface {
	do(ctx context.Context, s *Local) error
}

// Do implements [Session].
func (s *Local) Do(ctx context.Context, a Action) error {
	if err := s.hasEnded(); err != nil {
		return err
	}
	if err := s.allow(a); err != nil {
		return err
	}
	return a.do(ctx, s)
}

// Query is a question whose answer is an R. Its error is a sentence for the
// player.
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
	if err := s.allow(query); err != nil {
		return err
	}
	return local(s)
}

// rewire makes Next wait for what has changed, and return what is pending.
// s.mu may be held.
func (s *Local) rewire() {
	select {
	case s.rewired <- struct{}{}:
	default:
	}
}

// pushLocked has Next return an update. There are few kinds, and each is
// pending once: a session that is not read does not grow.
func (s *Local) pushLocked(u Update) {
	for i := range s.pending {
		if s.pending[i].Kind == u.Kind {
			s.pending[i] = u
			return
		}
	}
	s.pending = append(s.pending, u)
	s.rewire()
}
