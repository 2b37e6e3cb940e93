package relay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"strings"
	"time"

	"broadside/internal/session"
	"broadside/match"
)

// Carried is a client whose bytes somebody else carries.
type Carried struct {
	In   io.ReadCloser // what it sends; closing it ends a Read that waits
	Out  io.Writer     // for what it is sent; it must bound its own time
	From string        // where it is, for the log
	Conn string        // the number of the connection that carries it
	Addr netip.Addr    // its address; zero if that is no IP address
	// Player is who it is. Without an ID it is nobody who is known.
	Player session.Player
	// Directives are carried out before it says anything, unanswered: its
	// first own directive decides whether it is sent any.
	Directives []string
}

// Series is what a carried client has played.
type Series struct{ Games, Won int }

// Carry serves a client like those that connect by themselves, until it is done
// or ctx ends. The error is a sentence for whoever runs the client, without
// capital or full stop: what is wrong with a directive, why it cannot play, or
// what it did wrong.
func (s *Server) Carry(ctx context.Context, who Carried) (Series, error) {
	c := newConn(s, carriedWire{who.In, who.Out, who.From, who.Addr})
	defer c.cancel()
	c.directives.request.player = who.Player
	if err := c.open(who.Conn); err != nil {
		return Series{}, err
	}
	defer c.session.Close()
	ready := false
	for _, line := range who.Directives {
		answer, r := c.directives.obey(parseDirective([]byte("%" + line)))
		if why, wrong := strings.CutPrefix(answer, "error "); wrong {
			_, why, _ = strings.Cut(why, " ") // without the code
			return Series{}, errors.New(why)
		}
		ready = ready || r
	}
	c.directives.mute()
	if !s.begin(c) {
		return Series{}, errFull
	}
	defer s.end(c)
	defer context.AfterFunc(ctx, c.leave)()
	if ready {
		c.enter()
	} else {
		hello := time.AfterFunc(max(0, s.cfg.HelloDelay), c.enter)
		defer hello.Stop()
	}
	c.run()
	played := Series{c.series.tally.games, c.series.tally.won}
	f := c.faults.first()
	switch {
	case ctx.Err() != nil || s.isDown():
		return played, errors.New("the connection was ended")
	case f != nil && (f.reason != match.Hangup || played.Games < c.directives.request.games):
		return played, fmt.Errorf("the series ends with game %d: %w", played.Games, f.err)
	case c.series.refused != nil:
		return played, c.series.refused
	}
	return played, nil
}

// errFull is why a client is not served.
var errFull = errors.New("the relay is full or shutting down: try again in a minute")
