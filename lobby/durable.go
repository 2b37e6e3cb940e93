package lobby

import (
	"context"
	"time"

	"broadside/internal/store"
	"broadside/match"
)

// In a cluster, matches outlast the lobby: another node opens the next one, and the
// sessions of all players, programs included, are attached to it. Therefore what
// happens in a match is stored before anybody sees it.

// SessionReturnTime is how long a program may stay away after another node has opened
// the lobby: its session needs that time to be attached.
const SessionReturnTime = 10 * time.Second

// durable reports whether matches outlast the lobby with all their players.
func (l *Lobby) clustered() bool { return l.cfg.Store != nil && l.cfg.Store.Running.Journaled() }

// storeBeginningLocked has the beginning of a match stored before its events.
func (l *Lobby) storeBeginningLocked(g *game) {
	if err := l.cfg.Store.Running.Begin(l.ctx, l.beginning(g)); err != nil {
		l.cfg.Log.Error("the beginning of a match cannot be stored", "match", g.id, "error", err)
	}
}

// lasting returns a context that ends a while after the lobby closes.
func (l *Lobby) lasting() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	context.AfterFunc(l.ctx, func() {
		select {
		case <-time.After(storeTime):
			cancel()
		case <-ctx.Done():
		}
	})
	return ctx, cancel
}

// recordDurably is [Lobby.record] in a cluster.
func (l *Lobby) recordDurably(ctx context.Context, g *game, events []match.Event) error {
	l.mu.Lock()
	j := &g.journal
	stored := j.stored
	if j.since.IsZero() {
		j.since = time.Now()
	}
	l.mu.Unlock()
	err := l.cfg.Store.Running.Append(ctx, g.id, stored, events)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	j.stored, j.since = stored+len(events), time.Time{}
	return nil
}

// dropJournal forgets a match that leaves no record.
func (l *Lobby) dropJournal(ctx context.Context, id string) {
	if !l.clustered() {
		return
	}
	if err := l.cfg.Store.Running.Forget(ctx, id); err != nil {
		l.cfg.Log.Warn("the journal of a match was not removed", "match", id, "error", err)
	}
}

// recallPlayers returns the players of a match that the store has. The lobby is
// locked.
func (l *Lobby) recallPlayers(r store.RunningMatch, d details) (players [2]Player, err error) {
	for side, s := range r.Seats {
		p := &players[side]
		switch {
		case s.Kind == store.Bot:
			*p = l.bot(s.Name)
		case d.Players != nil:
			*p = d.Players[side]
		case s.Kind != store.Person:
			err = errConnections
			*p = Player{Account: s.Player, Name: s.Name, Kind: Program}
		default:
			*p = Player{ID: s.Player, Account: s.Player, Name: s.Name}
		}
		for _, k := range d.Keys[side] {
			l.noteKey(p.Account, k)
		}
	}
	return players, err
}
