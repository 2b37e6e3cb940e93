// Package session represents one player's connection to the lobby, independent of its
// presentation.
//
// A [Session] combines everything that belongs to one player: membership in the lobby, the
// open offer, the match being played or watched, and the chats. Frontends (screens, line
// mode, commands over SSH, the relay) open a session with [Host.Open] and use no other part
// of the lobby:
//
//   - A session has a method for each action, such as [Session.FindOpponent] and [Session.Fire], and
//     for each question, such as [Session.Keys] and [Session.FinishedMatches].
//   - [Session.State] returns the current state as plain values.
//   - [Session.Poll] returns the next change, and [Session.Next] waits for it. Changes do not
//     queue. A slow reader misses intermediate states and old events, but never the newest state.
//
// Features shared by all frontends belong here.
//
// Returned errors are sentences for the player unless documented otherwise. Texts,
// terminals and keys do not belong in this package, nor do the rules for pairing players
// (package lobby).
package session

import (
	"cmp"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/chat"
	"broadside/lobby/daily"
	"broadside/match"
	"broadside/match/live"
)

// Client describes a client, as far as the server has verified it.
type Client struct {
	Name string // the name that the client sent
	// Fingerprint identifies the key that the client has proved to own. It is empty without a key.
	Fingerprint string
	Addr        netip.Addr // zero if the connection has no IP address
	// WatchPace is the minimum time between two updates of a watched match. It is twice as
	// long for a preview.
	WatchPace time.Duration
	// Unlisted reports that the lobby does not list the player and that the session
	// receives no lobby snapshots, challenges or chats. Commands use it.
	Unlisted bool
	// Conn is the connection's number in the server log. It starts with p for the relay.
	Conn string
	// Operator is the client's name in the audit log, or "" if the client is not an
	// operator.
	Operator string
	// Address is the server's public address as host or host:port, or "" if it is not known.
	Address string
	// Program describes a program on the line protocol. It is nil for persons. Programs can only
	// play and are not listed in the lobby. A program can change its name or account until its
	// first match; see [Session.SetProgram].
	Program *account.Player
}

// State is a session's state at one moment, except for boards and chat lines, which are
// part of updates. The values that its pointers refer to never change.
type State struct {
	Me         account.Player
	Lobby      *lobby.Snapshot     // never nil
	Challenge  *lobby.Challenge    // the challenge that the player can answer, or nil
	Offer      *lobby.Terms        // the player's open offer, or nil
	Match      *Match              // the match being played or just ended, or nil
	Seat       lobby.SeatState     // the state of the seat outside the match itself
	RatingMode lobby.RatingMode    // the current one of Match
	Outcome    lobby.Outcome       // zero before the end of Match
	Watching   *lobby.RunningMatch // the match being watched, or nil
	// AccountRevision grows when any session changes the player's account: its name, keys
	// or muted players. LobbyChanged follows.
	AccountRevision int
	HasStore        bool // the server stores accounts and records
	HasChat         bool // the match being played or watched has a chat
}

// Match describes a match from the session's side.
type Match struct {
	ID       string
	Side     match.Side // First in a hot-seat match
	Opponent account.Player
	Rules    match.Rules
	HotSeat  bool // the player holds both seats
	// IsHost reports that the player may use [Session.RemoveOpponent] in this private match.
	IsHost       bool
	HotSeatNames [2]string // by side
}

// UpdateKind is the kind of an [Update].
type UpdateKind uint8

// The kinds of updates.
const (
	LobbyChanged     UpdateKind = iota + 1 // State.Lobby or State.Me has changed
	ChallengeChanged                       // State.Challenge has changed
	OfferEnded                             // Err says why State.Offer ended
	MatchJoined                            // State.Match is a new match
	MatchChanged                           // Match has the view of Side and new events
	MatchLost                              // Err says why the session has lost its match
	SeatChanged                            // State.Seat has changed
	// OpponentRemoved says that RemoveOpponent removed the player called Name. Err says why no
	// new private match is open.
	OpponentRemoved
	WatchChanged // Match has the spectators' view and new events
	WatchEnded   // the match being watched has ended
	ChatChanged  // Lines has the lines of Chat
	ReviewReady  // Review has the review of the match with ID
)

// Update is a change of a session's state.
type Update struct {
	Kind UpdateKind
	ID   string // the match's ID
	// Match belongs to the receiver. A program must not use it after its next call of Poll.
	Match  *live.Update
	Side   match.Side
	Chat   ChatKind
	Name   string
	Lines  []chat.Line // shared, so they must not be modified
	Review Review
	Err    error
}

