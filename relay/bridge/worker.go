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
	cfg     *Config
	program *program.Program
	request *program.Request
	// game is nil between games.
	game *game
	// conn is nil before the first connection.
	conn      *connection
	gamesLeft int
	result    Result
	// hasPlayed means that the program has sent a legal message, hasConnected that the relay has
	// answered on some connection, and admitted that it has accepted the opponent.
	hasPlayed    bool
	hasConnected bool
	// answered is like hasConnected for the newest connection.
	answered bool
	admitted bool
	// faults counts the program's failures, and refusals those of the relay to let it play, since a game
	// was finished.
	faults   int
	refusals int
}

// game is one game on the program's side. It can continue on another connection if it has a code.
type game struct {
	lines      *lineReader
	hasRole    bool
	resumeCode string
	// arrived is how many messages the relay had received when the program joined the match.
	arrived int
	// received counts the relay's messages that the program has got since its role.
	received int
	// sent are the program's messages.
	sent         []string
	lineDue      bool
	started      bool
	attacksFirst bool
	lastShipSunk bool
	// won is valid once lastShipSunk is set.
	won         bool
	programDone bool
}

const (
	// firstPause is the pause before the first attempt to reconnect. Each further pause is twice
	// as long, up to maxPause. A random part of up to a half is taken off each.
	firstPause, maxPause = time.Second, time.Minute
	// resumePause replaces firstPause if the connection was lost in a game.
	resumePause = 100 * time.Millisecond
	// maxSilence is how long a worker tries to reach a relay that does not answer.
	maxSilence = time.Hour
	// maxFaults is how often in succession a program may fail.
	maxFaults = 3
	// maxRefusals is how often in succession a relay may refuse to let a program play. Before the
	// first game, it is maxFirstRefusals.
	maxRefusals, maxFirstRefusals = 8, 3
)

// playGames plays the worker's games. It returns an error if they cannot be played.
func (w *worker) playGames(ctx context.Context) error {
	defer w.endGame(false)
	r := newRetry(time.Now())
	for w.gamesLeft > 0 {
		before := w.result
		w.answered = false
		err := w.playConnection(ctx)
		played := w.result != before
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil && (isFatal(err) || !w.hasConnected):
			return err
		case err != nil && (w.gamesLeft > 0 || !errors.Is(err, errLost)):
			w.cfg.Notice(err.Error())
		}
		if w.gamesLeft == 0 {
			return nil
		}
		canResume := w.game != nil && w.game.resumeCode != "" && w.answered
		pause, ok := r.nextPause(time.Now(), w.answered, played, canResume)
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

// retry decides when a worker reconnects.
type retry struct {
	nextDelay  time.Duration
	lastAnswer time.Time
}

func newRetry(now time.Time) *retry { return &retry{firstPause, now} }

// nextPause returns the pause before the next connection. answered and played say whether the relay
// answered on the last one, and whether a game was played. canResume says whether a game waits to be
// continued. ok is false if it is time to give up.
func (r *retry) nextPause(now time.Time, answered, played, canResume bool) (pause time.Duration, ok bool) {
	if answered {
		r.lastAnswer = now
	}
	switch {
	case canResume:
		r.nextDelay = resumePause
	case played:
		r.nextDelay = firstPause
	}
	pause, r.nextDelay = r.nextDelay, min(2*r.nextDelay, maxPause)
	return pause, now.Sub(r.lastAnswer) <= maxSilence
}

// playConnection connects and plays until the connection ends.
func (w *worker) playConnection(ctx context.Context) error {
	if w.game == nil {
		if err := w.startGame(ctx); err != nil {
			return err
		}
	}
	stream, err := w.cfg.Dial(ctx)
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { stream.Close() })()
	lines := client.NewLines(stream)
	w.conn = &connection{stream: stream, isResuming: w.game.hasRole, lines: startReading(func() (string, error) {
		line, err := lines.Next()
		return string(line), err
	})}
	err = w.forwardLines(ctx)
	stream.Close()
	w.conn.lines.stop()
	if w.game != nil && w.game.hasRole && w.game.resumeCode == "" {
		w.endLostGame()
	}
	return err
}

// startGame starts a game whose role is not known yet. A new process may send directives first.
func (w *worker) startGame(ctx context.Context) error {
	err := w.program.StartGame(ctx)
	if err == nil {
		w.request, err = w.program.AwaitReady(program.Policy{Rules: w.cfg.defaultRules(), Open: true})
	}
	// A program that has not asked for several shots plays by the command line's rules.
	switch {
	case err == nil || errors.Is(err, program.ErrNoSalvo):
		w.game = &game{lines: startReading(func() (string, error) { return w.program.ReadLine(0) })}
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return w.failProgram(err)
}

// defaultRules returns the rules for a program that does not ask for others.
func (c *Config) defaultRules() match.Rules {
	if rules, err := match.Preset(c.Series.Rules); err == nil {
		return rules
	}
	return match.Classic()
}

// endGame ends the game, if there is one. knowsEnd says whether the program knows that it is over.
func (w *worker) endGame(knowsEnd bool) {
	if w.game == nil {
		return
	}
	w.program.FinishGame(knowsEnd)
	w.game.lines.stop()
	w.game = nil
}

// endLostGame ends a game that cannot continue.
func (w *worker) endLostGame() {
	g := w.game
	w.endGame(g.lastShipSunk)
	// The server has counted it, too.
	if g.lastShipSunk {
		w.countGame(g.won)
	}
}

// countGame counts a game that has a result.
func (w *worker) countGame(won bool) {
	if won {
		w.result.Won++
	} else {
		w.result.Lost++
	}
	if w.cfg.Series.Games > 0 {
		w.gamesLeft--
	}
	w.refusals = 0
}

// maxStderrLines limits the lines of standard error in notices.
const maxStderrLines = 10

// failProgram ends the process after an error, notifies the author, and counts the game as lost.
// It returns the error that ends the connection, so that the relay notices that the program has left.
func (w *worker) failProgram(err error) error {
	f := w.program.Fail(err)
	text := strings.TrimSpace(f.Stderr)
	if text != "" {
		lines := strings.Split(text, "\n")
		w.cfg.Notice("the end of the program's standard error:")
		for _, line := range lines[max(0, len(lines)-maxStderrLines):] {
			w.cfg.Notice("  " + line)
		}
	}
	g := w.game
	if g != nil && g.started && !g.lastShipSunk {
		w.countGame(false)
	}
	w.endGame(false)
	return w.countFault(f)
}

// countFault counts a failure of the program and returns it. The error is fatal if the program has never
// played, or has failed maxFaults times in succession.
func (w *worker) countFault(err error) error {
	w.faults++
	switch {
	case !w.hasPlayed:
		return fatalError{fmt.Errorf("the program does not play: %w", err)}
	case w.faults >= maxFaults:
		return fatalError{fmt.Errorf("the program failed %d times in succession: %w", w.faults, err)}
	}
	return fmt.Errorf("the program failed: %w", err)
}

// countRefusal counts a refusal by the relay and returns it. The error is fatal unless it is temporary
// and the program may try again.
func (w *worker) countRefusal(code, text string) error {
	err := fmt.Errorf("the server says: %s", text)
	w.refusals++
	limit := maxRefusals
	if w.result == (Result{}) {
		limit = maxFirstRefusals
	}
	temporary := code == "refused" || w.hasPlayed && code == "vs"
	if !temporary || w.refusals >= limit {
		return fatalError{err}
	}
	return err
}
