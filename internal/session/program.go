package session

import (
	"cmp"
	"context"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/match"
	"broadside/match/live"
)

// Errors for using an action or query meant for another kind of client.
var (
	ErrForPeople   = i18n.Errorf("programs-cannot-do-this")
	ErrForPrograms = i18n.Errorf("only-programs-can-do-this")
)

// Program actions. Match actions return at once; their results arrive through
// [Session.Poll].
type (
	// PlayNamed plays the opponent with a name; see [lobby.Offers.PlayNamed].
	PlayNamed struct {
		Name   string
		Rules  match.Rules
		Stakes lobby.Stakes
		As     *account.Player // see Seek
	}
	// JoinLadder opens an offer of a registered program for the next match on the ladder.
	// For As, see [Seek].
	JoinLadder struct {
		Rules match.Rules
		As    *account.Player
	}
	// Fill lets a built-in bot accept the program's open offer if no opponent has.
	Fill struct{ Bot string }
	// KeepFleet marks the program as ready without revealing its fleet. The program
	// answers the opponent's shots itself.
	KeepFleet struct{}
	// Commit is KeepFleet with a commitment to the fleet, see [match.Commit].
	Commit struct{ Commitment string }
	// Answer answers the opponent's shot at a cell. More means that the program's next action
	// follows immediately. The opponent then gets both in one update, if possible.
	Answer struct {
		Cell   match.Cell
		Result match.Result
		More   bool
	}
	// Reveal reveals the committed fleet after the last shot.
	Reveal struct {
		Salt   string
		Layout match.Layout
	}
	// Forfeit loses the match because the program violated the protocol.
	Forfeit struct{ Reason match.Reason }
)

// Program queries. They may wait for the database.
type (
	// CheckProgramName returns an error if a program without a token may not use a name.
	CheckProgramName struct{ Name string }
	// FindProgram asks for the registered program with a token.
	FindProgram struct{ Token string }
	// FindPrivate asks for the private match with a code, as entered by the player.
	FindPrivate struct{ Code string }
	// CanPlayNamed returns an error if PlayNamed cannot lead to a match.
	CanPlayNamed struct{ Name string }
	// OpponentStanding asks for the opponent's rating under the rules of the match. The
	// answer has no games if there is no rating.
	OpponentStanding struct{}
)

// PrivateMatch describes a private match that has not begun.
type PrivateMatch struct {
	Code   string // in the form shown to the host
	Rules  match.Rules
	Stakes lobby.Stakes
}

// allow returns an error if a person or a program cannot use an action or a query.
func allow(v any, isProgram bool) error {
	switch v.(type) {
	case Fire, Place, Move, Resign, Seek, PlayBot, JoinPrivate, Rematch, LeaveMatch, Abort, Cancel,
		PlayNamed, CanPlayNamed, CheckProgramName, FindPrivate, OpponentStanding, GetCup:
		return nil
	case Answer, KeepFleet, Commit, Reveal, Forfeit, Fill, JoinLadder, SeekCup, FindProgram:
		if !isProgram {
			return ErrForPrograms
		}
		return nil
	}
	if isProgram {
		return ErrForPeople
	}
	return nil
}

// entrant returns the player who is about to play. as replaces a program's player, except
// its ID; nil keeps it. A program that is not registered gets an ID and a unique name before
// its first match.
func (s *Local) entrant(as *account.Player) account.Player {
	me := s.Player()
	if s.member != nil || as == nil && me.ID != "" {
		return me
	}
	if as != nil {
		former := me
		me = *as
		me.Kind = account.Program
		if me.ID == "" {
			me.ID, me.Guest, me.Name = former.ID, former.Guest, cmp.Or(me.Name, former.Name)
		}
	}
	me = s.lobby.Identify(me)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state.Me = me
	return me
}

// program is the [Session] of a program.
type program struct {
	*Local
	lent *live.Update // last update returned by Poll; guarded by mu
}

