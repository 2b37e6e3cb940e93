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

// connection is the state of one connection to the relay.
type connection struct {
	stream  io.ReadWriteCloser
	lines   *listener        // of the relay
	entered bool             // a role has arrived, or a game is continued
	resumes bool             // the relay has not answered yet whether the game continues
	hang    <-chan time.Time // when the program is too late; nil if nothing is due
	waiting <-chan time.Time // fires when a notice about waiting is due; nil in a game
	breach  string           // the relay's last error about the program
}

// errLost is returned if the connection is lost.
var errLost = errors.New("the connection was lost")

// pump passes on lines between the program and the relay until the connection or the series ends.
func (l *lane) pump(ctx context.Context) error {
	resume := "% resume"
	if l.conn.resumes {
		resume = fmt.Sprintf("%% resume %s %d", l.game.code, l.game.heard)
	} else {
		l.conn.waiting = time.After(FirstNotice)
	}
	series := l.cfg.Series
	series.Games = l.left
	l.send(series.Lines(append([]string{resume}, l.request.Forward...)...)...)
	for {
		var lines <-chan said
		if l.game != nil && !l.game.ended && !l.conn.resumes {
			lines = l.game.lines.said
		}
		var done bool
		var err error
		select {
		case s := <-l.conn.lines.said:
			done, err = l.fromRelay(ctx, s)
		case s := <-lines:
			err = l.fromProgram(s)
		case <-l.conn.hang:
			err = l.fail(os.ErrDeadlineExceeded)
		case <-l.conn.waiting:
			l.cfg.Notice(WaitingText(l.cfg.Series.Versus, l.cfg.Series.Ladder))
			l.conn.waiting = nil
		case <-ctx.Done():
			return ctx.Err()
		}
		if done || err != nil {
			return err
		}
	}
}

// fromRelay handles a line of the relay. It reports whether the series has ended.
func (l *lane) fromRelay(ctx context.Context, s said) (done bool, err error) {
	switch {
	case s.err != nil && !l.met:
		return false, s.err
	case errors.Is(s.err, io.EOF):
		return false, errLost
	case s.err != nil:
		return false, fmt.Errorf("%w: %w", errLost, s.err)
	case s.line[0] == '%':
		return l.fromDirective(s.line)
	}
	m, err := client.Parse([]byte(s.line))
	if err != nil {
		return false, fmt.Errorf("the server sent %.40q: %w", s.line, err)
	}
	if m.Op == client.Defend || m.Op == client.Assault {
		if l.game == nil {
			if err := l.beginGame(ctx); err != nil {
				return false, err
			}
		}
		l.conn.entered, l.conn.breach = true, ""
		l.game.entered, l.game.attacks = true, m.Op == client.Assault
		return false, l.pass(s.line)
	}
	g := l.game
	switch {
	case g == nil || !g.entered:
		return false, fmt.Errorf("the server sent %s before a role", s.line)
	case m.Op == client.Start:
		g.started = true
		l.conn.waiting = nil
		l.expect(g.attacks)
	case m.Op == client.Attack:
		l.expect(true)
	case m.Op == client.Result && m.Result == match.LastSunk:
		g.decided, g.won = true, true
	}
	g.heard++
	return false, l.pass(s.line)
}

// fromDirective handles a directive of the relay. It reports whether the series has ended.
func (l *lane) fromDirective(line string) (done bool, err error) {
	l.met, l.answered = true, true
	d := client.ParseDirective([]byte(line))
	args := append(d.Args, "", "")
	if l.game != nil && l.request.Spoke && d.Verb != "ok" && d.Verb != "seat" {
		if err := l.pass(line); err != nil {
			return false, err
		}
	}
	switch d.Verb {
	case "ok":
		l.admitted = l.admitted || args[0] == "vs"
		if l.conn.resumes && args[0] == "resume" {
			return false, l.resume(args[1])
		}
	case "seat":
		if l.game != nil {
			l.game.code = args[0]
		}
	case "error":
		return l.handleError(args[0], strings.Join(d.Args[min(1, len(d.Args)):], " "))
	case "end":
		if args[0] == "over" {
			l.endCup()
		}
		return true, nil
	case "result":
		if l.game != nil {
			return false, l.score(args[0], args[1])
		}
	}
	return false, nil
}

