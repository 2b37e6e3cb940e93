package arena

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"broadside/match"
	"broadside/relay/program"
)

// programPool holds the processes of one program, one for each concurrent game. Its methods are
// safe for concurrent use.
type programPool struct {
	name   string
	config program.Config
	// moveTime limits a shot or a result.
	moveTime time.Duration
	// totalTime limits all shots and results in a game. 0 means no limit.
	totalTime time.Duration
	// increment is added to totalTime for each shot.
	increment time.Duration
	// stderrFile receives the standard error of a process that fails. It may be empty.
	stderrFile string

	// mu guards the fields below.
	mu   sync.Mutex
	idle []*program.Program
	// hasPlayed means that the program has sent a legal message in any game.
	hasPlayed bool
	// failures counts the last games in a row that the program forfeited without a legal message, and
	// lastFault is why it forfeited the last one.
	failures  int
	lastFault *program.Fault
}

func newProgramPool(name string, e External, cfg *Config) *programPool {
	// Validate has checked the command.
	split, _ := splitCommand(e.Command)
	p := &programPool{
		name: name, moveTime: cfg.MoveTimeout, totalTime: cfg.TotalTime, increment: cfg.Increment,
		config: program.Config{
			Words: split, Stdio: e.Stdio, Move: cfg.MoveTimeout, Connect: cfg.ConnectTimeout, Hello: cfg.hello,
		},
	}
	// The program must have time to send directives.
	if cfg.Rules.Salvo {
		p.config.Hello = cfg.ConnectTimeout
	}
	if cfg.Dir != "" {
		p.stderrFile = filepath.Join(cfg.Dir, "stderr-"+strings.NewReplacer("/", "_", `\`, "_").Replace(name)+".txt")
	}
	return p
}

// maxFailures is how many games in a row a program may forfeit without a legal message. It then
// forfeits the others without being started, because each failure can take until a time limit.
const maxFailures = 3

// acquire returns the program as a player of one game, which must be released. drawLayout returns a
// layout if the program lets the arena place its fleet.
func (p *programPool) acquire(rules match.Rules, drawLayout func() match.Layout) *programPlayer {
	p.mu.Lock()
	defer p.mu.Unlock()
	player := &programPlayer{pool: p, rules: rules, drawLayout: drawLayout, timeLeft: p.totalTime}
	if p.failures >= maxFailures {
		player.fault = p.lastFault
	}
	n := len(p.idle)
	if n > 0 {
		player.program, p.idle = p.idle[n-1], p.idle[:n-1]
	} else {
		player.program = program.New(p.config)
	}
	return player
}

// release returns a program after a game. isSunk says whether a fleet was sunk. The error is not nil if the
// program has never sent a legal message.
func (p *programPool) release(player *programPlayer, isSunk bool) error {
	if player.fault == nil {
		player.program.FinishGame(isSunk)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, player.program)
	p.hasPlayed = p.hasPlayed || player.hasPlayed
	if player.fault == nil {
		p.failures = 0
		return nil
	}
	if p.stderrFile != "" && player.fault.Stderr != "" {
		// If this fails, the report still has the last line.
		writeFileAtomically(p.stderrFile, []byte(player.fault.Stderr))
	}
	p.failures++
	p.lastFault = player.fault
	if player.hasPlayed {
		p.failures = 0
	}
	if p.hasPlayed {
		return nil
	}
	return fmt.Errorf("the program %s does not play: %w", p.name, player.fault)
}

// close ends all processes. It must not be called during a game.
func (p *programPool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, idle := range p.idle {
		idle.Close()
	}
}
