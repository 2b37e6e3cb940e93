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
	// Start means that the program did not start or did not connect.
	Start Kind = "start"
	// Crash means that the program ended, or closed its connection, during a game.
	Crash Kind = "crash"
	// Hang means that the program did not respond in time.
	Hang Kind = "hang"
	// Garbage means that the program sent something other than the messages that were due.
	Garbage Kind = "garbage"
	// Flood means that the program wrote too much to standard error.
	Flood Kind = "flood"
)

// Fault is why a program loses a game.
type Fault struct {
	// Kind is empty if the program broke a rule of the game.
	Kind   Kind
	Reason match.Reason
	// Err is one line that is safe to show.
	Err error
	// Stderr is the end of the program's standard error, unchanged.
	Stderr string
}

// Error returns the fault's kind and cause.
func (f *Fault) Error() string {
	if f.Kind == "" {
		return f.Err.Error()
	}
	return fmt.Sprintf("%s: %v", f.Kind, f.Err)
}

// Unwrap returns the cause.
func (f *Fault) Unwrap() error { return f.Err }

// ErrUnread is the error of a program that does not read its input in time.
var ErrUnread = errors.New("the program does not read its input")

// exitTime is how long a program that has closed its connection may take to end.
const exitTime = time.Second

// Fail stops the program and returns the fault that err shows. err is an error of
// [Program.StartGame], [Program.AwaitReady], [Program.Receive], [Program.Expect] or [Program.Send].
func (p *Program) Fail(err error) *Fault {
	f := &Fault{Kind: Garbage, Reason: client.BreachReason(err), Err: err}
	x := p.currentProcess()
	switch started := (*Fault)(nil); {
	case errors.As(err, &started):
		f.Kind, f.Reason, f.Err = started.Kind, started.Reason, started.Err
	case x != nil && x.stderr.hasFlooded():
		f.Kind, f.Err = Flood, fmt.Errorf("the program wrote more than %d KiB to standard error without an answer", maxFlood>>10)
	case errors.Is(err, ErrUnread):
		f.Kind, f.Reason = Hang, match.Unread
	case errors.Is(err, os.ErrDeadlineExceeded):
		f.Kind, f.Reason, f.Err = Hang, match.Silent, errors.New("the program did not respond in time")
	case errors.Is(err, ErrNoSalvo):
		f.Reason = match.Silent
	case f.Reason == match.Hangup:
		f.Kind, f.Err = Crash, fmt.Errorf("the program closed the connection: %w", err)
		if x != nil && !errors.Is(err, context.Canceled) && x.waitExit(exitTime) {
			f.Err = fmt.Errorf("the program ended during the game: %w", x.exitError())
		}
	}
	p.Stop()
	if x != nil {
		f.Stderr = x.stderr.text()
	}
	return f
}
