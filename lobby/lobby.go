package lobby

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/ratelimit"
	"broadside/internal/store"
	"broadside/lobby/account"
	"broadside/lobby/bot"
	"broadside/lobby/chat"
	"broadside/lobby/daily"
	"broadside/lobby/ladder"
	"broadside/lobby/puzzle"
	"broadside/lobby/ratingmode"
	"broadside/lobby/review"
	"broadside/lobby/tournament"
)

// RatingMode says whether a match is rated; see package ratingmode.
type RatingMode = ratingmode.Mode

// The rating modes that players choose.
const (
	Rated  = ratingmode.Rated
	Casual = ratingmode.Casual
)

// ErrClosing is returned to players who try to play while the server is shutting down.
var ErrClosing = i18n.Errorf("the server is shutting down and starts no new matches: try again in a minute")

// Lobby is where players meet. Its methods and those of its parts may be called from any
// goroutine. They never wait for other players, and wait for the database only where
// documented.
type Lobby struct {
	// The lobby's parts.
	Offers         Offers
	Matches        Matches
	Correspondence *Correspondence
	Accounts       *account.Accounts
	Chat           *chat.Chat
	Daily          *daily.Puzzle
	Puzzles        *puzzle.Puzzles
	Tournaments    *tournament.Manager
	Reviews        *review.Reviews
	// Ladder is nil if the server has no ladder.
	Ladder *ladder.Ladder

	// Limits on guests' chat lines and challenges.
	GuestLines      *ratelimit.GuestRate
	GuestChallenges *ratelimit.GuestRate

	cfg Config
	// The end of ctx ends all matches.
	ctx    context.Context
	cancel context.CancelFunc
	// work counts goroutines and timers.
	work     sync.WaitGroup
	memories bot.Memories

	// mu guards the fields below. It is never held while waiting.
	mu  sync.Mutex
	rng *rand.Rand
	// lastNumber is the last number used in the ID of a guest, program or match.
	lastNumber  int
	members     members
	featured    featured
	subscribers map[chan *Snapshot]struct{}
	// snapshot is the newest snapshot.
	snapshot *Snapshot
	// snapshotHas has the IDs of the players in snapshot.
	snapshotHas map[string]bool
	// publishing reports that a new snapshot is due.
	publishing         bool
	announcement       Announcement
	dailyRevision      int
	tournamentRevision int
	// scheduled holds the scheduled tournaments that are not over.
	scheduled []*tournament.Tournament
	closing   bool
	// idle is closed once the lobby is closing and no match is running.
	idle chan struct{}
	// deserted is closed once the lobby is closing and no match must delay the shutdown.
	deserted chan struct{}
}

// Open opens a lobby and returns once it has restored the matches that were running when the
// server stopped. It fails if the store cannot be read. Close the lobby with [Lobby.Close].
func Open(ctx context.Context, cfg Config) (*Lobby, error) {
	l := newLobby(cfg)
	if err := l.open(ctx); err != nil {
		l.Close()
		return nil, fmt.Errorf("open the lobby: %w", err)
	}
	return l, nil
}

func newLobby(cfg Config) *Lobby {
	cfg = cfg.withDefaults()
	l := &Lobby{
		cfg:         cfg,
		memories:    bot.Memories{Store: cfg.Store, Log: cfg.Log},
		rng:         rand.New(rand.NewPCG(cfg.Seed, cfg.Seed>>1)),
		subscribers: map[chan *Snapshot]struct{}{},
		snapshot:    &Snapshot{}, snapshotHas: map[string]bool{},
		idle: make(chan struct{}), deserted: make(chan struct{}),
		GuestLines:      ratelimit.NewGuestRate(guestLines, guestLinesBurst),
		GuestChallenges: ratelimit.NewGuestRate(guestChallenges, guestChallengesBurst),
	}
	l.ctx, l.cancel = context.WithCancel(context.Background())
	l.members = newMembers(l.newPlayerIDLocked)
	l.Offers = Offers{lobby: l, byPlayer: map[string][]*Offer{}, pauses: map[challengePair]time.Time{}}
	l.Matches = Matches{lobby: l, running: map[string]*game{}, byPlayer: map[string][]*game{}, maxPerPlayer: cfg.MaxMatches}
	l.Correspondence = &Correspondence{lobby: l}
	// A separate source, so that showing the featured match does not influence other
	// matches.
	l.featured.lobby, l.featured.rng = l, rand.New(rand.NewPCG(cfg.Seed, ^cfg.Seed))
	l.Accounts = account.New(account.Config{
		Store: cfg.Store, Log: cfg.Log,
		Known: l.Matches.findPlayerByKey, Changed: l.applyAccountChange, KeyRemoved: l.Matches.removeKey,
	})
	l.Reviews = review.New(cfg.Store, cfg.Log)
	l.Puzzles = &puzzle.Puzzles{Store: cfg.Store, Log: cfg.Log}
	l.Chat = chat.New(cfg.Store, cfg.Log, cfg.QuietGuests)
	return l
}

func (l *Lobby) open(ctx context.Context) error {
	if err := l.Accounts.OpenBots(ctx); err != nil {
		return fmt.Errorf("read the bots' accounts: %w", err)
	}
	l.openLadder()
	var err error
	l.Daily, err = daily.Open(ctx, daily.Config{Store: l.cfg.Store, Log: l.cfg.Log, Rand: l.newRand})
	if err != nil {
		return fmt.Errorf("read the Daily sea's secret: %w", err)
	}
	if err := l.openTournaments(ctx); err != nil {
		return fmt.Errorf("read tournaments: %w", err)
	}
	if err := l.Matches.restoreMatches(ctx); err != nil {
		return fmt.Errorf("read running matches: %w", err)
	}
	if err := l.Correspondence.open(ctx); err != nil {
		return fmt.Errorf("read the clock of correspondence matches: %w", err)
	}
	if err := l.Tournaments.Resume(ctx); err != nil {
		return fmt.Errorf("resume tournaments: %w", err)
	}
	if l.cfg.Puzzles && l.cfg.Store != nil {
		rng := l.newRand()
		l.work.Go(func() { l.Puzzles.MakeNightly(l.ctx, rng) })
	}
	return nil
}

