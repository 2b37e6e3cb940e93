package bridge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"broadside/match"
	"broadside/relay/client"
)

// connection passes on lines between the program and one connection to the relay. It belongs to the
// lane's goroutine.
type connection struct {
	*lane
	conn    io.ReadWriteCloser
	relay   *listener        // of the relay's lines
	entered bool             // a role has arrived, or a game is continued
	resumes bool             // the relay has not answered yet whether the game continues
	hang    <-chan time.Time // when the program is too late; nil if nothing is due
	waiting <-chan time.Time // fires when a notice about waiting is due; nil in a game
	breach  string           // the relay's last error about the program
}

// errLost is returned if the connection is lost.
var errLost = errors.New("the connection was lost")

// run plays until the connection or the series ends.
func (c *connection) run(ctx context.Context) error {
	resume := "% resume"
	if c.resumes {
		resume = fmt.Sprintf("%% resume %s %d", c.game.code, c.game.heard)
	} else {
		c.waiting = time.After(FirstNotice)
	}
	series := c.cfg.Series
	series.Games = c.left
	c.send(series.Lines(append([]string{resume}, c.request.Forward...)...)...)
	for {
		var lines <-chan said
		if c.game != nil && !c.game.ended && !c.resumes {
			lines = c.game.said
		}
		var done bool
		var err error
		select {
		case s := <-c.relay.said:
			done, err = c.fromRelay(ctx, s)
		case s := <-lines:
			err = c.fromProgram(s)
		case <-c.hang:
			err = c.fail(os.ErrDeadlineExceeded)
		case <-c.waiting:
			c.cfg.Notice(WaitingText(c.cfg.Series.Versus, c.cfg.Series.Ladder))
			c.waiting = nil
		case <-ctx.Done():
			return ctx.Err()
		}
		if done || err != nil {
			return err
		}
	}
}

// fromRelay handles a line of the relay. It reports whether the series has ended.
func (c *connection) fromRelay(ctx context.Context, s said) (done bool, err error) {
	switch {
	case s.err != nil && !c.met:
		return false, s.err
	case errors.Is(s.err, io.EOF):
		return false, errLost
	case s.err != nil:
		return false, fmt.Errorf("%w: %w", errLost, s.err)
	case s.line[0] == '%':
		return c.fromDirective(s.line)
	}
	m, err := client.Parse([]byte(s.line))
	if err != nil {
		return false, fmt.Errorf("the server sent %.40q: %w", s.line, err)
	}
	if m.Op == client.Defend || m.Op == client.Assault {
		if c.game == nil {
			if err := c.beginGame(ctx); err != nil {
				return false, err
			}
		}
		c.entered, c.breach = true, ""
		c.game.entered, c.game.attacks = true, m.Op == client.Assault
		return false, c.pass(s.line)
	}
	g := c.game
	switch {
	case g == nil || !g.entered:
		return false, fmt.Errorf("the server sent %s before a role", s.line)
	case m.Op == client.Start:
		g.started = true
		c.waiting = nil
		c.expect(g.attacks)
	case m.Op == client.Attack:
		c.expect(true)
	case m.Op == client.Result && m.Result == match.LastSunk:
		g.decided, g.won = true, true
	}
	g.heard++
	return false, c.pass(s.line)
}

// fromDirective handles a directive of the relay. It reports whether the series has ended.
func (c *connection) fromDirective(line string) (done bool, err error) {
	c.met, c.answered = true, true
	d := client.ParseDirective([]byte(line))
	args := append(d.Args, "", "")
	if c.game != nil && c.request.Spoke && d.Verb != "ok" && d.Verb != "seat" {
		if err := c.pass(line); err != nil {
			return false, err
		}
	}
	switch d.Verb {
	case "ok":
		c.admitted = c.admitted || args[0] == "vs"
		if c.resumes && args[0] == "resume" {
			return false, c.resume(args[1])
		}
	case "seat":
		if c.game != nil {
			c.game.code = args[0]
		}
	case "error":
		return c.handleError(args[0], strings.Join(d.Args[min(1, len(d.Args)):], " "))
	case "end":
		if args[0] == "over" {
			c.endCup()
		}
		return true, nil
	case "result":
		if c.game != nil {
			return false, c.score(args[0], args[1])
		}
	}
	return false, nil
}

