package lobby

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"broadside/bots"
	"broadside/match"
	"broadside/match/live"
)

// stage is where the featured match is shown. All of it is guarded by the
// lobby's lock. While nobody looks it is empty: no match, no goroutine and no
// timer is there for it.
type featured struct {
	rng     *rand.Rand  // for the matches between bots
	counter int         // for their IDs
	lookers int         // visits that look
	shown   *game       // the featured match; nil if there is none
	stop    func()      // ends shown if it is a match between bots; else nil
	lingers *time.Timer // runs while shown has ended and its result is seen; else nil
}

const (
	showPace   = time.Second     // between two shots of a match between bots
	resultTime = 5 * time.Second // for which a featured match is shown after its end
)

// Look says whether the visitor has the featured match before their eyes. The
// lobby chooses one only while somebody does: people before programs before
// bots, then the one with most spectators, then the oldest. It stays until a
// few seconds after its end. While nobody plays, two built-in bots do; their
// match is played to its end only if it has spectators.
//
// Who begins to look is told at once which it is.
func (v *Member) ShowFeatured(on bool) {
	l := v.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, here := l.members[v]; !here || v.showsFeatured == on {
		return
	}
	v.showFeaturedLocked(on)
	if on {
		s := *l.snapshot
		s.Featured = l.describeFeaturedLocked()
		v.tell(&s)
	}
}

// look is Look. The lobby is locked.
func (v *Member) showFeaturedLocked(on bool) {
	if v.showsFeatured == on {
		return
	}
	v.showsFeatured = on
	if on {
		v.lobby.featured.lookers++
	} else {
		v.lobby.featured.lookers--
	}
	v.lobby.updateFeaturedLocked()
}

// direct sees to it that the stage shows what it should. It is called whenever
// that may have changed. The lobby is locked.
func (l *Lobby) updateFeaturedLocked() {
	s := &l.featured
	show := s.shown
	switch {
	case show != nil && l.stays(show):
		if show.over && s.lingers == nil {
			l.linger(show)
		}
		return
	case show != nil:
		l.clear()
	}
	if s.lookers > 0 && l.ctx.Err() == nil {
		if s.shown = l.best(); s.shown == nil && !l.closing {
			l.exhibit()
		}
	}
	if s.shown != show {
		l.changedLocked()
	}
}

// stays tells whether the featured match goes on being shown.
func (l *Lobby) stays(show *game) bool {
	s := &l.featured
	switch {
	case l.ctx.Err() != nil:
		return false
	case s.stop == nil:
		return s.lookers > 0
	case l.closing:
		return false
	}
	// A match between bots is played for nobody but those who see it.
	return show.watching > 0 || s.lookers > 0 && l.best() == nil
}

// clear empties the stage.
func (l *Lobby) clear() {
	s := &l.featured
	if s.stop != nil {
		s.stop()
	}
	if s.lingers != nil && s.lingers.Stop() {
		l.work.Done() // in place of the timer's function
	}
	s.shown, s.stop, s.lingers = nil, nil, nil
}

// linger lets the result of a featured match that has ended be seen, and then
// makes room for the next.
func (l *Lobby) linger(show *game) {
	l.work.Add(1)
	l.featured.lingers = time.AfterFunc(resultTime, func() {
		defer l.work.Done()
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.featured.shown == show {
			l.featured.shown, l.featured.stop, l.featured.lingers = nil, nil, nil
			l.updateFeaturedLocked()
			l.changedLocked()
		}
	})
}

// best is the running match most worth showing, or nil.
func (l *Lobby) best() *game {
	var best *game
	for _, g := range l.running {
		if !g.hotSeat && (best == nil || worth(g, best) > 0) {
			best = g
		}
	}
	return best
}

// worth is positive if match a is rather to be shown than b.
func worth(a, b *game) int {
	return cmp.Or(
		cmp.Compare(a.count(Person), b.count(Person)),
		cmp.Compare(a.count(Program), b.count(Program)),
		cmp.Compare(a.watching, b.watching),
		b.started.Compare(a.started),
		cmp.Compare(b.id, a.id),
	)
}

// count is the number of players of a kind.
func (g *game) count(k Kind) (n int) {
	for _, p := range g.players {
		if p.Kind == k {
			n++
		}
	}
	return n
}

// exhibit puts a match between two bots on the empty stage. It is none of the
// lobby's running matches: nobody waits for its end.
func (l *Lobby) exhibit() {
	s := &l.featured
	rules := match.Classic()
	offered := bots.Offered(rules)
	first := s.rng.IntN(len(offered))
	second := (first + 1 + s.rng.IntN(len(offered)-1)) % len(offered)

	g := &game{rules: rules, choice: Casual, stakes: Casual, started: time.Now()}
	var players [2]bots.Bot
	cfg := live.Config{Rules: rules, Log: l.cfg.Log, Rand: s.newRand()}
	for side, i := range [2]int{first, second} {
		name := offered[i].Name
		bot, err := bots.New(name, bots.Config{Rules: rules, Rand: s.newRand()})
		if err != nil {
			l.cfg.Log.Error("bot cannot be shown", "bot", name, "error", err)
			return
		}
		players[side], g.players[side] = bot, l.bot(name)
		cfg.Seats[side] = l.cfg.seat(g.players[side])
	}
	s.counter++
	cfg.ID = fmt.Sprintf("show%d", s.counter)
	ctx, stop := context.WithCancel(l.ctx)
	l.work.Add(1) // done when the match has ended
	cfg.Ended = func() {
		defer l.work.Done()
		stop()
		l.mu.Lock()
		defer l.mu.Unlock()
		g.over = true
		l.updateFeaturedLocked()
	}
	m, err := live.Start(ctx, cfg)
	if err != nil {
		l.work.Done()
		stop()
		l.cfg.Log.Error("bots cannot be shown", "error", err)
		return
	}
	g.id, g.match = cfg.ID, m
	s.shown, s.stop = g, stop
	for side, bot := range players {
		seat := m.Seat(match.Side(side))
		l.work.Go(func() {
			if l.rest(showPace, seat) { // so that who looks sees it begin
				l.playBot(seat, func() bots.Bot { return bot }, nil, showPace)
			}
		})
	}
}

func (s *featured) newRand() *rand.Rand { return rand.New(rand.NewPCG(s.rng.Uint64(), s.rng.Uint64())) }
