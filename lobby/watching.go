package lobby

import (
	"context"
	"errors"

	"broadside/match/live"
)

// ErrNoMatch is why a match cannot be watched.
var ErrNoMatch = errors.New("there is no such match any more")

// Watching is a spectator's place at a match. Spectators see what both sides
// know of each other, and the fleets once the match is over. They never slow
// it down: one that reads too slowly loses updates, not the players time.
type Watching struct {
	lobby   *Lobby
	game    *game
	place   *live.Spectator
	players [2]Player
	counted bool
	left    bool // guarded by lobby.mu
}

// Watch seats a spectator at a match of the newest [Snapshot], until
// [Watching.Leave]. Spectators are counted, and the players see how many they
// are. The error is ErrNoMatch.
func (l *Lobby) Watch(id string) (*Watching, error) { return l.watch(id, true) }

// Glance is Watch for somebody who does something else and sees the match in
// passing: it is not counted.
func (l *Lobby) Glance(id string) (*Watching, error) { return l.watch(id, false) }

func (l *Lobby) watch(id string, counted bool) (*Watching, error) {
	l.mu.Lock()
	g := l.running[id]
	if shown := l.stage.shown; g == nil && shown != nil && shown.match.ID() == id {
		g = shown
	}
	if g == nil || g.hotSeat {
		l.mu.Unlock()
		return nil, ErrNoMatch
	}
	if counted {
		g.watching++
		l.changed()
	}
	l.mu.Unlock()
	// Taking the place may wait for the referee, and so must not be done
	// under the lock.
	return &Watching{lobby: l, game: g, place: g.match.Watch(), players: g.players, counted: counted}, nil
}

// ID is the match's.
func (w *Watching) ID() string { return w.game.match.ID() }

// Players are those who play the match.
func (w *Watching) Players() [2]Player { return w.players }

// Recv waits for the next update, as [live.Spectator.Recv] does. It ends with
// live.ErrEnded after the match, and after Leave.
func (w *Watching) Recv(ctx context.Context, u *live.Update) error { return w.place.Recv(ctx, u) }

// Leave gives the place up. Leaving twice is leaving once.
func (w *Watching) Leave() {
	w.place.Leave()
	l := w.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	if w.left {
		return
	}
	w.left = true
	if w.counted {
		w.game.watching--
		l.direct()
		l.changed()
	}
}

// describe is the match as a snapshot has it. The lobby is locked.
func (g *game) describe() Running {
	return Running{ID: g.match.ID(), Rules: g.rules, Players: g.players, Started: g.started, Watching: g.watching}
}
