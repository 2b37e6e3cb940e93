package group

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"

	"broadside/internal/sanitize"
)

// Starter starts programs from one thread. Its methods may be called from any goroutine.
type Starter struct {
	requests chan request
	worker   sync.WaitGroup
}

type request struct {
	cmd   *exec.Cmd
	reply chan<- error
}

// NewStarter returns a starter, which must be closed.
func NewStarter() *Starter {
	n := &Starter{requests: make(chan request)}
	n.worker.Go(n.run)
	return n
}

// run starts the requested programs. Linux kills them when the thread that started them ends,
// so a single locked thread starts all of them.
func (n *Starter) run() {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for r := range n.requests {
		r.reply <- r.cmd.Start()
	}
}

// Close ends the starter. All programs must have been killed.
func (n *Starter) Close() {
	close(n.requests)
	n.worker.Wait()
}

// Program is a started program. Its methods may be called from any goroutine.
type Program struct {
	cmd     *exec.Cmd
	ended   chan struct{}
	failure error // its exit error; set before ended is closed
	said    lastWords
}

// Start starts a program from at least one word. It passes the address of the relay in
// the variable BROADSIDE_RELAY, and replaces {addr}, {host} and {port} in the words. The
// caller must call [Program.Kill], even if the program ends by itself.
func (n *Starter) Start(words []string, address string) (*Program, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("the address to connect to: %w", err)
	}
	fill := strings.NewReplacer("{addr}", address, "{host}", host, "{port}", port)
	filled := make([]string, len(words))
	for i, w := range words {
		filled[i] = fill.Replace(w)
	}
	p := &Program{cmd: exec.Command(filled[0], filled[1:]...), ended: make(chan struct{})}
	p.cmd.Env = append(os.Environ(), "BROADSIDE_RELAY="+address)
	p.cmd.Stderr = &p.said
	p.cmd.WaitDelay = time.Second // its children may keep pipes open
	in(p.cmd)
	reply := make(chan error, 1)
	n.requests <- request{p.cmd, reply}
	if err := <-reply; err != nil {
		return nil, err
	}
	go func() { // ends with the process; Kill waits for it
		defer close(p.ended)
		p.failure = p.cmd.Wait()
		kill(p.cmd) // remaining children
	}()
	return p, nil
}

// Ended returns a channel that is closed when the program has ended.
func (p *Program) Ended() <-chan struct{} { return p.ended }

// HasEnded reports whether the program has ended.
func (p *Program) HasEnded() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// Kill kills the program and its children, and waits for its end.
func (p *Program) Kill() {
	if !p.HasEnded() {
		kill(p.cmd)
	}
	<-p.ended
}

// Last waits for the program's end. It returns the exit status and the last line of
// standard error, made safe to show.
func (p *Program) Last() error {
	<-p.ended
	how := p.failure
	if how == nil {
		how = errors.New("exit status 0")
	}
	if line := p.said.line(); line != "" {
		return fmt.Errorf("%w: %s", how, line)
	}
	return how
}

// lastWords keeps the end of a program's output.
type lastWords struct {
	mu   sync.Mutex
	tail []byte // guarded by mu
}

// maxTail is the number of bytes that are kept.
const maxTail = 1024

// Write implements [io.Writer].
func (l *lastWords) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tail = append(l.tail, b...)
	l.tail = l.tail[max(0, len(l.tail)-maxTail):]
	return len(b), nil
}

// line returns the last line.
func (l *lastWords) line() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := strings.TrimSpace(strings.ToValidUTF8(string(l.tail), "?"))
	return Clean(text[strings.LastIndex(text, "\n")+1:])
}

// Clean makes a line of a program's output safe to show: it truncates it and replaces
// characters that cannot be printed.
func Clean(text string) string {
	const most = 120
	if r := []rune(text); len(r) > most {
		text = string(r[:most]) + "…"
	}
	return strings.Map(func(r rune) rune {
		if !sanitize.Visible(r) {
			return '?'
		}
		return r
	}, text)
}
