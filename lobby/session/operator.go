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

// Muting identifies the muted player.
type Muting struct {
	Name  string
	Guest bool
}

// ErrNotOperator is returned if a player who is not an operator uses an operator's query
// or action.
var ErrNotOperator = i18n.Errorf("only operators may do that")

// operator is the session of an operator.
type operator struct {
	access Operator
	host   *Host
	store  *store.Store
	name   string // in the audit log
}

// byOperator returns the session as an operator's session, or ErrNotOperator.
func (s *Session) byOperator() (op operator, err error) {
	if s.client.Operator == "" || s.host == nil || s.host.Operator == nil {
		return op, ErrNotOperator
	}
	return operator{s.host.Operator, s.host, s.lobby.Store(), s.client.Operator}, nil
}

// ListSessions returns the open sessions after a cursor, oldest first.
func (s *Session) ListSessions(after store.Cursor, limit int) ([]Connected, error) {
	if _, err := s.byOperator(); err != nil {
		return nil, err
	}
	all := s.host.Connected()
	first, found := slices.BinarySearchFunc(all, after, func(c Connected, m store.Cursor) int { return compareCursors(c.Cursor(), m) })
	if found {
		first++
	}
	return all[first:min(len(all), first+max(0, limit))], nil
}

// Kick ends the sessions of a player by name, or one session by number. The answer is
// the number of ended sessions.
func (s *Session) Kick(ctx context.Context, name string) (int, error) {
	op, err := s.byOperator()
	if err != nil {
		return 0, err
	}
	n := s.host.End(func(c Connected) bool { return c.Matches(name) }, i18n.NewMessage("An operator has ended your session."))
	if n == 0 {
		return 0, i18n.Errorf("no connected player is called %q: ssh HOST list shows who is connected", name)
	}
	return n, op.log(ctx, "kick", name, "")
}

// Announce shows a line of text to all people in the lobby.
func (s *Session) Announce(ctx context.Context, text string) error {
	op, err := s.byOperator()
	if err != nil {
		return err
	}
	if err := op.log(ctx, "broadcast", "", text); err != nil {
		return err
	}
	s.lobby.Announce(text)
	return nil
}

// RenamePlayer renames a player. The answer is the old name.
func (s *Session) RenamePlayer(ctx context.Context, name, to string) (string, error) {
	return onPerson(ctx, s, name, func(op operator, p store.Player) error { return s.lobby.Accounts.RenameBy(ctx, p.ID, to, op.name) })
}

// MutePlayer mutes a player in all chats until a time, or permanently if the time is
// zero. A guest's mute ends no later than the guest's session.
func (s *Session) MutePlayer(ctx context.Context, name string, expires time.Time, reason string) (Muting, error) {
	op, err := s.byOperator()
	if err != nil {
		return Muting{}, err
	}
	p, err := op.person(ctx, name)
	if err == nil {
		return Muting{Name: p.Name}, op.store.Mutes.Add(ctx, store.Mute{Player: p.ID, Reason: reason, By: op.name, Expires: expires})
	}
	for _, c := range s.host.Connected() {
		if c.Matches(name) && c.Player.Account == "" && c.Player.Kind == account.Person && s.lobby.Chat.Silence(c.Player.ID, expires) {
			return Muting{c.Name(), true}, op.log(ctx, "mute", c.Name(), reason)
		}
	}
	return Muting{}, err
}

// UnmutePlayer unmutes a player. The answer is the player's name.
func (s *Session) UnmutePlayer(ctx context.Context, name string) (string, error) {
	op, err := s.byOperator()
	if err != nil {
		return "", err
	}
	for _, c := range s.host.Connected() { // includes guests, and players who were guests
		if c.Matches(name) && s.lobby.Chat.Unsilence(c.Player.ID) {
			return c.Name(), op.log(ctx, "unmute", c.Name(), "")
		}
	}
	return onPerson(ctx, s, name, func(op operator, p store.Player) error {
		err := op.store.Mutes.Remove(ctx, p.ID, op.name)
		if errors.Is(err, store.ErrNotFound) {
			err = i18n.Errorf("no operator has muted %s", p.Name)
		}
		return err
	})
}

// Acts returns the audit log, newest entry first.
func (s *Session) Acts(ctx context.Context, limit int) ([]store.Act, error) {
	if _, err := s.byOperator(); err != nil {
		return nil, err
	}
	return s.lobby.Store().Audit.List(ctx, store.Cursor{}, limit)
}

// onPerson acts on the account of the person with a name or a key, on behalf of an operator,
// and returns the account's name.
func onPerson(ctx context.Context, s *Session, name string, act func(op operator, p store.Player) error) (string, error) {
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
		err = i18n.Errorf("%q is not a person's account", name)
	}
	return p, err
}

// log adds an entry to the audit log.
func (op operator) log(ctx context.Context, act, subject, details string) error {
	return op.store.Audit.Add(ctx, store.Act{Actor: op.name, Act: act, Subject: subject, Details: details})
}
