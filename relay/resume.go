package relay

import (
	"fmt"
	"strconv"

	"broadside/match"
)

// resumedMatch describes the match that a client has returned to.
type resumedMatch struct {
	sent        sentMessages // what the client has received
	fleetPlaced bool         // the client's fleet is placed or kept
}

// resumeMatch says that the client returns after a lost connection, so that each of its matches has a
// resume code; or it returns the client to the match with such a code. A client without a match to
// return to is disconnected, so that it does not begin another one.
func (c *conn) resumeMatch(args []string) string {
	if len(args) == 0 {
		c.request.canResume = true
		return "ok resume"
	}
	received := -1
	if len(args) == 2 {
		if n, err := strconv.Atoi(args[1]); err == nil {
			received = n
		}
	}
	if received < 0 {
		return "error resume say resume, or resume, the code of your seat and how many lines you have received since your role"
	}
	ctx, cancel := c.lookupContext()
	defer cancel()
	events, err := c.session.ResumeProgramSeat(ctx, c.identity(), args[0])
	if err != nil {
		return "error gone " + err.Error()
	}
	state := c.session.State()
	m := state.Match
	r, own := newResumedMatch(m.Side, events, received)
	c.setIdentity(state.Me)
	c.setGame(m) // the client may act at once
	c.request.canResume, c.request.resumed, c.request.rules = true, r, m.Rules
	return fmt.Sprintf("ok resume %d", own)
}

// newResumedMatch returns what a client knows that has received the first lines about the events of its
// match, and how many messages of the client are among the events.
func newResumedMatch(side match.Side, events []match.Event, received int) (_ *resumedMatch, own int) {
	r := &resumedMatch{sent: sentMessages{side: side}}
	held := false // by the server, which answers for the client
	for i := range events {
		e := &events[i]
		if e.Side == side {
			switch e.Kind {
			case match.FleetPlaced:
				r.fleetPlaced, held = true, true
			case match.FleetKept:
				r.fleetPlaced = true
			case match.ShotFired:
				own++
			case match.ShotAnswered:
				if !held {
					own++
				}
			}
		}
		if received > 0 && len(r.sent.appendEvent(nil, e)) > 0 {
			received--
		}
	}
	return r, own
}

// canReturn reports whether the client can return to its match on another connection. Without a
// store, no match continues after a shutdown.
func (c *conn) canReturn() bool {
	state := c.session.State()
	return state.Seat.Code != "" && (state.HasStore || !c.server.isShuttingDown())
}
