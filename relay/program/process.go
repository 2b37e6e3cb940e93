package program

import (
	"context"
	"errors"
	"fmt"
	"io"
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

// process is a started program. Its methods may be called from any goroutine.
type process struct {
	cmd *exec.Cmd
	// running ends with the process.
	running context.Context
	// exit is set before running ends.
	exit   error
	stderr stderrTail
	// connected is owned by the goroutine that uses the program.
	connected bool

	// mu guards exited.
	mu sync.Mutex
	// exited means that the process and its children have ended, so its id may be used again.
	exited bool
}

// startProcess starts a command. The caller must call [process.kill], even if the process ends by
// itself.
func startProcess(cmd *exec.Cmd) (*process, error) {
	running, end := context.WithCancel(context.Background())
	x := &process{cmd: cmd, running: running}
	x.stderr.flooded = x.killGroup
	cmd.Stderr = &x.stderr
	// A child that has left the group may keep a pipe open.
	cmd.WaitDelay = time.Second
	setProcessGroup(cmd)
	started := make(chan error)
	// This goroutine ends with the process, for which kill waits.
	go func() {
		// Linux kills the process when the thread that has started it ends.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err != nil {
			return
		}
		// Wait frees the process id, which is also that of the group, for other processes.
		if awaitExit(cmd.Process.Pid) {
			x.mu.Lock()
			// Kill the remaining children.
			killGroup(cmd)
			x.exited = true
			x.mu.Unlock()
		}
		x.exit = cmd.Wait()
		end()
	}()
	if err := <-started; err != nil {
		end()
		return nil, err
	}
	return x, nil
}

// killGroup kills the process and its children, unless they have ended.
func (p *process) killGroup() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.exited {
		killGroup(p.cmd)
	}
}

// kill kills the process and its children, and waits until it has ended.
func (p *process) kill() {
	p.killGroup()
	<-p.running.Done()
}

func (p *process) hasEnded() bool { return p.running.Err() != nil }

// waitExit waits at most d for the process to end, and reports whether it has ended.
func (p *process) waitExit(d time.Duration) bool {
	select {
	case <-p.running.Done():
	case <-time.After(d):
	}
	return p.hasEnded()
}

// exitError waits for the process to end. It returns the exit status and the last line of standard
// error, made safe to show.
func (p *process) exitError() error {
	<-p.running.Done()
	exit := p.exit
	if exit == nil {
		exit = errors.New("exit status 0")
	}
	line := p.stderr.lastLine()
	if line != "" {
		return fmt.Errorf("%w: %s", exit, line)
	}
	return exit
}

// fillAddress replaces {addr}, {host} and {port} in a command's words.
func fillAddress(words []string, address net.Addr) []string {
	// A listener's address always has a host and a port.
	host, port, _ := net.SplitHostPort(address.String())
	fill := strings.NewReplacer("{addr}", address.String(), "{host}", host, "{port}", port)
	filled := make([]string, len(words))
	for i, w := range words {
		filled[i] = fill.Replace(w)
	}
	return filled
}

// stderrTail keeps the end of a process's standard error.
type stderrTail struct {
	// flooded is called once when the process has written too much.
	flooded func()

	// mu guards the fields below.
	mu   sync.Mutex
	tail []byte
	// count is the number of bytes since the last reset.
	count int
	// exceeded means that count was over maxFlood.
	exceeded bool
}

// maxTail is how many of standard error's last bytes are kept. A process is killed if it writes more than
// maxFlood between two lines of the protocol.
const maxTail, maxFlood = 64 << 10, 1 << 20

// Write implements [io.Writer].
func (s *stderrTail) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tail = append(s.tail, b...)
	s.tail = s.tail[max(0, len(s.tail)-maxTail):]
	s.count += len(b)
	if s.count > maxFlood && !s.exceeded {
		s.exceeded = true
		s.flooded()
	}
	return len(b), nil
}

// reset sets the count of written bytes to 0.
func (s *stderrTail) reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count = 0
}

// hasFlooded reports whether the process was killed because it wrote too much.
func (s *stderrTail) hasFlooded() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.exceeded
}

// text returns the last bytes, at most maxTail, unchanged.
func (s *stderrTail) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return string(s.tail)
}

// lastLine returns the last line, made safe to show.
func (s *stderrTail) lastLine() string {
	text := strings.TrimSpace(s.text())
	return EscapeLine(text[strings.LastIndex(text, "\n")+1:])
}

// EscapeLine makes a line of a program's output safe to show. It truncates the line and writes
// unprintable bytes and characters as escapes, such as \x00.
func EscapeLine(text string) string {
	const maxLength = 120
	var clean strings.Builder
	for text != "" {
		r, size := utf8.DecodeRuneInString(text)
		char := text[:size]
		if !sanitize.IsVisible(r) {
			char = strings.Trim(strconv.QuoteToASCII(char), `"`)
		}
		if utf8.RuneCountInString(clean.String())+len(char) > maxLength {
			return clean.String() + "…"
		}
		clean.WriteString(char)
		text = text[size:]
	}
	return clean.String()
}

// pipes are the standard input and output of a process.
type pipes struct {
	process *process
	stdin   io.WriteCloser
	stdout  *os.File
}

// startOnPipes starts a command that plays on standard input and output.
func startOnPipes(cmd *exec.Cmd) (*pipes, error) {
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	// Do not use StdoutPipe, which loses what has not been read when the process ends.
	r, stdout, err := os.Pipe()
	if err != nil {
		stdin.Close()
		return nil, err
	}
	defer stdout.Close()
	cmd.Stdout = stdout
	x, err := startProcess(cmd)
	if err != nil {
		r.Close()
		return nil, err
	}
	return &pipes{process: x, stdin: stdin, stdout: r}, nil
}

func (p *pipes) Read(b []byte) (int, error)  { return p.stdout.Read(b) }
func (p *pipes) Write(b []byte) (int, error) { return p.stdin.Write(b) }
func (p *pipes) CloseWrite() error           { return p.stdin.Close() }

// Close ends the process, because a process that has left the group may keep the pipes open.
func (p *pipes) Close() error {
	p.process.kill()
	return p.stdout.Close()
}
