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

// Player plays a seat on behalf of a bot, either the whole match with [Player.Play] or turn by turn
// with [Player.PlayTurn].
type Player struct {
	Seat *live.Seat
	// New may read from the database.
	New func() bots.Bot
	// Pace is the pause before each shot of Play, so that players can follow.
	Pace time.Duration
	Log  *slog.Logger

	bot  bots.Bot
	box  *live.Mailbox
	last live.Update
	// asked is the number of shots before the bot's last shot, or -1 before the first.
	asked int
	cells []match.Cell
}

// Play plays the match until it or ctx ends. A bot that panics resigns.
func (p *Player) Play(ctx context.Context) {
	defer p.resignOnPanic()
	p.takeSeat()
	for p.box.Receive(ctx, &p.last) == nil {
		if p.mustFire() {
			if !Pause(ctx, p.Pace, p.Seat) {
				return
			}
			p.fire()
		}
	}
}

// PlayTurn places the fleet or fires, if the match waits for the bot. It reports whether it has
// fired.
func (p *Player) PlayTurn() (fired bool) {
	defer p.resignOnPanic()
	if p.box == nil {
		p.takeSeat()
	}
	for {
		if got, err := p.box.Poll(&p.last); !got || err != nil {
			return false
		}
		if p.mustFire() {
			p.fire()
			return true
		}
	}
}

func (p *Player) resignOnPanic() {
	v := recover()
	if v != nil {
		p.Log.Error("bot failed", "match", p.Seat.Match().ID(), "panic", v, "stack", string(debug.Stack()))
		p.Seat.Resign()
	}
}

func (p *Player) takeSeat() {
	p.bot, p.asked = p.New(), -1
	layout := p.bot.Place()
	p.box = p.Seat.Attach(nil)
	// The match refuses this if the fleet was placed before a restart.
	p.Seat.Place(layout)
}

// mustFire reports whether the match waits for the bot's shots.
func (p *Player) mustFire() bool {
	v := &p.last.View
	return v.Phase == match.Battle && v.Turn == p.Seat.Side() && !v.Pending && p.asked != v.Charts[p.Seat.Side()].Fired
}

func (p *Player) fire() {
	v := &p.last.View
	chart := &v.Charts[p.Seat.Side()]
	p.asked = chart.Fired
	if v.CanMove {
		p.Seat.Move(p.bot.Move(v.FleetStatus(p.Seat.Side())))
	}
	p.cells = chart.AppendTargets(p.cells[:0], v.Shots, p.bot.Fire)
	p.Seat.Fire(p.cells...)
}

// Pause waits for d. It returns false if the match or ctx ends first.
func Pause(ctx context.Context, d time.Duration, seat *live.Seat) bool {
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
