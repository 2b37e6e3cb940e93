package session

import (
	"cmp"
	"context"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"broadside/internal/i18n"
	"broadside/lobby"
	"broadside/lobby/account"
)

// Host opens sessions and lists them for operators. Its exported fields must not change once it
// has opened a session. Its methods may be called from any goroutine.
type Host struct {
	Lobby *lobby.Lobby
	// Access may be nil. Then there are no operators.
	Access AccessControl
	// Website and Address replace those of clients, unless they are empty.
	Website, Address string

	// mu guards the fields below.
	mu   sync.Mutex
	open map[*Session]struct{}
	// All sessions share pacer.
	pacer *rate.Limiter
}

// SessionInfo describes an open session, for operators.
type SessionInfo struct {
	// Conn is that of [Client].
	Conn string
	// Player has no name until the client's name is known.
	Player account.Player
	// User is the name that the client sent.
	User string
	Addr netip.Addr
	// Fingerprint is empty for guests without a key and for programs.
	Fingerprint string
	Since       time.Time
}

// Name returns the player's name, or the name that the client sent if the player has none.
func (c SessionInfo) Name() string { return cmp.Or(c.Player.Name, c.User) }

// Matches reports whether the session has a name or number, ignoring case.
func (c SessionInfo) Matches(name string) bool {
	return strings.EqualFold(c.Name(), name) || strings.EqualFold(c.Conn, name)
}

// Open opens a session for a client. It may wait for the database. Close the session with
// [Session.Close].
func (h *Host) Open(ctx context.Context, c Client) (*Session, error) {
	var p account.Player
	var err error
	c.Website, c.Address = cmp.Or(h.Website, c.Website), cmp.Or(h.Address, c.Address)
	switch {
	case c.Program != nil:
		p, c.Unlisted = *c.Program, true
		p.Kind = account.Program
	case c.Unlisted:
		p, err = h.Lobby.Accounts.IdentifyKey(ctx, c.Fingerprint)
	default:
		p, err = h.Lobby.Accounts.IdentifyClient(ctx, c.Name, c.Fingerprint)
	}
	if err != nil {
		return nil, err
	}
	s := New(Config{Lobby: h.Lobby, Player: p, Client: c, Pacer: h.sharedPacer()})
	h.add(s)
	return s, nil
}

func (h *Host) sharedPacer() *rate.Limiter {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.pacer == nil {
		h.pacer = newPacer()
	}
	return h.pacer
}

// add lists a session until it is closed.
func (h *Host) add(s *Session) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s.host, s.since = h, time.Now()
	if h.open == nil {
		h.open = map[*Session]struct{}{}
	}
	h.open[s] = struct{}{}
}

func (h *Host) remove(s *Session) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.open, s)
}

// List returns the open sessions, oldest first.
func (h *Host) List() []SessionInfo {
	var all []SessionInfo
	for _, s := range h.openSessions() {
		all = append(all, s.sessionInfo())
	}
	slices.SortFunc(all, func(a, b SessionInfo) int { return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.Conn, b.Conn)) })
	return all
}

// EndSessions ends the sessions for which matches returns true, and returns their number. Poll then
// returns the message as an error.
func (h *Host) EndSessions(matches func(SessionInfo) bool, message i18n.Message) int {
	n := 0
	for _, s := range h.openSessions() {
		if matches(s.sessionInfo()) {
			s.end(&i18n.Error{Message: message})
			n++
		}
	}
	return n
}

func (h *Host) openSessions() []*Session {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := make([]*Session, 0, len(h.open))
	for s := range h.open {
		all = append(all, s)
	}
	return all
}

func (s *Session) sessionInfo() SessionInfo {
	c := s.client
	return SessionInfo{Conn: c.Conn, Player: s.Player(), User: c.Name, Addr: c.Addr, Fingerprint: c.Fingerprint, Since: s.since}
}

// end ends the session on behalf of an operator. Poll and all actions then return why.
func (s *Session) end(why error) {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return
	}
	s.ended = why
	s.mu.Unlock()
	s.Close()
	s.pending.wake.Send()
}
