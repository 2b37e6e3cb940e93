package relay

import (
	"cmp"
	"context"
	"errors"
	"time"

	"broadside/internal/ratelimit"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/match"
)

// place is the result of a search for an opponent: a match, an open offer, or neither.
type place struct {
	match  *session.Match
	waits  bool  // an offer is open
	yields bool  // the client lets others go first
	err    error // why none of these holds; a sentence for the client's owner
}

// seek looks for a match as the client requested. A client that has kept opponents waiting lets others
// go first.
func (c *conn) seek() place {
	return c.seekAs(c.server.waits.isBlamed(c.origin(), time.Now()))
}

func (c *conn) seekAs(behind bool) place {
	behind = behind && c.request.vs == versus{}
	if c.request.resumed != nil && c.tally.games == 0 {
		p := c.placed()
		c.sentRole, c.warned = role(p.match.Side), true
		return p
	}
	p := c.identity()
	p.Silent = p.Account == "" && !c.spoken
	p.Fixed = c.request.fixed()
	p.Returns = c.request.returns
	if p != c.session.State().Me { // changed by directives
		c.session.PlayAs(p)
	}
	var err error
	switch w := &c.request; {
	case w.vs.bot != "":
		err = c.session.PlayBot(w.vs.bot, w.rules, w.choice)
	case w.vs.room != "":
		err = c.session.JoinPrivate(w.vs.room)
	case w.vs.cup != "":
		err = c.session.SeekTournament(c.ctx, w.vs.cup)
	case w.vs.ladder:
		err = c.session.JoinLadder(w.rules)
	case w.vs.player != "":
		err = c.session.PlayNamed(w.vs.player, w.rules, w.choice)
	case behind:
		err = c.session.SeekBehind(w.rules, w.choice)
	default:
		err = c.session.Seek(w.rules, w.choice)
	}
	if err != nil {
		return place{err: err}
	}
	state := c.session.State()
	c.identify(state.Me) // now with its ID and final name
	if p := c.placed(); p.match != nil || !behind || state.Offer != nil {
		return p
	}
	return place{yields: true}
}

// placed returns the session's match or offer after an action that looks for an opponent.
func (c *conn) placed() place {
	m := c.session.State().Match
	if m != nil && m.ID != c.tally.match {
		return place{match: m}
	}
	return place{waits: true}
}

// await waits for the outcome of the open offer. The error is that of [conn.next].
func (c *conn) await(ctx context.Context) (place, error) {
	for {
		u, err := c.next(ctx)
		if err != nil {
			return place{}, err
		}
		switch u.Kind {
		case session.Seated:
			p := c.placed()
			if p.match != nil {
				return p, nil
			}
		case session.OfferChanged:
			return place{err: u.Err}, nil
		}
	}
}

// withdraw cancels the open offer. If an opponent has already accepted, it returns the match.
func (c *conn) withdraw() *session.Match {
	back, _ := c.session.Cancel()
	if back {
		return nil
	}
	p, _ := c.await(c.server.ctx)
	return p.match
}

// uncountedPause is how long a client waits before it seeks again, because its other rated matches do not
// count yet.
const uncountedPause = time.Second / 4

func never() bool { return false }

// yield seeks again after others had time to go first, or as soon as enough of the client's matches count,
// if p requires that. Otherwise it returns p. If the client is recalled, the place has that error.
func (c *conn) yield(p place) place {
	recalled := func() bool { return c.greeting }
	for {
		switch {
		case c.greeting:
			return place{err: errRecalled}
		case errors.Is(p.err, lobby.ErrUncounted):
			if !c.sleep(uncountedPause, recalled) {
				return place{}
			}
			if !c.greeting {
				p = c.seek()
			}
		case p.yields:
			if !c.sleep(courtesyTime, recalled) {
				return place{}
			}
			if !c.greeting {
				p = c.seekAs(false)
			}
		default:
			return p
		}
	}
}

// sitDown sends the client its role and waits for its opponent. It returns nil if there
// will be none, with an error unless the client has left.
func (c *conn) sitDown(p place) (*session.Match, error) {
	if p.match != nil {
		c.sendRole(p.match.Side)
		return p.match, nil
	}
	if !p.waits {
		return nil, p.err
	}
	if c.request.vs.chosen() { // it needs no place, and the side is not known yet
		m, err := c.opponent()
		if m != nil {
			c.sendRole(m.Side)
		}
		return m, err
	}
	origin := c.origin()
	m, err := c.acquirePlace(origin)
	if err != nil {
		return nil, err
	}
	c.sendRole(match.First)
	if m != nil {
		return m, nil
	}
	defer c.server.waits.release(origin)
	return c.opponent()
}

