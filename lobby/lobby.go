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
	"broadside/lobby/cluster"
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
	// Node is this lobby's place among those of other processes, with which it
	// is one. The lobby does not close it. nil: it is alone.
	Node cluster.Node
	// Single says that no other node will ever come to this one: matches and what
	// happens in them are not written down for them.
	Single bool
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

// Lobby is where players meet: one for all nodes of a service, of which each
// process has its part. All methods may be called from any goroutine and return
// without waiting for anybody, unless they say otherwise.
//
// Offers and running matches are entries that the nodes share. The part of a
// node knows them all, changes them by compare-and-set, and hears of what the
// others do: see deal.go and elsewhere.go.
type Lobby struct {
	cfg    Config
	node   cluster.Node
	alone  bool // the node is the lobby's own
	turns  turns
	began  time.Time
	ctx    context.Context // of all matches
	cancel context.CancelFunc
	work   sync.WaitGroup // matches and bots
	bots   []bots.Info    // never changed
	// accounts of the built-in bots by name; never changed
	accounts map[string]string
	// what daily seas are drawn from; nil without a store; never changed
	dailySecret []byte

	// deal is held while offers are made, taken and withdrawn, which may wait
	// for other nodes. It comes before mu.
	deal sync.Mutex

	mu       sync.Mutex // never held across input or output
	rng      *rand.Rand // guarded by mu, as all below
	salts    *rand.ChaCha8
	counter  int // for the IDs of guests, programs and matches
	visits   map[*Visit]struct{}
	others   map[string]Presence  // people at other nodes, by the key of their entry
	peers    []cluster.Peer       // the nodes that live
	offers   []*Ticket            // that wait for somebody to take them, in order of arrival
	mine     map[int]*Ticket      // those made here that are not settled, by number
	pauses   map[asking]time.Time // until when
	links    map[string]link      // by code
	running  map[string]*game     // at all nodes
	parked   []*Ticket            // offers of nodes that have not been heard of lately
	parting  map[string]struct{}  // nodes that are about to close
	shown    map[string]*Visit    // visits here, by the key of their entry
	ending   map[string]struct{}  // matches that ran here and whose entries are still there, by ID
	tables   map[string]*game     // matches that are over, of players at several nodes
	cleared  time.Time            // when tables were looked through that nobody has left
	closing  bool
	idle     chan struct{} // closed when closing and no match runs here any more
	snapshot *Snapshot     // the last one published
	telling  bool          // a new one is due
	stage    stage
	said     Announcement
	dailies  int // see [Snapshot]
	backlog  backlog
	outbox   outbox

	talk      talkRoom
	quiet     bool                   // guests say nothing
	most      int                    // matches of a person at a time
	spoke     map[string][]time.Time // when people last said something, by ID
	lineCount int                    // lines said so far
}

// game is a match that runs and who plays it.
type game struct {
	id         string
	owner      string      // the node that runs it
	homes      [2]string   // the nodes where the players are, or were last
	rev        uint64      // of its entry; 0 if it has none
	logged     bool        // what happens is logged, so that another node can go on
	match      *live.Match // nil if it runs elsewhere and nobody here has to do with it
	stop       func()      // ends match here, whatever becomes of it elsewhere
	seq        uint64      // of the last record of its log; the match's goroutine's
	early      []parcel    // what other nodes have sent before it began
	starting   bool        // it is about to begin here, or the handle turns to another owner
	turns      int         // how often it was to turn
	stale      bool        // what runs here is from before another node had the match
	heritage   string      // the owner that is gone and whose heir this node is
	inheriting bool        // this node waits for its turn to go on with it
	players    [2]Player
	table      *table
	seatings   [2]*Seating // nil without a match
	rules      match.Rules
	started    time.Time
	names      [2]string     // of the players when it began
	codes      [2]string     // see [Seating.Code]
	salts      [2]string     // of the commitments to both fleets
	history    []match.Event // from before a restart
	journal    journal
	rated      bool           // if it ends as rated matches must
	hotSeat    bool           // of two people at one terminal: nobody else sees it
	watching   int            // spectators at this node
	audience   map[string]int // and at others
	talk       talkRoom
	over       bool      // the match has ended
	ended      time.Time // then, if its table is kept in mind
	outcome    Outcome
}

// New is [Open] for a lobby that is alone, where nothing can go wrong.
func New(cfg Config) *Lobby {
	l, err := Open(context.Background(), cfg)
	if err != nil {
		panic(err) // of a node that should have been given to Open
	}
	return l
}

