package relay

import (
	"fmt"
	"log/slog"
	"time"

	"broadside/internal/session"
	"broadside/match"
)

// tally is how a client's games have gone.
type tally struct {
	games, won int
	short      bool // the last one ended before a fleet was sunk
	match      string
	side       match.Side
	outcome    string
	reason     match.Reason
	told       bool // the client knows of its fault
}

// score notes how a match has ended and says it to a client that understands
// it, after the last lines of the match itself.
func (c *conn) score(m *session.Match, v *match.View, last []byte) {
	select {
	case <-c.hasReadied(): // said before, so not about what follows
	default:
	}
	c.acting.Lock()
	c.mu.Lock()
	c.playing, c.between, c.awaited = nil, true, false
	if v.Winner == v.Viewer.Other() && v.Reason.Breach() && c.fault == nil { // the referee has found it
		c.fault = &fault{reason: v.Reason, err: breaches[v.Reason]}
	}
	talks, f := c.talks, c.fault
	c.mu.Unlock()
	c.acting.Unlock()
	t := &c.tally
	t.games++
	t.match, t.side, t.outcome, t.reason = m.ID, v.Viewer, outcomeOf(v), v.Reason
	t.short = v.Reason != match.FleetSunk
	if keptWaiting(v) {
		c.server.waits.blame(c.origin(), time.Now())
	}
	disputed := v.Disputed[v.Viewer]
	if disputed {
		where, _ := c.wire.where()
		c.log.Warn("relay client's answers cannot all be true", "remote", where, "match", t.match, "side", t.side)
	}
	if t.outcome == "won" {
		t.won++
	}
	if talks {
		if f != nil {
			last = c.appendFault(last, f)
		}
		last = fmt.Appendf(last, "%% result %s %v shots=%d", t.outcome, v.Reason, v.Charts[v.Viewer].Fired)
		if o := c.session.State().Outcome; o.Rated {
			last = fmt.Appendf(last, " rating=%.0f", o.After[v.Viewer])
			if o.Provisional[v.Viewer] {
				last = append(last, '?')
			}
		}
		if disputed {
			last = append(last, " disputed"...)
		}
		last = append(last, '\n')
	}
	if len(last) > 0 {
		c.put(last)
	}
}

func outcomeOf(v *match.View) string {
	switch v.Winner {
	case v.Viewer:
		return "won"
	case match.Nobody:
		return "void"
	}
	return "lost"
}

// appendFault appends what the client is told of its fault.
func (c *conn) appendFault(b []byte, f *fault) []byte {
	if c.tally.told || f.reason == match.Hangup {
		return b
	}
	c.tally.told = true
	return fmt.Appendf(b, "%% error %v %s\n", f.reason, printable(f.err.Error()))
}

// part says to a client that understands it that this is the end, and why if
// it was refused, and to the log in any case how everything went.
func (c *conn) part(refusal error) {
	c.mu.Lock()
	f, talks := c.fault, c.talks
	c.mu.Unlock()
	t := &c.tally
	level := slog.LevelDebug
	where, _ := c.wire.where()
	attrs := []any{"remote", where}
	var said []byte
	if f == nil && refusal != nil {
		c.refused = refusal
		said = fmt.Appendf(said, "%% error refused %s\n", printable(refusal.Error()))
		attrs = append(attrs, "refused", refusal)
	}
	if f != nil {
		said = c.appendFault(said, f)
		attrs = append(attrs, "error", f.err)
		if f.reason != match.Hangup {
			level = slog.LevelWarn
		}
		if f.line != "" {
			attrs = append(attrs, "line", f.line)
		}
	}
	if t.games > 0 {
		attrs = append(attrs, "games", t.games, "won", t.won, "match", t.match, "side", t.side, "outcome", t.outcome, "reason", t.reason.String())
		level = max(level, slog.LevelInfo)
		if t.outcome == "lost" && t.reason >= match.Silent && t.reason != match.Hangup {
			level = slog.LevelWarn
		}
	} else if f != nil {
		attrs = append(attrs, "reason", f.reason.String())
	}
	if talks {
		c.put(append(said, "% end\n"...))
	}
	c.log.Log(c.ctx, level, "relay client done", attrs...)
}
