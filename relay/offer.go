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

// searchResult is the result of a search for an opponent: a match, an open offer, or neither.
type searchResult struct {
	match     *session.Match
	isWaiting bool  // an offer is open
	mustYield bool  // the client lets others go first
	err       error // why none of these holds; a sentence for the client's owner
}

// findOpponent looks for a match as the client requested. A client that has kept opponents waiting lets others
// go first.
func (c *conn) findOpponent() searchResult {
	return c.findOpponentAs(c.server.waiting.isOffender(c.ownerOrNetwork(), time.Now()))
}

func (c *conn) findOpponentAs(behind bool) searchResult {
	behind = behind && c.request.opponent == opponentChoice{}
	if c.request.resumed != nil && c.tally.games == 0 {
		p := c.matchOrOffer()
		c.sentRole, c.warnedCasual = roleMessage(p.match.Side), true
		return p
	}
	p := c.identity()
	p.Silent = p.Account == "" && !c.hasSentLine
	p.Fixed = c.request.hasFixedFleet()
	p.Returns = c.request.canResume
	if p != c.session.State().Me { // changed by directives
		c.session.SetProgram(p)
	}
	var err error
	switch w := &c.request; {
	case w.opponent.bot != "":
		err = c.session.PlayBot(w.opponent.bot, w.rules, w.stakes)
	case w.opponent.room != "":
		err = c.session.JoinPrivateMatch(w.opponent.room)
	case w.opponent.tournament != "":
		err = c.session.EnterTournament(c.ctx, w.opponent.tournament)
	case w.opponent.ladder:
		err = c.session.JoinLadder(w.rules)
	case w.opponent.player != "":
		err = c.session.PlayOpponent(w.opponent.player, w.rules, w.stakes)
	case behind:
		err = c.session.FindOpponentAfterOthers(w.rules, w.stakes)
	default:
		err = c.session.FindOpponent(w.rules, w.stakes)
	}
	if err != nil {
		return searchResult{err: err}
	}
	state := c.session.State()
	c.setIdentity(state.Me) // now with its ID and final name
	if p := c.matchOrOffer(); p.match != nil || !behind || state.Offer != nil {
		return p
	}
	return searchResult{mustYield: true}
}

// matchOrOffer returns the session's match or offer after an action that looks for an opponent.
func (c *conn) matchOrOffer() searchResult {
	m := c.session.State().Match
	if m != nil && m.ID != c.tally.match {
		return searchResult{match: m}
	}
	return searchResult{isWaiting: true}
}

// awaitOffer waits for the outcome of the open offer. The error is that of [conn.nextUpdate].
func (c *conn) awaitOffer(ctx context.Context) (searchResult, error) {
	for {
		u, err := c.nextUpdate(ctx)
		if err != nil {
			return searchResult{}, err
		}
		switch u.Kind {
		case session.MatchJoined:
			p := c.matchOrOffer()
			if p.match != nil {
				return p, nil
			}
		case session.OfferChanged:
			return searchResult{err: u.Err}, nil
		}
	}
}

// cancelOffer cancels the open offer. If an opponent has already accepted, it returns the match.
func (c *conn) cancelOffer() *session.Match {
	back, _ := c.session.CancelOffer()
	if back {
		return nil
	}
	p, _ := c.awaitOffer(c.server.ctx)
	return p.match
}

// uncountedPause is how long a client waits before it seeks again, because its other rated matches do not
// count yet.
const uncountedPause = time.Second / 4

func never() bool { return false }

// retrySearch seeks again after others had time to go first, or as soon as enough of the client's matches count,
// if p requires that. Otherwise it returns p. If the client is recalled, the place has that error.
func (c *conn) retrySearch(p searchResult) searchResult {
	recalled := func() bool { return c.greeting }
	for {
		switch {
		case c.greeting:
			return searchResult{err: errLeftLobby}
		case errors.Is(p.err, lobby.ErrTooManyEarlyMatches):
			if !c.handleLinesFor(uncountedPause, recalled) {
				return searchResult{}
			}
			if !c.greeting {
				p = c.findOpponent()
			}
		case p.mustYield:
			if !c.handleLinesFor(courtesyTime, recalled) {
				return searchResult{}
			}
			if !c.greeting {
				p = c.findOpponentAs(false)
			}
		default:
			return p
		}
	}
}

// awaitMatch sends the client its role and waits for its opponent. It returns nil if there
// will be none, with an error unless the client has left.
func (c *conn) awaitMatch(p searchResult) (*session.Match, error) {
	if p.match != nil {
		c.sendRole(p.match.Side)
		return p.match, nil
	}
	if !p.isWaiting {
		return nil, p.err
	}
	if c.request.opponent.isServerChosen() { // it needs no place, and the side is not known yet
		m, err := c.awaitOpponent()
		if m != nil {
			c.sendRole(m.Side)
		}
		return m, err
	}
	origin := c.ownerOrNetwork()
	m, err := c.reserveWaitingPlace(origin)
	if err != nil {
		return nil, err
	}
	c.sendRole(match.First)
	if m != nil {
		return m, nil
	}
	defer c.server.waiting.releasePlace(origin)
	return c.awaitOpponent()
}

