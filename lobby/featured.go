package lobby

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"broadside/bots"
	"broadside/lobby/bot"
	"broadside/match"
	"broadside/match/live"
)

// featured manages the featured match on the lobby screen. While no session shows it,
// there is no featured match, goroutine or timer. The lobby's lock guards it.
type featured struct {
	lobby   *Lobby
	rng     *rand.Rand  // for matches between bots
	counter int         // number of matches between bots so far, for their IDs
	viewers int         // number of sessions that show the featured match
	shown   *game       // nil: none
	stop    func()      // ends shown if it is between two bots; otherwise nil
	result  *time.Timer // runs while the result of shown is visible; otherwise nil
}

const (
	featuredPace = time.Second     // between two shots in a match between bots
	resultTime   = 5 * time.Second // how long the result of a featured match is visible
)

// ShowFeatured sets whether the session shows the featured match. The lobby chooses one
// only while a session shows it. It prefers matches of people to those of programs, and
// those to matches of bots; then the match with the most spectators; then the oldest. The
// match stays featured until a few seconds after its end. If no match is running, two
// built-in bots play one, which continues to the end only if it has spectators. The
// session receives a snapshot with the featured match at once.
func (m *Member) ShowFeatured(on bool) {
	l := m.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.members.all[m]; !ok || m.showsFeatured == on {
		return
	}
	m.showFeaturedLocked(on)
	if on {
		s := *l.snapshot
		s.Featured = l.featured.describeLocked()
		deliver(m, m.snapshots, &s)
	}
}

func (m *Member) showFeaturedLocked(on bool) {
	if m.showsFeatured == on {
		return
	}
	m.showsFeatured = on
	if on {
		m.lobby.featured.viewers++
	} else {
		m.lobby.featured.viewers--
	}
	m.lobby.featured.updateLocked()
}

// describeLocked returns the featured match for a snapshot.
func (f *featured) describeLocked() Running {
	if f.shown == nil {
		return Running{}
	}
	return f.shown.describeLocked()
}

// chooseLocked returns the featured match and chooses one if necessary. To keep the match
// from ending, a spectator must be added before the lock is released.
func (f *featured) chooseLocked() *game {
	f.viewers++
	f.updateLocked()
	f.viewers--
	return f.shown
}

// updateLocked chooses the featured match. It must be called whenever the choice may
// change.
func (f *featured) updateLocked() {
	l, before := f.lobby, f.shown
	switch {
	case before != nil && f.staysLocked():
		if before.over && f.result == nil {
			f.showResultLocked()
		}
		return
	case before != nil:
		f.clearLocked()
	}
	if f.viewers > 0 && l.ctx.Err() == nil {
		if f.shown = f.bestLocked(); f.shown == nil && !l.closing {
			f.playBotsLocked()
		}
	}
	if f.shown != before {
		l.changedLocked()
	}
}

// staysLocked reports whether the current match should stay featured.
func (f *featured) staysLocked() bool {
	switch {
	case f.lobby.ctx.Err() != nil:
		return false
	case f.stop == nil:
		return f.viewers > 0
	case f.lobby.closing:
		return false
	}
	return f.shown.watching > 0 || f.viewers > 0 && f.bestLocked() == nil
}

func (f *featured) clearLocked() {
	if f.stop != nil {
		f.stop()
	}
	if f.result != nil && f.result.Stop() {
		f.lobby.work.Done()
	}
	f.shown, f.stop, f.result = nil, nil, nil
}

// showResultLocked keeps a finished match featured for resultTime.
func (f *featured) showResultLocked() {
	ended := f.shown
	f.result = f.lobby.at(time.Now().Add(resultTime), func() {
		if f.shown == ended {
			f.shown, f.stop, f.result = nil, nil, nil
			f.updateLocked()
			f.lobby.changedLocked()
		}
	})
}

// bestLocked returns the running match to feature, or nil if there is none.
func (f *featured) bestLocked() *game {
	var best *game
	for _, g := range f.lobby.Matches.running {
		if !g.hotSeat && !g.private && (best == nil || comparePriorityLocked(g, best) > 0) {
			best = g
		}
	}
	return best
}

// comparePriorityLocked returns a positive number if a takes precedence over b.
func comparePriorityLocked(a, b *game) int {
	return cmp.Or(
		cmp.Compare(a.countLocked(Person), b.countLocked(Person)),
		cmp.Compare(a.countLocked(Program), b.countLocked(Program)),
		cmp.Compare(a.watching, b.watching),
		b.started.Compare(a.started),
		cmp.Compare(b.id, a.id),
	)
}

// playBotsLocked features a new match between two bots. It is not among the lobby's
// running matches, so Drain does not wait for it.
func (f *featured) playBotsLocked() {
	l := f.lobby
	rules := match.Classic()
	offered := bots.Offered(rules)
	first := f.rng.IntN(len(offered))
	second := (first + 1 + f.rng.IntN(len(offered)-1)) % len(offered)

	f.counter++
	g := &game{matches: &l.Matches, id: fmt.Sprintf("show%d", f.counter), rules: rules, choice: Casual, stakes: Casual, started: time.Now()}
	var players [2]bots.Bot
	cfg := live.Config{ID: g.id, Rules: rules, Log: l.cfg.Log, Rand: f.newRand()}
	for side, i := range [2]int{first, second} {
		name := offered[i].Name
		b, err := bots.New(name, bots.Config{Rules: rules, Rand: f.newRand()})
		if err != nil {
			l.cfg.Log.Error("bot cannot be shown", "bot", name, "error", err)
			return
		}
		players[side], g.players[side] = b, l.Accounts.Bot(name)
		cfg.Seats[side] = l.cfg.seat(g.players[side], g.players[1-side])
	}
	ctx, stop := context.WithCancel(l.ctx)
	l.work.Add(1) // done when the match has ended
	cfg.Ended = func() {
		defer l.work.Done()
		stop()
		l.mu.Lock()
		defer l.mu.Unlock()
		g.over = true
		f.updateLocked()
	}
	m, err := live.Start(ctx, cfg)
	if err != nil {
		l.work.Done()
		stop()
		l.cfg.Log.Error("bots cannot be shown", "error", err)
		return
	}
	g.match, f.shown, f.stop = m, g, stop
	for side, b := range players {
		p := bot.Player{Seat: m.Seat(match.Side(side)), New: func() bots.Bot { return b }, Pace: featuredPace, Log: l.cfg.Log}
		l.work.Go(func() {
			if bot.Rest(l.ctx, featuredPace, p.Seat) { // lets viewers see the first shots
				p.Play(l.ctx)
			}
		})
	}
}

func (f *featured) newRand() *rand.Rand { return rand.New(rand.NewPCG(f.rng.Uint64(), f.rng.Uint64())) }