// sendRole sends the client its role, unless it was sent this role before a recall.
func (c *conn) sendRole(side match.Side) {
	m := role(side)
	if c.sentRole != m {
		c.send(m)
	}
	c.sentRole = m
}

// opponent waits for an opponent. It returns nil without an error if the client leaves.
func (c *conn) opponent() (*session.Match, error) {
	ctx, cancel := c.ctx, func() {}
	if c.fillable() {
		ctx, cancel = context.WithTimeout(c.ctx, c.server.cfg.Fill)
	}
	p, err := c.await(ctx)
	cancel()
	if errors.Is(err, context.DeadlineExceeded) {
		if err := c.session.Fill(c.server.cfg.FillBot); err != nil {
			c.server.cfg.Log.Warn("no bot available for a waiting client", "error", err)
		}
		p, err = c.await(c.ctx)
	}
	switch {
	case err == nil:
		return p.match, p.err
	case c.ctx.Err() == nil: // the client was recalled, or an operator has ended the session
		return nil, err
	}
	return c.withdraw(), nil
}

// placePatience is how long a client waits for one of its origin's waiting places. A
// client that finds an opponent releases its place a moment later.
const placePatience = time.Second

// acquirePlace acquires a waiting place. If there is none, it cancels the client's offer. If an
// opponent has accepted in the meantime, it returns the match.
func (c *conn) acquirePlace(origin string) (*session.Match, error) {
	for end := time.Now().Add(placePatience); !c.server.waits.acquire(origin); {
		if c.ctx.Err() != nil || !time.Now().Before(end) {
			m := c.withdraw()
			if m != nil {
				return m, nil
			}
			return nil, errPlaces
		}
		ctx, cancel := context.WithTimeout(c.ctx, placePatience/50)
		p, err := c.await(ctx)
		cancel()
		switch {
		case errors.Is(err, errRecalled):
			return nil, err
		case err == nil && p.match == nil:
			return nil, cmp.Or(p.err, errPlaces)
		case err == nil:
			return p.match, nil
		}
	}
	return nil, nil
}

// fillable reports whether a bot may replace a missing opponent.
func (c *conn) fillable() bool {
	w := c.request
	return c.server.cfg.Fill > 0 && w.vs == versus{}
}

const (
	// rematchTime is how long a series waits for its last opponent to accept a rematch.
	rematchTime = 30 * time.Second
	// settleTime is how long messages are ignored after a game that ended early, unless
	// the client sends ready. They may belong to that game.
	settleTime = DefaultHelloDelay
)

// again returns the next match or offer: against the same opponent with the sides
// swapped, as long as the opponent agrees; otherwise as at the start of the series.
func (c *conn) again(m *session.Match) place {
	if c.tally.short {
		c.sleep(settleTime, func() bool { return c.readied })
	}
	if m.Opponent.Kind == account.Bot && c.fillable() || c.request.vs.chosen() { // the bot only filled in for a missing opponent
		c.session.LeaveMatch(false)
		return c.seek()
	}
	err := c.session.Rematch()
	for errors.Is(err, lobby.ErrUncounted) && c.sleep(uncountedPause, never) {
		err = c.session.Rematch()
	}
	if err != nil {
		return c.seek()
	}
	p := c.placed()
	if p.match != nil {
		return p
	}
	ctx, cancel := context.WithTimeout(c.ctx, rematchTime)
	p, err = c.await(ctx)
	cancel()
	if err != nil {
		c.session.LeaveMatch(false)
		p, _ = c.await(c.server.ctx) // the opponent may have accepted at the last moment
	}
	switch {
	case p.match != nil:
		return p
	case c.ctx.Err() != nil:
		return place{}
	}
	return c.seek()
}

// origin returns the client's owner, or else its network.
func (c *conn) origin() string {
	p := c.identity()
	if p.Account != "" {
		return ownerPrefix + cmp.Or(p.Owner, p.Account)
	}
	where, addr := c.wire.origin()
	if addr.IsValid() {
		return ratelimit.Network(addr).String()
	}
	return where
}

// errPlaces is returned if the client's origin has no waiting place left.
var errPlaces = errors.New("as many programs of yours as may are waiting for an opponent already: play a bot, or let them play each other")
