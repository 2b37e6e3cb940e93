package relay

import (
	"fmt"
	"strconv"

	"broadside/match"
)

// resumedMatch describes the match that a client has returned to.
type resumedMatch struct {
	sent sentMessages
	// fleetPlaced is also true if the client keeps its fleet.
	fleetPlaced bool
}

// resumeMatch returns the client to the match with the resume code in args. Without args, it gives each
// of the client's matches a resume code. A client without a match to return to is disconnected, so that
// it does not start another one.
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
	resume := c.session.ResumeProgramSeat
	if c.request.pace > 0 {
		resume = c.session.ContinueCorrespondence
	}
	events, err := resume(ctx, c.identity(), args[0])
	if err != nil {
		return "error gone " + err.Error()
	}
	state := c.session.State()
	m := state.Match
	c.setIdentity(state.Me)
	c.setGame(m)
	c.request.canResume, c.request.rules = true, m.Rules
	var clientMessages int
	c.request.resumed, clientMessages = newResumedMatch(m.Side, events, received)
	return fmt.Sprintf("ok resume %d", clientMessages)
}

// newResumedMatch returns what a client knows about its match after it has received that many lines
// about the events, and how many of the events are messages of the client.
func newResumedMatch(side match.Side, events []match.Event, received int) (_ *resumedMatch, clientMessages int) {
	r := &resumedMatch{sent: sentMessages{side: side}}
	// serverAnswers means that the server holds the client's fleet.
	serverAnswers := false
	for i := range events {
		e := &events[i]
		if e.Side == side {
			switch e.Kind {
			case match.FleetPlaced:
				r.fleetPlaced, serverAnswers = true, true
			case match.FleetKept:
				r.fleetPlaced = true
			case match.ShotFired:
				clientMessages++
			case match.ShotAnswered:
				if !serverAnswers {
					clientMessages++
				}
			}
		}
		if received > 0 && len(r.sent.appendEvent(nil, e)) > 0 {
			received--
		}
	}
	return r, clientMessages
}

// canReturn reports whether the client can return to its match on another connection. Without a
// store, no match continues after a shutdown.
func (c *conn) canReturn() bool {
	if c.game.Pace > 0 {
		return true
	}
	state := c.session.State()
	return state.Seat.ResumeCode != "" && (state.HasStore || !c.server.isShuttingDown())
}
