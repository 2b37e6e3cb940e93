package relay

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"

	"broadside/internal/session"
	"broadside/match"
)

// seat is a client's part in the game that is being played. The client's writer
// begins and ends games; its reader acts in them.
type seat struct {
	ctx     context.Context // the server's: what has to be done is done even if the client has gone
	session session.Session

	// acting is held while an action is carried out, and while a game ends, so that
	// no action counts for the next game. It is locked before mu.
	acting sync.Mutex

	mu         sync.Mutex     // never held while waiting
	game       *session.Match // guarded by mu: nil while no game is being played
	between    bool           // guarded by mu: no game now, but there was one and may be again
	commitment string         // guarded by mu: to the fleet of the next game; or empty
	awaited    bool           // guarded by mu: the game waits for its commitment
}

// errOutOfTurn is what is wrong with a message that cannot come now.
var errOutOfTurn = errors.New("a message out of turn: attack after the result of the other side's attack, answer only its attacks")

// act carries out an action of the game that is being played.
func (s *seat) act(a session.Action) error { return s.session.Do(s.ctx, a) }

// current returns the game that is being played, or nil.
func (s *seat) current() *session.Match {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.game
}

// begin notes that a game begins.
func (s *seat) begin(m *session.Match) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.game, s.between = m, false
}

// end notes that the game has ended. No action counts for it after that.
func (s *seat) end() {
	s.acting.Lock()
	defer s.acting.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.game, s.between, s.awaited = nil, true, false
}

// move carries out a message. Whether it is legal in the match is for the referee
// to decide. Between two games it is ignored.
func (s *seat) move(m Message) (ignored bool, err error) {
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
	case m.Op == Attack:
		return false, s.act(session.Fire{Cell: m.Cell})
	case m.Op == Result:
		return false, s.act(session.Answer{Cell: m.Cell, Result: m.Result})
	}
	return false, errOutOfTurn
}

// inGame carries out an action if a game is being played, and reports whether one is.
func (s *seat) inGame(a session.Action) (playing bool, err error) {
	s.acting.Lock()
	defer s.acting.Unlock()
	if s.current() == nil {
		return false, nil
	}
	return true, s.act(a)
}

// commit hands in a commitment, to the fleet of the game that waits for one or of
// the next game.
func (s *seat) commit(commitment string) error {
	s.acting.Lock()
	defer s.acting.Unlock()
	s.mu.Lock()
	awaited := s.awaited
	if s.awaited = false; !awaited {
		s.commitment = commitment
	}
	s.mu.Unlock()
	if !awaited {
		return nil
	}
	return s.act(session.Commit{Commitment: commitment})
}

// prepare hands in the client's fleet or its commitment, or waits for the client's
// commitment.
func (s *seat) prepare(w *request, rules match.Rules) error {
	commits := w.commits && !rules.Moving
	s.mu.Lock()
	commitment := s.commitment
	if commits {
		s.commitment, s.awaited = "", commitment == ""
	}
	s.mu.Unlock()
	switch {
	case w.uniform:
		return s.act(session.Place{Layout: rules.RandomLayout(rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())))})
	case w.layout != nil:
		return s.act(session.Place{Layout: w.layout})
	case !commits:
		return s.act(session.KeepFleet{})
	case commitment != "":
		return s.act(session.Commit{Commitment: commitment})
	}
	return nil
}
