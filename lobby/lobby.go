package lobby

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"time"

	"broadside/bots"
	"broadside/lobby/store"
	"broadside/match"
	"broadside/match/live"
	"broadside/words"
)

// Config is what a lobby needs to know. Its zero value is useful.
type Config struct {
	Audit        match.AuditMode
	Grace        time.Duration // for a known person who has left a match; 0: DefaultGrace
	PlaceTimeout time.Duration // for a person to place the fleet; 0: DefaultPlaceTimeout
	MoveTimeout  time.Duration // for a program's shots and answers; 0: DefaultMoveTimeout
	AnswerTime   time.Duration // for a person to answer a challenge; 0: DefaultAnswerTime
	BotPace      time.Duration // a bot's pause before it fires at a person; 0: DefaultBotPace, negative: none
	Seed         uint64        // 0: a random one
	Log          *slog.Logger  // nil: no log
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
var ErrClosing = words.Errorf("the server is shutting down: no new matches are started, come back in a minute")

// DefaultMaxMatches is how many matches a person may play at a time.
const DefaultMaxMatches = 3

// errTooMany is the answer to who plays as many matches as one may.
var errTooMany = words.Errorf("you play too many matches at once already: end one first")

// busy tells whether a player may begin no further match. The lobby is locked.
func (l *Lobby) busy(p Player) bool {
	if p.Kind != Person {
		return false
	}
	n := 0
	for _, g := range l.running {
		if g.players[0].ID == p.ID || g.players[1].ID == p.ID {
			n++
		}
	}
	return n >= l.most
}

// SetMaxMatches changes how many matches a person may play at a time, at least
// 1. Matches that run go on.
func (l *Lobby) SetMaxMatches(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.most = n
}

// Lobby is where players meet. All methods may be called from any goroutine
// and return without waiting for anybody, unless they say otherwise.
type Lobby struct {
	cfg    Config
	ctx    context.Context // of all matches
	cancel context.CancelFunc
	work   sync.WaitGroup // matches and bots
	bots   []bots.Info    // never changed
	// accounts of the built-in bots by name; never changed
	accounts map[string]string
	// what daily seas are drawn from; nil without a store; never changed
	dailySecret []byte
	turns       turns

	mu      sync.Mutex // never held across input or output
	rng     *rand.Rand // guarded by mu, as all below
	salts   *rand.ChaCha8
	counter int // for the IDs of guests, programs, matches and offers
	visits  map[*Visit]struct{}
	offers  []*Ticket            // that wait for somebody to take them, in order of arrival
	pauses  map[asking]time.Time // until when
	links   map[string]link      // by code
	running map[string]*game
	closing bool
	idle    chan struct{} // closed when closing and no match runs any more
	telling bool          // a new one is due
	stage   stage
	said    Announcement
	dailies int // see [Snapshot]
	backlog backlog

	talk      talkRoom
	quiet     bool                   // guests say nothing
	most      int                    // matches of a person at a time
	spoke     map[string][]time.Time // when people last said something, by ID
	lineCount int                    // lines said so far
}

// game is a running match and who plays it.
type game struct {
	match    *live.Match
	players  [2]Player
	seatings [2]*Seating
	rules    match.Rules
	started  time.Time
	names    [2]string     // of the players when it began
	codes    [2]string     // see [Seating.Code]
	salts    [2]string     // of the commitments to both fleets
	history  []match.Event // from before a restart
	journal  journal
	rated    bool // if it ends as rated matches must
	hotSeat  bool // of two people at one terminal: nobody else sees it
	watching int  // spectators
	talk     talkRoom
	over     bool // the match has ended
	outcome  Outcome
}

// New opens a lobby. Close it with [Lobby.Close]. With a store it waits until
// the built-in bots have their accounts.
func New(cfg Config) *Lobby {
	cfg = cfg.withDefaults()
	ctx, cancel := context.WithCancel(context.Background())
	l := &Lobby{
		cfg: cfg, quiet: cfg.QuietGuests, most: cfg.MaxMatches, ctx: ctx, cancel: cancel, bots: bots.All(),
		rng:    rand.New(rand.NewPCG(cfg.Seed, cfg.Seed>>1)),
		visits: map[*Visit]struct{}{}, pauses: map[asking]time.Time{}, links: map[string]link{},
		running: map[string]*game{}, spoke: map[string][]time.Time{}, idle: make(chan struct{}),
		salts: newSalts(cfg.Seed),
		// A source of its own: matches are the same whether anybody looks or not.
		stage: stage{rng: rand.New(rand.NewPCG(cfg.Seed, ^cfg.Seed))},
	}
	l.openAccounts()
	l.openDailySecret()
	l.goOn()
	return l
}

// Drain starts no new match, tells everyone, and waits until the running ones
// have ended and are stored. Those that still run when ctx ends are ended
// without a winner, and the error says how many they were, and how many could
// not be stored so far.
func (l *Lobby) Drain(ctx context.Context) error {
	l.mu.Lock()
	if !l.closing {
		l.closing = true
		l.endOffers(func(*Ticket) error { return ErrClosing })
		l.direct()
		l.changed()
		l.checkIdle()
	}
	l.mu.Unlock()
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

// Close ends all matches without a winner and waits until nothing of the lobby
// runs any more. A match that cannot be stored even then is written to the log.
// Nobody may use the lobby afterwards.
func (l *Lobby) Close() {
	l.mu.Lock()
	l.closing = true
	l.endOffers(func(*Ticket) error { return ErrClosing })
	l.cancel()
	l.direct()
	l.mu.Unlock()
	l.work.Wait()
}

func (l *Lobby) checkIdle() {
	if l.closing && len(l.running) == 0 {
		select {
		case <-l.idle:
		default:
			close(l.idle)
		}
	}
}

// start begins a match between two players. The lobby is locked.
func (l *Lobby) start(rules match.Rules, players [2]Player) (*game, error) {
	if l.closing {
		return nil, ErrClosing
	}
	if l.busy(players[0]) || l.busy(players[1]) {
		return nil, errTooMany
	}
	l.counter++
	id := fmt.Sprintf("m%d", l.counter)
	if l.cfg.Store != nil {
		id = store.NewID()
	}
	g := &game{players: players, rules: rules, started: time.Now(), rated: rated(players) && hasScale(rules)}
	if err := l.run(id, g); err != nil {
		return nil, err
	}
	return g, nil
}

// run starts the match of a game, and its bot. The lobby is locked.
func (l *Lobby) run(id string, g *game) error {
	var seats [2]live.SeatConfig
	var bot func() bots.Bot
	side := match.Nobody
	for i, p := range g.players {
		seats[i], g.names[i] = l.cfg.seat(p), p.Name
		if !g.journal.begun {
			g.salts[i] = l.newSalt()
		}
		seats[i].Salt = g.salts[i]
		if p.Kind == Bot {
			side = match.Side(i)
		}
		if p.Guest && p.Kind == Person && g.codes[i] == "" {
			g.codes[i] = newCode(ResumeLength)
		}
		if g.journal.begun && p.Kind == Person {
			seats[i].Grace = max(seats[i].Grace, ReturnTime)
		}
	}
	if g.hotSeat = hotSeat(g.players); g.hotSeat {
		seats[match.First].PlaceTimeout, seats[match.Second].PlaceTimeout = 0, 0
	}
	if side != match.Nobody {
		var err error
		if bot, err = l.makeBot(g, side); err != nil {
			return err
		}
	}
	l.work.Add(1) // done by ended
	var happened func([]match.Event)
	if l.cfg.Store != nil && g.goesOn() {
		happened = func(e []match.Event) { l.happened(g, e) }
	}
	m, err := live.Start(l.ctx, live.Config{
		ID: id, Rules: g.rules, Audit: l.cfg.Audit, Log: l.cfg.Log, Rand: l.newRand(), Seats: seats,
		Interrupted: g.journal.begun, History: g.history,
		Shot:     l.cfg.Meter.Shot,
		Happened: happened, Ending: func(r live.Record) { l.keep(g, r) }, Ended: func() { l.ended(g) },
	})
	if err != nil {
		l.work.Done()
		return err
	}
	g.match = m
	t := newTable(l, g.rules, g.players)
	for side := range g.seatings {
		g.seatings[side] = &Seating{Seat: m.Seat(match.Side(side)), Opponent: g.players[1-side], table: t, game: g}
	}
	if g.hotSeat {
		g.seatings[match.First].Partner, g.seatings[match.Second].Partner = g.seatings[match.Second], g.seatings[match.First]
	}
	l.running[id] = g
	l.openJournal(g)
	l.direct()
	for _, p := range g.players {
		l.sitDown(p)
	}
	l.changed()
	if bot != nil {
		pace := time.Duration(0)
		if g.players[side.Other()].Kind == Person {
			pace = l.cfg.BotPace
		}
		seat := m.Seat(side)
		l.work.Go(func() { l.playBot(seat, bot, g.history, pace) })
	}
	return nil
}

// ended forgets a match, on that match's goroutine.
func (l *Lobby) ended(g *game) {
	defer l.work.Done()
	l.mu.Lock()
	defer l.mu.Unlock()
	g.over = true
	if l.cfg.Meter.Ended != nil {
		l.cfg.Meter.Ended(time.Since(g.started))
	}
	l.spoken(&g.talk) // the players hear their spectators now
	delete(l.running, g.match.ID())
	l.direct()
	l.changed()
	l.checkIdle()
}

// newRand is a source of randomness for one owner. The lobby is locked.
func (l *Lobby) newRand() *rand.Rand {
	return rand.New(rand.NewPCG(l.rng.Uint64(), l.rng.Uint64()))
}

// Identify completes a player that came without ID or name, so that it is the
// same in whatever it plays from now on.
func (l *Lobby) Identify(p Player) Player {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.identify(p)
}

// identify completes a player that came without ID or name. The lobby is
// locked.
func (l *Lobby) identify(p Player) Player {
	if p.ID == "" {
		l.counter++
		p.ID, p.Guest = fmt.Sprintf("%v-%d", p.Kind, l.counter), true
		if p.Name == "" {
			p.Name = p.ID
		}
	}
	if p.Account != "" {
		return p // nobody else is called so
	}
	if taken := l.numbers(p); taken[""] {
		n := 2
		for taken[strconv.Itoa(n)] {
			n++
		}
		p.Name = fmt.Sprintf("%s-%d", p.Name, n)
	}
	return p
}

// numbers are what others have behind the player's name, who go by it with a
// number, and an empty text if somebody goes by the bare name. There may be
// thousands, so nobody is looked at twice. The lobby is locked.
func (l *Lobby) numbers(p Player) map[string]bool {
	taken := map[string]bool{}
	note := func(name string) {
		if strings.EqualFold(name, p.Name) {
			taken[""] = true
		} else if i := strings.LastIndexByte(name, '-'); i >= 0 && strings.EqualFold(name[:i], p.Name) {
			taken[name[i+1:]] = true
		}
	}
	for i := range l.bots {
		note(l.bots[i].Name)
	}
	for v := range l.visits {
		if v.player.ID != p.ID {
			note(v.player.Name)
		}
	}
	return taken
}
