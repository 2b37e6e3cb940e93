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

// lane plays a share of the games with one process and one connection at a time. It belongs
// to one goroutine.
type lane struct {
	cfg      *Config
	program  *program.Program
	request  *program.Request // what the newest process has asked for
	game     *game            // nil between games
	conn     *connection      // nil before the first one
	left     int              // games still to play
	result   Result
	plays    bool // the program has sent a legal message
	met      bool // the relay has answered on some connection
	answered bool // the relay has answered on the newest connection
	admitted bool // the relay has accepted the opponent
	faults   int  // of the program, since it last finished a game
	refused  int  // refusals of the relay, since a game was finished
}

// game is one game on the program's side. It can continue on another connection if it has a code.
type game struct {
	lines   *listener
	entered bool     // the role has arrived
	code    string   // the resume code of the seat; empty before the relay has sent it
	heard   int      // number of the relay's messages that the program has got since its role
	sent    []string // the program's messages
	waits   bool     // the program's next line is due
	started bool     // the battle has begun
	attacks bool     // the program attacks first
	decided bool     // the last ship is sunk
	won     bool     // if decided
	ended   bool     // the program has sent its last line
}

const (
	// firstPause is the pause before the first attempt to reconnect. Each further pause is twice
	// as long, up to maxPause. All are shortened by up to a half at random.
	firstPause, maxPause = time.Second, time.Minute
	// resumePause replaces firstPause if the connection was lost in a game.
	resumePause = 100 * time.Millisecond
	// giveUp is how long a lane tries to reach a relay that does not answer.
	giveUp = time.Hour
	// maxFaults is how often in succession a program may fail.
	maxFaults = 3
	// maxRefused is how often in succession a relay may refuse to let a program play; before its
	// first game, maxRefusedFirst.
	maxRefused, maxRefusedFirst = 8, 3
)

// run plays the games of the lane. It returns an error if they cannot be played.
func (l *lane) run(ctx context.Context) error {
	defer l.endGame(false)
	r := newRetry(time.Now())
	for l.left > 0 {
		before := l.result
		l.answered = false
		err := l.connect(ctx)
		played := l.result != before
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil && (isFatal(err) || !l.met):
			return err
		case err != nil && (l.left > 0 || !errors.Is(err, errLost)):
			l.cfg.Notice(err.Error())
		}
		if l.left == 0 {
			return nil
		}
		if l.game != nil && l.game.code != "" && l.answered {
			r.pause = resumePause
		}
		pause, ok := r.next(time.Now(), l.answered, played)
		if !ok {
			return fmt.Errorf("the server has not answered for %v: %w", giveUp, err)
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
	pause time.Duration // the next one
	since time.Time     // when a relay last answered
}

func newRetry(now time.Time) *retry { return &retry{firstPause, now} }

// next returns the pause after a connection that has ended. answered and played report whether
// the relay has answered on it, and a game was played. ok is false if it is time to give up.
func (r *retry) next(now time.Time, answered, played bool) (pause time.Duration, ok bool) {
	if answered {
		r.since = now
	}
	if played {
		r.pause = firstPause
	}
	pause, r.pause = r.pause, min(2*r.pause, maxPause)
	return pause, now.Sub(r.since) <= giveUp
}

// connect plays on one connection.
func (l *lane) connect(ctx context.Context) error {
	if l.game == nil {
		if err := l.beginGame(ctx); err != nil {
			return err
		}
	}
	stream, err := l.cfg.Dial(ctx)
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { stream.Close() })()
	lines := client.NewLines(stream)
	l.conn = &connection{stream: stream, resumes: l.game.entered, lines: listen(func() (string, error) {
		line, err := lines.Next()
		return string(line), err
	})}
	err = l.pump(ctx)
	stream.Close()
	l.conn.lines.stop()
	if l.game != nil && l.game.entered && l.game.code == "" {
		l.abandon()
	}
	return err
}

// beginGame begins a game whose role is not known yet. A new process may send directives first.
func (l *lane) beginGame(ctx context.Context) error {
	err := l.program.Begin(ctx)
	if err == nil {
		l.request, err = l.program.Greet(program.Policy{Rules: l.cfg.rules(), Open: true})
	}
	switch {
	case err == nil || errors.Is(err, program.ErrNoSalvo): // its rules are those of the command line
		l.game = &game{lines: listen(func() (string, error) { return l.program.ReadLine(0) })}
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return l.fail(err)
}

// rules returns the rules that a program plays unless it asks for others.
func (c *Config) rules() match.Rules {
	if rules, err := match.Preset(c.Series.Rules); err == nil {
		return rules
	}
	return match.Classic()
}

// endGame ends the game, if there is one. settled means that the program knows that it is over.
func (l *lane) endGame(settled bool) {
	if l.game == nil {
		return
	}
	l.program.Finish(settled)
	l.game.lines.stop()
	l.game = nil
}

// abandon ends a game that cannot continue. If it was decided, the server has counted it.
func (l *lane) abandon() {
	g := l.game
	l.endGame(g.decided)
	if g.decided {
		l.count(g.won)
	}
}

// count counts a game that has a result.
func (l *lane) count(won bool) {
	if won {
		l.result.Won++
	} else {
		l.result.Lost++
	}
	if l.cfg.Series.Games > 0 {
		l.left--
	}
	l.refused = 0
}

// maxShown is the number of lines of standard error in a notice.
const maxShown = 10

// fail ends the process after an error, tells the author why it failed, and counts the game as lost.
// It returns the error with which the connection ends, so that the relay sees that the program has left.
func (l *lane) fail(err error) error {
	f := l.program.Fault(err)
	text := strings.TrimSpace(f.Stderr)
	if text != "" {
		lines := strings.Split(text, "\n")
		l.cfg.Notice("the end of the program's standard error:")
		for _, line := range lines[max(0, len(lines)-maxShown):] {
			l.cfg.Notice("  " + line)
		}
	}
	g := l.game
	if g != nil && g.started && !g.decided {
		l.count(false)
	}
	l.endGame(false)
	return l.addFault(f)
}

// addFault counts a failure of the program. The program may continue unless it has never played, or has
// failed maxFaults times in succession.
func (l *lane) addFault(err error) error {
	l.faults++
	switch {
	case !l.plays:
		return fatal{fmt.Errorf("the program does not play: %w", err)}
	case l.faults >= maxFaults:
		return fatal{fmt.Errorf("the program failed %d times in succession: %w", l.faults, err)}
	}
	return fmt.Errorf("the program failed: %w", err)
}

// refuse handles a refusal of the relay.
func (l *lane) refuse(code, text string) error {
	err := fmt.Errorf("the server says: %s", text)
	l.refused++
	limit := maxRefused
	if l.result == (Result{}) {
		limit = maxRefusedFirst
	}
	temporary := code == "refused" || l.plays && code == "vs"
	if !temporary || l.refused >= limit {
		return fatal{err}
	}
	return err
}
