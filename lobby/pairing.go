package lobby

import (
	"slices"
	"time"

	"broadside/bots"
	"broadside/match"
	"broadside/match/live"
)

// Seating is a player's seat in a match, and afterwards the place at the table
// where a rematch is agreed on.
type Seating struct {
	Seat     *live.Seat
	Opponent Player
	table    *table
}

// Ticket is a player's wish to play, until it comes true or fails.
type Ticket struct {
	lobby   *Lobby
	player  Player
	rules   match.Rules
	side    match.Side
	since   time.Time
	seated  chan *Seating // capacity 1; closed without a value on failure
	err     error         // written before seated is closed
	settled bool          // guarded by lobby.mu: seated, failed or cancelled
}

func (l *Lobby) newTicket(p Player, r match.Rules, side match.Side) *Ticket {
	return &Ticket{lobby: l, player: p, rules: r, side: side, since: time.Now(), seated: make(chan *Seating, 1)}
}

// Side is the side that the player will have: who waits first defends.
func (t *Ticket) Side() match.Side { return t.side }

// Player is the player as the lobby knows it.
func (t *Ticket) Player() Player { return t.player }

// Seated yields the seating once there is an opponent. It is closed instead if
// there will be none; [Ticket.Err] then says why.
func (t *Ticket) Seated() <-chan *Seating { return t.seated }

// Err is why the wish failed. Call it only once Seated is closed.
func (t *Ticket) Err() error { return t.err }

// Cancel takes the wish back. It returns false if it is too late: the seating
// is there, or the wish has failed.
func (t *Ticket) Cancel() bool {
	t.lobby.mu.Lock()
	defer t.lobby.mu.Unlock()
	if t.settled {
		return false
	}
	t.settled = true
	t.lobby.queue = slices.DeleteFunc(t.lobby.queue, func(o *Ticket) bool { return o == t })
	t.lobby.changed()
	return true
}

// seat and fail settle a ticket. The lobby is locked.
func (t *Ticket) seat(s *Seating) {
	t.settled = true
	t.seated <- s
}

func (t *Ticket) fail(err error) {
	t.settled = true
	t.err = err
	close(t.seated)
}

// PlayNow looks for any opponent with the same rules: whoever has waited
// longest, by whatever door. If nobody waits, the player waits, and defends.
// Of two that differ in the clock only, the one who waited has it their way.
// The rules must be valid.
func (l *Lobby) PlayNow(p Player, r match.Rules) (*Ticket, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closing {
		return nil, ErrClosing
	}
	p = l.identify(p)
	for i, first := range l.queue {
		if !first.rules.Same(r) || first.player.ID == p.ID {
			continue
		}
		g, err := l.start(first.rules, [2]Player{first.player, p})
		if err != nil {
			return nil, err
		}
		l.queue = slices.Delete(l.queue, i, i+1)
		second := l.newTicket(p, first.rules, match.Second)
		first.seat(g.seatings[match.First])
		second.seat(g.seatings[match.Second])
		return second, nil
	}
	t := l.newTicket(p, r, match.First)
	l.queue = append(l.queue, t)
	l.changed()
	return t, nil
}

// ChallengeBot starts a match against a built-in bot. The bot has always been
// here, so it defends and the player shoots first. The error is a sentence for
// the player.
func (l *Lobby) ChallengeBot(p Player, bot string, r match.Rules) (*Seating, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p = l.identify(p)
	g, err := l.startWithBot(r, [2]Player{{ID: "bot-" + bot, Name: bot, Kind: Bot}, p})
	if err != nil {
		return nil, err
	}
	return g.seatings[match.Second], nil
}

// startWithBot begins a match in which one of the players is a bot, and lets
// the bot play. The lobby is locked.
func (l *Lobby) startWithBot(r match.Rules, players [2]Player) (*game, error) {
	side := match.First
	if players[match.Second].Kind == Bot {
		side = match.Second
	}
	bot, err := bots.New(players[side].Name, bots.Config{Rules: r, Rand: l.newRand()})
	if err != nil {
		return nil, err
	}
	g, err := l.start(r, players)
	if err != nil {
		return nil, err
	}
	pace := time.Duration(0)
	if players[side.Other()].Kind == Person {
		pace = l.cfg.BotPace
	}
	seat := g.match.Seat(side)
	l.work.Go(func() { l.playBot(seat, bot, pace) })
	return g, nil
}

// Unfinished is the seating of a running match that a known person has left,
// or plays from elsewhere; nil if there is none.
func (l *Lobby) Unfinished(p Player) *Seating {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, g := range l.running {
		for side := range g.players {
			if p.ID != "" && g.players[side].ID == p.ID {
				return g.seatings[side]
			}
		}
	}
	return nil
}