// Drain stops new matches from starting, tells all players, and waits until the running matches
// have ended and are stored. It does not wait for matches that all players have left and that
// continue after a restart. When ctx ends, Drain ends the remaining matches that cannot continue
// after a restart. They have no winner, and Drain returns an error with their number.
func (l *Lobby) Drain(ctx context.Context) error {
	l.startClosing()
	select {
	case <-l.deserted:
	case <-ctx.Done():
	}
	l.mu.Lock()
	cut, kept := 0, 0
	for _, g := range l.Matches.running {
		if g.isJournaled() {
			kept++
		} else if g.mustDelayShutdownLocked() {
			cut++
		}
	}
	l.mu.Unlock()
	l.cancel()
	<-l.idle
	if kept > 0 {
		l.cfg.Log.Info("running matches continue after the restart", "count", kept)
	}
	err := ctx.Err()
	if err != nil && cut > 0 {
		return fmt.Errorf("running matches ended without a winner: %d: %w", cut, err)
	}
	return nil
}

func (l *Lobby) startClosing() {
	l.mu.Lock()
	if l.closing {
		l.mu.Unlock()
		return
	}
	l.closing = true
	l.Offers.endOffersLocked(l.Offers.open, func(*Offer) error { return ErrClosing })
	l.featured.updateLocked()
	l.publishSoonLocked()
	l.signalIdleLocked()
	l.mu.Unlock()
	l.featured.endBotMatch()
}

// Close ends all matches without a winner and waits for all goroutines of the lobby.
// Matches that still cannot be stored are logged. The lobby must not be used afterwards.
func (l *Lobby) Close() {
	l.startClosing()
	// Opening the tournaments may have failed.
	if l.Tournaments != nil {
		l.Tournaments.Close()
	}
	l.cancel()
	l.work.Wait()
	l.Reviews.Close()
	l.Accounts.Close()
	l.Chat.Close()
}

func (l *Lobby) signalIdleLocked() {
	if !l.closing {
		return
	}
	if len(l.Matches.running) == 0 {
		closeOnce(l.idle)
	}
	for _, g := range l.Matches.running {
		if g.mustDelayShutdownLocked() {
			return
		}
	}
	closeOnce(l.deserted)
}

// closeOnce closes a channel unless it is closed. The caller must hold the lock.
func closeOnce(c chan struct{}) {
	select {
	case <-c:
	default:
		close(c)
	}
}

// Store returns the store, or nil if no data is kept.
func (l *Lobby) Store() *store.Store { return l.cfg.Store }

// identifyForMatchLocked returns the identified player, or an error if they may not start a match with the
// chosen rating mode.
func (l *Lobby) identifyForMatchLocked(p account.Player, choice RatingMode) (account.Player, error) {
	if l.closing {
		return p, ErrClosing
	}
	p = l.members.identifyLocked(p)
	if l.Matches.isAtMatchLimitLocked(p) {
		return p, errTooMany
	}
	return p, l.Matches.checkAbortsLocked(p, choice)
}

func (l *Lobby) newPlayerIDLocked(k account.Kind) string {
	l.lastNumber++
	return fmt.Sprintf("%v-%d", k, l.lastNumber)
}

// NotifyDailyChange tells all sessions that the Daily sea's leaderboard has changed.
func (l *Lobby) NotifyDailyChange() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.dailyRevision++
	l.publishSoonLocked()
}

// scheduleLocked calls f at the given time with the lobby locked. A caller that stops the timer
// earlier must call l.work.Done.
func (l *Lobby) scheduleLocked(when time.Time, f func()) *time.Timer {
	l.work.Add(1)
	return time.AfterFunc(time.Until(when), func() {
		defer l.work.Done()
		l.mu.Lock()
		defer l.mu.Unlock()
		f()
	})
}

func (l *Lobby) newRand() *rand.Rand {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.newRandLocked()
}

func (l *Lobby) newRandLocked() *rand.Rand {
	return rand.New(rand.NewPCG(l.rng.Uint64(), l.rng.Uint64()))
}

// Sleep waits for d, or until the lobby is closed.
func (l *Lobby) Sleep(d time.Duration) {
	select {
	case <-time.After(d):
	case <-l.ctx.Done():
	}
}

// Stats are a lobby's figures at one moment.
type Stats struct {
	// Sessions is the number of listed sessions.
	Sessions int
	// GuestSessions is the number of listed sessions of players without an account.
	GuestSessions int
	// WaitingPlayers is the number of players who wait for any opponent.
	WaitingPlayers int
	RunningMatches int
	Spectators     int
	// JournalLag is how long the oldest event that is not stored yet has been waiting.
	JournalLag time.Duration
}

// Stats returns the current figures.
func (l *Lobby) Stats() Stats {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := Stats{Sessions: len(l.members.all), RunningMatches: len(l.Matches.running)}
	for m := range l.members.all {
		if m.player.Account == "" {
			s.GuestSessions++
		}
	}
	for _, o := range l.Offers.open {
		if o.Terms.IsOpenToAnyone {
			s.WaitingPlayers++
		}
	}
	for _, g := range l.Matches.running {
		s.Spectators += g.spectators
		since := g.savingSince.Load()
		if since != 0 {
			s.JournalLag = max(s.JournalLag, time.Since(time.UnixMicro(since)))
		}
	}
	return s
}