// resume continues the game. The relay has received the given number of the program's messages.
func (c *connection) resume(arrived string) error {
	g := c.game
	n, err := strconv.Atoi(arrived)
	if err != nil || n < 0 || n > len(g.sent) {
		return fmt.Errorf("the server has received %.20q messages of %d", arrived, len(g.sent))
	}
	c.resumes, c.entered = false, true
	c.send(g.sent[n:]...)
	c.expect(g.waits)
	return nil
}

// handleError handles an error directive. It reports whether the series has ended.
func (c *connection) handleError(code, text string) (done bool, err error) {
	switch {
	case c.resumes && code == "gone":
		c.abandon()
		return false, errLost
	case code == "over" && c.admitted: // the cup has ended since
		c.endCup()
		return true, nil
	case code == "ignored":
	case code == "unrated":
		c.cfg.Notice("the server says: " + text)
	case !c.entered || code == "refused":
		return false, c.refuse(code, text)
	default:
		c.breach = text
	}
	return false, nil
}

// endCup ends the series because the cup is over.
func (c *connection) endCup() { c.left, c.result.CupOver = 0, true }

// score counts the game that has ended, with the relay's result.
func (c *connection) score(outcome, reason string) error {
	settled := reason == match.FleetSunk.String()
	// A line that is still due may belong to this game.
	c.endGame(settled && !c.game.waits)
	c.hang, c.waiting = nil, time.After(NextNotice)
	why, _ := match.ParseReason(reason)
	switch {
	case outcome == "void": // played again
	case outcome == "lost" && why.Breach():
		c.count(false)
		err := c.addFault(errors.New(cmp.Or(c.breach, reason)))
		if isFatal(err) {
			return err
		}
		c.cfg.Notice(err.Error())
	default:
		c.count(outcome == "won")
		c.faults = 0
	}
	if !settled && c.left > 0 {
		c.send("% ready")
	}
	return nil
}

// expect starts or stops the time for the program's next line.
func (c *connection) expect(now bool) {
	c.game.waits = now
	if c.hang = nil; now {
		c.hang = time.After(c.cfg.Program.Move)
	}
}

// pass sends a line to the program.
func (c *connection) pass(line string) error {
	if err := c.program.SendLine(line); err != nil && !c.game.decided {
		return c.fail(err)
	}
	return nil
}

// fromProgram handles a line of the program.
func (c *connection) fromProgram(s said) error {
	g := c.game
	switch {
	case s.err != nil && g.decided: // the program may end after a game
		g.ended = true
		return nil
	case s.err != nil:
		return c.fail(s.err)
	case s.line[0] == '%':
		return c.program.Refuse(s.line)
	case g.decided:
		return nil
	}
	m, err := client.Parse([]byte(s.line))
	if err == nil && !g.entered {
		err = client.ErrOutOfTurn
	}
	if err != nil {
		return c.fail(fmt.Errorf("it sent %.40q: %w", s.line, err))
	}
	c.plays = true
	switch {
	case m.Op == client.Result && m.Result == match.LastSunk:
		g.decided = true
		c.expect(false)
	case m.Op == client.Attack:
		c.expect(false)
	}
	g.sent = append(g.sent, s.line)
	c.send(s.line)
	return nil
}

// send sends lines to the relay. An error is left to the reader, because the relay's last lines
// may have arrived before it.
func (c *connection) send(lines ...string) {
	if len(lines) > 0 {
		io.WriteString(c.conn, strings.Join(lines, "\n")+"\n")
	}
}
