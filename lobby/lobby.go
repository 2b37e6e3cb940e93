package lobby

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"broadside/bots"
	"broadside/internal/i18n"
	"broadside/internal/ratelimit"
	"broadside/internal/store"
	"broadside/match"
)

// Config is what a lobby needs to know. Its zero value is useful.
type Config struct {
	Audit        match.AuditMode
	Grace        time.Duration // for a known person who has left a match; 0: DefaultGrace
	PlaceTimeout time.Duration // for a person to place the fleet; 0: DefaultPlaceTimeout
	MoveTimeout  time.Duration // for a program's shots, answers and reveal; 0: DefaultMoveTimeout
	// FirstMoveTimeout is for a program's first shot and what comes before it, if
	// it is shorter than MoveTimeout. 0: DefaultFirstMove.
	FirstMoveTimeout time.Duration
	AnswerTime       time.Duration // for a person to answer a challenge; 0: DefaultAnswerTime
	BotPace          time.Duration // a bot's pause before it fires at a person; 0: DefaultBotPace, negative: none
	Seed             uint64        // 0: a random one
	Log              *slog.Logger  // nil: no log
	// MaxMatches is how many matches a person may play at a time. 0:
	// DefaultMaxMatches. [Lobby.SetMaxMatches] changes it.
	MaxMatches int
	// Meter hears of what happens, for statistics.
	Meter Meter
	// QuietGuests: who has no account reads what others say, and says nothing.
	// [Lobby.SetQuietGuests] changes it.
	QuietGuests bool
	// Store keeps accounts, matches and ratings. The lobby does not close it.
	// nil: nothing outlasts the lobby, and nobody has an account.
	Store *store.Store
}

func (c Config) withDefaults() Config {
	c.Grace = cmp.Or(c.Grace, DefaultGrace)
	c.PlaceTimeout = cmp.Or(c.PlaceTimeout, DefaultPlaceTimeout)
	c.MoveTimeout = cmp.Or(c.MoveTimeout, DefaultMoveTimeout)
	c.FirstMoveTimeout = cmp.Or(c.FirstMoveTimeout, DefaultFirstMove)
	c.AnswerTime = cmp.Or(c.AnswerTime, DefaultAnswerTime)
	c.BotPace = cmp.Or(c.BotPace, DefaultBotPace)
	c.MaxMatches = cmp.Or(c.MaxMatches, DefaultMaxMatches)
	c.Seed = cmp.Or(c.Seed, rand.Uint64())
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c
}

// ErrClosing is the answer to who wants to play while the server shuts down.
var ErrClosing = i18n.Errorf("the server is shutting down: no new matches are started, come back in a minute")

// DefaultMaxMatches is how many matches a person may play at a time.
const DefaultMaxMatches = 3

// errTooMany is the answer to who plays as many matches as one may.
var errTooMany = i18n.Errorf("you play too many matches at once already: end one first")

// busy tells whether a player may begin no further match. The lobby is locked.
func (l *Lobby) busyLocked(p Player) bool {
	if p.Kind != Person {
		return false
	}
	n := 0
	for _, g := range l.running {
		if (g.players[0].ID == p.ID || g.players[1].ID == p.ID) && !g.done() {
			n++
		}
	}
	return n >= l.most
}

// SetMaxMatches changes how many matches a person may play at a time, at least
// 1; 0 stands for [DefaultMaxMatches]. Matches that run go on.
func (l *Lobby) SetMaxMatches(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.most = cmp.Or(n, DefaultMaxMatches)
}

// Lobby is where players meet. All methods may be called from any goroutine. They
// do not wait for other players. Those that begin or offer a match may wait a short
// time for the store; the comments of others say so if they do.
type Lobby struct {
	cfg    Config
	turns  Turns
	ctx    context.Context // of all matches
	cancel context.CancelFunc
	work   sync.WaitGroup // matches and bots
	bots   []bots.Info    // never changed
	// accounts of the built-in bots by name; never changed
	accounts map[string]string
	// what daily seas are drawn from; nil without a store; never changed
	dailySecret []byte
	guesses     ratelimit.Guesses // of codes

	mu        sync.Mutex // never held across input or output
	rng       *rand.Rand // guarded by mu, as all below
	salts     *rand.ChaCha8
	counter   int // for the IDs of guests, programs and matches
	members   map[*Member]struct{}
	followers map[chan *Snapshot]struct{} // see [Lobby.Follow]
	offers    []*Offer                    // that wait for somebody to take them, in order of arrival
	pauses    map[asking]time.Time        // until when
	links     map[string]link             // by code
	keys      map[string][]string         // by account: see noteKey
	running   map[string]*game            // by ID
	closing   bool
	idle      chan struct{} // closed once the lobby is closing and no match runs
	snapshot  *Snapshot     // the last one published
	telling   bool          // a new one is due
	featured  featured
	said      Announcement
	dailies   int // see [Snapshot]
	backlog   backlog
	failing   int       // journals whose last write failed
	failed    time.Time // since when there are any

	talk      talkRoom
	quiet     bool                   // guests say nothing
	most      int                    // matches of a person at a time
	spoke     map[string][]time.Time // when people last said something, by ID
	lineCount int                    // lines said so far
}

