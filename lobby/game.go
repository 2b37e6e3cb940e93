package lobby

import (
	"context"
	"fmt"
	"time"

	"broadside/bots"
	"broadside/lobby/store"
	"broadside/match"
	"broadside/match/live"
)

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
	choice     Stakes         // what the players have chosen, for a rematch too
	stakes     Stakes         // what the match is played for
	room       bool           // it began in the private room of its first player
	hotSeat    bool           // of two people at one terminal: nobody else sees it
	watching   int            // spectators at this node
	audience   map[string]int // and at others
	talk       talkRoom
	over       bool      // the match has ended
	ended      time.Time // then, if its table is kept in mind
	outcome    Outcome
	after      string // the match of which it is a rematch, if both players have wanted it here
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
func (l *Lobby) start(rules match.Rules, choice Stakes, players [2]Player, homes [2]string) (*game, error) {
	if !hotSeat(players) && l.node.Healthy() != nil { // nothing could be played in it
		return nil, ErrCut
	}
	g, err := l.prepare(rules, choice, l.stakes(choice, rules, players), players, homes)
	if err != nil {
		return nil, err
	}
	if !hotSeat(players) {
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
func (l *Lobby) prepare(rules match.Rules, choice, stakes Stakes, players [2]Player, homes [2]string) (*game, error) {
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
		choice: choice, stakes: stakes, starting: true,
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
		if g.journal.begun && p.Kind == Person { // it goes on after a restart
			s.Return = ReturnTime
		}
		if p.Kind == Bot {
			if bot, err = l.makeBot(g, match.Side(i)); err != nil {
				return cfg, nil, err
			}
		}
	}
	if g.hotSeat {
		for side := range cfg.Seats {
			cfg.Seats[side].PlaceTimeout, cfg.Seats[side].Confirms = 0, true
		}
	}
	cfg.ID, cfg.Rules, cfg.Audit, cfg.Log, cfg.Rand = g.id, g.rules, l.cfg.Audit, l.cfg.Log, l.newRand()
	if g.stakes.Rated() { // nobody escapes a rated loss by answers that make the match disputed
		cfg.Audit = match.AuditForfeit
	}
	cfg.Abortable = g.stakes.Rated()
	cfg.Interrupted, cfg.History = goesOn, g.history
	cfg.Shot = l.cfg.Meter.Shot
	switch journal := l.cfg.Store != nil && g.goesOn(); {
	case g.logged:
		cfg.Append = func(ctx context.Context, e []match.Event, marks [2]uint64) error {
			err := l.append(ctx, g, e, marks)
			if err == nil && journal {
				err = l.record(ctx, g, e) // without a tail, which nodes do not have, it does not fail
			}
			return err
		}
	case journal:
		cfg.Append = func(ctx context.Context, e []match.Event, _ [2]uint64) error { return l.record(ctx, g, e) }
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
	l.mu.Lock()
	defer l.mu.Unlock()
	g.stop()
	if l.runs(g) {
		if l.cfg.Meter.Ended != nil {
			l.cfg.Meter.Ended(time.Since(g.started))
		}
		l.unpublish(g)
	}
	l.over(g)
}

// programsAt is the number of players who are programs at a node.
func (g *game) programsAt(node string) (n int) {
	for side, p := range g.players {
		if p.Kind == Program && g.homes[side] == node {
			n++
		}
	}
	return n
}

// sidesAt are the sides whose players are at a node.
func (g *game) sidesAt(node string) (sides []match.Side) {
	for side, home := range g.homes {
		if home == node {
			sides = append(sides, match.Side(side))
		}
	}
	return sides
}
