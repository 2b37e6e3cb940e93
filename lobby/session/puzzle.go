package session

import (
	"context"

	"broadside/lobby/puzzle"
	"broadside/match"
)

// Puzzles returns today's puzzles with the player's answers. A guest's answers exist only in this session.
func (s *Session) Puzzles(ctx context.Context) (puzzle.Today, error) {
	today, err := s.lobby.Puzzles.Today(ctx, s.Player().Account)
	for i, p := range today.Puzzles {
		today.Puzzles[i] = s.addGuestAnswer(p)
	}
	return today, err
}

// maxKnownPuzzles limits how many puzzles are read to find one that a guest has not answered.
const maxKnownPuzzles = 100

// Puzzle returns the puzzle with a number, or, for 0, the easiest one that the player has not answered and
// that is not one of today's.
func (s *Session) Puzzle(ctx context.Context, number int) (puzzle.Puzzle, error) {
	if number != 0 {
		p, err := s.lobby.Puzzles.Find(ctx, s.Player().Account, number)
		return s.addGuestAnswer(p), err
	}
	s.mu.Lock()
	// A guest has answered at most this many of the listed puzzles.
	known := min(len(s.answers), maxKnownPuzzles)
	s.mu.Unlock()
	all, err := s.lobby.Puzzles.ListMore(ctx, s.Player().Account, known+1)
	if err != nil {
		return puzzle.Puzzle{}, err
	}
	for _, p := range all {
		if s.addGuestAnswer(p).Answer == nil {
			return p, nil
		}
	}
	return puzzle.Puzzle{}, puzzle.ErrNone
}

// AnswerPuzzle answers a puzzle and returns it with the answer that counts, which is the player's first one.
func (s *Session) AnswerPuzzle(ctx context.Context, number int, cell match.Cell) (puzzle.Puzzle, error) {
	account := s.Player().Account
	p, err := s.lobby.Puzzles.Answer(ctx, account, number, cell)
	if err != nil || account != "" {
		return p, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	first, ok := s.answers[number]
	if ok {
		return p.WithAnswer(first), puzzle.ErrAnswered
	}
	if s.answers == nil {
		s.answers = map[int]match.Cell{}
	}
	s.answers[number] = cell
	return p, nil
}

// addGuestAnswer adds an answer of this session, if there is one.
func (s *Session) addGuestAnswer(p puzzle.Puzzle) puzzle.Puzzle {
	s.mu.Lock()
	defer s.mu.Unlock()
	cell, ok := s.answers[p.Number]
	if ok && p.Answer == nil {
		return p.WithAnswer(cell)
	}
	return p
}