// newProgram opens a program's session.
func newProgram(l *lobby.Lobby, c Client) *program {
	me := *c.Program
	me.Kind = account.Program
	c.Program = nil // state.Me replaces it
	return &program{Local: &Local{lobby: l, client: c, pending: newPending(), state: State{Me: me, Lobby: &noSnapshot}}}
}

// Poll implements [Session]. It has its own implementation because it handles every shot. It
// recycles the last update that it returned.
func (p *program) Poll() (Update, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.lent != nil {
		live.Release(p.lent)
		p.lent = nil
	}
	if p.ended != nil {
		return Update{}, p.ended
	}
	if u := p.pending.nextLocked(); u.Kind != 0 {
		return u, nil
	}
	if seat := p.seats.first(); seat != nil && !seat.over {
		switch m, err := seat.box.Take(); {
		case m != nil:
			p.lent = m
			return seat.update(m), nil
		case err != nil:
			return p.lostLocked(err), nil
		}
	}
	return p.pollOfferLocked(), nil
}

func (a PlayNamed) do(_ context.Context, s *Local) error {
	me := s.entrant(a.As)
	if !s.lobby.IsHere(a.Name) { // no challenge
		return s.openOffer(s.lobby.Offers.PlayNamed(me, a.Name, a.Rules, a.Stakes))
	}
	return s.limitGuest(s.lobby.GuestChallenges, func() error {
		return s.openOffer(s.lobby.Offers.PlayNamed(me, a.Name, a.Rules, a.Stakes))
	})
}

func (a JoinLadder) do(_ context.Context, s *Local) error {
	return s.openOffer(s.lobby.Offers.JoinLadder(s.entrant(a.As), a.Rules))
}

func (a Fill) do(_ context.Context, s *Local) error {
	s.mu.Lock()
	o := s.offer
	s.mu.Unlock()
	if o == nil {
		return ErrNoOffer
	}
	return o.Fill(a.Bot)
}

func (KeepFleet) do(ctx context.Context, s *Local) error {
	return s.command(match.First, (*live.Seat).Keep)
}

func (a Commit) do(ctx context.Context, s *Local) error {
	return s.command(match.First, func(seat *live.Seat) { seat.Commit(a.Commitment) })
}

func (a Answer) do(ctx context.Context, s *Local) error {
	return s.command(match.First, func(seat *live.Seat) { seat.Answer(a.Cell, a.Result, a.More) })
}

func (a Reveal) do(ctx context.Context, s *Local) error {
	return s.command(match.First, func(seat *live.Seat) { seat.Reveal(a.Salt, a.Layout) })
}

func (a Forfeit) do(ctx context.Context, s *Local) error {
	return s.command(match.First, func(seat *live.Seat) { seat.Forfeit(a.Reason) })
}

func (q CheckProgramName) ask(ctx context.Context, s *Local) (struct{}, error) {
	return struct{}{}, s.lobby.Accounts.CheckProgramName(ctx, q.Name)
}

func (q FindProgram) ask(ctx context.Context, s *Local) (account.Player, error) {
	return s.lobby.Accounts.ProgramByToken(ctx, q.Token)
}

func (q FindPrivate) ask(_ context.Context, s *Local) (PrivateMatch, error) {
	var m PrivateMatch
	err := s.codes.try(s.lobby, func() error {
		o, err := s.lobby.Offers.Private(q.Code)
		if err == nil {
			m = PrivateMatch{Code: o.Code(), Rules: o.Rules(), Stakes: o.Stakes()}
		}
		return err
	})
	return m, err
}

func (q CanPlayNamed) ask(ctx context.Context, s *Local) (struct{}, error) {
	return struct{}{}, s.lobby.Offers.CanPlayNamed(ctx, q.Name)
}

func (OpponentStanding) ask(ctx context.Context, s *Local) (store.Standing, error) {
	s.mu.Lock()
	seat := s.seats.first()
	s.mu.Unlock()
	if seat == nil {
		return store.Standing{}, ErrNoMatch
	}
	standing, _ := s.lobby.Accounts.Standing(ctx, seat.Opponent, seat.Rules())
	return standing, nil
}
