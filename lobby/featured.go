package lobby

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"broadside/bots"
	"broadside/lobby/bot"
	"broadside/match"
	"broadside/match/live"
)

// featured manages the featured match on the lobby screen: the match with the latest shot or,
// while no one fires, a match of two bots. While no session shows it and no one watches the bots,
// there is no goroutine or timer, and the bots pause.
type featured struct {
	lobby *Lobby
	// latest is the public match with the latest shot, or nil.
	latest atomic.Pointer[game]

	// preparingBots is held while prepareBotMatch works. It guards rng and botMatches.
	preparingBots sync.Mutex
	rng           *rand.Rand
	// botMatches is the number of matches of bots so far.
	botMatches int

	// The lobby's lock guards the fields below.
	// sessions is how many sessions show the featured match.
	sessions int
	// shown is the featured match, or nil.
	shown *game
	// resultTimer is not nil while the result of shown is visible.
	resultTimer *time.Timer
	// bots is nil until prepareBotMatch has been called.
	bots *botMatch
	// shotTimer fires the bots' next shot. It is nil while they pause.
	shotTimer *time.Timer
}

const (
	// featuredPace is the time between two shots in a match of bots.
	featuredPace = time.Second
	// resultTime is how long a featured match's result is visible.
	resultTime = 5 * time.Second
	// quietTime is how long a match stays featured after its last shot.
	quietTime = 10 * time.Second
)

// hiddenShots is how many shots a match of bots has before anyone can see it. They cannot sink a
// fleet.
const hiddenShots = 24

// ShowFeatured sets whether the session shows the featured match, and then sends the session a
// snapshot with it. The featured match is the public match with the latest shot, as long as shots
// follow or until its result has been visible. Otherwise it is a match of two built-in bots, in
// mid-battle. ShowFeatured may take some milliseconds to prepare the bots.
func (m *Member) ShowFeatured(on bool) {
	l := m.lobby
	if on {
		l.featured.prepareBotMatch()
	}
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
		m.lobby.featured.sessions++
	} else {
		m.lobby.featured.sessions--
	}
	m.lobby.featured.updateLocked()
}

func (f *featured) describeLocked() RunningMatch {
	if f.shown == nil {
		return RunningMatch{}
	}
	return f.shown.describeLocked()
}

// updateLocked chooses the featured match, and lets the bots play or pause. Call it whenever the
// choice may change.
func (f *featured) updateLocked() {
	l, before := f.lobby, f.shown
	if f.sessions == 0 || l.closing {
		f.shown = nil
	} else if !f.canStayLocked() {
		f.shown = f.chooseLocked()
	}
	if f.shown != before {
		if f.resultTimer != nil && f.resultTimer.Stop() {
			l.work.Done()
		}
		f.resultTimer = nil
		l.publishSoonLocked()
	}
	if f.shown != nil && f.shown.over && f.resultTimer == nil {
		f.showResultLocked()
	}
	plays := f.bots != nil && !l.closing && (f.sessions > 0 || f.bots.game.spectators > 0)
	if plays && f.shotTimer == nil {
		l.work.Add(1)
		f.shotTimer = time.AfterFunc(featuredPace, f.playBotShot)
	} else if !plays && f.shotTimer != nil && f.shotTimer.Stop() {
		f.shotTimer = nil
		l.work.Done()
	}
}

func (f *featured) canStayLocked() bool {
	switch {
	case f.shown == nil:
		return false
	case f.shown.over:
		// A timer ends this once the result has been visible.
		return true
	case f.bots != nil && f.shown == f.bots.game:
		return f.findActiveGame() == nil
	}
	return f.shown.isActive()
}

// visibleBotGameLocked returns the match of two bots while it is featured or watched, and otherwise nil.
func (f *featured) visibleBotGameLocked() *game {
	if f.bots == nil || f.bots.game.hasEnded() || f.shown != f.bots.game && f.bots.game.spectators == 0 {
		return nil
	}
	return f.bots.game
}

func (f *featured) showResultLocked() {
	ended := f.shown
	f.resultTimer = f.lobby.scheduleLocked(time.Now().Add(resultTime), func() {
		if f.shown == ended {
			f.shown, f.resultTimer = nil, nil
			f.updateLocked()
			f.lobby.publishSoonLocked()
		}
	})
}

