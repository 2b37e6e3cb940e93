package arena

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"
	"unicode"

	"broadside/internal/group"
)

// stable keeps the processes of one program that takes part: as many as there
// are games of it at a time. Its methods may be called from any goroutine.
type stable struct {
	name    string
	command []string
	connect time.Duration // time from the start of a process until it connects
	start   chan<- startRequest

	mu   sync.Mutex
	idle []*program // guarded by mu
	// quiet is guarded by mu: the program has played and sent no directive, so
	// nobody needs to wait for one.
	quiet bool
}

// program is one process of a program, with the port that it connects to. It
// belongs to one game at a time.
type program struct {
	stable   *stable
	listener *net.TCPListener // nil before the process was started
	cmd      *exec.Cmd
	ended    chan struct{} // closed once the process has ended
	failure  error         // how it ended, written before ended is closed
	said     *lastWords    // on its standard error
	met      bool          // this process has connected before
}

// take is a program for a game.
func (s *stable) take() *program {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.idle); n > 0 {
		p := s.idle[n-1]
		s.idle = s.idle[:n-1]
		return p
	}
	return &program{stable: s}
}

// giveBack returns a program after a game. One that has behaved may keep
// running and connect again.
func (s *stable) giveBack(p *program, behaved bool) {
	if !behaved {
		p.kill()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.idle = append(s.idle, p)
}

// close ends all processes. No game may be on.
func (s *stable) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.idle {
		p.kill()
	}
}

// isQuiet tells whether the program is known to send no directives.
func (s *stable) isQuiet() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.quiet
}

func (s *stable) setQuiet(quiet bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.quiet = quiet
}

// errStopped is why a program was not waited for: nobody wants the game.
var errStopped = errors.New("the arena closes")

// errLate is what is wrong with a program that does not connect.
var errLate = errors.New("it does not connect")

// accept waits for the program to connect, and starts it first if it does not
// run. A process that ends after a game is started anew for the next one.
func (p *program) accept(ctx context.Context) (net.Conn, error) {
	if p.cmd == nil {
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
		select {
		case <-p.ended:
		default:
			return nil, fmt.Errorf("%w within %v", errLate, p.stable.connect)
		}
		if !p.met {
			return nil, fmt.Errorf("it ended without connecting: %w", p.last())
		}
		p.kill()
		if err := p.launch(); err != nil {
			return nil, err
		}
	}
}

// wait accepts one connection, until the process has ended or its time is up.
func (p *program) wait(ctx context.Context) (net.Conn, error) {
	if err := p.listener.SetDeadline(time.Now().Add(p.stable.connect)); err != nil {
		return nil, err
	}
	done := make(chan struct{})
	var watcher sync.WaitGroup
	watcher.Go(func() {
		select {
		case <-p.ended:
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

// launch starts the process with a port of its own.
func (p *program) launch() error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listening for it: %w", err)
	}
	address := l.Addr().String()
	host, port, _ := net.SplitHostPort(address)
	fill := strings.NewReplacer("{addr}", address, "{host}", host, "{port}", port)
	args := make([]string, len(p.stable.command))
	for i, word := range p.stable.command {
		args[i] = fill.Replace(word)
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "BROADSIDE_RELAY="+address)
	said := &lastWords{}
	cmd.Stderr = said
	cmd.WaitDelay = time.Second // for what its children still hold open
	group.In(cmd)
	reply := make(chan error, 1)
	p.stable.start <- startRequest{cmd, reply}
	if err := <-reply; err != nil {
		l.Close()
		return fmt.Errorf("it cannot be started: %w", err)
	}
	p.listener, p.cmd, p.said, p.met = l.(*net.TCPListener), cmd, said, false
	p.ended = make(chan struct{})
	go func() { // ends with the process: kill waits for it
		defer close(p.ended)
		p.failure = cmd.Wait()
		group.Kill(cmd) // its children, if it has left any
	}()
	return nil
}

// kill ends the process and its children, and waits until it has ended.
func (p *program) kill() {
	if p.cmd == nil {
		return
	}
	p.listener.Close()
	select {
	case <-p.ended:
	default:
		group.Kill(p.cmd)
		<-p.ended
	}
	p.cmd = nil
}

// last is how the process ended, with the last line it said.
func (p *program) last() error {
	how := p.failure
	if how == nil {
		how = errors.New("exit status 0")
	}
	if line := p.said.line(); line != "" {
		return fmt.Errorf("%w: %s", how, line)
	}
	return how
}

// startRequest asks the nursery to start a process.
type startRequest struct {
	cmd   *exec.Cmd
	reply chan<- error
}

// nursery starts processes until requests is closed. Where the system ends
// processes with the thread that has started them, that thread must live as
// long as they may: so it is one thread, this one.
func nursery(requests <-chan startRequest) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for r := range requests {
		r.reply <- r.cmd.Start()
	}
}

// lastWords keeps the end of what a process writes.
type lastWords struct {
	mu   sync.Mutex
	tail []byte // guarded by mu
}

// maxTail is how much of it is kept, in bytes.
const maxTail = 1024

// Write implements io.Writer.
func (l *lastWords) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tail = append(l.tail, b...)
	l.tail = l.tail[max(0, len(l.tail)-maxTail):]
	return len(b), nil
}

// line is the last line, made safe to show.
func (l *lastWords) line() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := strings.TrimSpace(strings.ToValidUTF8(string(l.tail), "?"))
	text = text[strings.LastIndex(text, "\n")+1:]
	const most = 120
	if r := []rune(text); len(r) > most {
		text = string(r[:most]) + "…"
	}
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, text)
}