// Open opens a lobby. Close it with [Lobby.Close]. It waits until it knows what
// the other nodes know, and with a store until the built-in bots have their
// accounts. The error tells that the other nodes are out of reach, or were until
// ctx ended.
func Open(ctx context.Context, cfg Config) (*Lobby, error) {
	l := newLobby(cfg)
	l.openAccounts()
	l.openDailySecret()
	if err := l.join(ctx); err != nil {
		l.Close()
		return nil, err
	}
	l.goOn()
	return l, nil
}

func newLobby(cfg Config) *Lobby {
	cfg = cfg.withDefaults()
	ctx, cancel := context.WithCancel(context.Background())
	l := &Lobby{
		cfg: cfg, quiet: cfg.QuietGuests, most: cfg.MaxMatches, ctx: ctx, cancel: cancel, bots: bots.All(),
		node: cfg.Node, alone: cfg.Node == nil, began: time.Now(),
		rng:    rand.New(rand.NewPCG(cfg.Seed, cfg.Seed>>1)),
		visits: map[*Visit]struct{}{}, others: map[string]Presence{}, mine: map[int]*Ticket{},
		pauses: map[asking]time.Time{}, links: map[string]link{},
		running: map[string]*game{}, ending: map[string]struct{}{}, tables: map[string]*game{}, spoke: map[string][]time.Time{}, idle: make(chan struct{}),
		parting: map[string]struct{}{}, shown: map[string]*Visit{},
		snapshot: &Snapshot{}, salts: newSalts(cfg.Seed),
		// A source of its own: matches are the same whether anybody looks or not.
		stage: stage{rng: rand.New(rand.NewPCG(cfg.Seed, ^cfg.Seed))},
	}
	if l.alone {
		l.node, l.cfg.Single = cluster.Alone(), true
	}
	return l
}

// Drain starts no new match, tells everyone, and waits until the running ones
// have ended and are stored. Those that can go on at another node do so at once.
// Those that still run when ctx ends are ended
// without a winner, and the error says how many they were, and how many could
// not be stored so far.
func (l *Lobby) Drain(ctx context.Context) error {
	l.shut()
	for left := true; left; { // some may have to wait until another node is there
		left = l.handOver(ctx)
		next := time.NewTimer(heirTime)
		select {
		case <-l.idle:
			left = false
		case <-ctx.Done():
			left = false
		case <-next.C:
		}
		next.Stop()
	}
	select {
	case <-l.idle:
		if n := l.caughtUp(ctx); n > 0 {
			return fmt.Errorf("matches that wait to be stored: %d: %w", n, ctx.Err())
		}
		return nil
	case <-ctx.Done():
	}
	l.mu.Lock()
	cut := l.runningHere()
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
	l.deal.Lock()
	defer l.deal.Unlock()
	l.mu.Lock()
	was := l.closing
	l.closing = true
	l.mu.Unlock()
	if was {
		return
	}
	l.endOffers(ErrClosing)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.direct()
	l.changed()
	l.checkIdle()
}

// Close ends all matches without a winner and waits until nothing of the lobby
// runs any more. A match that cannot be stored even then is written to the log.
// Nobody may use the lobby afterwards.
func (l *Lobby) Close() {
	l.shut()
	l.cancel()
	l.mu.Lock()
	l.direct()
	l.mu.Unlock()
	l.work.Wait()
	l.outbox.close()
	if l.alone {
		l.node.Close()
	}
}

func (l *Lobby) checkIdle() {
	if l.closing && l.runningHere() == 0 {
		select {
		case <-l.idle:
		default:
			close(l.idle)
		}
	}
}

// runningHere is the number of matches that this node runs. The lobby is locked.
func (l *Lobby) runningHere() (n int) {
	for _, g := range l.running {
		if l.runs(g) {
			n++
		}
	}
	return n
}

