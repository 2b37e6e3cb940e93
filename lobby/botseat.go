package lobby

import (
	"runtime/debug"
	"time"

	"broadside/bots"
	"broadside/match"
	"broadside/match/live"
)

// playBot lets a bot play a seat to the end of the match. Before each shot it
// waits for the pace, so that a person can follow.
func (l *Lobby) playBot(seat *live.Seat, bot bots.Bot, pace time.Duration) {
	// A fault in a bot costs the bot its match and nobody anything else.
	defer func() {
		if p := recover(); p != nil {
			l.cfg.Log.Error("bot failed", "match", seat.Match().ID(), "panic", p, "stack", string(debug.Stack()))
			seat.Resign()
		}
	}()
	box := seat.Attach()
	seat.Place(bot.Place())
	asked := -1 // how many shots were fired when the bot last fired
	var u live.Update
	for {
		if err := box.Recv(l.ctx, &u); err != nil {
			return // the match has ended, or the lobby closes and ends it
		}
		for _, e := range u.Events {
			if e.Kind == match.ShotAnswered && e.Side != seat.Side() {
				bot.Told(e.Cell, e.Result)
			}
		}
		v := &u.View
		chart := &v.Charts[seat.Side()]
		if v.Phase != match.Battle || v.Turn != seat.Side() || v.Pending || asked == chart.Fired {
			continue
		}
		asked = chart.Fired
		if !l.pause(pace, seat) {
			return
		}
		seat.Fire(bot.Fire(chart))
	}
}

// pause waits, and returns false if the match or the lobby ends meanwhile.
func (l *Lobby) pause(d time.Duration, seat *live.Seat) bool {
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
