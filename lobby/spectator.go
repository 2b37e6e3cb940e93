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

// FeaturedMatch identifies the featured match in [Matches.FindAndWatch].
const FeaturedMatch = "featured"

// Spectator watches a match until [Spectator.Leave]. It sees what both sides know of each other, and
// the fleets once the match is over. A slow spectator misses updates but never delays the match.
type Spectator struct {
	*live.Spectator
	lobby   *Lobby
	game    *game
	counted bool
	// left is guarded by lobby.mu.
	left bool
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
	case f.bots != nil && f.bots.game.id == id:
		return f.bots.game
	}
	return ms.running[id]
}

// FindAndWatch watches the match with an ID, the newest match of a player with a name, or, for
// [FeaturedMatch] or an empty text, the featured match. If there is no featured match yet,
// FindAndWatch chooses one, or takes the newest match if the lobby is closing. The spectator is counted. For wake and the error, see Watch.
func (ms *Matches) FindAndWatch(text string, wake func()) (*Spectator, error) {
	featured := text == "" || strings.EqualFold(text, FeaturedMatch)
	if featured {
		ms.lobby.featured.prepareBotMatch()
	}
	return ms.watch(true, wake, func() *game {
		if featured {
			public := func(g *game) bool { return !g.private }
			return cmp.Or(ms.lobby.featured.shown, ms.lobby.featured.chooseLocked(), ms.findNewestLocked(public))
		}
		if g := ms.findLocked(strings.ToLower(text)); g != nil {
			return g
		}
		newest := ms.findNewestLocked(func(g *game) bool { return g.hasPlayer(text) })
		bots := ms.lobby.featured.visibleBotGameLocked()
		if newest == nil && bots != nil && bots.hasPlayer(text) {
			return bots
		}
		return newest
	})
}

// findNewestLocked returns the newest running match that can be watched and that fits, or nil if there is
// none.
func (ms *Matches) findNewestLocked(fits func(*game) bool) (newest *game) {
	for _, g := range ms.running {
		if !g.isHidden() && fits(g) && (newest == nil || g.started.After(newest.started)) {
			newest = g
		}
	}
	return newest
}

func (g *game) hasPlayer(name string) bool {
	return strings.EqualFold(g.players[0].Name, name) || strings.EqualFold(g.players[1].Name, name)
}

// watch watches the match that find returns. find is called with the lobby locked.
func (ms *Matches) watch(counted bool, wake func(), find func() *game) (*Spectator, error) {
	l := ms.lobby
	l.mu.Lock()
	g := find()
	if g == nil || g.isHidden() {
		l.mu.Unlock()
		return nil, ErrNoMatch
	}
	if counted {
		g.spectators++
		l.publishSoonLocked()
	}
	l.featured.updateLocked()
	l.mu.Unlock()
	// Watch may wait for the referee, so the lobby must be unlocked.
	return &Spectator{Spectator: g.match.Watch(wake), lobby: l, game: g, counted: counted}, nil
}

// MatchID returns the ID of the match.
func (s *Spectator) MatchID() string { return s.game.id }

// MatchInfo returns the match as shown in the newest [Snapshot].
func (s *Spectator) MatchInfo() RunningMatch {
	s.lobby.mu.Lock()
	defer s.lobby.mu.Unlock()
	return s.game.describeLocked()
}

// JoinChat adds a session to the match's chat. If its player also plays the match, in another
// session, it can read no more than a player can.
func (s *Spectator) JoinChat(m *Member) *chat.Participant {
	s.lobby.mu.Lock()
	_, playing := s.game.findSideLocked(m.player.ID)
	s.lobby.mu.Unlock()
	return m.Chat.Join(&s.game.room, !playing)
}

// Leave stops watching. It may be called repeatedly.
func (s *Spectator) Leave() {
	s.Spectator.Leave()
	s.lobby.mu.Lock()
	defer s.lobby.mu.Unlock()
	if s.left {
		return
	}
	s.left = true
	if s.counted {
		s.game.spectators--
		s.lobby.featured.updateLocked()
		s.lobby.publishSoonLocked()
	}
}
