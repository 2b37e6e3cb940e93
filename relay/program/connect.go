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

// awaitConnection waits for the program's connection for the next game. It starts the program unless it
// is still running or started by the user.
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
		if err == nil {
			if x != nil {
				x.connected = true
			}
			return nc, nil
		}
		hasEnded := x != nil && x.hasEnded()
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case !errors.Is(err, os.ErrDeadlineExceeded):
			return nil, err
		case hasEnded && !x.connected:
			err := fmt.Errorf("the program ended without connecting: %w", x.exitError())
			return nil, &Fault{Kind: Start, Reason: match.Hangup, Err: err}
		case !hasEnded && time.Now().After(deadline):
			err := fmt.Errorf("the program did not connect within %v", p.cfg.Connect)
			return nil, &Fault{Kind: Start, Reason: match.Silent, Err: err}
		}
	}
}

// startWithListener starts a process that connects to the program's listener.
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

// accept waits for one connection. It fails at the deadline, if there is one, or when ctx or the process
// ends.
func (p *Program) accept(ctx context.Context, x *process, deadline time.Time) (*net.TCPConn, error) {
	if err := p.listener.SetDeadline(deadline); err != nil {
		return nil, err
	}
	// SetDeadline fails only if the listener is closed.
	wake := func() { p.listener.SetDeadline(time.Unix(1, 0)) }
	defer context.AfterFunc(ctx, wake)()
	if x != nil {
		defer context.AfterFunc(x.running, wake)()
	}
	return p.listener.AcceptTCP()
}
