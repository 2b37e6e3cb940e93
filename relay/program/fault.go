package program

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"broadside/match"
	"broadside/relay/client"
)

// Kind is the way in which a program fails.
type Kind string

// The kinds of faults.
const (
	Start   Kind = "start"   // it cannot be started, or does not connect
	Crash   Kind = "crash"   // it ended, or closed its connection, during a game
	Hang    Kind = "hang"    // it did not respond in time
	Garbage Kind = "garbage" // it sent something other than the messages that were due
	Flood   Kind = "flood"   // it wrote too much to standard error
)

// Fault is why a program loses a game.
type Fault struct {
	Kind   Kind // empty: it broke a rule of the game
	Reason match.Reason
	Err    error  // one line, safe to show
	Stderr string // the end of its standard error, unchanged
}

// Error implements error.
func (f *Fault) Error() string {
	if f.Kind == "" {
		return f.Err.Error()
	}
	return fmt.Sprintf("%s: %v", f.Kind, f.Err)
}

// Unwrap returns the cause.
func (f *Fault) Unwrap() error { return f.Err }

// ErrUnread is the error of a program that does not read what it is sent.
var ErrUnread = errors.New("it does not read what it is sent")

// exitTime is how long a program that has closed its connection may take to end.
const exitTime = time.Second

// Fail stops the program and returns why it failed. err is an error of [Program.StartGame],
// [Program.AwaitReady], [Program.Receive], [Program.Expect] or [Program.Send].
func (p *Program) Fail(err error) *Fault {
	f := &Fault{Kind: Garbage, Reason: client.BreachReason(err), Err: err}
	x := p.currentProcess()
	switch started := (*Fault)(nil); {
	case errors.As(err, &started):
		f.Kind, f.Reason, f.Err = started.Kind, started.Reason, started.Err
	case x != nil && x.stderr.hasFlooded():
		f.Kind, f.Err = Flood, fmt.Errorf("it wrote more than %d KiB to standard error without an answer", maxFlood>>10)
	case errors.Is(err, ErrUnread):
		f.Kind, f.Reason = Hang, match.Unread
	case errors.Is(err, os.ErrDeadlineExceeded):
		f.Kind, f.Reason, f.Err = Hang, match.Silent, errors.New("it did not respond in time")
	case errors.Is(err, ErrNoSalvo):
		f.Reason = match.Silent
	case f.Reason == match.Hangup:
		f.Kind, f.Err = Crash, fmt.Errorf("it closed the connection: %w", err)
		if x != nil && !errors.Is(err, context.Canceled) && x.waitExit(exitTime) {
			f.Err = fmt.Errorf("it ended during the game: %w", x.exitError())
		}
	}
	p.Stop()
	if x != nil {
		f.Stderr = x.stderr.text()
	}
	return f
}