// Session is one player's connection to the lobby. Its methods may be called from any
// goroutine, except that only one may use Poll, Next and Changed. Methods with a context may
// wait for the database.
type Session struct {
	lobby        *lobby.Lobby
	client       Client
	member       *lobby.Member
	host         *Host // may be nil
	since        time.Time
	codeThrottle codeThrottle

	mu       sync.Mutex // never held while waiting
	closed   bool       // guarded by mu, like the fields below
	ended    error      // why an operator ended the session, or nil
	state    State      // without the fields that the State method adds
	offer    *lobby.Offer
	seats    seats
	watch    *watch
	slot     pacedSlot // for updates that all sessions show
	chats    chats
	daily    *daily.Attempt
	pending  pending
	news     *lobby.Snapshot // the snapshot that Poll has not returned yet, or nil
	removing bool            // the player is removing the opponent
}

// Config configures [New].
type Config struct {
	Lobby  *lobby.Lobby
	Player account.Player // as returned by [account.Accounts.IdentifyClient]
	Client Client
	Pacer  *rate.Limiter // shared by sessions; nil means a new one
}

// New opens a session. Close it with [Session.Close].
func New(cfg Config) *Session {
	s := &Session{lobby: cfg.Lobby, client: cfg.Client, pending: newPending(), state: State{Lobby: &noSnapshot}}
	s.slot.pacer = cmp.Or(cfg.Pacer, newPacer())
	if cfg.Client.Unlisted {
		s.member = cfg.Lobby.NewUnlistedMember(cfg.Player)
		return s
	}
	s.slot.pacer.Reserve() // It leaves time to draw the first screen.
	s.member = cfg.Lobby.Enter(cfg.Player)
	s.member.SetWake(s.pending.wake)
	s.member.AddKey(cfg.Client.Fingerprint)
	s.chats[LobbyChat] = s.member.Chat.JoinLobby()
	return s
}

// noSnapshot is every session's first lobby snapshot. It must not be changed.
var noSnapshot lobby.Snapshot

// Close ends the session. It withdraws an open offer and leaves a running match,
// which starts the absence clock. It may be called more than once.
func (s *Session) Close() {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return
	}
	s.closed = true
	offer := s.offer
	s.offer = nil
	s.mu.Unlock()
	if s.host != nil {
		s.host.remove(s)
	}
	if offer != nil {
		withdrawOffer(offer)
	}
	s.mu.Lock()
	s.leaveSeatsLocked()
	s.stopWatchingLocked()
	s.chats.leave(LobbyChat)
	s.mu.Unlock()
	s.member.Leave()
}

// Player returns the player as the lobby knows them.
func (s *Session) Player() account.Player { return s.member.Player() }

// Client returns the client that the session was opened for.
func (s *Session) Client() Client { return s.client }

// State returns the current state.
func (s *Session) State() State {
	s.mu.Lock()
	defer s.mu.Unlock()
	state := s.state
	state.HasStore, state.HasChat = s.lobby.Store() != nil, s.chats[MatchChat] != nil
	state.Me, state.AccountRevision = s.member.Player(), s.member.AccountRevision()
	seat := s.seats.first()
	if seat != nil {
		state.Seat = s.seats.state
		state.RatingMode, state.Outcome = seat.held.RatingMode(), seat.held.Outcome()
	}
	return state
}

// pending holds updates that actions have caused and that Poll has not returned yet. The session's
// lock guards them.
type pending struct {
	updates []Update
	wake    live.Signal // sent when Poll may have an update
}

func newPending() pending { return pending{wake: live.NewSignal()} }

// addLocked makes Poll return an update. It replaces a pending update of the same kind,
// so the number of pending updates is bounded.
func (p *pending) addLocked(u Update) {
	for i := range p.updates {
		if p.updates[i].Kind == u.Kind {
			p.updates[i] = u
			return
		}
	}
	p.updates = append(p.updates, u)
	p.wake.Send()
}

func (p *pending) nextLocked() Update {
	if len(p.updates) == 0 {
		return Update{}
	}
	u := p.updates[0]
	p.updates = p.updates[1:]
	if len(p.updates) == 0 {
		// This releases the memory, since there may be thousands of programs.
		p.updates = nil
	}
	return u
}
