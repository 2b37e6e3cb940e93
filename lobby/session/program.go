package session

import (
	"cmp"
	"context"

	"broadside/internal/store"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/match"
)

// SetProgram replaces a program's player. A program that is not registered keeps its ID. It must
// not be called after the program's first match.
func (s *Session) SetProgram(p account.Player) {
	former := s.Player()
	p.Kind = account.Program
	if p.ID == "" {
		p.ID, p.Guest, p.Name = former.ID, former.Guest, cmp.Or(p.Name, former.Name)
	}
	s.member.SetPlayer(p)
}

// ensurePlayerID returns the session's player. A program that is not registered gets an ID and a
// unique name before its first match.
func (s *Session) ensurePlayerID() account.Player {
	me := s.Player()
	if s.client.Program != nil && me.ID == "" {
		s.SetProgram(me)
	}
	return s.Player()
}

// PlayOpponent plays against the opponent with a name, as [lobby.Offers.PlayOpponent] does. A guest's challenges to
// players in the lobby are limited.
func (s *Session) PlayOpponent(name string, rules match.Rules, ratingMode lobby.RatingMode) error {
	play := func() error {
		return s.setOffer(s.lobby.Offers.PlayOpponent(s.ensurePlayerID(), name, rules, ratingMode))
	}
	// An offer to a player in the lobby is a challenge.
	if s.lobby.IsInLobby(name) {
		return s.limitGuest(s.lobby.GuestChallenges, play)
	}
	return play()
}

// JoinLadder opens a registered program's offer for its next ladder match.
func (s *Session) JoinLadder(rules match.Rules) error {
	return s.setOffer(s.lobby.Offers.JoinLadder(s.ensurePlayerID(), rules))
}

// ResumeProgramSeat takes a program's seat by its resume code, see [lobby.Matches.FindProgramSeat].
// It returns the match's events that the program may know.
func (s *Session) ResumeProgramSeat(ctx context.Context, p account.Player, code string) (events []match.Event, err error) {
	var seat *lobby.Seat
	var me account.Player
	err = s.codeThrottle.tryCode(s.lobby, func() (err error) {
		seat, me, err = s.lobby.Matches.FindProgramSeat(p.Account, code)
		return err
	})
	if err != nil {
		return nil, err
	}
	// A restored match does not know a registered program's owner.
	if p.Account != "" {
		me = p
	}
	s.SetProgram(me)
	if err := s.takeSeat(seat, nil); err != nil {
		return nil, err
	}
	return s.MatchEvents(ctx)
}

// ContinueCorrespondence takes a registered program's seat in a correspondence match. It returns the match's
// events that the program may know.
func (s *Session) ContinueCorrespondence(ctx context.Context, p account.Player, id string) ([]match.Event, error) {
	s.SetProgram(p)
	if err := s.OpenCorrespondence(ctx, id); err != nil {
		return nil, err
	}
	return s.MatchEvents(ctx)
}

// MatchEvents returns the events of the session's match that the player may know.
func (s *Session) MatchEvents(ctx context.Context) ([]match.Event, error) {
	seat, err := s.findSeat(match.First)
	if err != nil {
		return nil, err
	}
	return seat.EventsSince(ctx, 0), ctx.Err()
}

// AcceptWithBot lets a built-in bot accept the program's open offer if no opponent has.
func (s *Session) AcceptWithBot(bot string) error {
	s.mu.Lock()
	o := s.offer
	s.mu.Unlock()
	if o == nil {
		return ErrNoOffer
	}
	return o.AcceptWithBot(bot)
}

// KeepFleet marks the program as ready although the server does not know its fleet. The program
// then answers the opponent's shots itself.
func (s *Session) KeepFleet() error {
	return s.actOnSeat(match.First, func(seat *lobby.Seat) { seat.Keep() })
}

// AnswerShot answers the opponent's shot at a cell.
func (s *Session) AnswerShot(cell match.Cell, result match.Result) error {
	return s.actOnSeat(match.First, func(seat *lobby.Seat) { seat.Answer(cell, result) })
}

// Forfeit loses the match because the program violated the protocol.
func (s *Session) Forfeit(reason match.Reason) error {
	return s.actOnSeat(match.First, func(seat *lobby.Seat) { seat.Forfeit(reason) })
}

// CheckProgramName returns an error if a program without a token may not use a name.
func (s *Session) CheckProgramName(ctx context.Context, name string) error {
	return s.lobby.Accounts.CheckProgramName(ctx, name)
}

// FindProgramByToken returns the program that was registered with a token.
func (s *Session) FindProgramByToken(ctx context.Context, token string) (account.Player, error) {
	return s.lobby.Accounts.FindProgramByToken(ctx, token)
}

// FindPrivateMatch returns the private match with a code, as entered by the player.
func (s *Session) FindPrivateMatch(code string) (terms lobby.Terms, err error) {
	err = s.codeThrottle.tryCode(s.lobby, func() error {
		o, err := s.lobby.Offers.FindPrivateMatch(code)
		if err == nil {
			terms = o.Terms
		}
		return err
	})
	return terms, err
}

// CheckOpponent returns an error if PlayOpponent cannot lead to a match.
func (s *Session) CheckOpponent(ctx context.Context, name string) error {
	return s.lobby.Offers.CheckOpponent(ctx, name)
}

// OpponentStanding returns the opponent's rating under the match's rules. If there is none, its
// number of games is 0.
func (s *Session) OpponentStanding(ctx context.Context) (store.Standing, error) {
	seat, err := s.findSeat(match.First)
	if err != nil {
		return store.Standing{}, err
	}
	standing, _ := s.lobby.Accounts.FindStanding(ctx, seat.Opponent, seat.Rules())
	return standing, nil
}
