package lobby

import (
	"math/rand/v2"
	"runtime/debug"
	"time"

	"broadside/bots"
	"broadside/bots/infer"
	"broadside/match"
	"broadside/match/live"
)

// makeBot checks that a side's bot can play, and returns what makes it, with
// what it remembers of its opponent: that may read from the disk. The lobby is
// locked.
func (l *Lobby) makeBot(g *game, side match.Side) (func() bots.Bot, error) {
	seed := [2]uint64{l.rng.Uint64(), l.rng.Uint64()}
	p, opponent := g.players[side], g.players[side.Other()]
	build := func(m *infer.Memory) (bots.Bot, error) {
		return bots.New(p.Name, bots.Config{Rules: g.rules, Rand: rand.New(rand.NewPCG(seed[0], seed[1])), Memory: m})
	}
	bot, err := build(nil)
	if err != nil {
		return nil, err
	}
	if !l.learns(p, opponent) {
		return func() bots.Bot { return bot }, nil
	}
	return func() bots.Bot {
		if m := l.remember(p, opponent, g.rules); m != nil {
			if adapted, err := build(m); err == nil {
				return adapted
			}
		}
		return bot
	}, nil
}

// playBot lets a bot play a seat to the end of the match. The past is what has
// happened in it before a restart. Before each shot it waits for the pace, so
// that a person can follow.
func (l *Lobby) playBot(seat *live.Seat, make func() bots.Bot, past []match.Event, pace time.Duration) {
	// A fault in a bot costs the bot its match and nobody anything else.
	defer func() {
		if p := recover(); p != nil {
			l.cfg.Log.Error("bot failed", "match", seat.Match().ID(), "panic", p, "stack", string(debug.Stack()))
			seat.Resign()
		}
	}()
	bot, ready := make(), false
	layout := bot.Place()
	tell := func(events []match.Event) {
		for _, e := range events {
			ready = ready || e.Kind == match.FleetPlaced && e.Side == seat.Side()
			if e.Kind == match.ShotAnswered && e.Side != seat.Side() {
				bot.Told(e.Cell, e.Result)
			}
		}
	}
	tell(past)
	box := seat.Attach()
	if !ready {
		seat.Place(layout)
	}
	asked := -1 // how many shots were fired when the bot last fired
	var u live.Update
	for {
		if err := box.Recv(l.ctx, &u); err != nil {
			return // the match has ended, or the lobby closes and ends it
		}
		tell(u.Events)
		v := &u.View
		chart := &v.Charts[seat.Side()]
		if v.Phase != match.Battle || v.Turn != seat.Side() || v.Pending || asked == chart.Fired {
			continue
		}
		asked = chart.Fired
		if !l.rest(pace, seat) {
			return
		}
		if mover, ok := bot.(bots.Mover); ok && v.MayMove {
			seat.Sail(mover.Move(v.Helm(seat.Side())))
		}
		seat.Fire(chart.Volley(nil, v.Shots, bot.Fire)...)
	}
}

// rest waits, and returns false if the match or the lobby ends meanwhile.
func (l *Lobby) rest(d time.Duration, seat *live.Seat) bool {
	if d <= 0 {
		return true
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-seat.Match().Done():
		return false
	case <-l.ctx.Done():
		return false
	}
}
