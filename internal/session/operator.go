package session

import (
	"context"
	"errors"
	"slices"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/lobby/account"
)

// Operator carries out operators' decisions about connections. Operators' queries and
// actions use it together with the lobby and the store.
type Operator interface {
	// Ban, Lift, Bans, Lockdown and Locked are the methods of package access.
	Ban(ctx context.Context, b store.Ban) (store.Ban, error)
	Lift(ctx context.Context, id, by string) error
	Bans() []store.Ban
	Lockdown(ctx context.Context, on bool, by string) error
	Locked() bool
	// Cut closes the connections of banned clients with a message and returns their
	// number. It does not wait.
	Cut(who Subject, message i18n.Message) int
}

// Operators' queries and actions; see [Client]. They wait for the database. A player can
// also be named by the fingerprint of a key.
type (
	// ListSessions asks for the open sessions after a cursor, oldest first.
	ListSessions struct {
		After store.Cursor
		Limit int
	}
	// Kick ends the sessions of a player by name, or one session by number. The answer is
	// the number of ended sessions.
	Kick struct{ Name string }
	// Announce shows a line of text to all people in the lobby.
	Announce struct{ Text string }
	// RenamePlayer renames a player. The answer is the old name.
	RenamePlayer struct{ Name, To string }
	// MutePlayer mutes a player in all chats until a time, or permanently if the time is
	// zero. A guest's mute ends no later than the guest's session.
	MutePlayer struct {
		Name    string
		Expires time.Time
		Reason  string
	}
	// UnmutePlayer unmutes a player. The answer is the player's name.
	UnmutePlayer struct{ Name string }
	// Acts asks for the audit log, newest entry first.
	Acts struct{ Limit int }
)

// Muting identifies the muted player.
type Muting struct {
	Name  string
	Guest bool
}

// ErrNotOperator is returned if a player who is not an operator uses an operator's query
// or action.
var ErrNotOperator = i18n.Errorf("only-operators-may-do-that")

// operator is the [Local] session of an operator.
type operator struct {
	*Local
	Operator
	store *store.Store
	name  string // in the audit log
}

// byOperator returns the session as an operator's session, or ErrNotOperator.
func (s *Local) byOperator() (op operator, err error) {
	if s.client.Operator == "" || s.host == nil || s.host.Operator == nil {
		return op, ErrNotOperator
	}
	return operator{s, s.host.Operator, s.lobby.Store(), s.client.Operator}, nil
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
	op, err := s.byOperator()
	if err != nil {
		return 0, err
	}
	n := s.host.End(func(c Connected) bool { return c.Matches(q.Name) }, i18n.NewMessage("an-operator-has-ended-your"))
	if n == 0 {
		return 0, i18n.Errorf("no-connected-player-is-called", q.Name)
	}
	return n, op.log(ctx, "kick", q.Name, "")
}

func (a Announce) do(ctx context.Context, s *Local) error {
	op, err := s.byOperator()
	if err != nil {
		return err
	}
	if err := op.log(ctx, "broadcast", "", a.Text); err != nil {
		return err
	}
	s.lobby.Announce(a.Text)
	return nil
}

func (q RenamePlayer) ask(ctx context.Context, s *Local) (string, error) {
	return onPerson(ctx, s, q.Name, func(op operator, p store.Player) error { return s.lobby.Accounts.RenameBy(ctx, p.ID, q.To, op.name) })
}

func (q MutePlayer) ask(ctx context.Context, s *Local) (Muting, error) {
	op, err := s.byOperator()
	if err != nil {
		return Muting{}, err
	}
	p, err := op.person(ctx, q.Name)
	if err == nil {
		return Muting{Name: p.Name}, op.store.Mutes.Add(ctx, store.Mute{Player: p.ID, Reason: q.Reason, By: op.name, Expires: q.Expires})
	}
	for _, c := range s.host.Connected() {
		if c.Matches(q.Name) && c.Player.Account == "" && c.Player.Kind == account.Person && s.lobby.Chat.Silence(c.Player.ID, q.Expires) {
			return Muting{c.Name(), true}, op.log(ctx, "mute", c.Name(), q.Reason)
		}
	}
	return Muting{}, err
}

func (q UnmutePlayer) ask(ctx context.Context, s *Local) (string, error) {
	op, err := s.byOperator()
	if err != nil {
		return "", err
	}
	for _, c := range s.host.Connected() { // includes guests, and players who were guests
		if c.Matches(q.Name) && s.lobby.Chat.Unsilence(c.Player.ID) {
			return c.Name(), op.log(ctx, "unmute", c.Name(), "")
		}
	}
	return onPerson(ctx, s, q.Name, func(op operator, p store.Player) error {
		err := op.store.Mutes.Remove(ctx, p.ID, op.name)
		if errors.Is(err, store.ErrNotFound) {
			err = i18n.Errorf("no-operator-has-muted-x", p.Name)
		}
		return err
	})
}

func (q Acts) ask(ctx context.Context, s *Local) ([]store.Act, error) {
	if _, err := s.byOperator(); err != nil {
		return nil, err
	}
	return s.lobby.Store().Audit.List(ctx, store.Cursor{}, q.Limit)
}

// onPerson acts on the account of the person with a name or a key, on behalf of an operator,
// and returns the account's name.
func onPerson(ctx context.Context, s *Local, name string, act func(op operator, p store.Player) error) (string, error) {
	op, err := s.byOperator()
	if err != nil {
		return "", err
	}
	p, err := op.person(ctx, name)
	if err != nil {
		return "", err
	}
	return p.Name, act(op, p)
}

// person returns the account of the person with a name or a key.
func (op operator) person(ctx context.Context, name string) (store.Player, error) {
	find := op.store.Accounts.ByName
	if IsFingerprint(name) {
		find = op.store.Accounts.ByKey
	}
	p, err := find(ctx, name)
	if errors.Is(err, store.ErrNotFound) || err == nil && p.Kind != store.Person {
		err = i18n.Errorf("x-is-not-the-account", name)
	}
	return p, err
}

// log adds an entry to the audit log.
func (op operator) log(ctx context.Context, act, subject, details string) error {
	return op.store.Audit.Add(ctx, store.Act{Actor: op.name, Act: act, Subject: subject, Details: details})
}
