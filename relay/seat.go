package relay

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"

	"broadside/lobby/session"
	"broadside/match"
	"broadside/relay/client"
)

// seat is a client's seat in the current game. The client's writer begins and ends
// games; its reader acts in them.
type seat struct {
	ctx     context.Context // the server's, so that actions are carried out even if the client has disconnected
	session *session.Session

	// acting is held during an action and while a game ends, so that no action counts for
	// the next game. It is locked before mu.
	acting sync.Mutex

	mu      sync.Mutex     // never held while waiting
	game    *session.Match // guarded by mu: the current game or nil
	between bool           // guarded by mu: a game has ended and the next has not begun
}

// errOutOfTurn is the fault of a message that is not allowed now.
var errOutOfTurn = fmt.Errorf("%w: attack after the result of the other side's attack, answer only its attacks", client.ErrOutOfTurn)

// current returns the current game, or nil.
func (s *seat) current() *session.Match {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.game
}

// setGame sets the current game.
func (s *seat) setGame(m *session.Match) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.game, s.between = m, false
}

// end ends the current game. Later actions don't count for it.
func (s *seat) end() {
	s.acting.Lock()
	defer s.acting.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.game, s.between = nil, true
}

// move carries out a message; the referee checks whether it is legal. Between two games it
// is ignored.
func (s *seat) move(m client.Message) (ignored bool, err error) {
	s.acting.Lock()
	defer s.acting.Unlock()
	s.mu.Lock()
	game, between := s.game, s.between
	s.mu.Unlock()
	switch {
	case between:
		return true, nil
	case game == nil:
		return false, errOutOfTurn
	case m.Op == client.Attack:
		return false, s.session.Fire(match.First, 0, m.Cell)
	case m.Op == client.Result:
		return false, s.session.Answer(m.Cell, m.Result)
	}
	return false, errOutOfTurn
}

// inGame carries out an action if there is a current game, and reports whether there is.
func (s *seat) inGame(act func() error) (playing bool, err error) {
	s.acting.Lock()
	defer s.acting.Unlock()
	if s.current() == nil {
		return false, nil
	}
	return true, act()
}

// prepare places the client's fleet, or leaves it to the client.
func (s *seat) prepare(w *request, rules match.Rules) error {
	switch {
	case w.uniform:
		return s.session.Place(match.First, rules.RandomLayout(rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))))
	case w.layout != nil:
		return s.session.Place(match.First, w.layout)
	}
	return s.session.KeepFleet()
}
