package session

import (
	"context"

	"broadside/internal/i18n"
	"broadside/lobby"
	"broadside/match"
	"broadside/match/live"
)

// Why a session refuses an action or a query that is for another kind of client.
var (
	ErrForPeople   = i18n.Errorf("programs cannot do this")
	ErrForPrograms = i18n.Errorf("only programs can do this")
)

// Actions of a program. Those of a match return at once; what comes of them arrives
// with [Session.Next].
type (
	// Introduce says who the program is, in place of what [Client] says. It comes
	// before the first match. The player has no ID unless it is registered.
	Introduce struct{ Player Player }
	// PlayNamed plays the opponent of a name: a program that waits, a person in the
	// lobby, who is challenged, or else the first one to arrive with that name.
	PlayNamed struct {
		Name   string
		Rules  match.Rules
		Stakes Stakes
	}
	// Fill lets a built-in bot take the program's open offer. If an opponent has
	// come meanwhile, it does nothing.
	Fill struct{ Bot string }
	// KeepFleet makes the program ready with a fleet that it answers for.
	KeepFleet struct{}
	// Commit is KeepFleet with a commitment to the fleet, see [match.Commit].
	Commit struct{ Commitment string }
	// Answer says what the opponent's shot at a cell did.
	Answer struct {
		Cell   match.Cell
		Result match.Result
	}
	// Reveal opens the commitment after the last shot.
	Reveal struct {
		Salt   string
		Layout match.Layout
	}
	// Forfeit loses the match for a reason that lies with the program.
	Forfeit struct{ Reason match.Reason }
)

// Queries of a program. They may wait for the database.
type (
	// CheckProgramName asks whether a program without a token may use a name. The
	// error says why not.
	CheckProgramName struct{ Name string }
	// ShowToken asks which registered program a token belongs to.
	FindProgram struct{ Token string }
	// FindRoom asks what is played in a private room. The code is as it was typed.
	FindPrivate struct{ Code string }
	// CanMeet asks whether PlayNamed can lead to a match. The error says why not.
	CanPlayNamed struct{ Name string }
	// OpponentStanding asks for the opponent's rating under the rules of the match.
	// It has no games if there is none.
	OpponentStanding struct{}
)

// PrivateRoom describes a private room before its match begins.
type PrivateMatch struct {
	Code   string // as its owner sees it
	Rules  match.Rules
	Stakes Stakes
}

// allow returns why this session's client cannot use an action or a query: what is
// not listed needs a place in the lobby, which programs do not have.
func (s *Local) allow(v any) error {
	switch v.(type) {
	case Fire, Place, Move, Resign, Seek, PlayBot, JoinPrivate, Rematch, LeaveMatch, Abort, Cancel,
		CheckProgramName, FindPrivate, OpponentStanding:
		return nil
	case Answer, KeepFleet, Commit, Reveal, Forfeit, Fill, Introduce, PlayNamed, FindProgram, CanPlayNamed:
		if s.member != nil {
			return ErrForPrograms
		}
		return nil
	}
	if s.member == nil {
		return ErrForPeople
	}
	return nil
}

func (a Introduce) do(_ context.Context, s *Local) error {
	me := a.Player
	me.Kind = Program
	if s.remote { // its gateway must know the ID before a match begins that it is not told of
		me = s.lobby.Identify(me)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state.Me = me
	return nil
}

// entrant returns the player who is about to play. A program without an account
// gets its ID, and a name that nobody else has, when it plays for the first time.
func (s *Local) entrant() Player {
	me := s.Player()
	if me.ID != "" {
		return me
	}
	me = s.lobby.Identify(me)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state.Me = me
	return me
}

// program is a [Local] of a program.
type program struct{ *Local }

// newProgram opens a program's session.
func newProgram(l *lobby.Lobby, c Client) *Local {
	me := *c.Program
	me.Kind = Program
	return &Local{
		lobby: l, addr: c.Addr, conn: c.Conn, operator: c.Operator, unlisted: true, remote: c.Remote,
		rewired: make(chan struct{}, 1), state: State{Me: me, Lobby: &noSnapshot},
	}
}

// Next implements [Session]. It differs from that of a person because it is on the
// way of every shot, and thousands wait in it: it takes little time and stack.
func (s program) Next(ctx context.Context) (u Update, err error) {
	s.release()
	for {
		from, err := s.pollProgram(&u)
		if u.Kind != 0 || err != nil {
			return u, err
		}
		select {
		case <-s.rewired:
		case <-from.box:
		case seat := <-from.seek:
			if u = s.settled(from.offer, seat); u.Kind != 0 {
				return u, nil
			}
		case <-ctx.Done():
			return u, ctx.Err()
		}
	}
}

// release hands back the update that Next has returned last.
func (s *Local) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lent != nil {
		live.Release(s.lent)
		s.lent = nil
	}
}

