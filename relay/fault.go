package relay

import (
	"bytes"
	"errors"

	"broadside/internal/sanitize"
	"broadside/internal/store"
	"broadside/match"
	"broadside/relay/client"
)

// fault is a client's breach of the protocol, or its disconnection.
type fault struct {
	reason match.Reason
	err    error
	// line is the illegal line, quoted and shortened, or empty.
	line string
}

// newFault returns the fault of a client that has caused an error of package client. line is nil
// if no line caused it.
func newFault(err error, line []byte) fault {
	return fault{reason: client.BreachReason(err), err: err, line: quoteLine(line)}
}

// errBehind is the fault of a client that has missed a message because it reads too
// slowly.
var errBehind = errors.New("the client reads too slowly and has missed a message")

// breachErrors describe the breaches that the referee finds.
var breachErrors = map[match.Reason]error{
	match.Contradiction: errors.New("no legal fleet can have given all these answers"),
	match.Silent:        errors.New("no shot or answer came in time"),
	match.BadParameters: errors.New("unknown result: expected 1 miss, 2 hit, 3 sunk or 4 last ship sunk"),
	match.BadCell:       errors.New("a cell off the board: X and Y count from 0"),
	match.OutOfTurn:     errOutOfTurn,
	match.WrongCell:     errors.New("an answer for a different cell from the one fired at"),
	match.Unread:        errBehind,
}

// maxQuoted is the maximum length of a client's quoted line. Together with the reason, it fits into one
// line.
const maxQuoted = 120

// quoteLine quotes a client's line for the log and the client. It removes tokens, even in
// lines without the % of a directive.
func quoteLine(line []byte) string {
	if len(line) == 0 {
		return ""
	}
	if before, _, found := bytes.Cut(line, []byte(store.SecretPrefix)); found {
		line = append(bytes.Clone(before), store.SecretPrefix+"..."...)
	}
	return sanitize.QuoteTruncated(string(line), maxQuoted)
}
