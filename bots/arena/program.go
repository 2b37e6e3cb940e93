package arena

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"broadside/relay/program"
)

// programPool manages the processes of one program, one per concurrent game. Its methods are
// safe for concurrent use.
type programPool struct {
	name    string
	command program.Command
	stdio   bool
	connect time.Duration // time from the start of a process until it connects
	move    time.Duration // time for a shot or a result
	total   time.Duration // time for all shots and results in a game; none if 0
	more    time.Duration // added to total for each shot
	hello   time.Duration // time for directives; 0: hello or startHello
	errors  string        // file for the standard error of a process that fails; empty: none
	starter *program.Starter

	quiet  atomic.Bool // it has played without directives, so the arena need not wait for any
	played atomic.Bool // it has sent a legal message in any game

	mu       sync.Mutex
	idle     []*programRun // guarded by mu
	failures int           // guarded by mu: games in a row that the program forfeited without a legal message
	failure  *fault        // guarded by mu: why the program forfeited the latest of these games
}

func newProgramPool(name string, e External, cfg *Config, starter *program.Starter) *programPool {
	split, _ := words(e.Command) // the command has been validated
	s := &programPool{
		name: name, stdio: e.Stdio, connect: cfg.ConnectTimeout, move: cmp.Or(e.Move, cfg.MoveTimeout),
		total: cfg.TotalTime, more: cfg.Increment, hello: cfg.hello, starter: starter,
		command: program.Command{Words: split, Dir: e.Dir, Env: e.Env},
	}
	if cfg.Dir != "" {
		s.errors = filepath.Join(cfg.Dir, "stderr-"+strings.NewReplacer("/", "_", `\`, "_").Replace(name)+".txt")
	}
	return s
}

// programRun is one process of a program, and the port it connects to or its standard input and
// output. It is used by one game at a time.
type programRun struct {
	pool     *programPool
	stdio    *program.Program // nil if the program connects
	listener *net.TCPListener // nil until the process is started
	process  *program.Process
	met      bool // the process has connected before
}

// get returns a program for a game.
func (s *programPool) get() *programRun {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.idle); n > 0 {
		p := s.idle[n-1]
		s.idle = s.idle[:n-1]
		return p
	}
	p := &programRun{pool: s}
	if s.stdio {
		p.stdio = program.New(s.starter, s.command)
	}
	return p
}

// put releases a program after a game. If it behaved correctly, it may keep running
// and reconnect.
func (s *programPool) put(p *programRun, behaved bool) {
	if !behaved {
		p.kill()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.idle = append(s.idle, p)
}

// maxFailures is how many games in a row a program may forfeit without a legal message. It then
// forfeits the others without being started, because each failure can take until a time limit.
const maxFailures = 3

// countGame counts a game. f says why the program forfeited it, or is nil. heard reports whether the
// program sent a legal message.
func (s *programPool) countGame(f *fault, heard bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f == nil || heard {
		s.failures = 0
		return
	}
	s.failures++
	s.failure = f
}

// lastFailure returns why the program forfeits its other games, or nil if it plays them.
func (s *programPool) lastFailure() *fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failures < maxFailures {
		return nil
	}
	return s.failure
}

// close ends all processes. It must not be called during a game.
func (s *programPool) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.idle {
		p.kill()
		if p.stdio != nil {
			p.stdio.Close()
		}
	}
}

// keepErrors writes the standard error of a failed process to the tournament's folder.
func (s *programPool) keepErrors(text string) {
	if s.errors != "" && text != "" {
		writeFile(s.errors, []byte(text)) // without it, the report still has the last line
	}
}

// errStopped is returned if the arena stops while waiting for a program.
var errStopped = errors.New("the arena is stopping")

// errLate is returned if a program does not connect in time.
var errLate = errors.New("it does not connect")

// accept returns the program's connection for a game. It first starts the program if it is not
// running, and restarts it if it ended after a game.
func (p *programRun) accept(ctx context.Context) (net.Conn, error) {
	if p.stdio != nil {
		return p.stdio.Begin()
	}
	if p.process == nil {
		if err := p.launch(); err != nil {
			return nil, err
		}
	}
	for {
		nc, err := p.wait(ctx)
		if err == nil {
			p.met = true
			return nc, nil
		}
		if ctx.Err() != nil {
			return nil, errStopped
		}
		if !p.process.HasEnded() {
			return nil, fmt.Errorf("%w within %v", errLate, p.pool.connect)
		}
		if !p.met {
			return nil, fmt.Errorf("it ended without connecting: %w", p.process.Last())
		}
		p.kill()
		if err := p.launch(); err != nil {
			return nil, err
		}
	}
}

// wait accepts one connection. It fails if the process ends or the time limit expires.
func (p *programRun) wait(ctx context.Context) (net.Conn, error) {
	if err := p.listener.SetDeadline(time.Now().Add(p.pool.connect)); err != nil {
		return nil, err
	}
	done := make(chan struct{})
	var watcher sync.WaitGroup
	watcher.Go(func() {
		select {
		case <-p.process.Ended():
		case <-ctx.Done():
		case <-done:
			return
		}
		p.listener.SetDeadline(time.Unix(1, 0)) // wakes Accept; fails only if the listener is closed
	})
	nc, err := p.listener.Accept()
	close(done)
	watcher.Wait()
	return nc, err
}

// launch starts the process with its own port.
func (p *programRun) launch() error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listening for it: %w", err)
	}
	command := p.pool.command
	command.Address = l.Addr().String()
	process, err := p.pool.starter.Start(command)
	if err != nil {
		l.Close()
		return fmt.Errorf("it cannot be started: %w", err)
	}
	p.listener, p.process, p.met = l.(*net.TCPListener), process, false
	return nil
}

// fail returns why the program failed, given an error from its connection or from parsing one
// of its lines. It ends a process that plays on standard input and output.
func (p *programRun) fail(err error) error {
	if p.stdio != nil {
		f := p.stdio.Fail(err)
		p.pool.keepErrors(f.Stderr)
		return f
	}
	if p.process != nil {
		p.pool.keepErrors(p.process.Stderr())
	}
	return err
}

// kill ends the process and its children, and waits for them.
func (p *programRun) kill() {
	if p.stdio != nil {
		p.stdio.Stop()
		return
	}
	if p.process == nil {
		return
	}
	p.listener.Close()
	p.process.Kill()
	p.process = nil
}
