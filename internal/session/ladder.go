package session

import (
	"context"
	"errors"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/lobby"
	"broadside/lobby/ladder"
)

// Queries of the ladder. They wait for the database.
type (
	// GetLadder asks for the ladder of a rule set.
	GetLadder struct{ Rules string }
	// GetLadderPage asks for the page of the player with a name. The error can be shown to
	// players.
	GetLadderPage struct{ Rules, Name string }
)

func (q GetLadder) ask(ctx context.Context, s *Local) (ladder.Report, error) {
	if s.lobby.Ladder == nil {
		return ladder.Report{}, lobby.ErrNoLadder
	}
	return s.lobby.Ladder.Report(ctx, q.Rules)
}

func (q GetLadderPage) ask(ctx context.Context, s *Local) (ladder.Page, error) {
	if s.lobby.Ladder == nil {
		return ladder.Page{}, lobby.ErrNoLadder
	}
	p, err := s.lobby.Ladder.Page(ctx, q.Rules, q.Name)
	if errors.Is(err, store.ErrNotFound) {
		err = i18n.Errorf("x-has-not-played-on", q.Name, q.Rules)
	}
	return p, err
}
