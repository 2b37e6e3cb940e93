package program

import (
	"errors"
	"fmt"
	"os"

	"broadside/match"
	"broadside/relay"
)

// Kind is the way in which a program fails.
type Kind string

// The kinds of failures.
const (
	Start   Kind = "start"   // it cannot be started
	Crash   Kind = "crash"   // it exited during a game
	Hang    Kind = "hang"    // it did not respond in time
	Garbage Kind = "garbage" // standard output has something other than messages
	Flood   Kind = "flood"   // it wrote too much to standard error
)

// Failure is the error of a program that failed.
type Failure struct {
	Kind   Kind
	Err    error  // one line, safe to show
	Stderr string // the end of its standard error, unchanged
}

// Error implements error.
func (f *Failure) Error() string { return fmt.Sprintf("%s: %v", f.Kind, f.Err) }

// Unwrap returns the cause.
func (f *Failure) Unwrap() error { return f.Err }

// Fail ends the process and returns why the program failed. Err is an error of the
// connection, or of a line that the program has sent.
func (p *Program) Fail(err error) *Failure {
	p.Stop()
	x := p.current()
	if x == nil {
		return &Failure{Kind: Start, Err: err}
	}
	f := &Failure{Kind: Crash, Stderr: x.Stderr()}
	switch {
	case x.Flooded():
		f.Kind, f.Err = Flood, fmt.Errorf("it wrote more than %d KiB to standard error without an answer", floodLimit>>10)
	case errors.Is(err, os.ErrDeadlineExceeded):
		f.Kind, f.Err = Hang, errors.New("it did not respond in time")
	case relay.Breach(err) != match.Hangup:
		f.Kind, f.Err = Garbage, err
	default:
		f.Err = fmt.Errorf("it ended during the game: %w", x.Last())
	}
	return f
}
