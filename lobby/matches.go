package lobby

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"broadside/bots"
	"broadside/bots/infer"
	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/lobby/account"
	"broadside/lobby/bot"
	"broadside/lobby/code"
	"broadside/lobby/ratingmode"
	"broadside/match"
	"broadside/match/audit"
	"broadside/match/live"
)

var errTooMany = i18n.Errorf("you are playing too many matches at once: finish one first")

// Matches manages the running matches. Its methods may be called from any goroutine.
type Matches struct {
	lobby *Lobby

	// lobby.mu guards the fields below. running holds the running matches by ID.
	running map[string]*game
	// byPlayer holds the running matches by the ID of each player who is not a bot.
	byPlayer map[string][]*game
	// recent holds ended matches of programs that can return, so that they learn the result.
	recent       []*game
	maxPerPlayer int
}

// SetMaxPerPlayer sets how many matches a person may play at the same time. 0 means
// [DefaultMaxMatches]. Running matches continue.
func (ms *Matches) SetMaxPerPlayer(n int) {
	ms.lobby.mu.Lock()
	defer ms.lobby.mu.Unlock()
	ms.maxPerPlayer = cmp.Or(n, DefaultMaxMatches)
}

// Count returns the number of running matches.
func (ms *Matches) Count() int {
	ms.lobby.mu.Lock()
	defer ms.lobby.mu.Unlock()
	return len(ms.running)
}

// List returns the running matches that can be watched, newest first. They include the match of two
// bots while it is featured or watched.
func (ms *Matches) List() []RunningMatch {
	ms.lobby.mu.Lock()
	defer ms.lobby.mu.Unlock()
	all := ms.listLocked()
	g := ms.lobby.featured.visibleBotGameLocked()
	if g != nil {
		all = append(all, g.describeLocked())
		slices.SortFunc(all, newestFirst)
	}
	return all
}

// PlayBot starts a match against a built-in bot. The player fires first. The rules must be valid. If a person has an
// offer to anyone, it stays open, and the match has no clock and waits for the person.
func (ms *Matches) PlayBot(p account.Player, bot string, r match.Rules, choice RatingMode) (*Seat, error) {
	l := ms.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := ms.checkAbortsLocked(p, choice); err != nil {
		return nil, err
	}
	players := [2]account.Player{l.Accounts.BotPlayer(bot), l.members.identifyLocked(p)}
	kept := l.Offers.findKeptLocked(players[match.Second])
	if kept != nil {
		// A clock would run while the player plays the opponent who accepts the offer.
		r = r.WithClock(0)
	}
	g, err := ms.startLocked(r, choice, actualRatingMode(choice, r, players), players, kept, nil)
	if err != nil {
		return nil, err
	}
	return g.seats[match.Second], nil
}

const quickBot = "easy"

// StartQuickGame starts a casual match against the weakest bot, and places a random fleet for the
// player, who fires first. The rules must be valid.
func (ms *Matches) StartQuickGame(p account.Player, r match.Rules) (*Seat, error) {
	seat, err := ms.PlayBot(p, quickBot, r, Casual)
	if err == nil {
		seat.Place(r.RandomLayout(ms.lobby.newRand()))
	}
	return seat, err
}

// ForfeitAll makes the player with an ID lose all their running matches. It may wait for the
// matches.
func (ms *Matches) ForfeitAll(id string) {
	ms.lobby.mu.Lock()
	var seats []*Seat
	for _, g := range ms.byPlayer[id] {
		for side, p := range g.players {
			if p.ID == id {
				seats = append(seats, g.seats[side])
			}
		}
	}
	ms.lobby.mu.Unlock()
	for _, s := range seats {
		s.Forfeit(match.Left)
	}
}

// startLocked starts a match between two players and ends their other offers. offer is the one that
// led to the match or that stays open during it, or nil. before is the previous match if this one is a rematch with swapped
// sides, or nil.
func (ms *Matches) startLocked(r match.Rules, choice, mode RatingMode, players [2]account.Player, offer *Offer, before *game) (*game, error) {
	l := ms.lobby
	if l.closing {
		return nil, ErrClosing
	}
	if ms.isAtMatchLimitLocked(players[0]) || ms.isAtMatchLimitLocked(players[1]) {
		return nil, errTooMany
	}
	g := &game{
		matches: ms, id: l.newMatchIDLocked(), players: players, rules: r, started: time.Now(),
		choice: choice, ratingMode: mode,
	}
	if offer != nil {
		switch offer.to.(type) {
		case anyone:
			g.meanwhile = players[0].Kind == account.Bot || players[1].Kind == account.Bot
		case codeHolder:
			g.private = true
		case tournamentMatch:
			g.timed = true
		case ladderAt:
			g.ladder, g.timed = true, true
		}
	}
	if before != nil {
		g.private, g.host, g.seriesMemory = before.private, before.host.Other(), before.nextSeriesMemoryLocked()
	}
	ms.initGameLocked(g)
	if err := ms.runLocked(g); err != nil {
		return nil, err
	}
	if !g.hotSeat {
		l.Offers.endOffersOfPlayersLocked(players, offer)
	}
	return g, nil
}

