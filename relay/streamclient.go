package relay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"strings"
	"time"

	"broadside/lobby/account"
	"broadside/match"
	"broadside/relay/client"
)

// StreamClient is a client that another connection, such as an SSH session, carries.
type StreamClient struct {
	In       io.ReadCloser // what the client sends; Close ends a blocked Read
	Out      io.Writer     // what the client receives; Write must have a time limit
	Location string        // the client's location, for the log
	Conn     string        // identifies the carrying connection, for operators
	Addr     netip.Addr    // the client's address; zero if it is not an IP address
	// Player is the client's identity. Without an ID it is anonymous.
	Player account.Player
	// Directives are carried out first and are not answered. The client gets directives
	// only once it has sent one itself.
	Directives []string
	// Ready means that the client sends further directives and then ready. It gets its role
	// after ready, or after 30 seconds.
	Ready bool
}

// readyTime is the time limit for a client that has promised to send ready.
const readyTime = 30 * time.Second

// Series counts the games that a carried client has played and won.
type Series struct{ Games, Won int }

// ServeStream serves a client in the same way as a TCP client, until it is done or ctx ends.
// The error is a sentence for the owner of the client, without capital or full stop: a
// refused directive, why there is no opponent, or the client's own mistake.
func (s *Server) ServeStream(ctx context.Context, who StreamClient) (Series, error) {
	c := newConn(s, streamTransport{who.In, who.Out, who.Location, who.Addr})
	defer c.leave()
	who.Player.Kind = account.Program
	c.setIdentity(who.Player)
	if err := c.openSession(who.Conn); err != nil {
		return Series{}, err
	}
	defer c.session.Close()
	if who.Ready {
		c.helloTime = readyTime
	}
	ready := false
	for _, line := range who.Directives {
		answer, enters, _ := c.applyDirective(client.ParseDirective([]byte("%" + line)))
		why, wrong := strings.CutPrefix(answer, "error ")
		if wrong {
			_, why, _ = strings.Cut(why, " ") // without the code
			return Series{}, errors.New(why)
		}
		ready = ready || enters
	}
	c.greeting = !ready
	c.usesDirectives = false // until it sends one itself
	if !s.register(c) {
		return Series{}, errFull
	}
	defer s.unregister(c)
	defer context.AfterFunc(ctx, c.leave)()
	c.run()
	played := Series{c.tally.games, c.tally.won}
	f := c.fault
	switch {
	case ctx.Err() != nil || s.isShuttingDown():
		return played, errors.New("the connection was ended")
	case f != nil && (f.reason != match.Hangup || played.Games < c.request.seriesLength()):
		return played, earlyEndError(played.Games, f)
	case c.refusal != nil:
		return played, c.refusal
	}
	return played, nil
}

// earlyEndError returns the error of a series that its client ended early.
func earlyEndError(games int, f *fault) error {
	switch {
	case f.reason != match.Hangup:
		return fmt.Errorf("the series ends with game %d: %w", games, f.err)
	case games == 0:
		return errors.New("the program left before its first game")
	}
	return fmt.Errorf("the series ends with game %d: the program left", games)
}

// errFull is returned by [Server.ServeStream] if there is no room for the client.
var errFull = errors.New("the relay is full or shutting down: try again in a minute")
