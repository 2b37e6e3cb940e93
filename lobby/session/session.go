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
	// Name is the name that the client sent.
	Name string
	// Fingerprint identifies the key that the client has proved to own. It is empty without a key.
	Fingerprint string
	// Addr is zero if the connection has no IP address.
	Addr netip.Addr
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
	// Website is the website's public URL, or "" if it is not known.
	Website string
	// Program describes a program on the line protocol. It is nil for other clients. Programs can
	// only play and are not listed in the lobby. A program can change its name or account until its
	// first match with [Session.SetProgram].
	Program *account.Player
}

// State is a session's state at one moment, except for boards and chat lines, which are
// part of updates. The values that its pointers refer to never change.
type State struct {
	Me account.Player
	// Lobby is never nil.
	Lobby *lobby.Snapshot
	// Challenge is the challenge that the player can answer, or nil.
	Challenge *lobby.Challenge
	// Offer is the player's open offer, or nil.
	Offer *lobby.Terms
	// Match is the match that the player plays or has just finished, or nil.
	Match *Match
	// Seat is the seat's state outside the match, such as an offered rematch.
	Seat lobby.SeatState
	// RatingMode is the current rating mode of Match.
	RatingMode lobby.RatingMode
	// Outcome is zero until Match has ended.
	Outcome lobby.Outcome
	// Watching is the match that the player watches, or nil.
	Watching *lobby.RunningMatch
	// AccountRevision grows when any session changes the name, keys or muted players of the
	// player's account. LobbyChanged follows.
	AccountRevision int
	// TurnRevision grows when the player's correspondence matches, or the offers to the player, change.
	// LobbyChanged follows.
	TurnRevision int
	// HasStore reports that the server stores accounts and records.
	HasStore bool
	// HasChat reports that the match being played or watched has a chat.
	HasChat bool
}

// MatchPath returns the path of the finished match's page on the website. It is empty if the match is private or not
// stored.
func (s *State) MatchPath() string {
	if s.Match == nil || !s.Outcome.Stored || s.Outcome.Private {
		return ""
	}
	return "/m/" + s.Match.ID
}

// Match describes a match from the session's side.
type Match struct {
	ID string
	// Side is First in a hot-seat match.
	Side     match.Side
	Opponent account.Player
	Rules    match.Rules
	// Pace is the time for each turn of a correspondence match, whose players may leave and come back.
	// It is 0 in other matches.
	Pace time.Duration
	// HotSeat reports that the session holds both seats.
	HotSeat bool
	// IsHost reports that the player may use [Session.RemoveOpponent] in this private match.
	IsHost bool
	// HotSeatNames holds the players' names by side.
	HotSeatNames [2]string
}

// UpdateKind is the kind of an [Update].
type UpdateKind uint8

// The kinds of updates.
const (
	// LobbyChanged says that State.Lobby or State.Me has changed.
	LobbyChanged UpdateKind = iota + 1
	// ChallengeChanged says that State.Challenge has changed.
	ChallengeChanged
	// OfferEnded says that State.Offer ended. Err says why.
	OfferEnded
	// MatchJoined says that State.Match is a new match.
	MatchJoined
	// MatchChanged says that Match has the view of Side and new events.
	MatchChanged
	// MatchLost says that the session has lost its match. Err says why.
	MatchLost
	// SeatChanged says that State.Seat has changed.
	SeatChanged
	// OpponentRemoved says that RemoveOpponent removed the player called Name. Err says why no
	// new private match is open.
	OpponentRemoved
	// WatchChanged says that Match has the spectators' view and new events.
	WatchChanged
	// WatchEnded says that the match being watched has ended.
	WatchEnded
	// ChatChanged says that Lines has the lines of Chat.
	ChatChanged
	// ReviewReady says that Review has the review of the match with ID.
	ReviewReady
)

// Update is a change of a session's state.
type Update struct {
	Kind UpdateKind
	// ID is the match's ID.
	ID string
	// Match belongs to the receiver. A program must not use it after its next call of Poll.
	Match *live.Update
	Side  match.Side
	Chat  ChatKind
	Name  string
	// Lines are shared, so they must not be modified.
	Lines  []chat.Line
	Review Review
	Err    error
}

// Session is one player's connection to the lobby. Its methods may be called from any
// goroutine, except that only one may use Poll, Next and Changed. Methods with a context may
// wait for the database.
type Session struct {
	lobby  *lobby.Lobby
	client Client
	member *lobby.Member
	// host may be nil.
	host         *Host
	since        time.Time
	codeThrottle codeThrottle

	// mu guards the fields below. It is never held while waiting.
	mu     sync.Mutex
	closed bool
	// ended is why an operator ended the session, or nil.
	ended error
	// state lacks the fields that the State method adds.
	state State
	offer *lobby.Offer
	seats seats
	watch *watch
	// slot is for updates that all sessions show.
	slot  pacedSlot
	chats chats
	// botChat is nil unless a person plays a bot.
	botChat *botChat
	daily   *daily.Attempt
	// answers are a guest's answers to puzzles, by number.
	answers map[int]match.Cell
	pending pending
	// news is the snapshot that Poll has not returned yet, or nil.
	news *lobby.Snapshot
	// removing reports that RemoveOpponent is running.
	removing bool
}

// Config configures [New].
type Config struct {
	Lobby *lobby.Lobby
	// Player is as returned by [account.Accounts.IdentifyClient].
	Player account.Player
	Client Client
	// Pacer can be shared by sessions. If it is nil, the session gets its own.
	Pacer *rate.Limiter
}

// New opens a session. Close it with [Session.Close].
func New(cfg Config) *Session {
	s := &Session{lobby: cfg.Lobby, client: cfg.Client, pending: newPending(), state: State{Lobby: &noSnapshot}}
	s.slot.pacer = cmp.Or(cfg.Pacer, newPacer())
	if cfg.Client.Unlisted {
		s.member = cfg.Lobby.NewUnlistedMember(cfg.Player)
		return s
	}
	// The reserved slot leaves time to draw the first screen.
	s.slot.pacer.Reserve()
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
	state.TurnRevision = s.member.TurnRevision()
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
	// wake is sent when Poll may have an update.
	wake live.Signal
}

func newPending() pending { return pending{wake: live.NewSignal()} }

// addLocked makes Poll return an update. It replaces a pending update of the same kind, so the
// number of pending updates is limited.
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
