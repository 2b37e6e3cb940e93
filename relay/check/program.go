package check

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
	"unicode"

	"broadside/internal/group"
)

// program is the client as a process of ours.
type program struct {
	command []string
	address string
	cmd     *exec.Cmd     // nil before the first start
	ended   chan struct{} // closed when the process has
	failure error         // how it ended; read once ended is closed
	said    *lastWords
}

// start starts the process unless it runs.
func (p *program) start() error {
	if p.cmd != nil && !p.hasEnded() {
		return nil
	}
	host, port, err := net.SplitHostPort(p.address)
	if err != nil {
		return fmt.Errorf("the address to connect to: %w", err)
	}
	fill := strings.NewReplacer("{addr}", p.address, "{host}", host, "{port}", port)
	words := make([]string, len(p.command))
	for i, w := range p.command {
		words[i] = fill.Replace(w)
	}
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Env = append(os.Environ(), "BROADSIDE_RELAY="+p.address)
	said := &lastWords{}
	cmd.Stderr = said
	cmd.WaitDelay = time.Second // for what its children still hold open
	group.In(cmd)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("starting the client: %w", err)
	}
	ended := make(chan struct{})
	p.cmd, p.ended, p.said = cmd, ended, said
	go func() { // ends with the process: kill waits for it
		defer close(ended)
		p.failure = cmd.Wait()
		group.Kill(cmd) // its children, if it has left any
	}()
	return nil
}

func (p *program) hasEnded() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// kill ends the process, if there is one, and waits for its end.
func (p *program) kill() {
	if p.cmd == nil {
		return
	}
	if !p.hasEnded() {
		group.Kill(p.cmd)
	}
	<-p.ended
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

// lastWords keeps the end of what a process writes.
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

// line is the last line, made safe to show.
func (l *lastWords) line() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := strings.TrimSpace(strings.ToValidUTF8(string(l.tail), "?"))
	return clean(text[strings.LastIndex(text, "\n")+1:])
}

// clean makes foreign text fit for a line of a report.
func clean(text string) string {
	const most = 120
	if r := []rune(text); len(r) > most {
		text = string(r[:most]) + "…"
	}
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, text)
}
