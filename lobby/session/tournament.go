package session

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"broadside/bots"
	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/tournament"
	"broadside/match"
)

// TournamentChange is a change of a tournament.
type TournamentChange string

// A tournament's changes. Entrants join and leave. The owner makes all other changes.
const (
	JoinTournament  TournamentChange = "join"
	LeaveTournament TournamentChange = "leave"
	// StartTournament also continues a paused tournament.
	StartTournament TournamentChange = "start"
	PauseTournament TournamentChange = "pause"
	EndTournament   TournamentChange = "end"
)

// EnterTournament opens a program's offer for its next match in a tournament. A program that is no
// entrant joins first. The match starts once the opponent can play. Persons in the lobby need no
// offer: when their match starts, they get a seat and the update [MatchJoined].
func (s *Session) EnterTournament(ctx context.Context, code string) error {
	me := s.ensurePlayerID()
	c, err := s.FindTournament(ctx, code)
	if err == nil && c.EntrantIndex(me.ID) < 0 {
		c, err = s.lobby.Tournaments.Join(ctx, c.Code, me, s.lobby.NewTournamentEntrant(ctx, me, c.Rules))
	}
	if err != nil {
		return err
	}
	return s.setOffer(s.lobby.Offers.AwaitTournamentMatch(me, c))
}

// CreateTournament creates a tournament that the player owns.
func (s *Session) CreateTournament(ctx context.Context, settings tournament.Settings) (*tournament.Tournament, error) {
	return s.lobby.Tournaments.Create(ctx, s.Player(), settings)
}

// Tournaments returns the tournaments that the player owns or has joined, newest first.
func (s *Session) Tournaments() []*tournament.Tournament {
	return s.lobby.Tournaments.ListByPlayer(s.Player())
}

// ChangeTournament changes a tournament. entrant names the player who joins or leaves: one of the
// player's programs or, if the player owns the tournament, a built-in bot or any leaving entrant.
// It is empty if that is the player.
func (s *Session) ChangeTournament(
	ctx context.Context, code string, change TournamentChange, entrant string,
) (*tournament.Tournament, error) {
	me, tournaments := s.Player(), s.lobby.Tournaments
	c, err := s.FindTournament(ctx, code)
	if err != nil {
		return nil, err
	}
	switch change {
	case JoinTournament:
		p, err := s.findTournamentPlayer(ctx, entrant, c.Rules)
		if err != nil {
			return nil, err
		}
		return tournaments.Join(ctx, c.Code, me, s.lobby.NewTournamentEntrant(ctx, p, c.Rules))
	case LeaveTournament:
		return tournaments.Leave(ctx, c.Code, me, findEntrantID(c, me, entrant))
	case StartTournament:
		return tournaments.Start(ctx, c.Code, me)
	case PauseTournament:
		return tournaments.Pause(ctx, c.Code, me)
	case EndTournament:
		return tournaments.End(ctx, c.Code, me)
	}
	return nil, fmt.Errorf("unknown change of a tournament: %q", change)
}

// FindTournament returns the tournament with a code that the player has entered.
func (s *Session) FindTournament(ctx context.Context, code string) (c *tournament.Tournament, err error) {
	if _, err := lobby.ParseCode(code); err != nil {
		return nil, tournament.ErrNotFound
	}
	err = s.codeThrottle.tryCode(s.lobby, func() error {
		c, err = s.lobby.Tournaments.Find(ctx, code)
		return err
	})
	return c, err
}

// findEntrantID returns the ID of the entrant with a name, or me.ID if the name is empty. It
// returns "" if there is no such entrant.
func findEntrantID(c *tournament.Tournament, me account.Player, name string) string {
	if name == "" {
		return me.ID
	}
	i := slices.IndexFunc(c.Entrants, func(e tournament.Entrant) bool { return strings.EqualFold(e.Name, name) })
	if i < 0 {
		return ""
	}
	return c.Entrants[i].ID
}

// findTournamentPlayer returns the built-in bot or the player's program with a name, or the player
// if the name is empty or the player's own.
func (s *Session) findTournamentPlayer(ctx context.Context, name string, r match.Rules) (account.Player, error) {
	me := s.Player()
	if name == "" || strings.EqualFold(name, me.Name) {
		return me, nil
	}
	if slices.ContainsFunc(bots.All(), func(b bots.Info) bool { return b.Name == name }) {
		_, err := bots.New(name, bots.Config{Rules: r, Rand: rand.New(rand.NewPCG(0, 0))})
		return s.lobby.Accounts.BotPlayer(name), err
	}
	if s.lobby.Store() == nil {
		return account.Player{}, account.ErrNoStore
	}
	p, err := s.lobby.Store().Accounts.FindByName(ctx, name)
	switch {
	case errors.Is(err, store.ErrNotFound), err == nil && (p.Kind != store.Program || p.Owner != me.Account):
		return account.Player{}, i18n.Errorf("%s is neither a built-in bot nor one of your programs", name)
	case err != nil:
		return account.Player{}, account.ErrStore
	}
	return account.ProgramPlayer(p), nil
}
