package lobby

import (
	"cmp"
	"strings"

	"broadside/internal/i18n"
	"broadside/lobby/chat"
	"broadside/match/live"
)

// ErrNoMatch is returned for a match that cannot be watched.
var ErrNoMatch = i18n.Errorf("that match no longer exists")

// Featured identifies the featured match in [Matches.WatchBy].
const Featured = "featured"

// Spectator watches a match until [Spectator.Leave]. It sees what both sides know of each
// other, and the fleets once the match is over. A slow spectator misses updates but never
// delays the match.
type Spectator struct {
	*live.Spectator
	lobby   *Lobby
	game    *game
	counted bool
	left    bool // guarded by lobby.mu
}

// Watch watches a match of the newest [Snapshot]. If counted is set, the spectator is
// included in the number shown to players. For wake, see [live.Match.Watch]. Watch
// returns [ErrNoMatch] if the match cannot be watched.
func (ms *Matches) Watch(id string, counted bool, wake func()) (*Spectator, error) {
	return ms.watch(counted, wake, func() *game { return ms.findLocked(id) })
}

// findLocked returns the match with an ID that is running or featured, or nil if there is none.
func (ms *Matches) findLocked(id string) *game {
	f := &ms.lobby.featured
	switch {
	case f.shown != nil && f.shown.id == id:
		return f.shown
	case f.show != nil && f.show.game.id == id:
		return f.show.game
	}
	return ms.running[id]
}

// WatchBy watches the match with an ID, the newest match of a player with a name, or, for
// [Featured] or an empty text, the featured match. If there is no featured match yet,
// WatchBy chooses one, or takes the newest match if the lobby is closing. The spectator is counted. For wake and the error, see Watch.
func (ms *Matches) WatchBy(text string, wake func()) (*Spectator, error) {
	featured := text == "" || strings.EqualFold(text, Featured)
	if featured {
		ms.lobby.featured.prepare()
	}
	return ms.watch(true, wake, func() *game {
		if featured {
			public := func(g *game) bool { return !g.private }
			return cmp.Or(ms.lobby.featured.shown, ms.lobby.featured.chooseLocked(), ms.newestLocked(public))
		}
		if g := ms.findLocked(strings.ToLower(text)); g != nil {
			return g
		}
		newest := ms.newestLocked(func(g *game) bool { return g.has(text) })
		bots := ms.lobby.featured.botsLocked()
		if newest == nil && bots != nil && bots.has(text) {
			return bots
		}
		return newest
	})
}

// newestLocked returns the newest running match that can be watched and that fits, or nil if there is
// none.
func (ms *Matches) newestLocked(fits func(*game) bool) (newest *game) {
	for _, g := range ms.running {
		if !g.hotSeat && fits(g) && (newest == nil || g.started.After(newest.started)) {
			newest = g
		}
	}
	return newest
}

func (g *game) has(name string) bool {
	return strings.EqualFold(g.players[0].Name, name) || strings.EqualFold(g.players[1].Name, name)
}

// watch watches the match that find returns. find is called with the lobby locked.
func (ms *Matches) watch(counted bool, wake func(), find func() *game) (*Spectator, error) {
	l := ms.lobby
	l.mu.Lock()
	g := find()
	if g == nil || g.hotSeat {
		l.mu.Unlock()
		return nil, ErrNoMatch
	}
	if counted {
		g.watching++
		l.changedLocked()
	}
	l.featured.updateLocked()
	l.mu.Unlock()
	// Watch may wait for the referee, so the lobby must be unlocked.
	return &Spectator{Spectator: g.match.Watch(wake), lobby: l, game: g, counted: counted}, nil
}

// ID returns the ID of the match.
func (s *Spectator) ID() string { return s.game.id }

// About returns the match as shown in the newest [Snapshot].
func (s *Spectator) About() Running {
	s.lobby.mu.Lock()
	defer s.lobby.mu.Unlock()
	return s.game.describeLocked()
}

// Chat adds a session to the match's chat. If its player also plays the match, in another
// session, it can read no more than a player can.
func (s *Spectator) Chat(m *Member) *chat.Place {
	s.lobby.mu.Lock()
	_, playing := s.game.sideOfLocked(m.player.ID)
	s.lobby.mu.Unlock()
	return m.Chat.Join(&s.game.room, !playing)
}

// Leave stops watching. It may be called more than once.
func (s *Spectator) Leave() {
	s.Spectator.Leave()
	s.lobby.mu.Lock()
	defer s.lobby.mu.Unlock()
	if s.left {
		return
	}
	s.left = true
	if s.counted {
		s.game.watching--
		s.lobby.featured.updateLocked()
		s.lobby.changedLocked()
	}
}
