package lobby

import (
	"context"
	"time"

	"broadside/match"
	"broadside/match/live"
)

// Rest waits until no goroutine and no timer of the lobby is left. The lobby
// stays open.
func (l *Lobby) Rest() { l.work.Wait() }

// DailyLayout is the fleet of a day.
var DailyLayout = dailyLayout

// CleanTalk is what remains of a line that somebody wants to say.
var CleanTalk = cleanTalk

// Recv waits for the next update.
func (w *Spectator) Recv(ctx context.Context, u *live.Update) error { return w.place.Recv(ctx, u) }

// Turn waits for [Lobby.TurnIn]. It returns false if ctx ends first.
func (l *Lobby) Turn(ctx context.Context) bool {
	wait := l.TurnIn()
	if wait == 0 {
		return ctx.Err() == nil
	}
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// Side returns the side that the player will have: the first to wait defends.
func (t *Offer) Side() match.Side { return t.side }

// Player returns the player as the lobby knows them.
func (t *Offer) Player() Player { return t.player }
