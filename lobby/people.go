package lobby

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"broadside/lobby/cluster"
)

// present is a person's presence as all nodes know it.
type present struct {
	Home   string
	Player Player
	Since  time.Time
	Quiet  bool
}

// show makes a visit known to the other nodes, as it is now; or that it is over.
// The lobby is locked.
func (l *Lobby) show(v *Visit) {
	if v.key == "" { // see [Lobby.Unlisted]
		return
	}
	var value []byte
	if _, here := l.visits[v]; here {
		value = encode(present{l.node.ID(), v.player, v.since, v.quiet})
	}
	l.post(func(ctx context.Context) error { return l.put(ctx, cluster.Presence, v.key, value, &v.rev) })
}

// put writes an entry of this node, or removes it if there is no value. The
// revision is what is known of it: an attempt that seemed to fail may have
// succeeded, and who has taken this node for dead has removed the entry.
func (l *Lobby) put(ctx context.Context, b cluster.Bucket, key string, value []byte, rev *uint64) (err error) {
	for range 2 {
		switch {
		case value == nil:
			err = l.node.Delete(ctx, b, key, *rev)
		case *rev == 0:
			*rev, err = l.node.Create(ctx, b, key, value)
		default:
			*rev, err = l.node.Update(ctx, b, key, value, *rev)
		}
		if !errors.Is(err, cluster.ErrConflict) {
			return err
		}
		e, lost := l.node.Get(ctx, b, key)
		switch *rev = e.Rev; {
		case errors.Is(lost, cluster.ErrNotFound) && value == nil:
			return nil
		case errors.Is(lost, cluster.ErrNotFound):
			*rev = 0
		case lost != nil:
			return lost
		}
	}
	return err
}

// toldPresence takes in who is at other nodes. The lobby is locked.
func (l *Lobby) toldPresence(e cluster.Entry) {
	if e.Gone {
		if v := l.shown[e.Key]; v != nil { // others have taken this node for dead
			l.show(v)
		}
		if _, ok := l.others[e.Key]; ok {
			delete(l.others, e.Key)
			l.changed()
		}
		return
	}
	var p present
	if json.Unmarshal(e.Value, &p) != nil || p.Home == l.node.ID() {
		return
	}
	l.others[e.Key] = Presence{Player: p.Player, Since: p.Since, Quiet: p.Quiet, home: p.Home}
	l.changed()
}

// forgetPresence removes the entry of somebody whose node is gone, unless that
// has come back. The lobby may be locked.
func (l *Lobby) forgetPresence(key, home string) {
	l.post(func(ctx context.Context) error {
		if l.isAlive(home) {
			return nil
		}
		e, err := l.node.Get(ctx, cluster.Presence, key)
		if err == nil {
			err = l.node.Delete(ctx, cluster.Presence, key, e.Rev)
		}
		return ignore(ignore(err, cluster.ErrNotFound), cluster.ErrConflict)
	})
}

// people yields who is here, at any node. The lobby is locked.
func (l *Lobby) people() func(yield func(Presence) bool) {
	return func(yield func(Presence) bool) {
		for v := range l.visits {
			if !yield(Presence{Player: v.player, Since: v.since, Quiet: v.quiet}) {
				return
			}
		}
		for _, p := range l.others {
			if !l.dead(p.home) && !yield(p) {
				return
			}
		}
	}
}

// quietness is that somebody wants no challenges, or does again.
type quietness struct {
	ID    string
	Quiet bool
}

// quieten takes it in for the visits at this node. The lobby is locked.
func (l *Lobby) quieten(h quietness) {
	for v := range l.visits {
		if v.player.ID == h.ID && v.quiet != h.Quiet {
			v.quiet = h.Quiet
			l.show(v)
			l.changed()
		}
	}
}
