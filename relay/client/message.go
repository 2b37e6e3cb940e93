package client

import (
	"errors"
	"fmt"
	"strconv"

	"broadside/match"
)

// Op is a message's opcode.
type Op uint8

// The opcodes. The server sends the last three.
const (
	// Attack fires at the cell X, Y.
	Attack Op = 1
	// Result answers the attack on X, Y.
	Result Op = 2
	// Defend tells the client that it defends first.
	Defend Op = 3
	// Assault tells the client that it attacks first.
	Assault Op = 4
	// Start tells the client that the match starts.
	Start Op = 5
)

// parameterCounts has the number of parameters of each opcode.
var parameterCounts = [...]int{Attack: 2, Result: 3, Defend: 0, Assault: 0, Start: 0}

// Message is one command of the protocol.
type Message struct {
	Op Op
	// Cell is set in an Attack or a Result, and may be off the board.
	Cell match.Cell
	// Result is set in a Result, and may be invalid.
	Result match.Result
}

// Append appends the message with its line ending.
func (m Message) Append(b []byte) []byte {
	b = append(b, '(', '0'+byte(m.Op), ',', '[')
	if parameterCounts[m.Op] > 0 {
		b = strconv.AppendInt(b, int64(m.Cell.X), 10)
		b = append(b, ',')
		b = strconv.AppendInt(b, int64(m.Cell.Y), 10)
	}
	if m.Op == Result {
		b = append(b, ',', '0'+byte(m.Result))
	}
	return append(b, "]).\n"...)
}

// String returns the message without its line ending.
func (m Message) String() string {
	b := m.Append(nil)
	return string(b[:len(b)-1])
}

// The errors of [Parse] and [Lines.Next].
var (
	ErrMalformed  = errors.New("not a command: expected (OPCODE,[P1,P2,...]) and a full stop")
	ErrOpcode     = errors.New("unknown opcode: expected 1 to 5")
	ErrParameters = errors.New("wrong number of parameters")
	ErrTooLong    = fmt.Errorf("a line of more than %d bytes", maxLine)
)

// ErrOutOfTurn is the error of a message that cannot come now.
var ErrOutOfTurn = errors.New("a message out of turn")

// BreachReason returns why a client loses that has caused an error of this package. It is
// [match.Hangup] for other errors, such as those of a connection.
func BreachReason(err error) match.Reason {
	switch {
	case errors.Is(err, ErrOpcode):
		return match.BadOpcode
	case errors.Is(err, ErrParameters):
		return match.BadParameters
	case errors.Is(err, ErrTooLong):
		return match.LineTooLong
	case errors.Is(err, ErrMalformed):
		return match.Malformed
	case errors.Is(err, ErrOutOfTurn):
		return match.OutOfTurn
	}
	return match.Hangup
}

// Parse parses one line without its line ending. White space is allowed between tokens. It
// checks neither whether the cell is on the board nor whether the result is valid.
func Parse(line []byte) (Message, error) {
	s := scanner(line)
	var values [1 + maxParameters]int
	count := 0
	if !s.consume('(') || !s.consumeNumber(&values[0]) || !s.consume(',') || !s.consume('[') {
		return Message{}, ErrMalformed
	}
	for !s.consume(']') {
		if count > 0 && !s.consume(',') {
			return Message{}, ErrMalformed
		}
		count++
		if !s.consumeNumber(&values[min(count, maxParameters)]) {
			return Message{}, ErrMalformed
		}
	}
	if !s.consume(')') || !s.consume('.') || !s.isAtEnd() {
		return Message{}, ErrMalformed
	}
	op := values[0]
	if op < int(Attack) || op > int(Start) {
		return Message{}, ErrOpcode
	}
	if count != parameterCounts[op] {
		return Message{}, ErrParameters
	}
	m := Message{Op: Op(op)}
	if count >= 2 {
		m.Cell = match.NewCell(values[1], values[2])
	}
	if count == 3 && values[3] <= int(match.LastSunk) {
		m.Result = match.Result(max(0, values[3]))
	}
	return m, nil
}

const maxParameters = 3

// scanner is the rest of a line, from whose front tokens are consumed.
type scanner []byte

func (s *scanner) skipBlanks() {
	for len(*s) > 0 && ((*s)[0] == ' ' || (*s)[0] == '\t') {
		*s = (*s)[1:]
	}
}

func (s *scanner) consume(c byte) bool {
	s.skipBlanks()
	if len(*s) == 0 || (*s)[0] != c {
		return false
	}
	*s = (*s)[1:]
	return true
}

// maxDigits limits the length of a number. Every longer one is off the board.
const maxDigits = 9

func (s *scanner) consumeNumber(v *int) bool {
	s.skipBlanks()
	b := *s
	negative := len(b) > 0 && b[0] == '-'
	if negative {
		b = b[1:]
	}
	n := 0
	for ; n < len(b) && b[n] >= '0' && b[n] <= '9'; n++ {
		if n == maxDigits {
			return false
		}
		if n == 0 {
			*v = 0
		}
		*v = *v*10 + int(b[n]-'0')
	}
	if negative {
		*v = -*v
	}
	*s = b[n:]
	return n > 0
}

func (s *scanner) isAtEnd() bool {
	s.skipBlanks()
	return len(*s) == 0
}
