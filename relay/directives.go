package relay

import (
	"context"
	"errors"
	"strings"
	"time"

	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/relay/client"
	"broadside/relay/program"
)

// directiveTable lists the directives. To add one, add a line here and its function, a line in
// package program, and describe it in docs/protocol.md.
var directiveTable = []directiveEntry{
	{verb: "hello", apply: (*conn).setName},
	{verb: "token", apply: (*conn).authenticate},
	{verb: "rules", apply: (*conn).setRules, essential: true},
	{verb: "pace", apply: (*conn).setPace, essential: true},
	{verb: "vs", apply: (*conn).setOpponent, essential: true, enters: true},
	{verb: "ladder", apply: (*conn).joinLadder, essential: true, enters: true},
	{verb: "layout", apply: (*conn).setLayout},
	{verb: "resume", apply: (*conn).resumeMatch, essential: true},
	{verb: "games", apply: (*conn).setSeriesLength},
	{verb: "rated", apply: (*conn).chooseRated},
	{verb: "casual", apply: (*conn).chooseCasual},
	{verb: "ready", apply: (*conn).setReady, anytime: true, enters: true},
}

// directiveEntry is a line of the table.
type directiveEntry struct {
	verb string
	// apply returns the answer, which starts with ok or error.
	apply func(c *conn, args []string) (answer string)
	// anytime allows the directive after the first role as well.
	anytime bool
	// enters lets the client into the lobby immediately.
	enters bool
	// essential means that a refusal ends the connection, because the client would get another game
	// than it asked for.
	essential bool
}

// awaitReady handles directives until the client is ready, or its time for directives is over and
// the client that connected before it has entered the lobby.
func (c *conn) awaitReady() {
	timer := time.NewTimer(c.helloTime)
	defer timer.Stop()
	// turn is nil while there is time for directives.
	var turn <-chan struct{}
	for ready := false; ; {
		select {
		case <-timer.C:
			if c.turn == nil {
				return
			}
			turn = c.turn
		case <-turn:
			return
		case l := <-c.lines:
			// Directives that arrive together are carried out together, so their order does not matter.
			ready = c.handleLine(l) || ready
			if ready && !l.hasMore {
				return
			}
		case <-c.ctx.Done():
			return
		}
	}
}

// handleDirective carries out a directive and sends the answer. It reports whether the client may enter
// the lobby.
func (c *conn) handleDirective(d client.Directive) (enters bool) {
	// The directive's lookups must not delay others.
	c.letNextEnter()
	answer, enters, ends := c.applyDirective(d)
	c.sendLine("%% %s", answer)
	if ends {
		c.leave()
	}
	return enters
}

// applyDirective carries out a directive. It returns the answer, and whether the client may enter the
// lobby or must leave the server.
func (c *conn) applyDirective(d client.Directive) (answer string, enters, ends bool) {
	c.usesDirectives = true
	for _, e := range directiveTable {
		if e.verb != d.Verb {
			continue
		}
		if !e.anytime && !c.acceptsDirectives && !c.leaveLobby() {
			return program.LateDirective(d.Verb), false, false
		}
		answer := e.apply(c, d.Args)
		granted := strings.HasPrefix(answer, "ok ")
		return answer, e.enters && granted, e.essential && !granted || c.wrongTokens >= maxWrongTokens
	}
	return program.UnknownDirective, false, false
}

// errLeftLobby means that the client has left the lobby because it has sent a directive.
var errLeftLobby = errors.New("the client left the lobby to change its request")

// leaveLobby takes a client that entered without the hello delay out of the lobby, until it has sent
// its directives. It returns false if the client already has an opponent.
func (c *conn) leaveLobby() bool {
	if !c.isQuiet || c.game != nil || c.tally.games > 0 {
		return false
	}
	c.helloTime = max(0, c.server.cfg.HelloDelay)
	cancelled, err := c.session.CancelOffer()
	// The client has no offer because it lets others go first.
	hasYielded := errors.Is(err, session.ErrNoOffer) && c.session.State().Match == nil
	c.acceptsDirectives = cancelled || hasYielded
	return c.acceptsDirectives
}

// setReady records that the client is ready. Before its first game, this means that it has sent all
// its directives, and later that it has read the end of the last game.
func (c *conn) setReady([]string) string {
	c.sentReady = true
	return "ok ready"
}

// lookupTime limits the database lookup of a directive.
const lookupTime = 5 * time.Second

func (c *conn) lookupContext() (context.Context, context.CancelFunc) {
	return context.WithTimeout(c.ctx, lookupTime)
}

// recordLookup records whether a directive's lookup failed, and returns the error for the client. The
// client does not play under another identity than the one that it has asked for.
func (c *conn) recordLookup(verb string, err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		err = account.ErrStore
	}
	if errors.Is(err, account.ErrStore) {
		c.failedLookups[verb] = true
	} else {
		delete(c.failedLookups, verb)
	}
	return err
}
