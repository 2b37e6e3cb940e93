package session

import (
	"cmp"
	"context"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/match"
)

// Errors for using an action or query meant for another kind of client.
var (
	ErrForPeople   = i18n.Errorf("programs cannot do this")
	ErrForPrograms = i18n.Errorf("only programs can do this")
)

// PrivateMatch describes a private match that has not begun.
type PrivateMatch struct {
	Code   string // in the form shown to the host
	Rules  match.Rules
	Stakes lobby.Stakes
}

// PlayAs replaces a program's player, except the ID of a program that is not registered. It
// must not be called after the program's first match.
func (s *Session) PlayAs(p account.Player) {
	former := s.Player()
	p.Kind = account.Program
	if p.ID == "" {
		p.ID, p.Guest, p.Name = former.ID, former.Guest, cmp.Or(p.Name, former.Name)
	}
	p = s.lobby.Identify(p)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state.Me = p
}

// entrant returns the player who is about to play. A program that is not registered gets an
// ID and a unique name before its first match.
func (s *Session) entrant() account.Player {
	if me := s.Player(); s.member == nil && me.ID == "" {
		s.PlayAs(me)
	}
	return s.Player()
}

// newProgram opens a program's session.
func newProgram(l *lobby.Lobby, c Client) *Session {
	me := *c.Program
	me.Kind = account.Program
	c.Program = nil // state.Me replaces it
	return &Session{lobby: l, client: c, pending: newPending(), state: State{Me: me, Lobby: &noSnapshot}}
}

// pollProgramLocked is Poll for a program, which has no place in the lobby.
func (s *Session) pollProgramLocked() Update {
	if u := s.pending.nextLocked(); u.Kind != 0 {
		return u
	}
	seat, m, err := s.seats.nextUpdate()
	switch {
	case m != nil:
		return seat.update(m)
	case err != nil:
		return s.lostLocked(err)
	}
	return s.pollOfferLocked()
}

// PlayNamed plays the opponent with a name; see [lobby.Offers.PlayNamed].
func (s *Session) PlayNamed(name string, rules match.Rules, stakes lobby.Stakes) error {
	play := func() error { return s.openOffer(s.lobby.Offers.PlayNamed(s.entrant(), name, rules, stakes)) }
	if s.lobby.IsHere(name) { // a challenge
		return s.limitGuest(s.lobby.GuestChallenges, play)
	}
	return play()
}

// JoinLadder opens an offer of a registered program for the next match on the ladder.
func (s *Session) JoinLadder(rules match.Rules) error {
	if s.member != nil {
		return ErrForPrograms
	}
	return s.openOffer(s.lobby.Offers.JoinLadder(s.entrant(), rules))
}

// ResumeProgram takes the seat of a match of program p by its resume code; see
// [lobby.Matches.ResumeProgram]. It returns the events of the match that the program may know.
func (s *Session) ResumeProgram(ctx context.Context, p account.Player, code string) (events []match.Event, err error) {
	if s.member != nil {
		return nil, ErrForPrograms
	}
	var seat *lobby.Seat
	var me account.Player
	err = s.codes.try(s.lobby, func() (err error) {
		seat, me, err = s.lobby.Matches.ResumeProgram(p.Account, code)
		return err
	})
	if err != nil {
		return nil, err
	}
	if p.Account != "" { // a restored match does not know the owner
		s.PlayAs(p)
	} else {
		s.mu.Lock()
		s.state.Me = me
		s.mu.Unlock()
	}
	if err := s.takeSeat(seat, nil); err != nil {
		return nil, err
	}
	events = seat.Since(ctx, 0)
	return events, ctx.Err()
}

// Fill lets a built-in bot accept the program's open offer if no opponent has.
func (s *Session) Fill(bot string) error {
	if s.member != nil {
		return ErrForPrograms
	}
	s.mu.Lock()
	o := s.offer
	s.mu.Unlock()
	if o == nil {
		return ErrNoOffer
	}
	return o.Fill(bot)
}

// programSeat returns the seat of a program. Other sessions get ErrForPrograms.
func (s *Session) programSeat() (*lobby.Seat, error) {
	if s.member != nil {
		return nil, ErrForPrograms
	}
	return s.seatOf(match.First)
}

// KeepFleet marks the program as ready without revealing its fleet. The program
// answers the opponent's shots itself.
func (s *Session) KeepFleet() error {
	seat, err := s.programSeat()
	if err != nil {
		return err
	}
	seat.Keep()
	return nil
}

// Answer answers the opponent's shot at a cell.
func (s *Session) Answer(cell match.Cell, result match.Result) error {
	seat, err := s.programSeat()
	if err != nil {
		return err
	}
	seat.Answer(cell, result)
	return nil
}

// Forfeit loses the match because the program violated the protocol.
func (s *Session) Forfeit(reason match.Reason) error {
	seat, err := s.programSeat()
	if err != nil {
		return err
	}
	seat.Forfeit(reason)
	return nil
}

// CheckProgramName returns an error if a program without a token may not use a name.
func (s *Session) CheckProgramName(ctx context.Context, name string) error {
	return s.lobby.Accounts.CheckProgramName(ctx, name)
}

// FindProgram returns the registered program with a token.
func (s *Session) FindProgram(ctx context.Context, token string) (account.Player, error) {
	if s.member != nil {
		return account.Player{}, ErrForPrograms
	}
	return s.lobby.Accounts.ProgramByToken(ctx, token)
}

// FindPrivate returns the private match with a code, as entered by the player.
func (s *Session) FindPrivate(code string) (PrivateMatch, error) {
	var m PrivateMatch
	err := s.codes.try(s.lobby, func() error {
		o, err := s.lobby.Offers.Private(code)
		if err == nil {
			m = PrivateMatch{Code: o.Code(), Rules: o.Rules(), Stakes: o.Stakes()}
		}
		return err
	})
	return m, err
}

// CanPlayNamed returns an error if PlayNamed cannot lead to a match.
func (s *Session) CanPlayNamed(ctx context.Context, name string) error {
	return s.lobby.Offers.CanPlayNamed(ctx, name)
}

// OpponentStanding returns the opponent's rating under the rules of the match. It has no games
// if there is no rating.
func (s *Session) OpponentStanding(ctx context.Context) (store.Standing, error) {
	seat, err := s.seatOf(match.First)
	if err != nil {
		return store.Standing{}, err
	}
	standing, _ := s.lobby.Accounts.Standing(ctx, seat.Opponent, seat.Rules())
	return standing, nil
}
