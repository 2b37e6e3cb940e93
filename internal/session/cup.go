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

// SeekCup waits for a program's next match in a cup, which it joins if that is still
// possible. The match begins once the opponent can play. Until a program's first match, As
// can replace its player, see [Seek]. People need no action: those in the lobby get a seat
// when their match begins, and the update [Seated].
type SeekCup struct {
	Code string
	As   *account.Player
}

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

// Queries of cups. They may wait for the database.
type (
	// NewCup creates a cup that the player owns.
	NewCup struct{ Settings cup.Settings }
	// ChangeCup changes a cup.
	ChangeCup struct {
		Code   string
		Change CupChange
		// Entrant is the name of the player who joins or leaves: one of the player's programs or, for
		// the owner of the cup, a built-in bot, or anyone who leaves. Empty: the player.
		Entrant string
	}
	// GetCup asks for a cup by its code, as entered by the player.
	GetCup struct{ Code string }
	// Cups asks for the cups that the player owns or has joined, newest first.
	Cups struct{}
)

// CupClock is the turn clock of a cup unless its owner chooses another one. Without a
// clock, one player could stop a cup.
const CupClock = 30 * time.Second

func (a SeekCup) do(ctx context.Context, s *Local) error {
	me := s.entrant(a.As)
	c, err := s.findCup(ctx, a.Code)
	if err == nil && c.Index(me.ID) < 0 {
		c, err = s.lobby.Cups.Join(ctx, c.Code, me, s.lobby.CupEntrant(ctx, me, c.Rules))
	}
	if err != nil {
		return err
	}
	return s.openOffer(s.lobby.Offers.SeekCup(me, c))
}

func (q NewCup) ask(ctx context.Context, s *Local) (*cup.Cup, error) {
	return s.lobby.Cups.New(ctx, s.Player(), q.Settings)
}

func (q GetCup) ask(ctx context.Context, s *Local) (*cup.Cup, error) {
	return s.findCup(ctx, q.Code)
}

func (Cups) ask(_ context.Context, s *Local) ([]*cup.Cup, error) {
	return s.lobby.Cups.Of(s.Player()), nil
}

func (q ChangeCup) ask(ctx context.Context, s *Local) (*cup.Cup, error) {
	me, cups := s.Player(), s.lobby.Cups
	c, err := s.findCup(ctx, q.Code)
	if err != nil {
		return nil, err
	}
	switch q.Change {
	case JoinCup:
		p, err := s.cupPlayer(ctx, q.Entrant, c.Rules)
		if err != nil {
			return nil, err
		}
		return cups.Join(ctx, c.Code, me, s.lobby.CupEntrant(ctx, p, c.Rules))
	case LeaveCup:
		return cups.Leave(ctx, c.Code, me, idInCup(c, me, q.Entrant))
	case StartCup:
		return cups.Start(ctx, c.Code, me)
	case PauseCup:
		return cups.Pause(ctx, c.Code, me)
	case EndCup:
		return cups.End(ctx, c.Code, me)
	}
	return nil, fmt.Errorf("unknown change of a cup: %q", q.Change)
}

// findCup returns the cup with an entered code.
func (s *Local) findCup(ctx context.Context, code string) (c *cup.Cup, err error) {
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
func (s *Local) cupPlayer(ctx context.Context, name string, r match.Rules) (account.Player, error) {
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
