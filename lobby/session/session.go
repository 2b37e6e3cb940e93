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
//     queue: a slow reader misses intermediate states and old events, never the newest state.
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
	Name        string        // sent by the client
	Fingerprint string        // of the key whose ownership the client has proved; empty without a key
	Addr        netip.Addr    // of the connection; zero if it is not an IP address
	WatchPace   time.Duration // minimum time between two updates of a watched match; twice that for a preview
	// Unlisted reports that the lobby does not list the player and that the session
	// receives no lobby snapshots, challenges or chats. It is used for commands.
	Unlisted bool
	Conn     string // the connection's number in the log; starts with p for the relay
	// Operator is the client's name in the audit log, or "" if the client is not an
	// operator.
	Operator string
	// Address is the public address of the server, as host or host:port; empty if it is
	// not known.
	Address string
	// Program describes a client that is a program on the line protocol; it is nil for
	// people. Programs can only play and are not listed in the lobby. A program can change
	// its name or account until its first match, see [FindOpponent].
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
	RatingMode lobby.RatingMode    // current rating mode of Match
	Outcome    lobby.Outcome       // of Match, after its end
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
	Rules    match.Rules // with its clock
	HotSeat  bool        // the player holds both seats
	Host     bool        // the player hosts this private match, see RemoveOpponent
	Names    [2]string   // of both sides in a hot-seat match
}

// UpdateKind is the kind of an [Update].
type UpdateKind uint8

// The kinds of updates.
const (
	LobbyChanged     UpdateKind = iota + 1 // State.Lobby or State.Me has changed
	ChallengeChanged                       // State.Challenge has changed
	OfferChanged                           // State.Offer has ended; Err says why
	MatchJoined                            // State.Match is a new match
	MatchChanged                           // Match has the view of Side and new events
	MatchLost                              // the session has lost its match; Err says why
	SeatChanged                            // State.Seat has changed
	OpponentRemoved                        // RemoveOpponent has removed Name and opened a new private match; Err says why not
	WatchChanged                           // Match has the spectators' view and new events
	WatchEnded                             // the match being watched has ended
	ChatChanged                            // Lines has the lines of Room
	ReviewReady                            // Review has the review of the match ID, see [Session.Review]
)

// Update is a change of a session's state.
type Update struct {
	Kind   UpdateKind
	ID     string       // ID of the match of Match, or of a match's chat
	Match  *live.Update // see Kind; owned by the receiver (by a program only until its next call of Poll)
	Side   match.Side   // the side of Match in a hot-seat match
	Chat   ChatKind
	Name   string      // of the removed opponent
	Lines  []chat.Line // shared; must not be modified
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
	host         *Host     // lists the session; may be nil
	since        time.Time // when the host listed the session
	codeThrottle codeThrottle

	mu       sync.Mutex // never held while waiting
	closed   bool       // guarded by mu, like the fields below
	ended    error      // why an operator ended the session, or nil
	state    State      // without the fields added by the State method
	offer    *lobby.Offer
	seats    seats
	watch    *watch
	slot     pacedSlot // for updates that every session shows
	chats    chatPlaces
	daily    *daily.Attempt // the attempt of this session
	pending  pending
	news     *lobby.Snapshot // not returned yet; nil: none
	removing bool            // the match ends because the player removes the opponent
}

// Config configures [New].
type Config struct {
	Lobby  *lobby.Lobby
	Player account.Player // see [account.Accounts.IdentifyClient]
	Client Client
	Pacer  *rate.Limiter // shared by all sessions; nil: for this session alone
}

// New opens a session. Close it with [Session.Close].
func New(cfg Config) *Session {
	s := &Session{lobby: cfg.Lobby, client: cfg.Client, pending: newPending(), state: State{Lobby: &noSnapshot}}
	s.slot.pacer = cmp.Or(cfg.Pacer, newPacer())
	if cfg.Client.Unlisted {
		s.member = cfg.Lobby.NewUnlistedMember(cfg.Player)
		return s
	}
	s.slot.pacer.Reserve() // leaves time to draw the first screen
	s.member = cfg.Lobby.Enter(cfg.Player)
	s.member.SetWake(s.pending.wake)
	s.member.AddKey(cfg.Client.Fingerprint)
	s.chats[LobbyChat] = s.member.Chat.JoinLobby()
	return s
}

// noSnapshot is the first lobby snapshot of every session. It must not be changed.
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

// Player returns the player in the form known to the lobby.
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

// pending holds updates caused by actions that Poll has not returned yet. The session's lock
// guards them.
type pending struct {
	updates []Update
	wake    live.Signal // Poll may have something to return
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

// nextLocked returns the next pending update, or the zero Update.
func (p *pending) nextLocked() Update {
	if len(p.updates) == 0 {
		return Update{}
	}
	u := p.updates[0]
	p.updates = p.updates[1:]
	if len(p.updates) == 0 {
		p.updates = nil // release the memory, since there may be thousands of programs
	}
	return u
}
