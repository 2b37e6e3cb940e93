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

// Nursery starts programs. Its methods may be called from any goroutine.
type Nursery struct {
	requests chan request
	nurse    sync.WaitGroup
}

type request struct {
	cmd   *exec.Cmd
	reply chan<- error
}

// NewNursery opens a nursery, to be closed by [Nursery.Close].
func NewNursery() *Nursery {
	n := &Nursery{requests: make(chan request)}
	n.nurse.Go(n.run)
	return n
}

// run starts what is asked for. Where the system ends processes with the thread
// that has started them, that thread must live as long as they may: so it is one
// thread, this one.
func (n *Nursery) run() {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for r := range n.requests {
		r.reply <- r.cmd.Start()
	}
}

// Close closes the nursery. The programs must have been killed before.
func (n *Nursery) Close() {
	close(n.requests)
	n.nurse.Wait()
}

// Program is a program that was started. Its methods may be called from any
// goroutine.
type Program struct {
	cmd     *exec.Cmd
	ended   chan struct{}
	failure error // how it ended, written before ended is closed
	said    lastWords
}

// Start starts a program, which finds the address of a relay in BROADSIDE_RELAY
// and in place of {addr}, {host} and {port} in its words. There must be at least
// one. The error is that of the system. Whoever starts a program kills it, also
// if it ends by itself.
func (n *Nursery) Start(words []string, address string) (*Program, error) {
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
	p.cmd.WaitDelay = time.Second // for what its children still hold open
	in(p.cmd)
	reply := make(chan error, 1)
	n.requests <- request{p.cmd, reply}
	if err := <-reply; err != nil {
		return nil, err
	}
	go func() { // ends with the process: Kill waits for it
		defer close(p.ended)
		p.failure = p.cmd.Wait()
		kill(p.cmd) // its children, if it has left any
	}()
	return p, nil
}

// Ended is closed once the program has ended.
func (p *Program) Ended() <-chan struct{} { return p.ended }

// HasEnded tells whether it has.
func (p *Program) HasEnded() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// Kill ends the program and its children, and waits until it has ended.
func (p *Program) Kill() {
	if !p.HasEnded() {
		kill(p.cmd)
	}
	<-p.ended
}

// Last waits for the program's end, and is how it ended, with the last line
// that it has written to its standard error, made safe to show.
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

// lastWords keeps the end of what a program writes.
type lastWords struct {
	mu   sync.Mutex
	tail []byte // guarded by mu
}

// maxTail is how much of it is kept, in bytes.
const maxTail = 1024

// Write implements [io.Writer].
func (l *lastWords) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tail = append(l.tail, b...)
	l.tail = l.tail[max(0, len(l.tail)-maxTail):]
	return len(b), nil
}

// line is the last line.
func (l *lastWords) line() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := strings.TrimSpace(strings.ToValidUTF8(string(l.tail), "?"))
	return Clean(text[strings.LastIndex(text, "\n")+1:])
}

// Clean makes a line that a program has written fit for a line of a report: it
// is cut, and has nothing that cannot be printed.
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
