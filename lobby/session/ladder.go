package session

import (
	"context"
	"errors"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/lobby"
	"broadside/lobby/ladder"
)

// LadderReport returns the ladder of a rule set.
func (s *Session) LadderReport(ctx context.Context, rules string) (ladder.Report, error) {
	if s.lobby.Ladder == nil {
		return ladder.Report{}, lobby.ErrNoLadder
	}
	return s.lobby.Ladder.Report(ctx, rules)
}

// LadderPage returns the page of the player with a name. The error can be shown to
// players.
func (s *Session) LadderPage(ctx context.Context, rules, name string) (ladder.Page, error) {
	if s.lobby.Ladder == nil {
		return ladder.Page{}, lobby.ErrNoLadder
	}
	p, err := s.lobby.Ladder.Page(ctx, rules, name)
	if errors.Is(err, store.ErrNotFound) {
		err = i18n.Errorf("no player called %q is on the ladder in %s", name, rules)
	}
	return p, err
}
