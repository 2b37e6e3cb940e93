package relay

import (
	"time"

	"broadside/lobby"
	"broadside/match"
)

// place is where a client plays next: at a seat, or once its ticket leads to
// one, or nowhere.
type place struct {
	ticket  *lobby.Ticket
	seating *lobby.Seating
	err     error     // why nowhere, a sentence for whoever runs the client
	until   time.Time // the client is to seek again then; else zero
}

// seek asks the lobby for the match that the client wants. What it wants does
// not change any more.
func (c *conn) seek() (p place) {
	if until := c.shunned(); time.Now().Before(until) {
		return place{until: until}
	}
	hall, w := c.server.cfg.Lobby, &c.wish
	switch {
	case w.bot != "":
		p.seating, p.err = hall.ChallengeBot(w.player, w.bot, w.rules, w.choice)
	case w.room != "":
		p.seating, p.err = hall.Join(c.address(), w.player, w.room)
	case w.opponent != "":
		p.ticket, p.err = hall.PlayNamed(w.player, w.opponent, w.rules, w.choice)
	default:
		p.ticket, p.err = hall.PlayNow(w.player, w.rules, w.choice)
	}
	return p
}

// reached is a place that was found, once the client may be offered to others.
func (c *conn) reached(p place) place {
	for !p.until.IsZero() {
		if c.isTalking() {
			c.say("%% error waiting you kept an opponent waiting: you are offered to others again in %v", time.Until(p.until).Round(time.Second))
		}
		select {
		case <-time.After(time.Until(p.until)):
			p = c.seek()
		case <-c.ctx.Done():
			return place{}
		}
	}
	return p
}

// sitDown tells the client its role and waits for its opponent; nil if there
// will be none, with the reason unless it is the client's own.
func (c *conn) sitDown(p place) (*lobby.Seating, error) {
	if p.seating != nil {
		c.send(role(p.seating.Seat.Side()))
		return p.seating, nil
	}
	if p.ticket == nil {
		return nil, p.err
	}
	if p.ticket.Side() == match.First { // it waits
		origin := c.origin()
		switch seating, taken := c.takePlace(p.ticket, origin); {
		case taken:
			defer c.server.waits.give(origin)
		case seating != nil:
			c.send(role(match.First))
			return seating, nil
		default:
			return nil, errPlaces
		}
	}
	c.send(role(p.ticket.Side()))
	var fill <-chan time.Time
	if c.fillable() {
		late := time.NewTimer(c.server.cfg.Fill)
		defer late.Stop()
		fill = late.C
	}
	for {
		select {
		case seating := <-p.ticket.Seated():
			if seating == nil {
				return nil, p.ticket.Err()
			}
			return seating, nil
		case <-fill:
			fill = nil
			if err := p.ticket.Fill(c.server.cfg.FillBot); err != nil {
				c.log.Warn("no bot plays a client that waits", "error", err)
			}
		case <-c.ctx.Done():
			if p.ticket.Cancel() {
				return nil, nil
			}
			return <-p.ticket.Seated(), nil // an opponent has come, and is to win
		}
	}
}

// placePatience is how long a client waits for a place to wait in: those whose
// opponent has come give theirs back a moment later.
const placePatience = time.Second

// takePlace takes a place to wait in. If there is none, it takes the client's
// offer back, unless an opponent comes meanwhile.
func (c *conn) takePlace(t *lobby.Ticket, origin string) (_ *lobby.Seating, taken bool) {
	late := time.NewTimer(placePatience)
	defer late.Stop()
	again := time.NewTicker(placePatience / 50)
	defer again.Stop()
	for {
		if c.server.waits.take(origin) {
			return nil, true
		}
		select {
		case seating := <-t.Seated():
			return seating, false
		case <-again.C:
			continue
		case <-late.C:
		case <-c.ctx.Done():
		}
		if t.Cancel() {
			return nil, false
		}
		return <-t.Seated(), false
	}
}

// fillable tells whether a bot may take the place of the opponent that does not
// come.
func (c *conn) fillable() bool {
	w := &c.wish
	return c.server.cfg.Fill > 0 && w.bot == "" && w.room == "" && w.opponent == ""
}

func role(side match.Side) Message {
	if side == match.First {
		return Message{Op: Defend}
	}
	return Message{Op: Assault}
}

const (
	// rematchTime is how long a series waits for its last opponent to go on.
	rematchTime = 30 * time.Second
	// settleTime is how long a client has to learn that a game was cut short,
	// unless it says before that it is ready. A message that was on its way to
	// that game is not taken for one to the next.
	settleTime = DefaultHelloDelay
)

// again is where a series goes on: at the same table with the sides swapped, as
// long as the opponent wants to, else as it began.
func (c *conn) again(s *lobby.Seating) place {
	if c.tally.short {
		wait := time.NewTimer(settleTime)
		defer wait.Stop()
		select {
		case <-wait.C:
		case <-c.readied:
		case <-c.ctx.Done():
		}
	}
	if s.Opponent.Kind == lobby.Bot && c.fillable() { // it was only there until somebody comes
		s.Rise()
		return c.seek()
	}
	ticket, err := s.Rematch()
	if err != nil {
		return c.seek()
	}
	patience := time.NewTimer(rematchTime)
	defer patience.Stop()
	select {
	case seating := <-ticket.Seated():
		if seating != nil {
			return place{seating: seating}
		}
		return c.seek()
	case <-patience.C:
	case <-c.ctx.Done():
	}
	s.Rise()
	if seating := <-ticket.Seated(); seating != nil { // it has come about in the last moment
		return place{seating: seating}
	}
	if c.ctx.Err() != nil {
		return place{}
	}
	return c.seek()
}

// introduce tells the client its opponent and what rating that has: a number,
// with a question mark as long as little is known, or a dash for none.
func (c *conn) introduce(s *lobby.Seating) {
	rating := "-"
	if standing, ok := c.server.cfg.Lobby.Standing(c.ctx, s.Opponent, s.Rules()); ok {
		rating = standing.Rating.String()
	}
	c.say("%% opponent %s %s", s.Opponent.Name, rating)
}
