package arena

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"broadside/bots"
	"broadside/bots/infer"
	"broadside/match"
	"broadside/match/audit"
)

// worker plays units. It belongs to one goroutine.
type worker struct {
	cfg *Config
	// ctx ends when no more games are needed.
	ctx           context.Context
	writesRecords bool
	programs      map[string]*programPool
	// layoutRand draws the current unit's layouts.
	layoutRand *rand.Rand
}

// unitResult is a worker's result of a unit.
type unitResult struct {
	unit unit
	// records has a line per game.
	records []byte
	took    time.Duration
	// err ends the tournament.
	err error
}

func newWorker(ctx context.Context, cfg *Config, programs map[string]*programPool) *worker {
	return &worker{cfg: cfg, ctx: ctx, programs: programs, writesRecords: cfg.Dir != ""}
}

// playUnits plays units until none are left or the worker is stopped.
func (w *worker) playUnits(s *schedule, results chan<- unitResult) {
	for {
		p, number, ok := s.claimUnit()
		if !ok {
			return
		}
		started := time.Now()
		u := unit{pairing: p.index, number: number, gameCount: p.unitGames(number)}
		records, err := w.playUnit(p, &u)
		// The worker was stopped during the game.
		if w.ctx.Err() != nil {
			return
		}
		results <- unitResult{u, records, time.Since(started), err}
		// Finish after sending, so that games of an ordered pairing arrive in order.
		s.finishUnit(p)
		if err != nil {
			return
		}
	}
}

// isTimed reports whether the bots are timed in a unit. Reading the clock takes longer than
// the fastest bots need for a shot, so after the first 32, only one unit in 256 is timed.
func isTimed(unit int) bool { return unit < 32 || unit%256 == 0 }

// playUnit plays a unit's games, fills in their results, and returns their records as lines.
func (w *worker) playUnit(p *pairing, u *unit) (records []byte, err error) {
	drawn := w.chooseLayouts(p.round, u.number)
	for g := range u.gameCount {
		// layouts has the layouts by player.
		layouts := [2]match.Layout{drawn[g], drawn[1-g]}
		if p.solo {
			// A solo sinks the first layout.
			layouts = [2]match.Layout{drawn[1], drawn[0]}
		}
		o, err := w.playGame(p, u.number, g, layouts)
		if err != nil {
			return nil, err
		}
		u.games[g] = resultByPlayer(p, &o, g)
		if p.ordered {
			updateMemories(p, o.events, g)
		}
		if w.writesRecords {
			line, err := formatRecord(w.cfg, p, u, g, &o)
			if err != nil {
				return nil, err
			}
			records = append(records, line...)
		}
	}
	return records, nil
}

// playerSide returns a player's side in the first or second game of a unit. Sides are swapped in the
// second one.
func playerSide(player, game int) match.Side { return match.Side(player ^ game) }

// chooseLayouts returns a unit's layouts, which are the same in all pairings of a round. A layout is nil if
// the bots place their fleets.
func (w *worker) chooseLayouts(round, number int) [2]match.Layout {
	layouts := w.cfg.Layouts
	w.layoutRand = newRand(w.cfg.Seed, layoutSource, round, number)
	if len(w.cfg.Starts) > 0 {
		return w.cfg.Starts[number%len(w.cfg.Starts)]
	}
	for i := range layouts {
		if layouts[i] == nil && w.cfg.Placement == "" {
			layouts[i] = w.cfg.Rules.RandomLayout(w.layoutRand)
		}
	}
	return layouts
}

// newBot returns a player's built-in bot for a game, or a solo's target.
func (w *worker) newBot(p *pairing, player, number, game int) (bots.Bot, error) {
	if p.solo && player == 1 {
		return newTarget(w.cfg.botConfig(newRand(w.cfg.Seed, targetSource, number)))
	}
	rng := newRand(w.cfg.Seed, playerSource, p.players[player], p.players[1-player], player, p.round, number, game)
	cfg := w.cfg.botConfig(rng)
	cfg.Memory = p.memories[player]
	b, err := p.bots[player].New(cfg)
	if err != nil {
		return nil, fmt.Errorf("create %s: %w", p.players[player], err)
	}
	return b, nil
}

// playGame plays one game of a unit. Layouts, by player, are nil for players that place their own fleets.
func (w *worker) playGame(p *pairing, number, game int, layouts [2]match.Layout) (outcome, error) {
	var players [2]player
	var programs []*programPlayer
	for i, name := range p.players {
		side := playerSide(i, game)
		_, external := w.cfg.Externals[name]
		if external {
			p := w.programs[name].acquire(w.cfg.Rules, func() match.Layout {
				if layouts[i] != nil {
					return layouts[i]
				}
				return w.cfg.Rules.RandomLayout(w.layoutRand)
			})
			programs, players[side] = append(programs, p), p
			continue
		}
		bot, err := w.newBot(p, i, number, game)
		if err != nil {
			return outcome{}, err
		}
		if w.cfg.Placement != "" {
			layouts[i] = bot.Place()
		}
		players[side] = &botPlayer{bot: bot, layout: layouts[i]}
	}
	if p.solo {
		solo, opponent := players[playerSide(0, game)].(*botPlayer), players[playerSide(1, game)].(*botPlayer)
		solo.bot = stationary{solo.bot}
		opponent.bot.(*target).setSafeCells(w.cfg.Rules, layouts[0])
	}
	o, err := playGame(w.ctx, match.NewGame(w.cfg.Rules, audit.Forfeit), players, isTimed(number), nil)
	for _, p := range programs {
		neverPlayed := p.pool.release(p, o.reason == match.FleetSunk)
		// With more players, the others still have games to play.
		if err == nil && w.cfg.Format == Duel {
			err = neverPlayed
		}
	}
	return o, err
}

// resultByPlayer converts an outcome by side to a result by player.
func resultByPlayer(p *pairing, o *outcome, game int) result {
	r := result{winner: -1, reason: o.reason, roundCount: o.rounds}
	for i := range r.shots {
		side := playerSide(i, game)
		r.shots[i], r.thinkingTime[i] = o.shots[side], o.thinkingTime[side]
		if o.winner == side {
			r.winner = int8(i)
		} else if o.note != "" && o.winner != match.Nobody {
			r.note = p.players[i] + ": " + o.note
		}
	}
	return r
}

// updateMemories adds a game to the memories of players that learn.
func updateMemories(p *pairing, events []match.Event, game int) {
	for i, memory := range p.memories {
		if memory != nil {
			memory.Learn(infer.GameFromEvents(events, playerSide(1-i, game)))
		}
	}
}
