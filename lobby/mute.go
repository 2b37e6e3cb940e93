package lobby

import (
	"context"
	"errors"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/store"
)

// mutedUntil is why somebody whom an operator has muted does not talk. The zero
// time is no end.
func mutedUntil(end time.Time) error {
	if end.IsZero() {
		return i18n.Errorf("an operator has muted you")
	}
	return i18n.Errorf("an operator has muted you until %s UTC", end.UTC().Format("2006-01-02 15:04"))
}

// Hush keeps a person who is here from talking, by their ID: until a time, or as
// long as they are here if that is zero. It is for guests, of whom nothing is
// stored. It returns whether they are here.
func (l *Lobby) Hush(id string, until time.Time) bool {
	return l.hush(id, func(v *Member) bool { v.hushed = &until; return true })
}

// Unhush takes Hush back. It returns whether there was anything to take back.
func (l *Lobby) Unhush(id string) bool {
	return l.hush(id, func(v *Member) bool {
		was := v.hushed != nil
		v.hushed = nil
		return was
	})
}

func (l *Lobby) hush(id string, change func(*Member) bool) (any bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for v := range l.members {
		if v.player.ID == id && change(v) {
			any = true
		}
	}
	return any
}

// Hearing is how somebody is heard by a visitor.
type Hearing uint8

// The ways of hearing somebody.
const (
	Audible          Hearing = iota
	MutedNow                 // for this visit
	MutedPermanently         // in later visits, too
)

// Hears tells how the visitor hears a person, by the person's ID.
func (v *Member) Hearing(id string) Hearing {
	v.lobby.mu.Lock()
	defer v.lobby.mu.Unlock()
	return v.muted[id]
}

// Mute sets how the visitor hears a person from now on, in all their sessions.
// For good needs an account on both sides. It waits for the disk if that knows
// of it. The error is a sentence for the person.
func (v *Member) Mute(ctx context.Context, other Player, how Hearing) error {
	l := v.lobby
	me := v.Player()
	was := v.Hearing(other.ID)
	if how == MutedPermanently && (me.Account == "" || other.Account == "" || l.cfg.Store == nil) {
		return i18n.Errorf("muting for good takes an account on both sides: they are muted for this visit")
	}
	var err error
	switch {
	case how == MutedPermanently:
		err = l.cfg.Store.Ignored.Add(ctx, me.Account, other.Account)
	case was == MutedPermanently:
		err = l.cfg.Store.Ignored.Remove(ctx, me.Account, other.Account)
		if errors.Is(err, store.ErrNotFound) { // another session was faster
			err = nil
		}
	}
	if err != nil {
		return l.explain(err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for w := range l.members {
		if w.player.ID == me.ID {
			w.mute(other.ID, how)
			w.retell()
			w.revision++
		}
	}
	l.changedLocked()
	return nil
}

// Muted are the people whom the visitor has muted for good, by name. It reads
// from the disk. The error is a sentence for the person.
func (v *Member) Muted(ctx context.Context) ([]Player, error) {
	me := v.Player()
	if me.Account == "" || v.lobby.cfg.Store == nil {
		return nil, nil
	}
	all, err := v.lobby.cfg.Store.Ignored.Of(ctx, me.Account)
	if err != nil {
		return nil, v.lobby.explain(err)
	}
	var people []Player
	for _, p := range all {
		people = append(people, person(p))
	}
	return people, nil
}

// mute notes how somebody is heard. The lobby is locked.
func (v *Member) mute(id string, how Hearing) {
	if how == Audible {
		delete(v.muted, id)
		return
	}
	if v.muted == nil {
		v.muted = map[string]Hearing{}
	}
	v.muted[id] = how
}

// learnMutes reads from the disk whom the visitor does not want to hear. They
// hear nothing before that. The lobby is locked.
func (l *Lobby) learnMutes(v *Member) {
	account := v.player.Account
	if account == "" || l.cfg.Store == nil || l.closing {
		return
	}
	v.deaf = true
	l.work.Go(func() {
		ctx, cancel := context.WithTimeout(l.ctx, storeTime)
		defer cancel()
		all, err := l.cfg.Store.Ignored.Of(ctx, account)
		if err != nil {
			l.cfg.Log.Error("it is not known whom somebody has muted", "account", account, "error", err)
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		for _, p := range all {
			v.mute(p.ID, MutedPermanently)
		}
		v.deaf = false
		v.retell()
	})
}

// retell tells a visitor anew what there is to hear. The lobby is locked.
func (v *Member) retell() {
	for _, p := range v.places {
		p.tell()
	}
}
