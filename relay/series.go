package relay

import (
	"context"
	"errors"
	"time"

	"broadside/internal/session"
	"broadside/match"
)

// place is where a client plays next: in a match, or once its open offer leads to
// one, or nowhere.
type place struct {
	match *session.Match
	waits bool      // an offer is open
	err   error     // why there is none, a sentence for the owner of the client
	until time.Time // the client is to seek again then; else zero
}

// seek looks for the match that the client wants. What it wants does not change any
// more.
func (c *conn) seek() place {
	if until := c.shunned(); time.Now().Before(until) {
		return place{until: until}
	}
	var a session.Action
	switch w := &c.wish; {
	case w.bot != "":
		a = session.PlayBot{Bot: w.bot, Rules: w.rules, Stakes: w.choice}
	case w.room != "":
		a = session.JoinPrivate{Code: w.room}
	case w.opponent != "":
		a = session.PlayNamed{Name: w.opponent, Rules: w.rules, Stakes: w.choice}
	default:
		a = session.Seek{Rules: w.rules, Stakes: w.choice}
	}
	if err := c.session.Do(c.ctx, a); err != nil {
		return place{err: err}
	}
	return c.placed()
}

// placed returns where the session is after an action that looks for an opponent.
func (c *conn) placed() place {
	if m := c.session.State().Match; m != nil && m.ID != c.tally.match {
		return place{match: m}
	}
	return place{waits: true}
}

// await waits for what becomes of the open offer. Its error is ctx's.
func (c *conn) await(ctx context.Context) (place, error) {
	for {
		u, err := c.session.Next(ctx)
		if err != nil {
			return place{}, err
		}
		switch u.Kind {
		case session.Seated:
			if p := c.placed(); p.match != nil {
				return p, nil
			}
		case session.OfferChanged:
			return place{err: u.Err}, nil
		}
	}
}

// withdraw takes the open offer back, unless an opponent has come, who is to win.
func (c *conn) withdraw() *session.Match {
	if back, _ := session.Ask(c.server.ctx, c.session, session.Cancel{}); back {
		return nil
	}
	p, _ := c.await(c.server.ctx)
	return p.match
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
func (c *conn) sitDown(p place) (*session.Match, error) {
	if p.match != nil {
		c.send(role(p.match.Side))
		return p.match, nil
	}
	if !p.waits {
		return nil, p.err
	}
	origin := c.origin()
	switch m, taken := c.takePlace(origin); {
	case taken:
		defer c.server.waits.give(origin)
	case m != nil:
		c.send(role(match.First))
		return m, nil
	default:
		return nil, errPlaces
	}
	c.send(role(match.First))
	return c.opponent()
}

// opponent waits for an opponent. If the client leaves there is none, without a
// reason.
func (c *conn) opponent() (*session.Match, error) {
	ctx, cancel := c.ctx, func() {}
	if c.fillable() {
		ctx, cancel = context.WithTimeout(c.ctx, c.server.cfg.Fill)
	}
	p, err := c.await(ctx)
	cancel()
	if errors.Is(err, context.DeadlineExceeded) {
		if err := c.session.Do(c.ctx, session.Fill{Bot: c.server.cfg.FillBot}); err != nil {
			c.log.Warn("no bot plays a client that waits", "error", err)
		}
		p, err = c.await(c.ctx)
	}
	switch {
	case err == nil:
		return p.match, p.err
	case c.ctx.Err() == nil: // an operator has ended the session
		return nil, err
	}
	return c.withdraw(), nil
}

// placePatience is how long a client waits for a place to wait in: those whose
// opponent has come give theirs back a moment later.
const placePatience = time.Second

// takePlace takes a place to wait in. If there is none, it takes the client's
// offer back, unless an opponent comes meanwhile.
func (c *conn) takePlace(origin string) (_ *session.Match, taken bool) {
	for end := time.Now().Add(placePatience); ; {
		if c.server.waits.take(origin) {
			return nil, true
		}
		if c.ctx.Err() != nil || !time.Now().Before(end) {
			return c.withdraw(), false
		}
		ctx, cancel := context.WithTimeout(c.ctx, placePatience/50)
		p, err := c.await(ctx)
		cancel()
		if err == nil {
			return p.match, false
		}
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
func (c *conn) again(m *session.Match) place {
	if c.tally.short {
		wait := time.NewTimer(settleTime)
		defer wait.Stop()
		select {
		case <-wait.C:
		case <-c.hasReadied():
		case <-c.ctx.Done():
		}
	}
	if m.Opponent.Kind == session.Bot && c.fillable() { // it was only there until somebody comes
		c.session.Do(c.ctx, session.LeaveMatch{})
		return c.seek()
	}
	if err := c.session.Do(c.ctx, session.Rematch{}); err != nil {
		return c.seek()
	}
	p := c.placed()
	if p.match != nil {
		return p
	}
	ctx, cancel := context.WithTimeout(c.ctx, rematchTime)
	p, err := c.await(ctx)
	cancel()
	if err != nil {
		c.act(session.LeaveMatch{})
		p, _ = c.await(c.server.ctx) // it may have come about in the last moment
	}
	switch {
	case p.match != nil:
		return p
	case c.ctx.Err() != nil:
		return place{}
	}
	return c.seek()
}

// announce tells the client its opponent and what rating that has: a number, with a
// question mark as long as little is known, or a dash for none; and whether the
// match is rated.
func (c *conn) announce(m *session.Match) {
	rating := "-"
	if m.Opponent.Account != "" {
		if standing, err := session.Ask(c.ctx, c.session, session.OpponentStanding{}); err == nil && standing.Games > 0 {
			rating = standing.Rating.String()
		}
	}
	c.say("%% opponent %s %s %s", m.Opponent.Name, rating, c.session.State().Stakes.Word())
}
