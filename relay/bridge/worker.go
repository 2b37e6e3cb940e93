package bridge

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"broadside/match"
	"broadside/relay/client"
	"broadside/relay/program"
)

// worker plays a share of the games with one process and one connection at a time. It belongs
// to one goroutine.
type worker struct {
	cfg          *Config
	program      *program.Program
	request      *program.Request // what the newest process has asked for
	game         *game            // nil between games
	conn         *connection      // nil before the first one
	left         int              // games still to play
	result       Result
	hasPlayed    bool // the program has sent a legal message
	hasConnected bool // the relay has answered on some connection
	answered     bool // the relay has answered on the newest connection
	admitted     bool // the relay has accepted the opponent
	faults       int  // of the program, since it last finished a game
	refusals     int  // refusals of the relay, since a game was finished
}

// game is one game on the program's side. It can continue on another connection if it has a code.
type game struct {
	lines    *lineReader
	hasRole  bool     // the role has arrived
	code     string   // the resume code of the seat; empty before the relay has sent it
	received int      // number of the relay's messages that the program has got since its role
	sent     []string // the program's messages
	lineDue  bool     // the program's next line is due
	started  bool     // the battle has begun
	attacks  bool     // the program attacks first
	decided  bool     // the last ship is sunk
	won      bool     // if decided
	ended    bool     // the program has sent its last line
}

const (
	// firstPause is the pause before the first attempt to reconnect. Each further pause is twice
	// as long, up to maxPause. All are shortened by up to a half at random.
	firstPause, maxPause = time.Second, time.Minute
	// resumePause replaces firstPause if the connection was lost in a game.
	resumePause = 100 * time.Millisecond
	// maxSilence is how long a lane tries to reach a relay that does not answer.
	maxSilence = time.Hour
	// maxFaults is how often in succession a program may fail.
	maxFaults = 3
	// maxRefusals is how often in succession a relay may refuse to let a program play; before its
	// first game, maxRefusedFirst.
	maxRefusals, maxFirstRefusals = 8, 3
)

// playGames plays the games of the lane. It returns an error if they cannot be played.
func (l *worker) playGames(ctx context.Context) error {
	defer l.endGame(false)
	r := newRetry(time.Now())
	for l.left > 0 {
		before := l.result
		l.answered = false
		err := l.playConnection(ctx)
		played := l.result != before
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil && (isFatal(err) || !l.hasConnected):
			return err
		case err != nil && (l.left > 0 || !errors.Is(err, errLost)):
			l.cfg.Notice(err.Error())
		}
		if l.left == 0 {
			return nil
		}
		if l.game != nil && l.game.code != "" && l.answered {
			r.upcoming = resumePause
		}
		pause, ok := r.nextPause(time.Now(), l.answered, played)
		if !ok {
			return fmt.Errorf("the server has not answered for %v: %w", maxSilence, err)
		}
		select {
		case <-time.After(pause - rand.N(pause/2)):
		case <-ctx.Done():
			return nil
		}
	}
	return nil
}

// retry decides when a lane reconnects.
type retry struct {
	upcoming   time.Duration // the next one
	lastAnswer time.Time     // when a relay last answered
}

func newRetry(now time.Time) *retry { return &retry{firstPause, now} }

// nextPause returns the pause after a connection that has ended. answered and played report whether
// the relay has answered on it, and a game was played. ok is false if it is time to give up.
func (r *retry) nextPause(now time.Time, answered, played bool) (pause time.Duration, ok bool) {
	if answered {
		r.lastAnswer = now
	}
	if played {
		r.upcoming = firstPause
	}
	pause, r.upcoming = r.upcoming, min(2*r.upcoming, maxPause)
	return pause, now.Sub(r.lastAnswer) <= maxSilence
}

// playConnection plays on one connection.
func (l *worker) playConnection(ctx context.Context) error {
	if l.game == nil {
		if err := l.startGame(ctx); err != nil {
			return err
		}
	}
	stream, err := l.cfg.Dial(ctx)
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { stream.Close() })()
	lines := client.NewLines(stream)
	l.conn = &connection{stream: stream, isResuming: l.game.hasRole, lines: startReading(func() (string, error) {
		line, err := lines.Next()
		return string(line), err
	})}
	err = l.forwardLines(ctx)
	stream.Close()
	l.conn.lines.stop()
	if l.game != nil && l.game.hasRole && l.game.code == "" {
		l.abandonGame()
	}
	return err
}

// startGame begins a game whose role is not known yet. A new process may send directives first.
func (l *worker) startGame(ctx context.Context) error {
	err := l.program.StartGame(ctx)
	if err == nil {
		l.request, err = l.program.AwaitReady(program.Policy{Rules: l.cfg.defaultRules(), Open: true})
	}
	switch {
	case err == nil || errors.Is(err, program.ErrNoSalvo): // its rules are those of the command line
		l.game = &game{lines: startReading(func() (string, error) { return l.program.ReadLine(0) })}
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return l.failProgram(err)
}

// defaultRules returns the rules that a program plays unless it asks for others.
func (c *Config) defaultRules() match.Rules {
	if rules, err := match.Preset(c.Series.Rules); err == nil {
		return rules
	}
	return match.Classic()
}

// endGame ends the game, if there is one. settled means that the program knows that it is over.
func (l *worker) endGame(settled bool) {
	if l.game == nil {
		return
	}
	l.program.FinishGame(settled)
	l.game.lines.stop()
	l.game = nil
}

// abandonGame ends a game that cannot continue. If it was decided, the server has counted it.
func (l *worker) abandonGame() {
	g := l.game
	l.endGame(g.decided)
	if g.decided {
		l.countGame(g.won)
	}
}

// countGame counts a game that has a result.
func (l *worker) countGame(won bool) {
	if won {
		l.result.Won++
	} else {
		l.result.Lost++
	}
	if l.cfg.Series.Games > 0 {
		l.left--
	}
	l.refusals = 0
}

// maxStderrLines is the number of lines of standard error in a notice.
const maxStderrLines = 10

// failProgram ends the process after an error, tells the author why it failed, and counts the game as lost.
// It returns the error with which the connection ends, so that the relay sees that the program has left.
func (l *worker) failProgram(err error) error {
	f := l.program.Fail(err)
	text := strings.TrimSpace(f.Stderr)
	if text != "" {
		lines := strings.Split(text, "\n")
		l.cfg.Notice("the end of the program's standard error:")
		for _, line := range lines[max(0, len(lines)-maxStderrLines):] {
			l.cfg.Notice("  " + line)
		}
	}
	g := l.game
	if g != nil && g.started && !g.decided {
		l.countGame(false)
	}
	l.endGame(false)
	return l.countFault(f)
}

// countFault counts a failure of the program. The program may continue unless it has never played, or has
// failed maxFaults times in succession.
func (l *worker) countFault(err error) error {
	l.faults++
	switch {
	case !l.hasPlayed:
		return fatalError{fmt.Errorf("the program does not play: %w", err)}
	case l.faults >= maxFaults:
		return fatalError{fmt.Errorf("the program failed %d times in succession: %w", l.faults, err)}
	}
	return fmt.Errorf("the program failed: %w", err)
}

// countRefusal handles a refusal of the relay.
func (l *worker) countRefusal(code, text string) error {
	err := fmt.Errorf("the server says: %s", text)
	l.refusals++
	limit := maxRefusals
	if l.result == (Result{}) {
		limit = maxFirstRefusals
	}
	temporary := code == "refused" || l.hasPlayed && code == "vs"
	if !temporary || l.refusals >= limit {
		return fatalError{err}
	}
	return err
}