// start begins a match between two players who are at some nodes. Dealing is
// locked.
func (l *Lobby) start(rules match.Rules, players [2]Player, homes [2]string) (*game, error) {
	g, err := l.prepare(rules, players, homes)
	if err != nil {
		return nil, err
	}
	if players[0].ID != players[1].ID { // else it is a hot seat
		l.sitDown(players, nil)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.run(g); err != nil {
		return nil, err
	}
	return g, nil
}

// prepare is a match that is about to begin here.
func (l *Lobby) prepare(rules match.Rules, players [2]Player, homes [2]string) (*game, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closing {
		return nil, ErrClosing
	}
	if l.busy(players[0]) || l.busy(players[1]) {
		return nil, errTooMany
	}
	l.counter++
	id := fmt.Sprintf("m%d", l.counter)
	if l.cfg.Store != nil || !l.alone {
		id = store.NewID()
	}
	g := &game{
		id: id, owner: l.node.ID(), homes: homes, players: players, rules: rules, started: time.Now(),
		rated: rated(players) && hasScale(rules), starting: true,
	}
	l.complete(g)
	l.running[id] = g
	return g, nil
}

// complete gives a game what follows from its players. The lobby is locked.
func (l *Lobby) complete(g *game) {
	for i, p := range g.players {
		g.names[i] = p.Name
		if g.salts[i] == "" {
			g.salts[i] = l.newSalt()
		}
		if p.Guest && p.Kind == Person && g.codes[i] == "" {
			g.codes[i] = newCode(ResumeLength)
		}
	}
	g.hotSeat = hotSeat(g.players)
	g.logged = !l.cfg.Single && (g.goesOn() || g.homes[0] != g.homes[1])
}

// run starts the match of a game, and its bot. The lobby is locked. On an error
// the game is forgotten.
func (l *Lobby) run(g *game) error {
	g.starting = false
	cfg, bot, err := l.arrange(g, g.journal.begun)
	if err == nil {
		ctx, stop := context.WithCancel(l.ctx)
		l.work.Add(1) // done by ended
		if g.match, err = live.Start(ctx, cfg); err != nil {
			l.work.Done()
			stop()
		}
		g.stop = stop
	}
	if err != nil {
		delete(l.running, g.id)
		return err
	}
	l.seatAll(g)
	if !g.hotSeat && g.rev == 0 && !l.cfg.Single {
		l.publish(g)
	}
	l.ran(g, bot)
	return nil
}

// arrange is how the match of a game is run, which goes on or begins, and what
// makes its bot, if it has one. The lobby is locked.
func (l *Lobby) arrange(g *game, goesOn bool) (cfg live.Config, bot func() bots.Bot, err error) {
	for i, p := range g.players {
		s := &cfg.Seats[i]
		*s = l.cfg.seat(p)
		s.Salt = g.salts[i]
		if goesOn && p.Kind == Person {
			s.Grace = max(s.Grace, ReturnTime)
		}
		if p.Kind == Bot {
			if bot, err = l.makeBot(g, match.Side(i)); err != nil {
				return cfg, nil, err
			}
		}
	}
	if g.hotSeat {
		cfg.Seats[match.First].PlaceTimeout, cfg.Seats[match.Second].PlaceTimeout = 0, 0
	}
	cfg.ID, cfg.Rules, cfg.Audit, cfg.Log, cfg.Rand = g.id, g.rules, l.cfg.Audit, l.cfg.Log, l.newRand()
	cfg.Interrupted, cfg.History = goesOn, g.history
	cfg.Shot = l.cfg.Meter.Shot
	if l.cfg.Store != nil && g.goesOn() {
		cfg.Happened = func(e []match.Event) { l.happened(g, e) }
	}
	if g.logged {
		cfg.Append = func(ctx context.Context, e []match.Event, marks [2]uint64) error { return l.append(ctx, g, e, marks) }
	}
	if g.logged || !l.cfg.Single && !g.hotSeat {
		cfg.Far = l.far(g)
	}
	cfg.Ending = func(r live.Record) { l.keep(g, r) }
	cfg.Ended = func() { l.ended(g) }
	return cfg, bot, nil
}

// seatAll makes the seats of a game. The lobby is locked.
func (l *Lobby) seatAll(g *game) {
	g.table = newTable(l, g)
	for side := range g.seatings {
		g.seatings[side] = &Seating{Seat: g.match.Seat(match.Side(side)), Opponent: g.players[1-side], table: g.table, game: g}
	}
	if g.hotSeat {
		g.seatings[match.First].Partner, g.seatings[match.Second].Partner = g.seatings[match.Second], g.seatings[match.First]
	}
}

// ran is what follows when a match has begun to run here. The lobby is locked.
func (l *Lobby) ran(g *game, bot func() bots.Bot) {
	l.serveEarly(g)
	l.openJournal(g)
	l.direct()
	l.changed()
	for side, p := range g.players {
		if p.Kind != Bot {
			continue
		}
		pace := time.Duration(0)
		if g.players[1-side].Kind == Person {
			pace = l.cfg.BotPace
		}
		seat, history := g.match.Seat(match.Side(side)), g.history
		l.work.Go(func() { l.playBot(seat, bot, history, pace) })
	}
}

// ended forgets a match, on that match's goroutine.
func (l *Lobby) ended(g *game) {
	defer l.work.Done()
	g.stop()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.runs(g) {
		if l.cfg.Meter.Ended != nil {
			l.cfg.Meter.Ended(time.Since(g.started))
		}
		l.unpublish(g)
	}
	l.over(g)
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
		if !l.alone {
			p.ID += "." + l.node.ID()
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
	for here := range l.people() {
		if here.Player.ID != p.ID {
			note(here.Player.Name)
		}
	}
	return taken
}
