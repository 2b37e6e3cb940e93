package arena

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"broadside/bots"
	"broadside/bots/infer"
	"broadside/match"
)

// worker plays jobs. It belongs to one goroutine.
type worker struct {
	cfg      *Config
	ctx      context.Context // ends when no more games are needed
	stop     *atomic.Bool    // set when ctx ends
	records  bool            // write a record line for each game
	programs map[string]*programPool
	table    *table
	layouts  *rand.Rand    // of the pair that is played
	clock    time.Duration // cost of reading the clock
}

// batch is a group of results from a worker to the collector.
type batch struct {
	job   job
	units []unit
	lines []byte // of the records
	took  time.Duration
	err   error // aborts the tournament
}

func newWorker(ctx context.Context, cfg *Config, stop *atomic.Bool, programs map[string]*programPool, clock time.Duration) *worker {
	return &worker{
		cfg: cfg, ctx: ctx, stop: stop, programs: programs, clock: clock, records: cfg.Dir != "",
		table: newTable(cfg.Rules, stop),
	}
}

// run plays jobs until none are left.
func (w *worker) run(s *schedule, out chan<- batch) {
	size := 1
	for {
		j, ok := s.claim(size)
		if !ok {
			return
		}
		b := w.play(j)
		if n := len(b.units); n > 0 {
			each := max(b.took/time.Duration(n), 1)
			size = int(min(max(jobTime/each, 1), maxJob, time.Duration(2*size)))
		}
		out <- b
		s.finish(j) // after sending, so that games of an ordered pairing arrive in order
		if b.err != nil {
			return
		}
	}
}

// play plays a job, or part of it if the worker is stopped.
func (w *worker) play(j job) batch {
	b := batch{job: j}
	began := time.Now()
	for n := j.from; n < j.to && b.err == nil && !w.stop.Load(); n++ {
		u := unit{pairing: j.pairing.index, number: n, count: j.pairing.gamesIn(n)}
		lines, ok, err := w.playUnit(j.pairing, &u)
		b.err = err
		if err != nil || !ok {
			break
		}
		b.units = append(b.units, u)
		b.lines = append(b.lines, lines...)
	}
	b.took = time.Since(began)
	return b
}

// timed reports whether the bots are timed in a unit. Reading the clock takes longer than
// the fastest bots need for a move, so after the first 32, only one unit in 256 is timed.
func timed(unit int) bool { return unit < 32 || unit%256 == 0 }

// playUnit fills in the results of a unit. It returns false if it was stopped.
func (w *worker) playUnit(p *pairing, u *unit) (lines []byte, ok bool, err error) {
	drawn := w.draw(p.round, u.number)
	w.table.keep = w.records && !w.cfg.Brief || p.ordered
	for g := range u.count {
		layouts := [2]match.Layout{drawn[g], drawn[1-g]} // by player
		if p.solo {
			layouts = [2]match.Layout{drawn[1], drawn[0]} // a solo sinks the first layout
		}
		o, fleets, ok, err := w.playGame(p, u.number, g, layouts)
		if err != nil || !ok {
			return nil, ok, err
		}
		u.games[g] = w.count(p, &o, g, timed(u.number))
		if p.ordered {
			learn(p, &o, g, fleets)
		}
		if w.records {
			line, err := matchLine(w.cfg, p, u, g, &o)
			if err != nil {
				return nil, false, err
			}
			lines = append(lines, line...)
		}
	}
	return lines, true, nil
}

// sideOf returns the side of a player in a game of a pair. Sides are swapped in the second
// game.
func sideOf(player, game int) match.Side { return match.Side(player ^ game) }

// draw returns the layouts of a pair of games, which are the same in all pairings of a round.
func (w *worker) draw(round, number int) [2]match.Layout {
	layouts := w.cfg.Layouts
	w.layouts = newRand(w.cfg.Seed, forLayouts, round, number)
	if len(w.cfg.Starts) > 0 {
		return w.cfg.Starts[number%len(w.cfg.Starts)]
	}
	for i := range layouts {
		if layouts[i] == nil && w.cfg.Placement == "" {
			layouts[i] = w.cfg.Rules.RandomLayout(w.layouts)
		}
	}
	return layouts
}

// bot returns a built-in bot for a game.
func (w *worker) bot(p *pairing, player, number, game int) (bots.Bot, error) {
	if p.solo && player == 1 {
		return newTarget(w.cfg.botConfig(newRand(w.cfg.Seed, forTarget, number)))
	}
	rng := newRand(w.cfg.Seed, forPlayer, p.players[player], p.players[1-player], player, p.round, number, game)
	cfg := w.cfg.botConfig(rng)
	cfg.Memory = p.memories[player]
	b, err := p.bots[player].New(cfg)
	if err != nil {
		return nil, fmt.Errorf("creating %s: %w", p.players[player], err)
	}
	return b, nil
}

// playGame plays one game of a pair and returns the layouts by player, nil if unknown.
// Layouts passed in are nil for players that place their own fleets.
func (w *worker) playGame(p *pairing, number, game int, layouts [2]match.Layout) (outcome, [2]match.Layout, bool, error) {
	var players [2]bots.Bot // by player; nil for a program
	for i, name := range p.players {
		if _, external := w.cfg.Externals[name]; external {
			continue
		}
		bot, err := w.bot(p, i, number, game)
		if err != nil {
			return outcome{}, layouts, false, err
		}
		players[i] = bot
		if w.cfg.Placement != "" {
			layouts[i] = bot.Place()
			if err := w.cfg.Rules.Check(layouts[i]); err != nil {
				return outcome{}, layouts, false, fmt.Errorf("the placement of %s: %w", name, err)
			}
		}
	}
	if p.solo {
		players[0] = stationary{players[0]}
		players[1].(*target).aim(w.cfg.Rules, layouts[0])
	}
	if players[0] == nil || players[1] == nil {
		o, ok, err := w.playPrograms(p, game, players, &layouts)
		return o, layouts, ok, err
	}
	var seats [2]bots.Bot
	var fleets [2]match.Layout
	for i := range players {
		side := sideOf(i, game)
		seats[side], fleets[side] = players[i], layouts[i]
	}
	o, ok := w.table.play(seats, fleets, timed(number))
	return o, layouts, ok, nil
}

// count converts an outcome to a result by player.
func (w *worker) count(p *pairing, o *outcome, game int, timed bool) result {
	r := result{winner: -1, forfeit: o.forfeit(), reason: o.reason, timed: timed, rounds: o.rounds}
	for i := range r.shots {
		side := sideOf(i, game)
		r.shots[i] = o.shots[side]
		if timed {
			r.thought[i] = max(0, o.thought[side]-time.Duration(o.shots[side])*w.clock)
		}
		if o.winner == side {
			r.winner = int8(i)
		} else if o.note != "" && o.winner != match.Nobody {
			r.note = p.players[i] + ": " + o.note
		}
	}
	return r
}

// learn adds a game to the memories of the players that learn.
func learn(p *pairing, o *outcome, game int, layouts [2]match.Layout) {
	for i, memory := range p.memories {
		if memory == nil {
			continue
		}
		side := sideOf(i, game)
		g := infer.Game{Fleet: layouts[1-i]}
		for _, e := range o.events {
			switch {
			case e.Kind == match.ShotFired && e.Side != side:
				g.Shots = append(g.Shots, e.Cell)
			case e.Kind == match.ShotAnswered && e.Side != side && e.Result != match.Water:
				g.Struck.Add(e.Cell)
			}
		}
		memory.Learn(g)
	}
}