func (ms *Matches) isAtMatchLimitLocked(p account.Player) bool {
	return p.Kind == account.Person && ms.countRunningLocked(p.ID) >= ms.maxPerPlayer
}

func (ms *Matches) countRunningLocked(id string) (n int) {
	for _, g := range ms.byPlayer[id] {
		if !g.hasEnded() {
			n++
		}
	}
	return n
}

// checkAbortsLocked returns an error if a player who chooses a rated match has aborted, or could
// abort, too many rated matches.
func (ms *Matches) checkAbortsLocked(p account.Player, choice RatingMode) error {
	if !choice.IsRated() || p.Account == "" || p.Kind == account.Bot {
		return nil
	}
	n, last := ms.lobby.Accounts.CountAborts(p.Account)
	return checkAborts(n, last, ms.countAbortableLocked(p))
}

// matchRatingModeLocked returns the rating mode of a match that two players are about to start. The
// match is casual if they have played enough rated matches today.
func (ms *Matches) matchRatingModeLocked(choice RatingMode, r match.Rules, players [2]account.Player) RatingMode {
	s := actualRatingMode(choice, r, players)
	if !s.IsRated() || players[0].Kind == account.Bot || players[1].Kind == account.Bot {
		return s
	}
	if ms.lobby.Accounts.CountRatedToday([2]string{players[0].Account, players[1].Account}) >= store.MaxRatedADay {
		return ratingmode.CasualOften
	}
	return s
}

// countAbortableLocked returns how many of a player's running rated matches can still be aborted.
func (ms *Matches) countAbortableLocked(p account.Player) (n int) {
	for _, g := range ms.byPlayer[p.ID] {
		if g.ratingMode.IsRated() && !g.match.AlreadyCounts() && !g.hasEnded() {
			n++
		}
	}
	return n
}

func (ms *Matches) initGameLocked(g *game) {
	for i, p := range g.players {
		g.names[i] = p.Name
		if (p.Guest && p.Kind == account.Person || p.Returns) && g.codes[i] == "" {
			g.codes[i] = code.New(code.ResumeLength)
		}
		for _, m := range ms.lobby.members.byID[p.ID] {
			g.addKeysLocked(match.Side(i), m.keys...)
		}
	}
	g.hotSeat = isHotSeat(g.players)
}

func (ms *Matches) runLocked(g *game) error {
	l := ms.lobby
	newBots, err := ms.newBotsLocked(g)
	if err != nil {
		return err
	}
	// handleEnd calls Done.
	l.work.Add(1)
	if g.match, err = live.Start(l.ctx, ms.newLiveConfigLocked(g)); err != nil {
		l.work.Done()
		return err
	}
	ms.running[g.id] = g
	for side, p := range g.players {
		// The limits and the automatic return do not concern correspondence matches.
		if p.Kind != account.Bot && (side == 0 || !g.hotSeat) && g.pace == 0 {
			ms.byPlayer[p.ID] = append(ms.byPlayer[p.ID], g)
		}
	}
	l.members.reserveNamesLocked(g)
	g.createSeatsLocked()
	l.featured.updateLocked()
	l.publishSoonLocked()
	for side, newBot := range newBots {
		if newBot != nil {
			ms.runBotLocked(g, match.Side(side), newBot)
		}
	}
	return nil
}

func (ms *Matches) newLiveConfigLocked(g *game) live.Config {
	l := ms.lobby
	cfg := live.Config{
		ID: g.id, Rules: g.rules, Audit: l.cfg.Audit, Log: l.cfg.Log, Rand: l.newRandLocked(),
		Abortable: g.isAbortable(), Interrupted: g.restored, History: g.history,
		OnShot: func(took time.Duration) {
			g.lastShot.Store(time.Now().UnixMilli())
			if !g.isHidden() && !g.private {
				l.featured.latest.Store(g)
			}
			if l.cfg.Meter.Shot != nil {
				l.cfg.Meter.Shot(took)
			}
		},
		Finish: g.finish, OnEnded: g.handleEnd,
	}
	// Otherwise a player could escape a rated loss with answers that make the match disputed.
	if g.ratingMode.IsRated() {
		cfg.Audit = audit.Forfeit
	}
	if g.isJournaled() {
		cfg.Append = g.appendEvents
	}
	if g.pace > 0 {
		g.addPace(&cfg)
	}
	for i, p := range g.players {
		s := &cfg.Seats[i]
		*s = l.cfg.seatConfig(p, g.players[1-i])
		if g.timed && p.Kind == account.Program {
			s.TotalTime, s.ShotTime = ProgramTime, ProgramShotTime
		}
		if g.meanwhile && p.Kind == account.Person {
			s.Grace = max(s.Grace, meanwhileAbsence(p))
		}
		if g.restored && p.Kind != account.Bot {
			s.Return = ReturnTime
		}
		if g.hotSeat {
			s.PlaceTimeout, s.Confirms = 0, true
		}
	}
	return cfg
}

