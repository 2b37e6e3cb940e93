package lobby

import (
	"strings"

	"broadside/internal/i18n"
	"broadside/match/live"
)

// ErrNoMatch is why a match cannot be watched.
var ErrNoMatch = i18n.Errorf("there is no such match any more")

// Watching is a spectator's place at a match. Spectators see what both sides
// know of each other, and the fleets once the match is over. They never slow
// it down: one that reads too slowly loses updates, not the players time.
type Spectator struct {
	lobby   *Lobby
	game    *game
	place   *live.Spectator
	counted bool
	left    bool // guarded by lobby.mu
}

// Watch seats a spectator at a match of the newest [Snapshot], until
// [Spectator.Leave]. Spectators are counted, and the players see how many they
// are. The error is ErrNoMatch.
func (l *Lobby) Watch(id string) (*Spectator, error) { return l.watch(id, true) }

// Glance is Watch for somebody who does something else and sees the match in
// passing: it is not counted.
func (l *Lobby) Preview(id string) (*Spectator, error) { return l.watch(id, false) }

func (l *Lobby) watch(id string, counted bool) (*Spectator, error) {
	return l.takePlace(counted, func() *game {
		g := l.running[id]
		if shown := l.featured.shown; g == nil && shown != nil && shown.id == id {
			g = shown
		}
		return g
	})
}

// Featured is the word for the featured match, see [Lobby.WatchBy].
const Featured = "featured"

// WatchBy is Watch for who knows no [Snapshot]: it finds the match by its ID,
// by the name of one of its players, or by the word [Featured], which is also
// meant by nothing at all. The featured match is chosen as if the spectator were
// looking at that moment, see [Member.ShowFeatured]; if it is one between two bots, it
// goes on to its end as long as the spectator stays. The error is ErrNoMatch.
func (l *Lobby) WatchBy(text string) (*Spectator, error) {
	return l.takePlace(true, func() *game {
		if text == "" || strings.EqualFold(text, Featured) {
			l.featured.lookers++
			l.updateFeaturedLocked()
			l.featured.lookers-- // the place that is taken keeps the match on
			return l.featured.shown
		}
		if g := l.running[strings.ToLower(text)]; g != nil {
			return g
		}
		var newest *game
		for _, g := range l.running {
			named := strings.EqualFold(g.players[0].Name, text) || strings.EqualFold(g.players[1].Name, text)
			if named && !g.hotSeat && (newest == nil || g.started.After(newest.started)) {
				newest = g
			}
		}
		return newest
	})
}

// takePlace seats a spectator at the match that find finds under the lock.
func (l *Lobby) takePlace(counted bool, find func() *game) (*Spectator, error) {
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
	l.updateFeaturedLocked() // for those who do not look any more
	l.mu.Unlock()
	// Taking the place may wait for the referee, and so must not be done
	// under the lock.
	return &Spectator{lobby: l, game: g, place: g.match.Watch(), counted: counted}, nil
}

// About is the match as it stands in the newest [Snapshot].
func (w *Spectator) About() Running {
	w.lobby.mu.Lock()
	defer w.lobby.mu.Unlock()
	return w.game.describe()
}

// Matches are those that can be watched and run, the newest first. The featured
// one is not among them if it is between two bots.
func (l *Lobby) Matches() []Running {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.matchesLocked()
}

// ID is the match's.
func (w *Spectator) ID() string { return w.game.id }

// Poll takes the next update, as [live.Spectator.Poll] does. Its error is
// live.ErrEnded after the match, and after Leave.
func (w *Spectator) Poll(u *live.Update) (<-chan struct{}, error) { return w.place.Poll(u) }

// Leave gives the place up. Leaving twice is leaving once.
func (w *Spectator) Leave() {
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
		l.updateFeaturedLocked()
		l.changedLocked()
	}
}

// describe is the match as a snapshot has it. The lobby is locked.
func (g *game) describe() Running {
	return Running{ID: g.id, Rules: g.rules, Stakes: g.stakes, Players: g.players, Started: g.started, Watching: g.watching}
}
