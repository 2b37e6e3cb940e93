// Package bot lets built-in bots play matches and stores their memories of opponents.
package bot

import (
	"context"
	"log/slog"
	"runtime/debug"
	"time"

	"broadside/bots"
	"broadside/match"
	"broadside/match/live"
)

// Player plays a seat on behalf of a bot.
type Player struct {
	Seat *live.Seat
	New  func() bots.Bot // may read from the database
	Past []match.Event   // events before a server restart
	Pace time.Duration   // the pause before each shot, so that people can follow; 0: none
	Log  *slog.Logger
}

// Play plays the match until it or ctx ends. A bot that panics resigns.
func (p *Player) Play(ctx context.Context) {
	defer func() {
		if v := recover(); v != nil {
			p.Log.Error("bot failed", "match", p.Seat.Match().ID(), "panic", v, "stack", string(debug.Stack()))
			p.Seat.Resign()
		}
	}()
	bot := p.New()
	layout := bot.Place()
	placed := p.observe(bot, p.Past)
	box := p.Seat.Attach()
	if !placed {
		p.Seat.Place(layout)
	}
	asked := -1 // number of shots fired before the bot's last shot
	var u live.Update
	var cells []match.Cell
	for {
		if err := box.Recv(ctx, &u); err != nil {
			return
		}
		if !u.Missed { // otherwise they are in the past
			p.observe(bot, u.Events)
		}
		v := &u.View
		chart := &v.Charts[p.Seat.Side()]
		if v.Phase != match.Battle || v.Turn != p.Seat.Side() || v.Pending || asked == chart.Fired {
			continue
		}
		asked = chart.Fired
		if !Rest(ctx, p.Pace, p.Seat) {
			return
		}
		if mover, ok := bot.(bots.Mover); ok && v.MayMove {
			p.Seat.Sail(mover.Move(v.Helm(p.Seat.Side())))
		}
		cells = chart.Volley(cells[:0], v.Shots, bot.Fire)
		p.Seat.Fire(cells...)
	}
}

// observe passes the opponent's answers to the bot. It reports whether the bot's fleet has
// been placed.
func (p *Player) observe(bot bots.Bot, events []match.Event) (placed bool) {
	for _, e := range events {
		placed = placed || e.Kind == match.FleetPlaced && e.Side == p.Seat.Side()
		if e.Kind == match.ShotAnswered && e.Side != p.Seat.Side() {
			bot.Observe(e.Cell, e.Result)
		}
	}
	return placed
}

// Rest waits for d. It returns false if the match or ctx ends first.
func Rest(ctx context.Context, d time.Duration, seat *live.Seat) bool {
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
	case <-ctx.Done():
		return false
	}
}
