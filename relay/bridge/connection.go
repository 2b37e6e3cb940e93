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
	stream      io.ReadWriteCloser
	lines       *lineReader      // of the relay
	hasGame     bool             // a role has arrived, or a game is continued
	isResuming  bool             // the relay has not answered yet whether the game continues
	lineTimeout <-chan time.Time // when the program is too late; nil if nothing is due
	waiting     <-chan time.Time // fires when a notice about waiting is due; nil in a game
	breach      string           // the relay's last error about the program
}

// errLost is returned if the connection is lost.
var errLost = errors.New("the connection was lost")

// forwardLines passes on lines between the program and the relay until the connection or the series ends.
func (l *worker) forwardLines(ctx context.Context) error {
	resume := "% resume"
	if l.conn.isResuming {
		resume = fmt.Sprintf("%% resume %s %d", l.game.code, l.game.received)
	} else {
		l.conn.waiting = time.After(FirstNotice)
	}
	series := l.cfg.Series
	series.Games = l.left
	l.sendToRelay(series.Lines(append([]string{resume}, l.request.Forward...)...)...)
	for {
		var lines <-chan lineOrError
		if l.game != nil && !l.game.ended && !l.conn.isResuming {
			lines = l.game.lines.lines
		}
		var done bool
		var err error
		select {
		case s := <-l.conn.lines.lines:
			done, err = l.handleRelayLine(ctx, s)
		case s := <-lines:
			err = l.handleProgramLine(s)
		case <-l.conn.lineTimeout:
			err = l.failProgram(os.ErrDeadlineExceeded)
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

// handleRelayLine handles a line of the relay. It reports whether the series has ended.
func (l *worker) handleRelayLine(ctx context.Context, s lineOrError) (done bool, err error) {
	switch {
	case s.err != nil && !l.hasConnected:
		return false, s.err
	case errors.Is(s.err, io.EOF):
		return false, errLost
	case s.err != nil:
		return false, fmt.Errorf("%w: %w", errLost, s.err)
	case s.line[0] == '%':
		return l.handleRelayDirective(s.line)
	}
	m, err := client.Parse([]byte(s.line))
	if err != nil {
		return false, fmt.Errorf("the server sent %.40q: %w", s.line, err)
	}
	if m.Op == client.Defend || m.Op == client.Assault {
		if l.game == nil {
			if err := l.startGame(ctx); err != nil {
				return false, err
			}
		}
		l.conn.hasGame, l.conn.breach = true, ""
		l.game.hasRole, l.game.attacks = true, m.Op == client.Assault
		return false, l.sendToProgram(s.line)
	}
	g := l.game
	switch {
	case g == nil || !g.hasRole:
		return false, fmt.Errorf("the server sent %s before a role", s.line)
	case m.Op == client.Start:
		g.started = true
		l.conn.waiting = nil
		l.setLineDue(g.attacks)
	case m.Op == client.Attack:
		l.setLineDue(true)
	case m.Op == client.Result && m.Result == match.LastSunk:
		g.decided, g.won = true, true
	}
	g.received++
	return false, l.sendToProgram(s.line)
}

// handleRelayDirective handles a directive of the relay. It reports whether the series has ended.
func (l *worker) handleRelayDirective(line string) (done bool, err error) {
	l.hasConnected, l.answered = true, true
	d := client.ParseDirective([]byte(line))
	args := append(d.Args, "", "")
	if l.game != nil && l.request.UsesDirectives && d.Verb != "ok" && d.Verb != "seat" {
		if err := l.sendToProgram(line); err != nil {
			return false, err
		}
	}
	switch d.Verb {
	case "ok":
		l.admitted = l.admitted || args[0] == "vs"
		if l.conn.isResuming && args[0] == "resume" {
			return false, l.resumeGame(args[1])
		}
	case "seat":
		if l.game != nil {
			l.game.code = args[0]
		}
	case "error":
		return l.handleRelayError(args[0], strings.Join(d.Args[min(1, len(d.Args)):], " "))
	case "end":
		if args[0] == "over" {
			l.endTournament()
		}
		return true, nil
	case "result":
		if l.game != nil {
			return false, l.finishGame(args[0], args[1])
		}
	}
	return false, nil
}

// resumeGame continues the game. The relay has received the given number of the program's messages.
func (l *worker) resumeGame(arrived string) error {
	g := l.game
	n, err := strconv.Atoi(arrived)
	if err != nil || n < 0 || n > len(g.sent) {
		return fmt.Errorf("the server has received %.20q messages of %d", arrived, len(g.sent))
	}
	l.conn.isResuming, l.conn.hasGame = false, true
	l.sendToRelay(g.sent[n:]...)
	l.setLineDue(g.lineDue)
	return nil
}

// handleRelayError handles an error directive. It reports whether the series has ended.
func (l *worker) handleRelayError(code, text string) (done bool, err error) {
	switch {
	case l.conn.isResuming && code == "gone":
		l.abandonGame()
		return false, errLost
	case code == "over" && l.admitted: // the cup has ended since
		l.endTournament()
		return true, nil
	case code == "ignored":
	case code == "unrated":
		l.cfg.Notice("the server says: " + text)
	case !l.conn.hasGame || code == "refused":
		return false, l.countRefusal(code, text)
	default:
		l.conn.breach = text
	}
	return false, nil
}

// endTournament ends the series because the cup is over.
func (l *worker) endTournament() { l.left, l.result.TournamentOver = 0, true }

// finishGame counts the game that has ended, with the relay's result.
func (l *worker) finishGame(outcome, reason string) error {
	settled := reason == match.FleetSunk.String()
	// A line that is still due may belong to this game.
	l.endGame(settled && !l.game.lineDue)
	l.conn.lineTimeout, l.conn.waiting = nil, time.After(NextNotice)
	why, _ := match.ParseReason(reason)
	switch {
	case outcome == "void": // played again
	case outcome == "lost" && why.Breach():
		l.countGame(false)
		err := l.countFault(errors.New(cmp.Or(l.conn.breach, reason)))
		if isFatal(err) {
			return err
		}
		l.cfg.Notice(err.Error())
	default:
		l.countGame(outcome == "won")
		l.faults = 0
	}
	if !settled && l.left > 0 {
		l.sendToRelay("% ready")
	}
	return nil
}

// setLineDue starts or stops the time for the program's next line.
func (l *worker) setLineDue(now bool) {
	l.game.lineDue = now
	if l.conn.lineTimeout = nil; now {
		l.conn.lineTimeout = time.After(l.cfg.Program.Move)
	}
}

// sendToProgram sends a line to the program.
func (l *worker) sendToProgram(line string) error {
	return l.failUnlessDecided(l.program.SendLine(line))
}

// failUnlessDecided handles an error, or nil, of writing to the program.
func (l *worker) failUnlessDecided(err error) error {
	if err == nil || l.game.decided {
		return nil
	}
	return l.failProgram(err)
}

// handleProgramLine handles a line of the program.
func (l *worker) handleProgramLine(s lineOrError) error {
	g := l.game
	switch {
	case s.err != nil && g.decided: // the program may end after a game
		g.ended = true
		return nil
	case s.err != nil:
		return l.failProgram(s.err)
	case s.line[0] == '%':
		return l.failUnlessDecided(l.program.RefuseLate(s.line))
	case g.decided:
		return nil
	}
	m, err := client.Parse([]byte(s.line))
	if err == nil && !g.hasRole {
		err = client.ErrOutOfTurn
	}
	if err != nil {
		return l.failProgram(fmt.Errorf("it sent %.40q: %w", s.line, err))
	}
	l.hasPlayed = true
	switch {
	case m.Op == client.Result && m.Result == match.LastSunk:
		g.decided = true
		l.setLineDue(false)
	case m.Op == client.Attack:
		l.setLineDue(false)
	}
	g.sent = append(g.sent, s.line)
	l.sendToRelay(s.line)
	return nil
}

// sendToRelay sends lines to the relay. An error is left to the reader, because the relay's last lines
// may have arrived before it.
func (l *worker) sendToRelay(lines ...string) {
	if len(lines) > 0 {
		io.WriteString(l.conn.stream, strings.Join(lines, "\n")+"\n")
	}
}