// newBotsLocked returns a constructor for each side that a bot plays, and nil for other sides. It
// returns an error if a bot cannot play by the match's rules.
func (ms *Matches) newBotsLocked(g *game) (create [2]func() bots.Bot, err error) {
	for side, p := range g.players {
		if p.Kind == account.Bot {
			create[side], err = ms.newBotLocked(g, p, g.players[1-side])
			if err != nil {
				return create, err
			}
		}
	}
	return create, nil
}

func (ms *Matches) newBotLocked(g *game, p, opponent account.Player) (func() bots.Bot, error) {
	l := ms.lobby
	seed := [2]uint64{l.rng.Uint64(), l.rng.Uint64()}
	g.botSeed = seed
	build := func(m *infer.Memory) (bots.Bot, error) {
		return bots.New(p.Name, bots.Config{Rules: g.rules, Rand: rand.New(rand.NewPCG(seed[0], seed[1])), Memory: m})
	}
	plain, err := build(nil)
	return func() bots.Bot {
		var m *infer.Memory
		switch {
		case bot.LearnsAccount(p, opponent):
			m = l.memories.Read(l.ctx, p, opponent, g.rules)
		case g.seriesMemory != nil:
			m = g.seriesMemory()
		}
		if m != nil {
			if adapted, err := build(m); err == nil {
				return adapted
			}
		}
		return plain
	}, err
}

func (ms *Matches) runBotLocked(g *game, side match.Side, create func() bots.Bot) {
	l := ms.lobby
	p := bot.Player{Seat: g.match.Seat(side), New: create, Log: l.cfg.Log}
	if g.players[side.Other()].Kind == account.Person {
		p.Pace = l.cfg.BotPace
	}
	l.work.Go(func() { p.Play(l.ctx) })
}

// maxRecent limits the ended matches that programs can return to.
const maxRecent = 100

// handleEnd removes a match that has ended. The live match calls it.
func (g *game) handleEnd() {
	ms, l := g.matches, g.matches.lobby
	defer l.work.Done()
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(ms.running, g.id)
	for _, p := range g.players {
		removeFrom(ms.byPlayer, p.ID, g)
	}
	l.members.releaseNamesLocked(g)
	if g.players[match.First].Returns || g.players[match.Second].Returns {
		ms.recent = append(ms.recent[max(0, len(ms.recent)-maxRecent+1):], g)
	}
	g.over = true
	if g.unloaded != nil {
		close(g.unloaded)
	}
	for _, request := range g.rematch.takeovers {
		if request != nil {
			request.offer.failLocked(ErrNoResume)
		}
	}
	l.Chat.EndMatch(&g.room)
	l.featured.updateLocked()
	l.publishSoonLocked()
	l.signalIdleLocked()
}

// listLocked returns the running matches that others may see, newest first.
func (ms *Matches) listLocked() (all []RunningMatch) {
	for _, g := range ms.running {
		if !g.isHidden() && !g.hasEnded() {
			all = append(all, g.describeLocked())
		}
	}
	slices.SortFunc(all, newestFirst)
	return all
}

func newestFirst(a, b RunningMatch) int {
	return cmp.Or(b.Started.Compare(a.Started), cmp.Compare(a.ID, b.ID))
}

func (ms *Matches) isPlayingLocked(id string) bool { return ms.countRunningLocked(id) > 0 }

func (l *Lobby) newMatchIDLocked() string {
	l.lastNumber++
	if l.cfg.Store != nil {
		return store.NewID()
	}
	return fmt.Sprintf("m%d", l.lastNumber)
}

func (g *game) addKeysLocked(side match.Side, fingerprints ...string) {
	for _, k := range fingerprints {
		if k != "" && !slices.Contains(g.keys[side], k) {
			g.keys[side] = append(slices.Clip(g.keys[side]), k)
		}
	}
}

func (ms *Matches) addKeyLocked(id, fingerprint string) {
	for _, g := range ms.byPlayer[id] {
		if side, ok := g.findSideLocked(id); ok {
			g.addKeysLocked(side, fingerprint)
		}
	}
}

func (ms *Matches) removeKey(account, fingerprint string) {
	ms.lobby.mu.Lock()
	defer ms.lobby.mu.Unlock()
	for _, g := range ms.running {
		if _, ok := g.findSideLocked(account); !ok {
			continue
		}
		for side := range g.keys {
			// The list is copied, because a match that is being stored shares it.
			g.keys[side] = slices.DeleteFunc(slices.Clone(g.keys[side]), func(k string) bool { return k == fingerprint })
		}
	}
}

func (ms *Matches) findPlayerByKey(fingerprint string) (account.Player, bool) {
	ms.lobby.mu.Lock()
	defer ms.lobby.mu.Unlock()
	for _, g := range ms.running {
		for side, keys := range g.keys {
			p := g.players[side]
			// In a hot-seat match, the player without the account is someone else.
			if slices.Contains(keys, fingerprint) && !(g.hotSeat && p.Account == "") {
				return p, true
			}
		}
	}
	return account.Player{}, false
}