// programSources are what a program waits for. Those that do not apply are nil.
type programSources struct {
	box   <-chan struct{}
	seek  <-chan *lobby.Seat
	offer *lobby.Offer
}

// pollProgram sets u to an update that is there already, or else returns what to
// wait for. Its error says why an operator has ended the session.
func (s *Local) pollProgram(u *Update) (from programSources, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.ended != nil:
		return from, s.ended
	case len(s.pending) == 1: // there is hardly ever more, and thousands would keep the memory
		*u, s.pending = s.pending[0], nil
		return from, nil
	case len(s.pending) > 1:
		*u, s.pending = s.pending[0], s.pending[1:]
		return from, nil
	}
	if held := s.seatLocked(); held != nil && !held.over {
		switch m, err := held.box.Take(); {
		case m != nil:
			s.lent = m
			*u = s.playedLocked(held, m)
			return from, nil
		case err != nil:
			*u = s.lostLocked(held, err)
			return from, nil
		}
		from.box = held.box.Ready()
	}
	if s.seek != nil {
		from.seek, from.offer = s.seek.Seated(), s.seek
	}
	return from, nil
}

func (a PlayNamed) do(_ context.Context, s *Local) error {
	return s.offer(s.lobby.Offers.PlayNamed(s.entrant(), a.Name, a.Rules, a.Stakes))
}

func (a Fill) do(_ context.Context, s *Local) error {
	s.mu.Lock()
	t := s.seek
	s.mu.Unlock()
	if t == nil {
		return ErrNoOffer
	}
	return t.Fill(a.Bot)
}

func (KeepFleet) do(ctx context.Context, s *Local) error {
	return s.command(ctx, match.First, (*live.Seat).Keep)
}

func (a Commit) do(ctx context.Context, s *Local) error {
	return s.command(ctx, match.First, func(seat *live.Seat) { seat.Commit(a.Commitment) })
}

func (a Answer) do(ctx context.Context, s *Local) error {
	return s.command(ctx, match.First, func(seat *live.Seat) { seat.Answer(a.Cell, a.Result) })
}

func (a Reveal) do(ctx context.Context, s *Local) error {
	return s.command(ctx, match.First, func(seat *live.Seat) { seat.Reveal(a.Salt, a.Layout) })
}

func (a Forfeit) do(ctx context.Context, s *Local) error {
	return s.command(ctx, match.First, func(seat *live.Seat) { seat.Forfeit(a.Reason) })
}

func (q CheckProgramName) ask(ctx context.Context, s *Local) (struct{}, error) {
	return struct{}{}, s.lobby.Accounts.CheckProgramName(ctx, q.Name)
}

func (q FindProgram) ask(ctx context.Context, s *Local) (Player, error) {
	return s.lobby.Accounts.ProgramByToken(ctx, q.Token)
}

func (q FindPrivate) ask(_ context.Context, s *Local) (PrivateMatch, error) {
	rules, stakes, err := s.lobby.Offers.Private(s.addr, q.Code)
	if err != nil {
		return PrivateMatch{}, err
	}
	code, _ := ParseCode(q.Code) // it has just been found by it
	return PrivateMatch{code, rules, stakes}, nil
}

func (q CanPlayNamed) ask(ctx context.Context, s *Local) (struct{}, error) {
	return struct{}{}, s.lobby.Offers.CanPlayNamed(ctx, q.Name)
}

func (OpponentStanding) ask(ctx context.Context, s *Local) (Standing, error) {
	s.mu.Lock()
	held := s.seatLocked()
	s.mu.Unlock()
	if held == nil {
		return Standing{}, ErrNoMatch
	}
	standing, _ := s.lobby.Accounts.Standing(ctx, held.Opponent, held.Rules())
	return standing, nil
}
