package lobby

import (
	"context"
	"fmt"
	"time"

	"broadside/bots"
	"broadside/internal/store"
	"broadside/match"
	"broadside/match/live"
)

// game is a match that runs and who plays it.
type game struct {
	id       string
	match    *live.Match
	players  [2]Player
	rematch  *rematch
	seats    [2]*Seat
	rules    match.Rules
	started  time.Time
	names    [2]string     // of the players when it began
	codes    [2]string     // see [Seat.Code]
	salts    [2]string     // of the commitments to both fleets
	history  []match.Event // from before a restart
	journal  journal
	choice   Stakes // what the players have chosen, for a rematch too
	stakes   Stakes // what the match is played for
	private  bool   // it began in the private room of its first player
	hotSeat  bool   // of two people at one terminal: nobody else sees it
	watching int    // spectators
	talk     talkRoom
	over     bool // the match has ended
	outcome  Outcome
}

// The lobby is locked for all that follows, unless it says otherwise.

// begin begins a match between two players, which comes of an offer or, if that is
// nil, does not. Their other offers end.
func (l *Lobby) beginLocked(rules match.Rules, choice, stakes Stakes, players [2]Player, of *Offer) (*game, error) {
	if l.closing {
		return nil, ErrClosing
	}
	if l.busyLocked(players[0]) || l.busyLocked(players[1]) {
		return nil, errTooMany
	}
	l.counter++
	id := fmt.Sprintf("m%d", l.counter)
	if l.cfg.Store != nil {
		id = store.NewID()
	}
	g := &game{
		id: id, players: players, rules: rules, started: time.Now(),
		choice: choice, stakes: stakes, private: of != nil && of.code != "",
	}
	l.completeLocked(g)
	if err := l.runLocked(g); err != nil {
		return nil, err
	}
	if !g.hotSeat {
		l.endOffersOfLocked(players, of)
	}
	return g, nil
}

// complete gives a game what follows from its players.
func (l *Lobby) completeLocked(g *game) {
	for i, p := range g.players {
		g.names[i] = p.Name
		if g.salts[i] == "" {
			g.salts[i] = l.newSaltLocked()
		}
		if p.Guest && p.Kind == Person && g.codes[i] == "" {
			g.codes[i] = newCode(ResumeLength)
		}
	}
	g.hotSeat = hotSeat(g.players)
}

// run starts the match of a game, and its bot.
func (l *Lobby) runLocked(g *game) error {
	cfg, bot, err := l.configLocked(g)
	if err != nil {
		return err
	}
	l.work.Add(1) // done by ended
	if g.match, err = live.Start(l.ctx, cfg); err != nil {
		l.work.Done()
		return err
	}
	l.running[g.id] = g
	l.seatLocked(g)
	l.openJournal(g)
	l.updateFeaturedLocked()
	l.changedLocked()
	l.playBots(g, bot)
	return nil
}

// arrange is how the match of a game is run, which goes on or begins, and what
// makes its bot, if it has one.
func (l *Lobby) configLocked(g *game) (cfg live.Config, bot func() bots.Bot, err error) {
	for i, p := range g.players {
		s := &cfg.Seats[i]
		*s = l.cfg.seat(p)
		s.Salt = g.salts[i]
		if g.journal.begun { // it goes on after a restart
			switch p.Kind {
			case Person:
				s.Return = ReturnTime
			case Program:
				s.Return = SessionReturnTime
			}
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
	cfg.ID, cfg.Rules, cfg.Audit, cfg.Log, cfg.Rand = g.id, g.rules, l.cfg.Audit, l.cfg.Log, l.newRandLocked()
	if g.stakes.Rated() { // nobody escapes a rated loss by answers that make the match disputed
		cfg.Audit = match.AuditForfeit
	}
	cfg.Abortable = g.stakes.Rated()
	cfg.Interrupted, cfg.History = g.journal.begun, g.history
	cfg.Shot = l.cfg.Meter.Shot
	if l.cfg.Store != nil && l.resumable(g) {
		cfg.Append = func(ctx context.Context, e []match.Event) error { return l.record(ctx, g, e) }
		cfg.Waits = l.clustered()
	}
	cfg.Ending = func(r live.Record) { l.keep(g, r) }
	cfg.Ended = func() { l.ended(g) }
	return cfg, bot, nil
}

// seatAll makes the seats of a game.
func (l *Lobby) seatLocked(g *game) {
	g.rematch = newRematch(l, g)
	for side := range g.seats {
		g.seats[side] = &Seat{Seat: g.match.Seat(match.Side(side)), Opponent: g.players[1-side], rematch: g.rematch, game: g}
	}
	if g.hotSeat {
		g.seats[match.First].Partner, g.seats[match.Second].Partner = g.seats[match.Second], g.seats[match.First]
	}
}

// playBots lets the bot of a game play, if it has one.
func (l *Lobby) playBots(g *game, bot func() bots.Bot) {
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

// ended forgets a match, on that match's goroutine. The lobby is not locked.
func (l *Lobby) ended(g *game) {
	defer l.work.Done()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cfg.Meter.Ended != nil {
		l.cfg.Meter.Ended(time.Since(g.started))
	}
	delete(l.running, g.id)
	g.over = true
	for _, t := range g.rematch.takeovers {
		if t != nil {
			t.failLocked(ErrNoResume)
		}
	}
	l.spoken(&g.talk) // the players hear their spectators now
	l.updateFeaturedLocked()
	l.changedLocked()
	l.checkIdleLocked()
}
