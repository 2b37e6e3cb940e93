package lobby

import (
	"context"
	"errors"
	"strings"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/match"
)

// CanMeet tells whether [Lobby.PlayNamed] can come to something: nil, or a
// sentence for the player. A person has to be here; a program may still come.
// It reads from the disk.
func (l *Lobby) CanPlayNamed(ctx context.Context, name string) error {
	if l.hasBot(name) {
		return i18n.Errorf("%s is a built-in bot: say vs bot %s", name, name)
	}
	l.mu.Lock()
	here := l.memberIDLocked(name) != ""
	l.mu.Unlock()
	if here || l.cfg.Store == nil {
		return nil
	}
	switch p, err := l.cfg.Store.Accounts.ByName(ctx, name); {
	case errors.Is(err, store.ErrNotFound):
	case err != nil:
		l.cfg.Log.Error("name cannot be looked up", "error", err)
		return ErrStore
	case p.Kind == store.Person:
		return i18n.Errorf("%s is not here: try again when they are, or play somebody else", p.Name)
	}
	return nil
}

// PlayNamed looks for the opponent who goes by a name, whatever the case: one
// that waits and would take the player is played at once, a person who is here
// is challenged, and for anybody else the player waits, and defends. The rules
// must be valid. The error is a sentence for the player.
func (l *Lobby) PlayNamed(p Player, name string, r match.Rules, choice Stakes) (*Offer, error) {
	waits := func(p Player, t *Offer) (bool, error) {
		if !strings.EqualFold(t.player.Name, name) || !t.open() && !t.waitsFor(p) {
			return false, nil
		}
		if !t.rules.Same(r) {
			return false, i18n.Errorf("%s waits to play by other rules: choose %s", t.player.Name, t.rules.Name)
		}
		if t.choice != choice {
			return false, i18n.Errorf("%s waits for a %s match: choose that too", t.player.Name, t.choice.Word())
		}
		return true, nil
	}
	return l.takeOrOffer(p, choice, waits, func(p Player) (*Offer, error) {
		if strings.EqualFold(p.Name, name) {
			return nil, ErrSelf
		}
		if id := l.memberIDLocked(name); id != "" {
			return l.challengeLocked(p, id, r, choice)
		}
		t := l.newOffer(p, r, choice, match.First)
		t.name = name
		l.offerLocked(t)
		return t, nil
	})
}

func (l *Lobby) hasBot(name string) bool {
	for _, b := range l.bots {
		if strings.EqualFold(b.Name, name) {
			return true
		}
	}
	return false
}

// visitor is the ID of the person who is here under a name, or empty. The lobby
// is locked.
func (l *Lobby) memberIDLocked(name string) string {
	for v := range l.members {
		if strings.EqualFold(v.player.Name, name) {
			return v.player.ID
		}
	}
	return ""
}
