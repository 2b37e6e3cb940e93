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

// AccessControl decides who can connect, as operators have chosen.
type AccessControl interface {
	// These methods are those of package access.
	Ban(ctx context.Context, b store.Ban) (store.Ban, error)
	LiftBan(ctx context.Context, id, by string) error
	Bans() []store.Ban
	SetLockdown(ctx context.Context, on bool, by string) error
	IsLocked() bool
	// CutConnections closes the connections of banned clients with a message and returns their
	// number. It does not block.
	CutConnections(who BanTarget, message i18n.Message) int
}

// MutedPlayer names a player whom an operator has muted.
type MutedPlayer struct {
	Name  string
	Guest bool
}

// ErrNotOperator is returned to a player who is not an operator.
var ErrNotOperator = i18n.Errorf("only operators may do that")

// Operations are the queries and actions of an operator.
type Operations struct {
	access AccessControl
	host   *Host
	lobby  *lobby.Lobby
	store  *store.Store
	// name is the operator's name in the audit log.
	name string
}

// Operations returns the operator's actions, or ErrNotOperator to other clients.
func (s *Session) Operations() (op Operations, err error) {
	if s.client.Operator == "" || s.host == nil || s.host.Access == nil {
		return op, ErrNotOperator
	}
	return Operations{s.host.Access, s.host, s.lobby, s.lobby.Store(), s.client.Operator}, nil
}

// Sessions returns the open sessions, oldest first.
func (op Operations) Sessions() []SessionInfo { return op.host.List() }

// Kick ends all sessions of the player with a name, or the session with a number. It returns how
// many sessions it ended.
func (op Operations) Kick(ctx context.Context, name string) (int, error) {
	n := op.host.EndSessions(func(c SessionInfo) bool { return c.Matches(name) }, i18n.NewMessage("An operator has ended your session."))
	if n == 0 {
		return 0, i18n.Errorf("no connected player is called %q: ssh HOST list shows who is connected", name)
	}
	return n, op.logAct(ctx, "kick", name, "")
}

// Announce shows a line of text to all players in the lobby.
func (op Operations) Announce(ctx context.Context, text string) error {
	if err := op.logAct(ctx, "broadcast", "", text); err != nil {
		return err
	}
	op.lobby.Announce(text)
	return nil
}

// RenamePlayer renames a player and returns the old name.
func (op Operations) RenamePlayer(ctx context.Context, name, to string) (string, error) {
	return op.changePerson(ctx, name, func(p store.Player) error { return op.lobby.Accounts.RenameByOperator(ctx, p.ID, to, op.name) })
}

// MutePlayer mutes a player in all chats until a time, or permanently if the time is
// zero. A guest's mute ends no later than the guest's session.
func (op Operations) MutePlayer(ctx context.Context, name string, expires time.Time, reason string) (MutedPlayer, error) {
	p, err := op.findPerson(ctx, name)
	if err == nil {
		return MutedPlayer{Name: p.Name}, op.store.Mutes.Add(ctx, store.Mute{Player: p.ID, Reason: reason, By: op.name, Expires: expires})
	}
	for _, c := range op.host.List() {
		if c.Matches(name) && c.Player.Account == "" && c.Player.Kind == account.Person && op.lobby.Chat.MuteByOperator(c.Player.ID, expires) {
			return MutedPlayer{c.Name(), true}, op.logAct(ctx, "mute", c.Name(), reason)
		}
	}
	return MutedPlayer{}, err
}

// UnmutePlayer unmutes a player and returns the player's name.
func (op Operations) UnmutePlayer(ctx context.Context, name string) (string, error) {
	// An operator's mute of a guest lasts after the guest has created an account.
	for _, c := range op.host.List() {
		if c.Matches(name) && op.lobby.Chat.UnmuteByOperator(c.Player.ID) {
			return c.Name(), op.logAct(ctx, "unmute", c.Name(), "")
		}
	}
	return op.changePerson(ctx, name, func(p store.Player) error {
		err := op.store.Mutes.Remove(ctx, p.ID, op.name)
		if errors.Is(err, store.ErrNotFound) {
			err = i18n.Errorf("no operator has muted %s", p.Name)
		}
		return err
	})
}

// AuditLog returns the audit log, newest entry first.
func (op Operations) AuditLog(ctx context.Context, limit int) ([]store.Act, error) {
	return op.store.Audit.List(ctx, store.Cursor{}, limit)
}

// changePerson finds the account with a name or a key, calls act with it and returns its name.
func (op Operations) changePerson(ctx context.Context, name string, act func(store.Player) error) (string, error) {
	p, err := op.findPerson(ctx, name)
	if err != nil {
		return "", err
	}
	return p.Name, act(p)
}

func (op Operations) findPerson(ctx context.Context, name string) (store.Player, error) {
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

func (op Operations) logAct(ctx context.Context, act, subject, details string) error {
	return op.store.Audit.Add(ctx, store.Act{Actor: op.name, Verb: act, Subject: subject, Details: details})
}