// New opens a lobby. Close it with [Lobby.Close]. With a store, New waits until the
// built-in bots have their accounts and the matches that ran when the lobby was last
// closed run again.
func New(cfg Config) *Lobby {
	l := newLobby(cfg)
	l.open(l.ctx) // the log has its errors
	return l
}

// Open is [New] for the active node of a cluster. It fails where New would do without
// what cannot be read from the store: another node can do better then.
func Open(ctx context.Context, cfg Config) (*Lobby, error) {
	l := newLobby(cfg)
	if err := l.open(ctx); err != nil {
		l.Close()
		return nil, fmt.Errorf("opening the lobby: %w", err)
	}
	return l, nil
}

func (l *Lobby) open(ctx context.Context) error {
	return errors.Join(l.openAccounts(ctx), l.openDailySecret(ctx), l.restore(ctx))
}

func newLobby(cfg Config) *Lobby {
	cfg = cfg.withDefaults()
	ctx, cancel := context.WithCancel(context.Background())
	return &Lobby{
		cfg: cfg, quiet: cfg.QuietGuests, most: cfg.MaxMatches, ctx: ctx, cancel: cancel, bots: bots.All(),
		rng:     rand.New(rand.NewPCG(cfg.Seed, cfg.Seed>>1)),
		members: map[*Member]struct{}{}, followers: map[chan *Snapshot]struct{}{}, pauses: map[asking]time.Time{}, links: map[string]link{}, keys: map[string][]string{},
		running: map[string]*game{}, spoke: map[string][]time.Time{}, idle: make(chan struct{}),
		snapshot: &Snapshot{}, salts: newSalts(cfg.Seed),
		// A source of its own: matches are the same whether anybody looks or not.
		featured: featured{rng: rand.New(rand.NewPCG(cfg.Seed, ^cfg.Seed))},
	}
}

// Drain starts no new match, tells everyone, and waits until the running ones
// have ended and are stored. Those that still run when ctx ends are ended
// without a winner, and the error says how many they were, and how many could
// not be stored so far.
func (l *Lobby) Drain(ctx context.Context) error {
	l.shut()
	select {
	case <-l.idle:
		if n := l.caughtUp(ctx); n > 0 {
			return fmt.Errorf("matches that wait to be stored: %d: %w", n, ctx.Err())
		}
		return nil
	case <-ctx.Done():
	}
	l.mu.Lock()
	cut := len(l.running)
	l.mu.Unlock()
	l.cancel()
	<-l.idle
	if cut == 0 {
		return nil
	}
	return fmt.Errorf("running matches ended without a winner: %d: %w", cut, ctx.Err())
}

// shut lets nothing new begin.
func (l *Lobby) shut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closing {
		return
	}
	l.closing = true
	l.withdrawLocked(func(*Offer) error { return ErrClosing })
	l.updateFeaturedLocked()
	l.changedLocked()
	l.checkIdleLocked()
}

// Close ends all matches without a winner and waits until nothing of the lobby
// runs any more. A match that cannot be stored even then is written to the log.
// Nobody may use the lobby afterwards.
func (l *Lobby) Close() {
	l.shut()
	l.cancel()
	l.mu.Lock()
	l.updateFeaturedLocked()
	l.mu.Unlock()
	l.work.Wait()
}

func (l *Lobby) checkIdleLocked() {
	if l.closing && len(l.running) == 0 {
		select {
		case <-l.idle:
		default:
			close(l.idle)
		}
	}
}

// newRand is a source of randomness for one owner. The lobby is locked.
func (l *Lobby) newRandLocked() *rand.Rand {
	return rand.New(rand.NewPCG(l.rng.Uint64(), l.rng.Uint64()))
}
