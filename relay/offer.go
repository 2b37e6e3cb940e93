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
	hasOffer  bool
	mustYield bool
	// err is why none of these holds. It is a sentence for the client's owner.
	err error
}

// findOpponent looks for a match as the client requested. A client that has kept opponents waiting
// lets others go first.
func (c *conn) findOpponent() searchResult {
	if c.request.resumed != nil && c.tally.games == 0 {
		found := c.matchOrOffer()
		c.sentRole, c.warnedCasual = roleMessage(found.match.Side), true
		return found
	}
	yields := c.request.opponent == opponentChoice{} && c.request.pace == 0 && c.server.waiting.isOffender(c.ownerOrNetwork(), time.Now())
	return c.search(yields)
}

// search looks for a match. A client that yields gets no match that another waiting player could have.
func (c *conn) search(yields bool) searchResult {
	p := c.identity()
	p.Silent = p.Account == "" && !c.hasSentLine
	p.Fixed = c.request.hasFixedFleet()
	p.Returns = c.request.canResume
	// Directives may have changed the player.
	if p != c.session.State().Me {
		c.session.SetProgram(p)
	}
	if err := c.requestMatch(yields); err != nil {
		return searchResult{err: err}
	}
	state := c.session.State()
	// The player has its ID and final name now.
	c.setIdentity(state.Me)
	found := c.matchOrOffer()
	if found.match == nil && yields && state.Offer == nil {
		return searchResult{mustYield: true}
	}
	return found
}

func (c *conn) requestMatch(yields bool) error {
	r := &c.request
	switch {
	case r.pace > 0:
		return c.requestTurn()
	case r.opponent.bot != "":
		return c.session.PlayBot(r.opponent.bot, r.rules, r.ratingMode)
	case r.opponent.privateCode != "":
		return c.session.JoinPrivateMatch(r.opponent.privateCode)
	case r.opponent.tournamentCode != "":
		return c.session.EnterTournament(c.ctx, r.opponent.tournamentCode)
	case r.opponent.isLadder:
		return c.session.JoinLadder(r.rules)
	case r.opponent.player != "":
		return c.session.PlayOpponent(r.opponent.player, r.rules, r.ratingMode)
	case yields:
		return c.session.FindOpponentAfterOthers(r.rules, r.ratingMode)
	}
	return c.session.FindOpponent(r.rules, r.ratingMode)
}

// matchOrOffer returns the session's match or offer after an action that looks for an opponent.
func (c *conn) matchOrOffer() searchResult {
	m := c.session.State().Match
	if m != nil && m.ID != c.tally.matchID {
		return searchResult{match: m}
	}
	return searchResult{hasOffer: true}
}

// awaitOfferResult waits until the open offer leads to a match or ends. The error is that of
// [conn.nextUpdate].
func (c *conn) awaitOfferResult(ctx context.Context) (searchResult, error) {
	for {
		u, err := c.nextUpdate(ctx)
		if err != nil {
			return searchResult{}, err
		}
		switch u.Kind {
		case session.MatchJoined:
			found := c.matchOrOffer()
			if found.match != nil {
				return found, nil
			}
		case session.OfferEnded:
			return searchResult{err: u.Err}, nil
		}
	}
}

// cancelOffer cancels the open offer. If an opponent has already accepted, it returns the match.
func (c *conn) cancelOffer() *session.Match {
	cancelled, _ := c.session.CancelOffer()
	if cancelled {
		return nil
	}
	found, _ := c.awaitOfferResult(c.server.ctx)
	return found.match
}

// uncountedPause is how long a client waits before it searches again, because its other rated matches
// do not count yet.
const uncountedPause = time.Second / 4

// retrySearch searches again if the result requires that: after others had time to go first, or as soon
// as enough of the client's matches count. If the client leaves the lobby meanwhile, the error is
// errLeftLobby.
func (c *conn) retrySearch(found searchResult) searchResult {
	hasLeftLobby := func() bool { return c.acceptsDirectives }
	for !hasLeftLobby() {
		isUncounted := errors.Is(found.err, lobby.ErrTooManyEarlyMatches)
		if !isUncounted && !found.mustYield {
			return found
		}
		pause := courtesyTime
		if isUncounted {
			pause = uncountedPause
		}
		if !c.handleLinesFor(pause, hasLeftLobby) {
			return searchResult{}
		}
		if hasLeftLobby() {
			break
		}
		if isUncounted {
			found = c.findOpponent()
		} else {
			found = c.search(false)
		}
	}
	return searchResult{err: errLeftLobby}
}

