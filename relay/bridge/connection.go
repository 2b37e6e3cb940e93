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

type connection struct {
	stream io.ReadWriteCloser
	lines  *lineReader
	// hasGame means that a role has arrived or a game continues, and isResuming that the relay hasn't
	// answered yet whether it does.
	hasGame    bool
	isResuming bool
	// lineTimeout is nil if no line of the program is due.
	lineTimeout <-chan time.Time
	// noticeDue fires when the author should learn that the program waits. It is nil in a game.
	noticeDue <-chan time.Time
	// breach is the relay's last error about the program.
	breach string
}

// errLost is returned if the connection is lost.
var errLost = errors.New("the connection was lost")

// forwardLines forwards lines between the program and the relay until the connection or the series ends.
func (w *worker) forwardLines(ctx context.Context) error {
	resume := "% resume"
	if w.conn.isResuming {
		resume = fmt.Sprintf("%% resume %s %d", w.game.resumeCode, w.game.received)
	} else {
		w.conn.noticeDue = time.After(FirstNotice)
	}
	series := w.cfg.Series
	series.Games = w.gamesLeft
	w.sendToRelay(series.Lines(append([]string{resume}, w.request.Forward...)...)...)
	for {
		var lines <-chan lineOrError
		if w.game != nil && !w.game.programDone && !w.conn.isResuming {
			lines = w.game.lines.lines
		}
		var done bool
		var err error
		select {
		case s := <-w.conn.lines.lines:
			done, err = w.handleRelayLine(ctx, s)
		case s := <-lines:
			err = w.handleProgramLine(s)
		case <-w.conn.lineTimeout:
			err = w.failProgram(os.ErrDeadlineExceeded)
		case <-w.conn.noticeDue:
			w.cfg.Notice(WaitingText(w.cfg.Series.Versus, w.cfg.Series.Ladder))
			w.conn.noticeDue = nil
		case <-ctx.Done():
			return ctx.Err()
		}
		if done || err != nil {
			return err
		}
	}
}

// handleRelayLine handles the relay's next line. It reports whether the series has ended.
func (w *worker) handleRelayLine(ctx context.Context, s lineOrError) (done bool, err error) {
	switch {
	case s.err != nil && !w.hasConnected:
		return false, s.err
	case errors.Is(s.err, io.EOF):
		return false, errLost
	case s.err != nil:
		return false, fmt.Errorf("%w: %w", errLost, s.err)
	case s.line[0] == '%':
		return w.handleRelayDirective(s.line)
	}
	m, err := client.Parse([]byte(s.line))
	if err != nil {
		return false, fmt.Errorf("the server sent %.40q: %w", s.line, err)
	}
	if m.Op == client.Defend || m.Op == client.Assault {
		if w.game == nil {
			if err := w.startGame(ctx); err != nil {
				return false, err
			}
		}
		w.conn.hasGame, w.conn.breach = true, ""
		w.game.hasRole, w.game.attacksFirst = true, m.Op == client.Assault
		return false, w.sendToProgram(s.line)
	}
	g := w.game
	switch {
	case g == nil || !g.hasRole:
		return false, fmt.Errorf("the server sent %s before a role", s.line)
	case m.Op == client.Start:
		g.started = true
		w.conn.noticeDue = nil
		w.setLineDue(g.attacksFirst)
	case m.Op == client.Attack:
		w.setLineDue(true)
	case m.Op == client.Result && m.Result == match.LastSunk:
		g.lastShipSunk, g.won = true, true
	}
	g.received++
	return false, w.sendToProgram(s.line)
}

// handleRelayDirective handles a directive from the relay. It reports whether the series has ended.
func (w *worker) handleRelayDirective(line string) (done bool, err error) {
	w.hasConnected, w.answered = true, true
	d := client.ParseDirective([]byte(line))
	args := append(d.Args, "", "")
	if w.game != nil && w.request.UsesDirectives && d.Verb != "ok" && d.Verb != "seat" {
		if err := w.sendToProgram(line); err != nil {
			return false, err
		}
	}
	switch d.Verb {
	case "ok":
		w.admitted = w.admitted || args[0] == "vs"
		if w.conn.isResuming && args[0] == "resume" {
			return false, w.resumeGame(args[1])
		}
	case "seat":
		if w.game != nil {
			w.game.resumeCode = args[0]
			// The program repeats the messages that it sent in an earlier process.
			w.game.arrived, _ = strconv.Atoi(args[1])
		}
	case "waiting":
		w.cfg.Notice("the server says: " + strings.Join(d.Args, " "))
		w.conn.noticeDue = nil
	case "error":
		return w.handleRelayError(args[0], strings.Join(d.Args[min(1, len(d.Args)):], " "))
	case "end":
		if args[0] == "over" {
			w.endTournament()
		}
		return true, nil
	case "result":
		if w.game != nil {
			return false, w.finishGame(args[0], args[1])
		}
	}
	return false, nil
}

