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

// role returns the message that assigns a side to a client.
func role(side match.Side) client.Message {
	if side == match.First {
		return client.Message{Op: client.Defend}
	}
	return client.Message{Op: client.Assault}
}

// play plays all games of the series. It returns why the client cannot continue, or nil.
func (c *conn) play() error {
	m, err := c.findFirst()
	for m != nil && err == nil {
		err = c.playMatch(m)
		if err != nil || c.tally.games == c.request.length() || c.ctx.Err() != nil || c.server.isDown() {
			break
		}
		c.sentRole = client.Message{}
		m, err = c.sitDown(c.yield(c.again(m)))
	}
	if errors.Is(err, tournament.ErrOver) {
		c.cupOver, err = true, nil
	}
	return err
}

// findFirst greets the client and finds its first match, also after recalls.
func (c *conn) findFirst() (*session.Match, error) {
	defer c.passed()
	for {
		if c.greeting {
			c.greet()
		}
		c.greeting = false
		switch {
		case c.ctx.Err() != nil:
			return nil, nil
		case len(c.unknown) > 0:
			return nil, account.ErrStore
		}
		p := c.seek()
		c.passed()
		c.warn()
		m, err := c.sitDown(c.yield(p))
		if !errors.Is(err, errRecalled) {
			return m, err
		}
	}
}

// playMatch plays one match to the end. It returns an error if the result is unknown.
func (c *conn) playMatch(m *session.Match) error {
	c.setGame(m)
	r := c.request.resumed
	if r == nil || c.tally.games > 0 {
		r = &resumed{sent: sentState{side: m.Side}}
		c.warn()
		if c.directing {
			c.announce(m)
		}
	}
	if !r.prepared {
		if err := c.prepare(m.Rules); err != nil {
			return err
		}
	}
	c.sent = r.sent
	return c.forward(m)
}

// resign forfeits the match of a connection that ends, or aborts it if the server is
// shutting down.
func (c *conn) resign() {
	// Both fail if the match has ended.
	if c.server.isDown() {
		c.session.Abort()
		return
	}
	c.session.Forfeit(match.Hangup)
}

// forward sends the opponent's moves until the match ends. When the connection ends, it resigns and waits
// for the end of the match, unless the client may return.
func (c *conn) forward(m *session.Match) error {
	ctx := c.ctx
	for {
		news, err := c.next(ctx)
		switch {
		case err != nil && (ctx != c.ctx || c.mayReturn()):
			return err
		case err != nil:
			c.resign()
			ctx = c.server.ctx
		case news.Kind == session.MatchLost:
			return news.Err
		case news.Kind == session.MatchChanged && c.forwardUpdate(m, news.Match):
			return nil
		}
	}
}

// forwardUpdate sends the lines of an update. It reports whether the match is over.
func (c *conn) forwardUpdate(m *session.Match, u *live.Update) (over bool) {
	lines, ok := c.sent.appendUpdate(nil, &c.request, u)
	if !ok { // only a client that does not read can miss so much
		c.cut(match.Unread, errBehind)
	}
	over = u.View.Phase == match.Over
	if over {
		c.score(m, &u.View, lines)
	} else if len(lines) > 0 {
		c.write(lines)
	}
	return over
}

// announce sends the opponent directive: the opponent's name and rating, with a question
// mark if it is provisional or a dash if there is none, and whether the match is rated. It also sends
// the seat's resume code, if it has one.
func (c *conn) announce(m *session.Match) {
	rating := "-"
	if m.Opponent.Account != "" {
		if standing, err := c.session.OpponentStanding(c.ctx); err == nil && standing.Games > 0 {
			rating = standing.String()
		}
	}
	state := c.session.State()
	c.sendLine("%% opponent %s %s %s", m.Opponent.Name, rating, state.Stakes.Word())
	code := state.Seat.Code
	if code != "" {
		c.sendLine("%% seat %s", code)
	}
}

// warn tells a registered program once that it plays only casual matches because its
// fleet is not fixed before the first shot. Programs that are not registered or have asked
// for casual matches, or for an opponent who wants them, need no warning.
func (c *conn) warn() {
	w := &c.request
	if c.warned || w.fixed() || c.identity().Account == "" || w.choice != lobby.Rated || w.vs.casual || !c.directing {
		return
	}
	c.warned = true
	c.sendLine("%% error unrated your fleet is not fixed before the first shot, so your matches are casual: " +
		"send layout before your first role to play rated ones")
}
