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

// StreamClient is a client on a stream of another connection, such as an SSH session.
type StreamClient struct {
	// In is what the client sends. Its Close must end a blocked Read.
	In io.ReadCloser
	// Out is what the client receives. Its Write must have a time limit.
	Out io.Writer
	// Location says in the log where the client is.
	Location string
	// Conn identifies the other connection for operators.
	Conn string
	// Addr is the client's address. It is zero if that is not an IP address.
	Addr netip.Addr
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

// Series counts the games that a stream client has played and won.
type Series struct{ Games, Won int }

// ServeStream serves a client in the same way as a TCP client. It blocks until the client is done or
// ctx ends. The error is a sentence for the client's owner, without capital or full stop: a
// refused directive, why there is no opponent, or the client's own fault.
func (s *Server) ServeStream(ctx context.Context, from StreamClient) (Series, error) {
	c := newConn(s, &streamTransport{from.In, from.Out, from})
	defer c.leave()
	from.Player.Kind = account.Program
	c.setIdentity(from.Player)
	if err := c.openSession(from.Conn); err != nil {
		return Series{}, err
	}
	defer c.session.Close()
	if from.Ready {
		c.helloTime = readyTime
	}
	if err := c.applyInitialDirectives(from.Directives); err != nil {
		return Series{}, err
	}
	if !s.register(c) {
		return Series{}, errFull
	}
	defer s.unregister(c)
	defer context.AfterFunc(ctx, c.leave)()
	c.run()
	played := Series{Games: c.tally.games, Won: c.tally.won}
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

// applyInitialDirectives carries out directives that the client has not sent itself.
func (c *conn) applyInitialDirectives(directives []string) error {
	isReady := false
	for _, line := range directives {
		answer, enters, _ := c.applyDirective(client.ParseDirective([]byte("%" + line)))
		if problem, refused := strings.CutPrefix(answer, "error "); refused {
			_, problem, _ = strings.Cut(problem, " ")
			return errors.New(problem)
		}
		isReady = isReady || enters
	}
	c.acceptsDirectives = !isReady
	// The client gets no directives until it sends one itself.
	c.usesDirectives = false
	return nil
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

// errFull means that there is no room for a stream client.
var errFull = errors.New("the relay is full or shutting down: try again in a minute")
