package session

import (
	"context"
	"errors"
	"slices"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/store"
)

// Operator carries out what operators decide about connections. Queries and actions
// of operators use it, besides the lobby and the store.
type Operator interface {
	// Ban, Lift, Bans, Lockdown and Locked are those of package gate.
	Ban(ctx context.Context, b Ban) (Ban, error)
	Lift(ctx context.Context, id, by string) error
	Bans() []Ban
	Lockdown(ctx context.Context, on bool, inside []string, by string) error
	Locked() bool
	// Cut ends the connections of banned clients with parting words, and returns how
	// many there were. It does not wait.
	Cut(who Subject, parting i18n.Message) int
}

// Queries and actions of operators, see [Client]. They wait for the database. Names
// of players may also be fingerprints of their keys.
type (
	// ListSessions asks for the open sessions after a mark, the oldest first.
	ListSessions struct {
		After store.Cursor
		Limit int
	}
	// Kick ends the sessions of a player by name, or one by its number. The answer
	// is how many there were.
	Kick struct{ Name string }
	// Announce shows a line to everybody in the lobby.
	Announce struct{ Text string }
	// RenamePlayer gives a player another name. The answer is the former one.
	RenamePlayer struct{ Name, To string }
	// MutePlayer keeps a player from chatting until a time, or permanently if it is
	// zero. A guest is named by a name or a session, and is muted until they leave.
	MutePlayer struct {
		Name    string
		Expires time.Time
		Reason  string
	}
	// UnmutePlayer lets a player chat again. The answer is the player's name.
	UnmutePlayer struct{ Name string }
	// Acts asks for what operators have done, the newest first.
	Acts struct{ Limit int }
)

// Muting names the player who was muted.
type Muting struct {
	Name  string
	Guest bool
}

// ErrNotOperator is returned for an operator's query or action by anybody else.
var ErrNotOperator = i18n.Errorf("only operators may do that")

// byOperator returns what carries out operators' decisions if the client is an
// operator.
func (s *Local) byOperator() (Operator, error) {
	if s.operator == "" || s.host == nil || s.host.Operator == nil {
		return nil, ErrNotOperator
	}
	return s.host.Operator, nil
}

func (q ListSessions) ask(_ context.Context, s *Local) ([]Connected, error) {
	if _, err := s.byOperator(); err != nil {
		return nil, err
	}
	all := s.host.Connected()
	first, found := slices.BinarySearchFunc(all, q.After, func(c Connected, m store.Cursor) int { return compareCursors(c.Cursor(), m) })
	if found {
		first++
	}
	return all[first:min(len(all), first+max(0, q.Limit))], nil
}

func (q Kick) ask(ctx context.Context, s *Local) (int, error) {
	if _, err := s.byOperator(); err != nil {
		return 0, err
	}
	n := s.host.End(func(c Connected) bool { return c.IsCalled(q.Name) }, i18n.Mean("An operator has ended your session."))
	if n == 0 {
		return 0, errNotHere(q.Name)
	}
	return n, s.log(ctx, "kick", q.Name, "")
}

func (a Announce) do(ctx context.Context, s *Local) error {
	if _, err := s.byOperator(); err != nil {
		return err
	}
	if err := s.log(ctx, "broadcast", "", a.Text); err != nil {
		return err
	}
	s.lobby.Announce(a.Text)
	return nil
}

func (q RenamePlayer) ask(ctx context.Context, s *Local) (string, error) {
	p, err := s.person(ctx, q.Name)
	if err != nil {
		return "", err
	}
	return p.Name, s.lobby.Accounts.RenameBy(ctx, p.ID, q.To, s.operator)
}

func (q MutePlayer) ask(ctx context.Context, s *Local) (Muting, error) {
	p, err := s.person(ctx, q.Name)
	switch {
	case err == nil:
		return Muting{Name: p.Name}, s.lobby.Store().Mutes.Add(ctx, store.Mute{Player: p.ID, Reason: q.Reason, By: s.operator, Expires: q.Expires})
	case errors.Is(err, ErrNotOperator):
		return Muting{}, err
	}
	for _, c := range s.host.Connected() {
		if c.IsCalled(q.Name) && c.Player.Guest && c.Player.Kind == Person && s.lobby.Chat.Silence(c.Player.ID, q.Expires) {
			return Muting{c.Name(), true}, s.log(ctx, "mute", c.Name(), q.Reason)
		}
	}
	return Muting{}, err
}

func (q UnmutePlayer) ask(ctx context.Context, s *Local) (string, error) {
	if _, err := s.byOperator(); err != nil {
		return "", err
	}
	for _, c := range s.host.Connected() { // it may be a guest, or have been one
		if c.IsCalled(q.Name) && s.lobby.Chat.Unsilence(c.Player.ID) {
			return c.Name(), s.log(ctx, "unmute", c.Name(), "")
		}
	}
	p, err := s.person(ctx, q.Name)
	if err != nil {
		return "", err
	}
	err = s.lobby.Store().Mutes.Remove(ctx, p.ID, s.operator)
	if errors.Is(err, store.ErrNotFound) {
		err = i18n.Errorf("no operator has muted %s", p.Name)
	}
	return p.Name, err
}

func (q Acts) ask(ctx context.Context, s *Local) ([]Act, error) {
	if _, err := s.byOperator(); err != nil {
		return nil, err
	}
	return s.lobby.Store().Audit.List(ctx, store.Cursor{}, q.Limit)
}

// person returns the account of the person with a name or a key, for an operator.
func (s *Local) person(ctx context.Context, name string) (Account, error) {
	if _, err := s.byOperator(); err != nil {
		return Account{}, err
	}
	find := s.lobby.Store().Accounts.ByName
	if IsFingerprint(name) {
		find = s.lobby.Store().Accounts.ByKey
	}
	p, err := find(ctx, name)
	if errors.Is(err, store.ErrNotFound) || err == nil && p.Kind != store.Person {
		err = i18n.Errorf("there is no account of a person for %q", name)
	}
	return p, err
}

// log enters what the operator has done in the operators' log.
func (s *Local) log(ctx context.Context, act, subject, details string) error {
	return s.lobby.Store().Audit.Add(ctx, store.Act{Actor: s.operator, Act: act, Subject: subject, Details: details})
}

func errNotHere(name string) error {
	return i18n.Errorf("nobody here is called %q: ssh HOST list shows who is", name)
}
