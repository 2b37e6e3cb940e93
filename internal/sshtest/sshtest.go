// Package sshtest is equipment for tests that come in by the front door: a real
// SSH client whose output goes to a real terminal emulator, so that a test sees
// the screen a person would see.
package sshtest

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	gossh "golang.org/x/crypto/ssh"
)

// patience bounds every wait; it only ends tests that hang.
const patience = 30 * time.Second

// Options is how a client connects. The zero value is a guest at a terminal
// of 80×24.
type Options struct {
	User          string       // "guest" if empty
	Signer        gossh.Signer // nil: no key
	Width, Height int          // of the terminal; 80×24 if 0
	Term          string       // "xterm-256color" if empty
	Env           [][2]string  // sent before the shell is asked for
}

// Terminal is a person at a terminal. Its methods fail the test when what they
// wait for does not come.
type Terminal struct {
	t       testing.TB
	client  *gossh.Client
	session *gossh.Session
	stdin   io.WriteCloser
	done    chan error    // the session's end
	changed chan struct{} // capacity 1: the screen has changed
	work    sync.WaitGroup

	mu       sync.Mutex
	emulator *vt.Emulator // guarded by mu, but for Read
	received bytes.Buffer // guarded by mu: every byte that came
}

// Dial connects a client without opening a session.
func Dial(t testing.TB, address string, o Options) *gossh.Client {
	t.Helper()
	if o.User == "" {
		o.User = "guest"
	}
	config := &gossh.ClientConfig{
		User: o.User, HostKeyCallback: gossh.InsecureIgnoreHostKey(), Timeout: patience,
		Auth: []gossh.AuthMethod{gossh.KeyboardInteractive(
			func(string, string, []string, []bool) ([]string, error) { return nil, nil })},
	}
	if o.Signer != nil {
		config.Auth = []gossh.AuthMethod{gossh.PublicKeys(o.Signer)}
	}
	client, err := gossh.Dial("tcp", address, config)
	if err != nil {
		t.Fatalf("connecting as %s: %v", o.User, err)
	}
	t.Cleanup(func() { client.Close() })
	return client
}

// Open connects and opens a session at a terminal. It is closed with the test.
func Open(t testing.TB, address string, o Options) *Terminal {
	t.Helper()
	return OpenOn(t, Dial(t, address, o), o)
}

// OpenOn opens a session at a terminal on a connection.
func OpenOn(t testing.TB, client *gossh.Client, o Options) *Terminal {
	t.Helper()
	if o.Width == 0 {
		o.Width, o.Height = 80, 24
	}
	if o.Term == "" {
		o.Term = "xterm-256color"
	}
	session, err := client.NewSession()
	if err != nil {
		t.Fatalf("opening a session: %v", err)
	}
	p := &Terminal{
		t: t, client: client, session: session, done: make(chan error, 1), changed: make(chan struct{}, 1),
		emulator: vt.NewEmulator(o.Width, o.Height),
	}
	for _, kv := range o.Env {
		if err := session.Setenv(kv[0], kv[1]); err != nil {
			t.Fatalf("setting %s: %v", kv[0], err)
		}
	}
	if err := session.RequestPty(o.Term, o.Height, o.Width, gossh.TerminalModes{}); err != nil {
		t.Fatalf("asking for a terminal: %v", err)
	}
	session.Stdout = screen{p}
	if p.stdin, err = session.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := session.Shell(); err != nil {
		t.Fatalf("asking for a shell: %v", err)
	}
	p.work.Go(func() {
		p.done <- session.Wait()
		p.emulator.Close() // ends the answering
		p.wake()
	})
	p.work.Go(func() { io.Copy(p.stdin, p.emulator) }) // a terminal's answers to questions
	t.Cleanup(p.Close)
	return p
}

// screen is the terminal's screen as a writer.
type screen struct{ p *Terminal }

func (s screen) Write(b []byte) (int, error) {
	s.p.mu.Lock()
	s.p.received.Write(b)
	_, err := s.p.emulator.Write(b)
	s.p.mu.Unlock()
	s.p.wake()
	return len(b), err
}

func (p *Terminal) wake() {
	select {
	case p.changed <- struct{}{}:
	default:
	}
}

// Close ends the session and the connection, as a closed window does.
func (p *Terminal) Close() {
	p.session.Close()
	p.client.Close()
	p.work.Wait()
}

// keys are the bytes that a terminal sends for keys without a character.
var keys = map[string]string{
	"enter": "\r", "esc": "\x1b", "tab": "\t", "space": " ", "backspace": "\x7f", "ctrl+c": "\x03",
	"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D",
}

// Press presses keys: a name such as "enter" or "up", or characters.
func (p *Terminal) Press(names ...string) {
	p.t.Helper()
	for _, name := range names {
		b, ok := keys[name]
		if !ok {
			b = name
		}
		if _, err := io.WriteString(p.stdin, b); err != nil {
			p.t.Fatalf("pressing %s: %v", name, err)
		}
	}
}

// Resize changes the size of the terminal.
func (p *Terminal) Resize(width, height int) {
	p.t.Helper()
	p.mu.Lock()
	p.emulator.Resize(width, height)
	p.mu.Unlock()
	if err := p.session.WindowChange(height, width); err != nil {
		p.t.Fatalf("resizing: %v", err)
	}
}

// Screen is what the terminal shows, as lines of text.
func (p *Terminal) Screen() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var b strings.Builder
	for y := range p.emulator.Height() {
		var line strings.Builder
		for x := range p.emulator.Width() {
			if c := p.emulator.CellAt(x, y); c == nil || c.Content == "" {
				line.WriteByte(' ')
			} else {
				line.WriteString(c.Content)
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " "))
		b.WriteByte('\n')
	}
	return b.String()
}

// Emulator calls f with the terminal, which does not change meanwhile.
func (p *Terminal) Emulator(f func(*vt.Emulator)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f(p.emulator)
}

// Received is every byte that has come so far.
func (p *Terminal) Received() []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	return bytes.Clone(p.received.Bytes())
}

// See waits until the screen holds a text, and returns the screen.
func (p *Terminal) See(text string) string {
	p.t.Helper()
	return p.Until(text, func(s string) bool { return strings.Contains(s, text) })
}

// Until waits until the screen is as wanted, and returns it.
func (p *Terminal) Until(what string, ok func(screen string) bool) string {
	p.t.Helper()
	timeout := time.After(patience)
	for {
		s := p.Screen()
		if ok(s) {
			return s
		}
		select {
		case <-p.changed:
		case <-timeout:
			p.t.Fatalf("waiting for %s, the screen is\n%s", what, s)
		}
	}
}

// Wait waits for the session's end and returns its exit status, -1 if it
// ended without one.
func (p *Terminal) Wait() int {
	p.t.Helper()
	select {
	case err := <-p.done:
		p.done <- err
		if err == nil {
			return 0
		}
		if exit, ok := err.(*gossh.ExitError); ok {
			return exit.ExitStatus()
		}
		return -1
	case <-time.After(patience):
		p.t.Fatalf("the session does not end; its screen is\n%s", p.Screen())
		return -1
	}
}

// NeedTool skips the test if a program is not installed. With
// BROADSIDE_REQUIRE_TOOLS set it fails it instead, so that nothing is left out
// by accident where everything should be there.
func NeedTool(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err == nil {
		return path
	}
	if os.Getenv("BROADSIDE_REQUIRE_TOOLS") != "" {
		t.Fatalf("%s is not installed", name)
	}
	t.Skipf("%s is not installed", name)
	return ""
}
