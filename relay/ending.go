package relay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"broadside/lobby/session"
	"broadside/match"
)

// tally counts a client's games and describes the last one.
type tally struct {
	games, won int
	// endedEarly means that the last game ended before a fleet was sunk.
	endedEarly bool
	matchID    string
	side       match.Side
	outcome    string
	reason     match.Reason
	faultSent  bool
}

// finishMatch records the end of a match. It sends the match's last lines, followed by the
// result if the client understands directives.
func (c *conn) finishMatch(m *session.Match, v *match.View, last []byte) {
	// A ready before the end does not acknowledge the end.
	c.sentReady = false
	c.setGame(nil)
	// The referee has found the client's fault.
	if v.Winner == v.Viewer.Other() && v.Reason.IsBreach() {
		c.fault = cmp.Or(c.fault, &fault{reason: v.Reason, err: breachErrors[v.Reason]})
	}
	t := &c.tally
	t.games++
	t.matchID, t.side, t.outcome, t.reason = m.ID, v.Viewer, outcomeWord(v), v.Reason
	t.endedEarly = v.Reason != match.FleetSunk
	if t.outcome == "won" {
		t.won++
	}
	if hasKeptWaiting(v) {
		c.server.waiting.recordKeptWaiting(c.ownerOrNetwork(), time.Now())
	}
	if v.Disputed[v.Viewer] {
		c.server.cfg.Log.Warn("relay client's results contradict each other",
			"remote", c.transport.location(), "match", t.matchID, "side", t.side)
	}
	if c.usesDirectives {
		if c.fault != nil {
			last = c.appendFault(last)
		}
		last = c.appendResult(last, v)
	}
	if len(last) > 0 {
		c.write(last)
	}
}

// appendResult appends the last match's result directive.
func (c *conn) appendResult(b []byte, v *match.View) []byte {
	b = fmt.Appendf(b, "%% result %s %v shots=%d", c.tally.outcome, v.Reason, v.Charts[v.Viewer].Fired)
	o := c.session.State().Outcome
	if o.Rated {
		b = fmt.Appendf(b, " rating=%.0f", o.After[v.Viewer])
		if o.Provisional[v.Viewer] {
			b = append(b, '?')
		}
	}
	if v.Disputed[v.Viewer] {
		b = append(b, " disputed"...)
	}
	return append(b, '\n')
}

func outcomeWord(v *match.View) string {
	switch v.Winner {
	case v.Viewer:
		return "won"
	case match.Nobody:
		return "void"
	}
	return "lost"
}

// appendFault appends the client's fault, unless the client was sent it before.
func (c *conn) appendFault(b []byte) []byte {
	f := c.fault
	if c.tally.faultSent || f.reason == match.Hangup {
		return b
	}
	c.tally.faultSent = true
	b = fmt.Appendf(b, "%% error %v %s", f.reason, stripUnprintable(f.err.Error()))
	if f.line != "" {
		b = fmt.Appendf(b, ": you sent %s", f.line)
	}
	return append(b, '\n')
}

// endSeries sends the end directive, and before it the reason for a refusal, to a client that
// understands directives. It logs the series' outcome.
func (c *conn) endSeries(refusal error) {
	var last []byte
	if c.fault != nil {
		last = c.appendFault(last)
	} else if refusal != nil && !errors.Is(refusal, context.Canceled) {
		c.refusal = refusal
		last = fmt.Appendf(last, "%% error refused %s\n", stripUnprintable(refusal.Error()))
	}
	if c.usesDirectives {
		last = append(last, "% end"...)
		if c.tournamentOver {
			last = append(last, " over"...)
		}
		c.write(append(last, '\n'))
	}
	c.logSeries()
}

// logSeries logs why the series ended and how many games were won. Faults and games lost by them are
// warnings.
func (c *conn) logSeries() {
	level := slog.LevelDebug
	attrs := []any{"remote", c.transport.location()}
	if c.refusal != nil {
		attrs = append(attrs, "refused", c.refusal)
	}
	f, t := c.fault, &c.tally
	if f != nil {
		attrs = append(attrs, "error", f.err)
		if f.reason != match.Hangup {
			level = slog.LevelWarn
		}
		if f.line != "" {
			attrs = append(attrs, "line", f.line)
		}
	}
	if t.games > 0 {
		attrs = append(attrs, "games", t.games, "won", t.won,
			"match", t.matchID, "side", t.side, "outcome", t.outcome, "reason", t.reason.String())
		level = max(level, slog.LevelInfo)
		if t.outcome == "lost" && t.reason >= match.Silent && t.reason != match.Hangup {
			level = slog.LevelWarn
		}
	} else if f != nil {
		attrs = append(attrs, "reason", f.reason.String())
	}
	c.server.cfg.Log.Log(c.ctx, level, "relay client done", attrs...)
}
