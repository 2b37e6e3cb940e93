package session

import (
	"cmp"
	"context"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/lobby"
	"broadside/lobby/account"
)

// Lobby is the [Host] of sessions in the lobby's process. It keeps a list of open
// sessions for operators.
type Lobby struct {
	*lobby.Lobby
	Operator Operator // nil: there are no operators

	pacer Pacer // for all sessions

	mu   sync.Mutex
	open map[*Session]struct{} // guarded by mu
}

// Connected describes an open session, for operators.
type Connected struct {
	Conn        string         // see [Client]
	Player      account.Player // no name if it is not known yet
	User        string         // the name that the client sent
	Addr        netip.Addr
	Fingerprint string // of the proved key; empty for guests without a key and for programs
	Since       time.Time
}

// Name returns the player's name, or the name that the client sent if there is none.
func (c Connected) Name() string { return cmp.Or(c.Player.Name, c.User) }

// Matches reports whether name is the session's name or number.
func (c Connected) Matches(name string) bool {
	return strings.EqualFold(c.Name(), name) || strings.EqualFold(c.Conn, name)
}

// Cursor returns the position after this session in the list returned by [ListSessions].
func (c Connected) Cursor() store.Cursor { return store.Cursor{At: c.Since, ID: c.Conn} }

func compareCursors(a, b store.Cursor) int {
	return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID))
}

// Open implements [Host].
func (l *Lobby) Open(ctx context.Context, c Client) (*Session, error) {
	if c.Program != nil {
		p := newProgram(l.Lobby, c)
		l.add(p)
		return p, nil
	}
	cfg := Config{Lobby: l.Lobby, Client: c, Pacer: &l.pacer}
	var err error
	if c.Unlisted {
		cfg.Player, err = l.Accounts.Recognize(ctx, c.Fingerprint)
	} else {
		cfg.Player, err = l.Accounts.Receive(ctx, c.Name, c.Fingerprint)
	}
	if err != nil {
		return nil, err
	}
	s := New(cfg)
	l.add(s)
	return s, nil
}

// add lists a session until it is closed.
func (l *Lobby) add(s *Session) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s.host, s.since = l, time.Now().Round(0) // cursors are compared by wall clock time
	if l.open == nil {
		l.open = map[*Session]struct{}{}
	}
	l.open[s] = struct{}{}
}

func (l *Lobby) remove(s *Session) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.open, s)
}

// Connected returns the open sessions, oldest first.
func (l *Lobby) Connected() []Connected {
	var all []Connected
	for _, s := range l.sessions() {
		all = append(all, s.describe())
	}
	slices.SortFunc(all, func(a, b Connected) int { return compareCursors(a.Cursor(), b.Cursor()) })
	return all
}

// End ends the sessions selected by which: their Poll returns the message. It returns the
// number of ended sessions.
func (l *Lobby) End(which func(Connected) bool, message i18n.Message) int {
	n := 0
	for _, s := range l.sessions() {
		if which(s.describe()) {
			s.end(&i18n.Error{Message: message})
			n++
		}
	}
	return n
}

func (l *Lobby) sessions() []*Session {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := make([]*Session, 0, len(l.open))
	for s := range l.open {
		all = append(all, s)
	}
	return all
}

func (s *Session) describe() Connected {
	c := s.client
	return Connected{Conn: c.Conn, Player: s.Player(), User: c.Name, Addr: c.Addr, Fingerprint: c.Fingerprint, Since: s.since}
}

// end ends the session on behalf of an operator.
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

// hasEnded returns the error with which an operator ended the session, or nil.
func (s *Session) hasEnded() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended
}
