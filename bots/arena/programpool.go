package arena

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"broadside/match"
	"broadside/relay/client"
	"broadside/relay/program"
)

// programPool holds the processes of one program, one for each concurrent game. Its methods are
// safe for concurrent use.
type programPool struct {
	name       string
	config     program.Config
	moveTime   time.Duration // time for a shot or a result
	totalTime  time.Duration // time for all shots and results in a game; none if 0
	increment  time.Duration // added to total for each shot
	stderrFile string        // file for the standard error of a process that fails; empty: none

	mu       sync.Mutex
	idle     []*program.Program // guarded by mu
	played   bool               // guarded by mu: the program has sent a legal message in any game
	failures int                // guarded by mu: games in a row that it forfeited without a legal message
	failure  *program.Fault     // guarded by mu: why it forfeited the latest of these games
}

func newProgramPool(name string, e External, cfg *Config) *programPool {
	split, _ := splitCommand(e.Command) // the command has been validated
	s := &programPool{
		name: name, moveTime: cfg.MoveTimeout, totalTime: cfg.TotalTime, increment: cfg.Increment,
		config: program.Config{
			Words: split, Stdio: e.Stdio, Move: cfg.MoveTimeout, Connect: cfg.ConnectTimeout, Hello: cfg.hello,
		},
	}
	if cfg.Rules.Salvo { // the program must send directives
		s.config.Hello = cfg.ConnectTimeout
	}
	if cfg.Dir != "" {
		s.stderrFile = filepath.Join(cfg.Dir, "stderr-"+strings.NewReplacer("/", "_", `\`, "_").Replace(name)+".txt")
	}
	return s
}

// maxFailures is how many games in a row a program may forfeit without a legal message. It then
// forfeits the others without being started, because each failure can take until a time limit.
const maxFailures = 3

// acquire returns a program's seat in a game. draw returns a layout if the program lets the arena place its
// fleet.
func (s *programPool) acquire(rules match.Rules, draw func() match.Layout) *programPlayer {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := &programPlayer{pool: s, rules: rules, drawLayout: draw, timeLeft: s.totalTime}
	if s.failures >= maxFailures {
		e.fault = s.failure
	}
	n := len(s.idle)
	if n > 0 {
		e.program, s.idle = s.idle[n-1], s.idle[:n-1]
	} else {
		e.program = program.New(s.config)
	}
	return e
}

// release releases a program after a game. settled means that a fleet was sunk. It returns an error if the
// program has never sent a legal message.
func (s *programPool) release(e *programPlayer, settled bool) error {
	if e.fault == nil {
		e.program.FinishGame(settled)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.idle = append(s.idle, e.program)
	s.played = s.played || e.hasPlayed
	if e.fault == nil {
		s.failures = 0
		return nil
	}
	if s.stderrFile != "" && e.fault.Stderr != "" {
		writeFileAtomically(s.stderrFile, []byte(e.fault.Stderr)) // without it, the report still has the last line
	}
	s.failures++
	s.failure = e.fault
	if e.hasPlayed {
		s.failures = 0
	}
	if s.played {
		return nil
	}
	return fmt.Errorf("the program %s does not play: %w", s.name, e.fault)
}

// close ends all processes. It must not be called during a game.
func (s *programPool) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.idle {
		p.Close()
	}
}

// receive waits for the program's next message, which must have the given opcode. The program's
// clock runs meanwhile.
func (e *programPlayer) receive(op client.Op) (client.Message, error) {
	began, limit := time.Now(), e.pool.moveTime
	if e.pool.totalTime > 0 {
		limit = min(limit, e.timeLeft)
	}
	m, err := e.program.Expect(op, limit)
	e.timeLeft -= time.Since(began)
	switch {
	case err == nil:
		e.hasPlayed = true
		if op == client.Attack {
			e.timeLeft += e.pool.increment
		}
	case errors.Is(err, os.ErrDeadlineExceeded) && e.pool.totalTime > 0 && e.timeLeft <= 0:
		return m, &program.Fault{Kind: program.Hang, Reason: match.Silent, Err: errors.New("the program used up its total time")}
	}
	return m, err
}

func (e *programPlayer) fail(err error) *program.Fault {
	e.fault = e.program.Fail(err)
	return e.fault
}
