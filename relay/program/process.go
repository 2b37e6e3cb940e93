package program

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

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

// Command describes how to start a program.
type Command struct {
	Words []string // at least one
	// Address is the address of the relay. The program gets it in the variable
	// BROADSIDE_RELAY and in place of {addr}, {host} and {port} in the words. Empty: the
	// program uses Stdin and Stdout.
	Address       string
	Dir           string   // its working directory; empty: that of this process
	Env           []string // more variables, as NAME=VALUE
	Stdin, Stdout *os.File // nil: none
	// Flood is how many bytes the program may write to standard error between two calls of
	// [Process.Answered]. It is killed if it writes more. 0: any number.
	Flood int
}

// Process is a started program. Its methods may be called from any goroutine.
type Process struct {
	cmd     *exec.Cmd
	ended   chan struct{}
	failure error // its exit error; set before ended is closed
	said    lastWords
}

// Start starts a program. The caller must call [Process.Kill], even if the program ends by
// itself.
func (n *Starter) Start(c Command) (*Process, error) {
	words, env := c.Words, append(os.Environ(), c.Env...)
	if c.Address != "" {
		var err error
		if words, err = c.addressed(); err != nil {
			return nil, err
		}
		env = append(env, "BROADSIDE_RELAY="+c.Address)
	}
	p := &Process{cmd: exec.Command(words[0], words[1:]...), ended: make(chan struct{})}
	p.said.limit, p.said.flooded = c.Flood, func() { kill(p.cmd) }
	p.cmd.Dir, p.cmd.Env, p.cmd.Stderr = c.Dir, env, &p.said
	if c.Stdin != nil {
		p.cmd.Stdin = c.Stdin
	}
	if c.Stdout != nil {
		p.cmd.Stdout = c.Stdout
	}
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

// addressed returns the words with the address filled in.
func (c Command) addressed() ([]string, error) {
	host, port, err := net.SplitHostPort(c.Address)
	if err != nil {
		return nil, fmt.Errorf("the address to connect to: %w", err)
	}
	fill := strings.NewReplacer("{addr}", c.Address, "{host}", host, "{port}", port)
	filled := make([]string, len(c.Words))
	for i, w := range c.Words {
		filled[i] = fill.Replace(w)
	}
	return filled, nil
}

// Ended returns a channel that is closed when the program has ended.
func (p *Process) Ended() <-chan struct{} { return p.ended }

// HasEnded reports whether the program has ended.
func (p *Process) HasEnded() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// Kill kills the program and its children, and waits until it has ended.
func (p *Process) Kill() {
	if !p.HasEnded() {
		kill(p.cmd)
	}
	<-p.ended
}

// Last waits for the program's end. It returns the exit status and the last line of
// standard error, made safe to show.
func (p *Process) Last() error {
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

// Answered starts a new count of the bytes that the program may write to standard error.
func (p *Process) Answered() {
	p.said.mu.Lock()
	defer p.said.mu.Unlock()
	p.said.count = 0
}

// Flooded reports whether the program was killed because it wrote too much to standard
// error.
func (p *Process) Flooded() bool {
	p.said.mu.Lock()
	defer p.said.mu.Unlock()
	return p.said.over
}

// Stderr returns the last 64 KiB, or less, of the program's standard error, unchanged.
func (p *Process) Stderr() string {
	p.said.mu.Lock()
	defer p.said.mu.Unlock()
	return string(p.said.tail[max(0, len(p.said.tail)-maxTail):])
}

// lastWords keeps the end of a program's output.
type lastWords struct {
	limit   int    // bytes between two resets; 0: any number
	flooded func() // called once, when there are more

	mu    sync.Mutex
	tail  []byte // guarded by mu
	count int    // guarded by mu: bytes since the last reset
	over  bool   // guarded by mu: count has exceeded limit
}

// maxTail is the number of bytes that are kept.
const maxTail = 64 << 10

// Write implements [io.Writer].
func (l *lastWords) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.tail)+len(b) > 2*maxTail { // moves bytes only occasionally
		l.tail = append(l.tail[:0], l.tail[max(0, len(l.tail)-maxTail):]...)
	}
	l.tail = append(l.tail, b[max(0, len(b)-maxTail):]...)
	l.count += len(b)
	if l.limit > 0 && l.count > l.limit && !l.over {
		l.over = true
		l.flooded()
	}
	return len(b), nil
}

// line returns the last line.
func (l *lastWords) line() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := strings.TrimSpace(string(l.tail))
	return Clean(text[strings.LastIndex(text, "\n")+1:])
}

// Clean makes a line of a program's output safe to show: it truncates it and writes bytes and
// characters that cannot be printed as escapes, such as \x00.
func Clean(text string) string {
	const most = 120
	var clean strings.Builder
	for text != "" {
		r, size := utf8.DecodeRuneInString(text)
		char := text[:size]
		if !sanitize.Visible(r) {
			char = strings.Trim(strconv.QuoteToASCII(char), `"`)
		}
		if utf8.RuneCountInString(clean.String())+len(char) > most {
			return clean.String() + "…"
		}
		clean.WriteString(char)
		text = text[size:]
	}
	return clean.String()
}
