package relay

import (
	"fmt"
	"log/slog"
	"strings"

	"broadside/match"
	"broadside/match/live"
)

// part says to a client that understands it how everything ended, and to the
// log in any case. There is no seat if the client has not played, and no view
// if nothing is known of the match.
func (c *conn) part(seat *live.Seat, v *match.View) {
	c.mu.Lock()
	f, talks := c.fault, c.talks
	c.mu.Unlock()
	level := slog.LevelDebug
	attrs := []any{"remote", c.nc.RemoteAddr().String()}
	var said strings.Builder
	if f == nil && c.refusal != nil {
		fmt.Fprintf(&said, "%% error refused %s\n", printable(c.refusal.Error()))
		attrs = append(attrs, "refused", c.refusal)
	}
	if f != nil {
		attrs = append(attrs, "error", f.err)
		if f.reason != match.Hangup {
			level = slog.LevelWarn
			fmt.Fprintf(&said, "%% error %v %s\n", f.reason, printable(f.err.Error()))
		}
		if f.line != "" {
			attrs = append(attrs, "line", f.line)
		}
	}
	if seat != nil {
		attrs = append(attrs, "match", seat.Match().ID(), "side", seat.Side())
		level = max(level, slog.LevelInfo)
	}
	if v != nil {
		outcome := outcomeOf(v)
		attrs = append(attrs, "outcome", outcome, "reason", v.Reason.String())
		fmt.Fprintf(&said, "%% result %s %v shots=%d\n", outcome, v.Reason, v.Charts[v.Viewer].Fired)
		if outcome == "lost" && v.Reason >= match.Silent && v.Reason != match.Hangup {
			level = slog.LevelWarn
		}
	} else if f != nil {
		attrs = append(attrs, "reason", f.reason.String())
	}
	if talks {
		said.WriteString("% end\n")
		c.put([]byte(said.String()))
	}
	c.log.Log(c.ctx, level, "relay client done", attrs...)
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