func (f *featured) chooseLocked() *game {
	g := f.findActiveGame()
	if g != nil {
		return g
	}
	if f.bots != nil {
		return f.bots.game
	}
	return nil
}

// findActiveGame returns the public match with the latest shot, or nil if no one fires.
func (f *featured) findActiveGame() *game {
	g := f.latest.Load()
	if g == nil || g.hasEnded() || !g.isActive() {
		return nil
	}
	return g
}

// isActive reports whether the match is running and has had a shot within quietTime.
func (g *game) isActive() bool {
	return !g.over && time.Since(time.UnixMilli(g.lastShot.Load())) < quietTime
}

// botMatch is a match of two bots. It is not one of the lobby's running matches, so Drain does not
// wait for it.
type botMatch struct {
	game    *game
	players [2]bot.Player
}

// prepareBotMatch starts a match of two bots and lets them fire the first shots, unless there is
// one already. It may take some milliseconds.
func (f *featured) prepareBotMatch() {
	f.preparingBots.Lock()
	defer f.preparingBots.Unlock()
	l := f.lobby
	l.mu.Lock()
	needed := f.bots == nil && !l.closing
	l.mu.Unlock()
	if !needed {
		return
	}
	s, err := f.newBotMatch()
	if err != nil {
		l.cfg.Log.Error("cannot start a match of bots", "error", err)
		return
	}
	for range hiddenShots {
		s.fireShot()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	f.bots = s
	f.updateLocked()
}

// newBotMatch starts a match of two bots. The caller must hold preparingBots.
func (f *featured) newBotMatch() (*botMatch, error) {
	l := f.lobby
	rules := match.Classic()
	offered := bots.Opponents(rules)
	first := f.rng.IntN(len(offered))
	second := (first + 1 + f.rng.IntN(len(offered)-1)) % len(offered)

	f.botMatches++
	g := &game{matches: &l.Matches, id: fmt.Sprintf("show%d", f.botMatches), rules: rules, choice: Casual, ratingMode: Casual, started: time.Now()}
	cfg := live.Config{ID: g.id, Rules: rules, Log: l.cfg.Log, Rand: f.newRand()}
	var players [2]bots.Bot
	for side, i := range [2]int{first, second} {
		b, err := bots.New(offered[i].Name, bots.Config{Rules: rules, Rand: f.newRand()})
		if err != nil {
			return nil, err
		}
		players[side], g.players[side] = b, l.Accounts.BotPlayer(offered[i].Name)
	}
	for side, p := range g.players {
		cfg.Seats[side] = l.cfg.seatConfig(p, g.players[1-side])
	}
	m, err := live.Start(l.ctx, cfg)
	if err != nil {
		return nil, err
	}
	g.match = m
	s := &botMatch{game: g}
	for side, b := range players {
		s.players[side] = bot.Player{Seat: m.Seat(match.Side(side)), New: func() bots.Bot { return b }, Log: l.cfg.Log}
	}
	return s, nil
}

func (f *featured) newRand() *rand.Rand { return rand.New(rand.NewPCG(f.rng.Uint64(), f.rng.Uint64())) }

func (s *botMatch) fireShot() {
	// The first Step of a bot may only place its fleet.
	for range s.players {
		for side := range s.players {
			if s.players[side].PlayTurn() {
				return
			}
		}
	}
}

// playBotShot lets a bot fire, and starts another match after the end.
func (f *featured) playBotShot() {
	l := f.lobby
	defer l.work.Done()
	l.mu.Lock()
	s := f.bots
	l.mu.Unlock()
	s.fireShot()
	l.mu.Lock()
	f.shotTimer = nil
	if s.game.hasEnded() {
		s.game.over, f.bots = true, nil
	}
	again := s.game.over && f.sessions > 0
	f.updateLocked()
	l.mu.Unlock()
	if again {
		f.prepareBotMatch()
	}
}

func (f *featured) endBotMatch() {
	f.preparingBots.Lock()
	defer f.preparingBots.Unlock()
	f.lobby.mu.Lock()
	s := f.bots
	f.lobby.mu.Unlock()
	if s != nil {
		s.game.match.Abort()
		<-s.game.match.Done()
	}
}
