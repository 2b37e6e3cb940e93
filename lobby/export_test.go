package lobby

import (
	"context"

	"broadside/match"
	"broadside/match/live"
)

// Rest waits until the lobby has no goroutines and no timers. The lobby stays open.
func (l *Lobby) Rest() { l.work.Wait() }

// Recv waits for the next update.
func (s *Spectator) Recv(ctx context.Context, u *live.Update) error { return s.live.Recv(ctx, u) }

// Wait waits for [Pacer.Delay]. It returns false if ctx ends first.
func (p *Pacer) Wait(ctx context.Context) bool { return sleep(ctx, p.Delay()) && ctx.Err() == nil }

// Side returns the side that the player will have: the player who waits defends.
func (o *Offer) Side() match.Side { return o.side }

// Player returns the player as the lobby knows them.
func (o *Offer) Player() Player { return o.player }
