package session

import (
	"context"
	"errors"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/lobby"
	"broadside/lobby/account"
)

// Operator carries out operators' decisions about connections. Operators' queries and
// actions use it together with the lobby and the store.
type Operator interface {
	// Ban, Lift, Bans, Lockdown and Locked are the methods of package access.
	Ban(ctx context.Context, b store.Ban) (store.Ban, error)
	LiftBan(ctx context.Context, id, by string) error
	Bans() []store.Ban
	SetLockdown(ctx context.Context, on bool, by string) error
	IsLocked() bool
	// Cut closes the connections of banned clients with a message and returns their
	// number. It does not wait.
	CutConnections(who Subject, message i18n.Message) int
}

// Muting identifies the muted player.
type Muting struct {
	Name  string
	Guest bool
}

// ErrNotOperator is returned to a player who is not an operator.
var ErrNotOperator = i18n.Errorf("only operators may do that")

// Operations are the queries and actions of an operator.
type Operations struct {
	access Operator
	host   *Host
	lobby  *lobby.Lobby
	store  *store.Store
	name   string // in the audit log
}

// AsOperator returns what the client can do as an operator, or ErrNotOperator.
func (s *Session) AsOperator() (op Operations, err error) {
	if s.client.Operator == "" || s.host == nil || s.host.Operator == nil {
		return op, ErrNotOperator
	}
	return Operations{s.host.Operator, s.host, s.lobby, s.lobby.Store(), s.client.Operator}, nil
}

// Sessions returns the open sessions, oldest first.
func (op Operations) Sessions() []Connected { return op.host.Connected() }

// Kick ends the sessions of a player by name, or one session by number. The answer is
// the number of ended sessions.
func (op Operations) Kick(ctx context.Context, name string) (int, error) {
	n := op.host.End(func(c Connected) bool { return c.Matches(name) }, i18n.NewMessage("An operator has ended your session."))
	if n == 0 {
		return 0, i18n.Errorf("no connected player is called %q: ssh HOST list shows who is connected", name)
	}
	return n, op.log(ctx, "kick", name, "")
}

// Announce shows a line of text to all people in the lobby.
func (op Operations) Announce(ctx context.Context, text string) error {
	if err := op.log(ctx, "broadcast", "", text); err != nil {
		return err
	}
	op.lobby.Announce(text)
	return nil
}

// RenamePlayer renames a player. The answer is the old name.
func (op Operations) RenamePlayer(ctx context.Context, name, to string) (string, error) {
	return op.onPerson(ctx, name, func(p store.Player) error { return op.lobby.Accounts.RenameBy(ctx, p.ID, to, op.name) })
}

// MutePlayer mutes a player in all chats until a time, or permanently if the time is
// zero. A guest's mute ends no later than the guest's session.
func (op Operations) MutePlayer(ctx context.Context, name string, expires time.Time, reason string) (Muting, error) {
	p, err := op.person(ctx, name)
	if err == nil {
		return Muting{Name: p.Name}, op.store.Mutes.Add(ctx, store.Mute{Player: p.ID, Reason: reason, By: op.name, Expires: expires})
	}
	for _, c := range op.host.Connected() {
		if c.Matches(name) && c.Player.Account == "" && c.Player.Kind == account.Person && op.lobby.Chat.Silence(c.Player.ID, expires) {
			return Muting{c.Name(), true}, op.log(ctx, "mute", c.Name(), reason)
		}
	}
	return Muting{}, err
}

// UnmutePlayer unmutes a player. The answer is the player's name.
func (op Operations) UnmutePlayer(ctx context.Context, name string) (string, error) {
	for _, c := range op.host.Connected() { // includes guests, and players who were guests
		if c.Matches(name) && op.lobby.Chat.Unsilence(c.Player.ID) {
			return c.Name(), op.log(ctx, "unmute", c.Name(), "")
		}
	}
	return op.onPerson(ctx, name, func(p store.Player) error {
		err := op.store.Mutes.Remove(ctx, p.ID, op.name)
		if errors.Is(err, store.ErrNotFound) {
			err = i18n.Errorf("no operator has muted %s", p.Name)
		}
		return err
	})
}

// Acts returns the audit log, newest entry first.
func (op Operations) Acts(ctx context.Context, limit int) ([]store.Act, error) {
	return op.store.Audit.List(ctx, store.Cursor{}, limit)
}

// onPerson acts on the account of the person with a name or a key, and returns the account's name.
func (op Operations) onPerson(ctx context.Context, name string, act func(store.Player) error) (string, error) {
	p, err := op.person(ctx, name)
	if err != nil {
		return "", err
	}
	return p.Name, act(p)
}

// person returns the account of the person with a name or a key.
func (op Operations) person(ctx context.Context, name string) (store.Player, error) {
	find := op.store.Accounts.FindByName
	if IsFingerprint(name) {
		find = op.store.Accounts.FindByKey
	}
	p, err := find(ctx, name)
	if errors.Is(err, store.ErrNotFound) || err == nil && p.Kind != store.Person {
		err = i18n.Errorf("%q is not a person's account", name)
	}
	return p, err
}

// log adds an entry to the audit log.
func (op Operations) log(ctx context.Context, act, subject, details string) error {
	return op.store.Audit.Add(ctx, store.Act{Actor: op.name, Act: act, Subject: subject, Details: details})
}