// sendRole sends the client its role, unless it was sent this role before a recall.
func (c *conn) sendRole(side match.Side) {
	m := roleMessage(side)
	if c.sentRole != m {
		c.sendMessage(m)
	}
	c.sentRole = m
}

// awaitOpponent waits for an opponent. It returns nil without an error if the client leaves.
func (c *conn) awaitOpponent() (*session.Match, error) {
	ctx, cancel := c.ctx, func() {}
	if c.canFillWithBot() {
		ctx, cancel = context.WithTimeout(c.ctx, c.server.cfg.Fill)
	}
	p, err := c.awaitOffer(ctx)
	cancel()
	if errors.Is(err, context.DeadlineExceeded) {
		if err := c.session.AcceptWithBot(c.server.cfg.FillBot); err != nil {
			c.server.cfg.Log.Warn("no bot available for a waiting client", "error", err)
		}
		p, err = c.awaitOffer(c.ctx)
	}
	switch {
	case err == nil:
		return p.match, p.err
	case c.ctx.Err() == nil: // the client was recalled, or an operator has ended the session
		return nil, err
	}
	return c.cancelOffer(), nil
}

// placeTime is how long a client waits for one of its origin's waiting places. A
// client that finds an opponent releases its place a moment later.
const placeTime = time.Second

// reserveWaitingPlace acquires a waiting place. If there is none, it cancels the client's offer. If an
// opponent has accepted in the meantime, it returns the match.
func (c *conn) reserveWaitingPlace(origin string) (*session.Match, error) {
	for end := time.Now().Add(placeTime); !c.server.waiting.reservePlace(origin); {
		if c.ctx.Err() != nil || !time.Now().Before(end) {
			m := c.cancelOffer()
			if m != nil {
				return m, nil
			}
			return nil, errNoWaitingPlace
		}
		ctx, cancel := context.WithTimeout(c.ctx, placeTime/50)
		p, err := c.awaitOffer(ctx)
		cancel()
		switch {
		case errors.Is(err, errLeftLobby):
			return nil, err
		case err == nil && p.match == nil:
			return nil, cmp.Or(p.err, errNoWaitingPlace)
		case err == nil:
			return p.match, nil
		}
	}
	return nil, nil
}

// canFillWithBot reports whether a bot may replace a missing opponent.
func (c *conn) canFillWithBot() bool {
	w := c.request
	return c.server.cfg.Fill > 0 && w.opponent == opponentChoice{}
}

const (
	// rematchTime is how long a series waits for its last opponent to accept a rematch.
	rematchTime = 30 * time.Second
	// ignoreTime is how long messages are ignored after a game that ended early, unless
	// the client sends ready. They may belong to that game.
	ignoreTime = DefaultHelloDelay
)

// findNextOpponent returns the next match or offer: against the same opponent with the sides
// swapped, as long as the opponent agrees; otherwise as at the start of the series.
func (c *conn) findNextOpponent(m *session.Match) searchResult {
	if c.tally.endedEarly {
		c.handleLinesFor(ignoreTime, func() bool { return c.isReady })
	}
	if m.Opponent.Kind == account.Bot && c.canFillWithBot() || c.request.opponent.isServerChosen() { // the bot only filled in for a missing opponent
		c.session.LeaveMatch(false)
		return c.findOpponent()
	}
	err := c.session.OfferRematch()
	for errors.Is(err, lobby.ErrTooManyEarlyMatches) && c.handleLinesFor(uncountedPause, never) {
		err = c.session.OfferRematch()
	}
	if err != nil {
		return c.findOpponent()
	}
	p := c.matchOrOffer()
	if p.match != nil {
		return p
	}
	ctx, cancel := context.WithTimeout(c.ctx, rematchTime)
	p, err = c.awaitOffer(ctx)
	cancel()
	if err != nil {
		c.session.LeaveMatch(false)
		p, _ = c.awaitOffer(c.server.ctx) // the opponent may have accepted at the last moment
	}
	switch {
	case p.match != nil:
		return p
	case c.ctx.Err() != nil:
		return searchResult{}
	}
	return c.findOpponent()
}

// ownerOrNetwork returns the client's owner, or else its network.
func (c *conn) ownerOrNetwork() string {
	p := c.identity()
	if p.Account != "" {
		return ownerPrefix + cmp.Or(p.Owner, p.Account)
	}
	where, addr := c.transport.origin()
	if addr.IsValid() {
		return ratelimit.Network(addr).String()
	}
	return where
}

// errNoWaitingPlace is returned if the client's origin has no waiting place left.
var errNoWaitingPlace = errors.New("as many programs of yours as may are waiting for an opponent already: play a bot, or let them play each other")