// resume continues the game. The relay has received the given number of the program's messages.
func (l *lane) resume(arrived string) error {
	g := l.game
	n, err := strconv.Atoi(arrived)
	if err != nil || n < 0 || n > len(g.sent) {
		return fmt.Errorf("the server has received %.20q messages of %d", arrived, len(g.sent))
	}
	l.conn.resumes, l.conn.entered = false, true
	l.send(g.sent[n:]...)
	l.expect(g.waits)
	return nil
}

// handleError handles an error directive. It reports whether the series has ended.
func (l *lane) handleError(code, text string) (done bool, err error) {
	switch {
	case l.conn.resumes && code == "gone":
		l.abandon()
		return false, errLost
	case code == "over" && l.admitted: // the cup has ended since
		l.endCup()
		return true, nil
	case code == "ignored":
	case code == "unrated":
		l.cfg.Notice("the server says: " + text)
	case !l.conn.entered || code == "refused":
		return false, l.refuse(code, text)
	default:
		l.conn.breach = text
	}
	return false, nil
}

// endCup ends the series because the cup is over.
func (l *lane) endCup() { l.left, l.result.CupOver = 0, true }

// score counts the game that has ended, with the relay's result.
func (l *lane) score(outcome, reason string) error {
	settled := reason == match.FleetSunk.String()
	// A line that is still due may belong to this game.
	l.endGame(settled && !l.game.waits)
	l.conn.hang, l.conn.waiting = nil, time.After(NextNotice)
	why, _ := match.ParseReason(reason)
	switch {
	case outcome == "void": // played again
	case outcome == "lost" && why.Breach():
		l.count(false)
		err := l.addFault(errors.New(cmp.Or(l.conn.breach, reason)))
		if isFatal(err) {
			return err
		}
		l.cfg.Notice(err.Error())
	default:
		l.count(outcome == "won")
		l.faults = 0
	}
	if !settled && l.left > 0 {
		l.send("% ready")
	}
	return nil
}

// expect starts or stops the time for the program's next line.
func (l *lane) expect(now bool) {
	l.game.waits = now
	if l.conn.hang = nil; now {
		l.conn.hang = time.After(l.cfg.Program.Move)
	}
}

// pass sends a line to the program.
func (l *lane) pass(line string) error {
	return l.failUnlessDecided(l.program.SendLine(line))
}

// failUnlessDecided handles an error, or nil, of writing to the program.
func (l *lane) failUnlessDecided(err error) error {
	if err == nil || l.game.decided {
		return nil
	}
	return l.fail(err)
}

// fromProgram handles a line of the program.
func (l *lane) fromProgram(s said) error {
	g := l.game
	switch {
	case s.err != nil && g.decided: // the program may end after a game
		g.ended = true
		return nil
	case s.err != nil:
		return l.fail(s.err)
	case s.line[0] == '%':
		return l.failUnlessDecided(l.program.Refuse(s.line))
	case g.decided:
		return nil
	}
	m, err := client.Parse([]byte(s.line))
	if err == nil && !g.entered {
		err = client.ErrOutOfTurn
	}
	if err != nil {
		return l.fail(fmt.Errorf("it sent %.40q: %w", s.line, err))
	}
	l.plays = true
	switch {
	case m.Op == client.Result && m.Result == match.LastSunk:
		g.decided = true
		l.expect(false)
	case m.Op == client.Attack:
		l.expect(false)
	}
	g.sent = append(g.sent, s.line)
	l.send(s.line)
	return nil
}

// send sends lines to the relay. An error is left to the reader, because the relay's last lines
// may have arrived before it.
func (l *lane) send(lines ...string) {
	if len(lines) > 0 {
		io.WriteString(l.conn.stream, strings.Join(lines, "\n")+"\n")
	}
}
