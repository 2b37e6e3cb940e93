package program

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"broadside/match"
)

// awaitConnection returns the program's connection for the next game. It starts the program, if that is not
// up to the user, unless it is still running.
func (p *Program) awaitConnection(ctx context.Context) (*net.TCPConn, error) {
	for {
		x := p.currentProcess()
		if len(p.cfg.Words) > 0 && (x == nil || x.hasEnded()) {
			var err error
			if x, err = p.startWithListener(); err != nil {
				return nil, newStartFault(err)
			}
		}
		var deadline time.Time
		if x != nil || p.currentStream() != nil {
			deadline = time.Now().Add(p.cfg.Connect)
		}
		nc, err := p.accept(ctx, x, deadline)
		switch {
		case err == nil:
			if x != nil {
				x.connected = true
			}
			return nc, nil
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case !errors.Is(err, os.ErrDeadlineExceeded):
			return nil, err
		case x != nil && x.hasEnded() && !x.connected:
			err := fmt.Errorf("it ended without connecting: %w", x.exitError())
			return nil, &Fault{Kind: Start, Reason: match.Hangup, Err: err}
		case x != nil && x.hasEnded(): // after its last game
		case time.Now().After(deadline):
			err := fmt.Errorf("it does not connect within %v", p.cfg.Connect)
			return nil, &Fault{Kind: Start, Reason: match.Silent, Err: err}
		}
	}
}

// startWithListener starts the process of a program that connects.
func (p *Program) startWithListener() (*process, error) {
	if p.cfg.Listener == nil {
		// A connection of an earlier process must not be taken for one of this process.
		if p.listener != nil {
			p.listener.Close()
		}
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		p.listener = l.(*net.TCPListener)
	}
	address := p.listener.Addr()
	x, err := startProcess(p.newCommand(fillAddress(p.cfg.Words, address), "BROADSIDE_RELAY="+address.String()))
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.process = x
	return x, nil
}

// accept accepts one connection. It fails at the deadline, if there is one, or when ctx or the process
// ends.
func (p *Program) accept(ctx context.Context, x *process, deadline time.Time) (*net.TCPConn, error) {
	if err := p.listener.SetDeadline(deadline); err != nil {
		return nil, err
	}
	wake := func() { p.listener.SetDeadline(time.Unix(1, 0)) } // fails only if the listener is closed
	defer context.AfterFunc(ctx, wake)()
	if x != nil {
		defer context.AfterFunc(x.running, wake)()
	}
	return p.listener.AcceptTCP()
}
