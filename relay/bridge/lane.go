package bridge

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"broadside/relay/client"
	"broadside/relay/program"
)

// lane plays a share of the games with one process and one connection at a time. It belongs
// to one goroutine.
type lane struct {
	*bridge
	program  *program.Program
	left     int      // games still to play
	talks    bool     // the program sends directives
	early    []string // directives that the process has sent before its first game
	newest   *game    // the one begun last; nil before
	begun    *game    // the newest game while it waits for its role; nil afterwards
	held     *game    // the newest game after it has lost its connection, if it can continue; or nil
	result   Result
	faults   int  // of the program, since it last finished a game
	refused  int  // refusals of the relay, since a game was finished
	answered bool // the relay has answered on the newest connection
	admitted bool // the relay has accepted the opponent
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
	defer l.end()
	r := newRetry(time.Now())
	for l.left > 0 {
		before := l.result
		l.answered = false
		err := l.connect(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil && (isFatal(err) || !l.met.Load()):
			return err
		case err != nil && (l.left > 0 || !errors.Is(err, errLost)):
			l.cfg.Notice(err.Error())
		}
		if l.left == 0 {
			return nil
		}
		if l.result != before {
			l.refused = 0
		}
		if l.held != nil && l.answered {
			r.pause = resumePause
		}
		pause, ok := r.next(time.Now(), l.answered, l.result != before)
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

// end ends the program.
func (l *lane) end() {
	l.program.Close()
	if l.newest != nil {
		l.newest.stop()
	}
}

// connect plays on one connection.
func (l *lane) connect(ctx context.Context) error {
	if l.talks && l.held == nil {
		l.program.Stop() // a new process sends its directives again
		l.begun = nil
	}
	if l.begun == nil && l.held == nil {
		if err := l.greet(ctx); err != nil {
			return err
		}
	}
	rwc, err := l.cfg.Dial(ctx)
	if err != nil {
		return err
	}
	defer rwc.Close()
	defer context.AfterFunc(ctx, func() { rwc.Close() })()
	continues := l.held != nil
	c := &connection{lane: l, rwc: rwc, relay: listenTo(rwc), game: l.held, resumes: continues, asking: continues}
	l.held = nil
	defer c.end()
	return c.run(ctx)
}

// greet begins a game, whose role is not known yet. It collects the directives of a new
// process.
func (l *lane) greet(ctx context.Context) error {
	if err := l.begin(ctx); err != nil {
		return err
	}
	if !l.program.Fresh() {
		return nil
	}
	l.early = nil
	g := l.begun
	over := time.NewTimer(l.cfg.Hello)
	defer over.Stop()
	for {
		select {
		case s := <-g.said:
			switch {
			case s.err != nil:
				return l.failed(l.fail(s.err))
			case s.line[0] != '%':
				return l.failed(l.fail(fmt.Errorf("it sent %.40q before it had a role: %w", s.line, client.ErrMalformed)))
			}
			l.talks = true
			switch verb := verbOf(s.line); {
			case verb == "ready":
				return nil
			case !ours(verb):
				l.early = append(l.early, s.line)
			}
		case <-over.C:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// ours reports whether a directive is sent by the bridge, not by the program.
func ours(verb string) bool {
	switch verb {
	case "hello", "token", "games", "resume", "vs", "ladder":
		return true
	}
	return false
}

// verbOf returns the verb of a directive.
func verbOf(line string) string {
	fields := strings.Fields(line[1:])
	if len(fields) == 0 {
		return ""
	}
	return strings.ToLower(fields[0])
}

// begin begins a game with the program.
func (l *lane) begin(ctx context.Context) error {
	if l.newest != nil {
		l.program.Finish(true)
		l.newest.stop()
		l.newest = nil
	}
	if err := l.program.Begin(ctx); err != nil {
		return fatal{fmt.Errorf("the program does not play: %w", l.program.Fault(err))}
	}
	l.newest = &game{listener: listen(func() (string, error) { return l.program.ReadLine(0) })}
	l.begun = l.newest
	return nil
}

// maxShown is the number of lines of standard error in a notice.
const maxShown = 10

// fail ends the process after an error, and tells the author why it failed.
func (l *lane) fail(err error) error {
	f := l.program.Fault(err)
	if text := strings.TrimSpace(f.Stderr); text != "" {
		lines := strings.Split(text, "\n")
		l.cfg.Notice("the end of the program's standard error:")
		for _, line := range lines[max(0, len(lines)-maxShown):] {
			l.cfg.Notice("  " + line)
		}
	}
	return f
}

// failed handles the failure of the program in a game. The program may continue unless it has
// never played, or has failed maxFaults times in succession.
func (l *lane) failed(err error) error {
	l.faults++
	switch {
	case !l.plays.Load():
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
	temporary := code == "refused" || l.plays.Load() && code == "vs"
	most := maxRefused
	if l.result == (Result{}) {
		most = maxRefusedFirst
	}
	if !temporary || l.refused >= most {
		return fatal{err}
	}
	return err
}

// finish counts a game that has a result.
func (l *lane) finish(won bool) {
	if won {
		l.result.Won++
	} else {
		l.result.Lost++
	}
	if l.cfg.Games > 0 {
		l.left--
	}
}

// errLost is returned if the connection is lost.
var errLost = errors.New("the connection was lost")
