package relay

import (
	"errors"

	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/lobby/tournament"
	"broadside/match"
	"broadside/match/live"
	"broadside/relay/client"
)

func roleMessage(side match.Side) client.Message {
	if side == match.First {
		return client.Message{Op: client.Defend}
	}
	return client.Message{Op: client.Assault}
}

// playSeries plays all games of the series. It returns why the client cannot continue, or nil.
func (c *conn) playSeries() error {
	m, err := c.findFirstMatch()
	for m != nil && err == nil {
		err = c.playMatch(m)
		if err != nil || c.tally.games == c.request.seriesLength() || c.ctx.Err() != nil || c.server.isShuttingDown() {
			break
		}
		c.sentRole = client.Message{}
		m, err = c.awaitMatch(c.retrySearch(c.findNextOpponent(m)))
	}
	if errors.Is(err, tournament.ErrOver) {
		c.tournamentOver, err = true, nil
	}
	return err
}

// findFirstMatch handles the client's directives and finds its first match, again after the client has
// left the lobby. It returns nil without an error if the client has left the server.
func (c *conn) findFirstMatch() (*session.Match, error) {
	defer c.letNextEnter()
	for {
		if c.acceptsDirectives {
			c.awaitReady()
		}
		c.acceptsDirectives = false
		switch {
		case c.ctx.Err() != nil:
			return nil, nil
		case len(c.failedLookups) > 0:
			return nil, account.ErrStore
		}
		found := c.findOpponent()
		c.letNextEnter()
		c.warnCasual()
		m, err := c.awaitMatch(c.retrySearch(found))
		if !errors.Is(err, errLeftLobby) {
			return m, err
		}
	}
}

// playMatch plays one match to the end. It returns an error if the result is unknown.
func (c *conn) playMatch(m *session.Match) error {
	c.setGame(m)
	r := c.request.resumed
	if r == nil || c.tally.games > 0 {
		r = &resumedMatch{sent: sentMessages{side: m.Side}}
		c.warnCasual()
		if c.usesDirectives {
			c.announceOpponent(m)
		}
		if m.Pace > 0 {
			var err error
			if r, err = c.replayMatch(m); err != nil {
				return err
			}
		}
	}
	if !r.fleetPlaced {
		if err := c.placeFleet(m.Rules); err != nil {
			return err
		}
	}
	c.sent = r.sent
	return c.forwardMatch(m)
}

// forfeitOrAbort forfeits the match of a connection that ends, or aborts it if the server is
// shutting down.
func (c *conn) forfeitOrAbort() {
	// Both fail if the match has ended.
	if c.server.isShuttingDown() {
		c.session.AbortMatch()
		return
	}
	c.session.Forfeit(match.Hangup)
}

// forwardMatch sends the opponent's moves until the match ends. When the connection ends, it forfeits the
// match and waits for its end, unless the client can return.
func (c *conn) forwardMatch(m *session.Match) error {
	ctx := c.ctx
	for {
		update, err := c.nextUpdate(ctx)
		switch {
		case err != nil && (ctx != c.ctx || c.canReturn()):
			return err
		case err != nil:
			c.forfeitOrAbort()
			ctx = c.server.ctx
		case update.Kind == session.MatchLost:
			return update.Err
		case update.Kind == session.MatchChanged && c.forwardUpdate(m, update.Match):
			return nil
		}
	}
}

// forwardUpdate sends the client the messages about an update, and reports whether the match is over.
func (c *conn) forwardUpdate(m *session.Match, u *live.Update) (over bool) {
	lines, ok := c.sent.appendUpdate(nil, &c.request, u)
	if !ok {
		// Only a client that does not read can miss so much.
		c.disconnectNow(match.Unread, errBehind)
	}
	over = u.View.Phase == match.Over
	if over {
		c.finishMatch(m, &u.View, lines)
	} else if len(lines) > 0 {
		c.write(lines)
	}
	return over
}

// announceOpponent sends the opponent directive: the opponent's name and rating, with a question
// mark if it is provisional or a dash if there is none, and whether the match is rated. It also sends
// the seat's resume code, if it has one.
func (c *conn) announceOpponent(m *session.Match) {
	rating := "-"
	if m.Opponent.Account != "" {
		if standing, err := c.session.OpponentStanding(c.ctx); err == nil && standing.Games > 0 {
			rating = standing.String()
		}
	}
	state := c.session.State()
	c.sendLine("%% opponent %s %s %s", m.Opponent.Name, rating, state.RatingMode.Word())
	if state.Seat.ResumeCode != "" {
		c.sendLine("%% seat %s", state.Seat.ResumeCode)
	}
}

// warnCasual tells a registered program once that it plays only casual matches because its
// fleet is not fixed before the first shot. Programs that are not registered or have asked
// for casual matches, or for an opponent who wants them, need no warning.
func (c *conn) warnCasual() {
	r := &c.request
	wantsRated := c.identity().Account != "" && r.ratingMode == lobby.Rated && !r.opponent.isCasual
	if c.warnedCasual || !c.usesDirectives || !wantsRated || r.hasFixedFleet() {
		return
	}
	c.warnedCasual = true
	c.sendLine("%% error unrated your fleet is not fixed before the first shot, so your matches are casual: " +
		"send layout before your first role to play rated ones")
}
