package session

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"broadside/bots"
	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/cup"
	"broadside/match"
)

// CupChange is a change of a cup.
type CupChange string

// The changes of a cup. Entrants join and leave; the owner makes all other changes.
const (
	JoinCup  CupChange = "join"
	LeaveCup CupChange = "leave"
	StartCup CupChange = "start" // also continues a paused cup
	PauseCup CupChange = "pause"
	EndCup   CupChange = "end"
)

// CupClock is the turn clock of a cup unless its owner chooses another one. Without a
// clock, one player could stop a cup.
const CupClock = 30 * time.Second

// SeekCup waits for a program's next match in a cup, which it joins if that is still
// possible. The match begins once the opponent can play. People need no action: those in the
// lobby get a seat when their match begins, and the update [Seated].
func (s *Session) SeekCup(ctx context.Context, code string) error {
	if s.member != nil {
		return ErrForPrograms
	}
	me := s.entrant()
	c, err := s.Cup(ctx, code)
	if err == nil && c.Index(me.ID) < 0 {
		c, err = s.lobby.Cups.Join(ctx, c.Code, me, s.lobby.CupEntrant(ctx, me, c.Rules))
	}
	if err != nil {
		return err
	}
	return s.openOffer(s.lobby.Offers.SeekCup(me, c))
}

// NewCup creates a cup that the player owns.
func (s *Session) NewCup(ctx context.Context, settings cup.Settings) (*cup.Cup, error) {
	return s.lobby.Cups.New(ctx, s.Player(), settings)
}

// Cups returns the cups that the player owns or has joined, newest first.
func (s *Session) Cups() []*cup.Cup {
	return s.lobby.Cups.Of(s.Player())
}

// ChangeCup changes a cup. entrant is the name of the player who joins or leaves: one of the player's programs or, for
// the owner of the cup, a built-in bot, or anyone who leaves. It is empty
// for the player.
func (s *Session) ChangeCup(ctx context.Context, code string, change CupChange, entrant string) (*cup.Cup, error) {
	me, cups := s.Player(), s.lobby.Cups
	c, err := s.Cup(ctx, code)
	if err != nil {
		return nil, err
	}
	switch change {
	case JoinCup:
		p, err := s.cupPlayer(ctx, entrant, c.Rules)
		if err != nil {
			return nil, err
		}
		return cups.Join(ctx, c.Code, me, s.lobby.CupEntrant(ctx, p, c.Rules))
	case LeaveCup:
		return cups.Leave(ctx, c.Code, me, idInCup(c, me, entrant))
	case StartCup:
		return cups.Start(ctx, c.Code, me)
	case PauseCup:
		return cups.Pause(ctx, c.Code, me)
	case EndCup:
		return cups.End(ctx, c.Code, me)
	}
	return nil, fmt.Errorf("unknown change of a cup: %q", change)
}

// Cup returns the cup with a code, as entered by the player.
func (s *Session) Cup(ctx context.Context, code string) (c *cup.Cup, err error) {
	if _, err := lobby.ParseCode(code); err != nil {
		return nil, cup.ErrNoCup
	}
	err = s.codes.try(s.lobby, func() error {
		c, err = s.lobby.Cups.Find(ctx, code)
		return err
	})
	return c, err
}

// idInCup returns the ID of the entrant with a name, or of the player if there is no name.
func idInCup(c *cup.Cup, me account.Player, name string) string {
	if name == "" {
		return me.ID
	}
	at := slices.IndexFunc(c.Entrants, func(e cup.Entrant) bool { return strings.EqualFold(e.Name, name) })
	if at < 0 {
		return ""
	}
	return c.Entrants[at].ID
}

// cupPlayer returns the built-in bot or the player's program with a name, or the player if
// there is no name.
func (s *Session) cupPlayer(ctx context.Context, name string, r match.Rules) (account.Player, error) {
	me := s.Player()
	if name == "" || strings.EqualFold(name, me.Name) {
		return me, nil
	}
	if slices.ContainsFunc(bots.All(), func(b bots.Info) bool { return b.Name == name }) {
		_, err := bots.New(name, bots.Config{Rules: r, Rand: rand.New(rand.NewPCG(0, 0))})
		return s.lobby.Accounts.Bot(name), err
	}
	if s.lobby.Store() == nil {
		return account.Player{}, account.ErrNoStore
	}
	p, err := s.lobby.Store().Accounts.ByName(ctx, name)
	switch {
	case errors.Is(err, store.ErrNotFound), err == nil && (p.Kind != store.Program || p.Owner != me.Account):
		return account.Player{}, i18n.Errorf("x-is-not-your-program", name)
	case err != nil:
		return account.Player{}, account.ErrStore
	}
	return account.OfProgram(p), nil
}