// awaitMatch sends the client its role and waits for its opponent. It returns nil if there
// will be none, with an error unless the client has left.
func (c *conn) awaitMatch(found searchResult) (*session.Match, error) {
	if found.match != nil {
		c.sendRole(found.match.Side)
		return found.match, nil
	}
	if !found.hasOffer {
		return nil, found.err
	}
	if c.request.pace > 0 {
		return c.awaitTurn()
	}
	if c.request.opponent.isServerChosen() {
		// The client needs no waiting place, and its side is not known yet.
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

// sendRole sends the client its role, unless the client knows it from before it left the lobby.
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
	found, err := c.awaitOfferResult(ctx)
	cancel()
	if errors.Is(err, context.DeadlineExceeded) {
		if err := c.session.AcceptWithBot(c.server.cfg.FillBot); err != nil {
			c.server.cfg.Log.Warn("no bot available for a waiting client", "error", err)
		}
		found, err = c.awaitOfferResult(c.ctx)
	}
	switch {
	case err == nil:
		return found.match, found.err
	// The client has left the lobby, or an operator has ended the session.
	case c.ctx.Err() == nil:
		return nil, err
	}
	return c.cancelOffer(), nil
}

// placeTime is how long a client waits for one of its origin's waiting places. A
// client that finds an opponent releases its place a moment later.
const placeTime = time.Second

// reserveWaitingPlace reserves one of the origin's waiting places. If there is none, it cancels the
// client's offer. If an opponent has accepted in the meantime, it returns the match.
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
		found, err := c.awaitOfferResult(ctx)
		cancel()
		switch {
		case errors.Is(err, errLeftLobby):
			return nil, err
		case err == nil && found.match == nil:
			return nil, cmp.Or(found.err, errNoWaitingPlace)
		case err == nil:
			return found.match, nil
		}
	}
	return nil, nil
}

// canFillWithBot reports whether a bot may replace a missing opponent.
func (c *conn) canFillWithBot() bool {
	return c.server.cfg.Fill > 0 && c.request.opponent == opponentChoice{}
}

const (
	// rematchTime is how long a series waits for its last opponent to accept a rematch.
	rematchTime = 30 * time.Second
	// ignoreTime is how long messages are ignored after a game that ended early, unless
	// the client sends ready. They may belong to that game.
	ignoreTime = DefaultHelloDelay
)

// findNextOpponent returns the next match or offer. As long as the opponent agrees, it is against the same
// opponent with the sides swapped, and otherwise as at the series' start.
func (c *conn) findNextOpponent(last *session.Match) searchResult {
	if c.tally.endedEarly {
		c.handleLinesFor(ignoreTime, func() bool { return c.sentReady })
	}
	hadFillBot := last.Opponent.Kind == account.Bot && c.canFillWithBot()
	if hadFillBot || c.request.opponent.isServerChosen() || c.request.pace > 0 {
		c.session.LeaveMatch(false)
		return c.findOpponent()
	}
	m := c.awaitRematch()
	switch {
	case m != nil:
		return searchResult{match: m}
	case c.ctx.Err() != nil:
		return searchResult{}
	}
	return c.findOpponent()
}

// awaitRematch offers the last opponent a rematch. It returns nil if there will be none.
func (c *conn) awaitRematch() *session.Match {
	err := c.session.OfferRematch()
	for errors.Is(err, lobby.ErrTooManyEarlyMatches) && c.handleLinesFor(uncountedPause, func() bool { return false }) {
		err = c.session.OfferRematch()
	}
	if err != nil {
		return nil
	}
	found := c.matchOrOffer()
	if found.match != nil {
		return found.match
	}
	ctx, cancel := context.WithTimeout(c.ctx, rematchTime)
	found, err = c.awaitOfferResult(ctx)
	cancel()
	if err != nil {
		c.session.LeaveMatch(false)
		// The opponent may have accepted at the last moment.
		found, _ = c.awaitOfferResult(c.server.ctx)
	}
	return found.match
}

// ownerOrNetwork returns the client's owner, or else its network. It is the origin whose clients share
// waiting places.
func (c *conn) ownerOrNetwork() string {
	p := c.identity()
	if p.Account != "" {
		return ownerPrefix + cmp.Or(p.Owner, p.Account)
	}
	addr := c.address()
	if addr.IsValid() {
		return ratelimit.CustomerNetwork(addr).String()
	}
	return c.transport.location()
}

// errNoWaitingPlace means that the client's origin has no waiting place left.
var errNoWaitingPlace = errors.New("too many of your programs are waiting for an opponent: play a bot, or let them play each other")
