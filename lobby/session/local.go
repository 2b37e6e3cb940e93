package session

import (
	"cmp"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/daily"
	"broadside/match/live"
)

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
