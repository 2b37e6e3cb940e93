package relay

import (
	"bytes"
	"errors"
	"fmt"
	"sync"

	"broadside/internal/session"
	"broadside/match"
)

// fault is what a client has done wrong, its going away included.
type fault struct {
	reason match.Reason
	err    error
	line   string // the line that was wrong, quoted and cut; or empty
}

// errBehind is what is wrong with a client that has missed a message.
var errBehind = errors.New("it is too far behind in its reading")

// breaches says, for each breach that the referee finds, what the client did wrong.
var breaches = map[match.Reason]error{
	match.Contradiction: errors.New("no legal fleet can have given all these answers"),
	match.Silent:        errors.New("no shot or answer came in time"),
	match.BadParameters: errors.New("there is no such result: expected 1 water, 2 hit, 3 sunk or 4 last ship sunk"),
	match.BadCell:       errors.New("a cell off the board: X and Y count from 0"),
	match.OutOfTurn:     errOutOfTurn,
	match.WrongCell:     errors.New("an answer for another cell than the one shot at"),
	match.Unread:        errBehind,
	match.Unrevealed:    errors.New("the fleet that was committed to has not been revealed"),
	match.OtherFleet:    errors.New("the text of the revealed salt and fleet does not have the SHA-256 that was committed to"),
	match.FalseAnswer:   errors.New("the revealed fleet does not give all the answers that were given"),
}

// maxLogged is how much of a client's line goes into the log, in bytes.
const maxLogged = 40

// faults notes the first thing that a client did wrong. Its methods may be called
// from any goroutine.
type faults struct {
	mu   sync.Mutex
	only *fault // guarded by mu: the first one, or nil
}

// blame notes a fault, unless there was one before, and returns the one that
// counts.
func (f *faults) blame(another fault) *fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.only == nil {
		f.only = &another
	}
	return f.only
}

// first returns the fault that counts, or nil.
func (f *faults) first() *fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.only
}

// breach returns the reason for the loss that follows from an error of reading or of
// a line.
func breach(err error) match.Reason {
	switch {
	case errors.Is(err, ErrOpcode):
		return match.BadOpcode
	case errors.Is(err, ErrParameters):
		return match.BadParameters
	case errors.Is(err, ErrTooLong):
		return match.LineTooLong
	case errors.Is(err, ErrMalformed):
		return match.Malformed
	case errors.Is(err, errOutOfTurn):
		return match.OutOfTurn
	}
	return match.Hangup
}

// quote makes a foreign line fit for a log. It leaves out tokens, which may come
// without the % of a directive.
func quote(line []byte) string {
	if len(line) == 0 {
		return ""
	}
	if before, _, found := bytes.Cut(line, []byte(session.TokenPrefix)); found {
		line = append(bytes.Clone(before), session.TokenPrefix+"…"...)
	}
	return fmt.Sprintf("%.*q", maxLogged, line)
}