// resumeGame continues the game. arrived is how many of the program's messages the relay has received.
func (w *worker) resumeGame(arrived string) error {
	g := w.game
	n, err := strconv.Atoi(arrived)
	if err != nil || n < 0 || n > len(g.sent) {
		return fmt.Errorf("the server has received %.20q messages of %d", arrived, len(g.sent))
	}
	w.conn.isResuming, w.conn.hasGame = false, true
	w.sendToRelay(g.sent[n:]...)
	w.setLineDue(g.lineDue)
	return nil
}

// handleRelayError handles an error directive from the relay. It reports whether the series has ended.
func (w *worker) handleRelayError(code, text string) (done bool, err error) {
	switch {
	case w.conn.isResuming && code == "gone":
		w.endLostGame()
		return false, errLost
	case code == "over" && w.admitted:
		w.endTournament()
		return true, nil
	case code == "ignored":
		return false, nil
	case code == "unrated":
		w.cfg.Notice("the server says: " + text)
		return false, nil
	case !w.conn.hasGame || code == "refused":
		return false, w.countRefusal(code, text)
	}
	w.conn.breach = text
	return false, nil
}

// endTournament ends the series because the tournament is over.
func (w *worker) endTournament() { w.gamesLeft, w.result.TournamentOver = 0, true }

// finishGame counts a game after the relay's result, unless it is void and will be played again.
func (w *worker) finishGame(outcome, reason string) error {
	isSunk := reason == match.FleetSunk.String()
	// A line that is still due may belong to this game.
	w.endGame(isSunk && !w.game.lineDue)
	w.conn.lineTimeout, w.conn.noticeDue = nil, time.After(NextNotice)
	parsed, _ := match.ParseReason(reason)
	if outcome == "lost" && parsed.IsBreach() {
		w.countGame(false)
		err := w.countFault(errors.New(cmp.Or(w.conn.breach, reason)))
		if isFatal(err) {
			return err
		}
		w.cfg.Notice(err.Error())
	} else if outcome != "void" {
		w.countGame(outcome == "won")
		w.faults = 0
	}
	if !isSunk && w.gamesLeft > 0 {
		w.sendToRelay("% ready")
	}
	return nil
}

// setLineDue starts or stops the time for the program's next line.
func (w *worker) setLineDue(isDue bool) {
	w.game.lineDue = isDue
	w.conn.lineTimeout = nil
	if isDue {
		w.conn.lineTimeout = time.After(w.cfg.Program.Move)
	}
}

func (w *worker) sendToProgram(line string) error {
	return w.failUnlessDecided(w.program.SendLine(line))
}

// failUnlessDecided fails the program if err, which comes from writing to it, is not nil. After a decided
// game, the error does not matter.
func (w *worker) failUnlessDecided(err error) error {
	if err == nil || w.game.lastShipSunk {
		return nil
	}
	return w.failProgram(err)
}

// handleProgramLine handles the program's next line.
func (w *worker) handleProgramLine(s lineOrError) error {
	g := w.game
	switch {
	// The program may end after a game.
	case s.err != nil && g.lastShipSunk:
		g.programDone = true
		return nil
	case s.err != nil:
		return w.failProgram(s.err)
	case s.line[0] == '%':
		return w.failUnlessDecided(w.program.AnswerLateDirective(s.line))
	case g.lastShipSunk:
		return nil
	}
	m, err := client.Parse([]byte(s.line))
	if err == nil && !g.hasRole {
		err = client.ErrOutOfTurn
	}
	if err != nil {
		return w.failProgram(fmt.Errorf("the program sent %.40q: %w", s.line, err))
	}
	w.hasPlayed = true
	switch {
	case m.Op == client.Result && m.Result == match.LastSunk:
		g.lastShipSunk = true
		w.setLineDue(false)
	case m.Op == client.Attack:
		w.setLineDue(false)
	}
	g.sent = append(g.sent, s.line)
	if len(g.sent) > g.arrived {
		w.sendToRelay(s.line)
	}
	return nil
}

// sendToRelay sends lines to the relay. It ignores errors, because the relay's last lines may have
// arrived before them. The reader reports the lost connection.
func (w *worker) sendToRelay(lines ...string) {
	if len(lines) > 0 {
		io.WriteString(w.conn.stream, strings.Join(lines, "\n")+"\n")
	}
}
