package sshtest

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"golang.org/x/crypto/ssh"
	"golang.org/x/time/rate"
)

const (
	// patience limits every wait, to end tests that hang. It is much longer than any wait
	// on a busy machine with -race.
	patience = 5 * time.Minute

	// A test may report any size to the server; these limits apply to the size that the
	// emulator allocates.
	maxWidth, maxHeight = 1000, 500
)

// Options configures a terminal. The zero value is a guest named "guest" without a key,
// who requests a shell in an 80×24 xterm-256color.
type Options struct {
	User   string           // "guest" if empty
	Signer ssh.Signer       // key to log in with; nil: none
	Auth   []ssh.AuthMethod // methods to try after the key; nil: empty answers to all questions

	Width, Height int               // in cells; 80×24 if zero
	Term          string            // "xterm-256color" if empty
	Env           map[string]string // sent before the shell is requested; refusals are ignored, as in OpenSSH
	Command       string            // command to run instead of a shell
	NoPTY         bool              // request no terminal, as ssh -T does
	Silent        bool              // answer no queries; a test can type the answers

	Tee     io.Writer     // receives all output before it is shown
	Timeout time.Duration // limit for every wait; 0: five minutes
}

func (o Options) withDefaults() Options {
	o.User = cmp.Or(o.User, "guest")
	o.Width, o.Height = cmp.Or(o.Width, 80), cmp.Or(o.Height, 24)
	o.Term = cmp.Or(o.Term, "xterm-256color")
	o.Timeout = cmp.Or(o.Timeout, patience)
	return o
}

// NewSigner returns a new Ed25519 key.
func NewSigner(t testing.TB) ssh.Signer {
	t.Helper()
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatalf("sshtest: making a key: %v", err)
	}
	signer, err := ssh.NewSignerFromKey(key)
	if err != nil {
		t.Fatalf("sshtest: making a key: %v", err)
	}
	return signer
}

// Connect opens and authenticates a connection without a session. The caller closes it.
// It accepts any host key.
func Connect(addr string, o Options) (*ssh.Client, error) {
	o = o.withDefaults()
	auth := o.Auth
	if auth == nil {
		auth = []ssh.AuthMethod{ssh.KeyboardInteractive(func(_, _ string, questions []string, _ []bool) ([]string, error) {
			return make([]string, len(questions)), nil
		})}
	}
	if o.Signer != nil {
		auth = append([]ssh.AuthMethod{ssh.PublicKeys(o.Signer)}, auth...)
	}
	nc, err := net.DialTimeout("tcp", addr, o.Timeout)
	if err != nil {
		return nil, fmt.Errorf("connecting: %w", err)
	}
	// The timeout of the config covers only the dial, so set a deadline.
	nc.SetDeadline(time.Now().Add(o.Timeout))
	conn, chans, reqs, err := ssh.NewClientConn(nc, addr, &ssh.ClientConfig{
		User: o.User, Auth: auth, HostKeyCallback: ssh.InsecureIgnoreHostKey(),
	})
	if err != nil {
		nc.Close()
		return nil, fmt.Errorf("logging in as %s: %w", o.User, err)
	}
	nc.SetDeadline(time.Time{})
	return ssh.NewClient(conn, chans, reqs), nil
}

// Terminal is one SSH session and the terminal that shows it. Its methods may be called
// from any goroutine; those that fail the test end the calling goroutine. The test closes
// the terminal when it ends.
type Terminal struct {
	t       testing.TB
	opts    Options
	client  *ssh.Client
	owned   bool // Close closes the client, too
	session *ssh.Session
	stdin   io.WriteCloser

	mu       sync.Mutex
	em       *vt.Emulator  // guarded by mu, except for its reply pipe, which belongs to answer
	state    modes         // guarded by mu: what the server has changed
	changed  chan struct{} // guarded by mu: closed and replaced whenever anything changes
	resumed  chan struct{} // guarded by mu: output is read only while it is closed
	received int64         // guarded by mu
	ended    bool          // guarded by mu: there is no more output, and status is set
	status   int           // guarded by mu

	keys    inbox
	pace    *rate.Limiter // limits typing
	done    chan struct{} // closed when ended
	workers sync.WaitGroup
	closing sync.Once
}

// Dial connects to the server at addr and opens a session.
func Dial(t testing.TB, addr string, o Options) *Terminal {
	t.Helper()
	p, err := TryDial(t, addr, o)
	if err != nil {
		t.Fatalf("sshtest: %v", err)
	}
	return p
}

// TryDial is like [Dial] for a server that may be unreachable.
func TryDial(t testing.TB, addr string, o Options) (*Terminal, error) {
	client, err := Connect(addr, o)
	if err != nil {
		return nil, err
	}
	return open(t, client, true, o)
}

// Open opens a session on a connection, which may have other sessions. The caller still
// owns the connection.
func Open(t testing.TB, client *ssh.Client, o Options) *Terminal {
	t.Helper()
	p, err := open(t, client, false, o)
	if err != nil {
		t.Fatalf("sshtest: %v", err)
	}
	return p
}

func open(t testing.TB, client *ssh.Client, owned bool, o Options) (*Terminal, error) {
	o = o.withDefaults()
	p := &Terminal{
		t: t, opts: o, client: client, owned: owned,
		em:      vt.NewEmulator(min(o.Width, maxWidth), min(o.Height, maxHeight)),
		changed: make(chan struct{}), resumed: make(chan struct{}), done: make(chan struct{}),
		keys: newInbox(), pace: rate.NewLimiter(keyRate, keyBurst),
	}
	close(p.resumed)
	p.state.watch(p.em)

	stdout, stderr, err := p.start()
	if err != nil {
		if p.session != nil {
			p.session.Close()
		}
		if owned {
			client.Close()
		}
		return nil, err
	}
	var output sync.WaitGroup
	output.Go(func() { p.show(stdout) })
	output.Go(func() { p.show(stderr) })
	p.workers.Go(func() {
		output.Wait()
		p.end(p.session.Wait())
	})
	p.workers.Go(p.answer)
	p.workers.Go(func() { p.keys.deliver(p.stdin) })
	t.Cleanup(p.Close)
	return p, nil
}

// start opens the session and requests a terminal, a shell or a command.
func (p *Terminal) start() (stdout, stderr io.Reader, err error) {
	o := &p.opts
	if p.session, err = p.client.NewSession(); err != nil {
		return nil, nil, fmt.Errorf("opening a session: %w", err)
	}
	stdout, err1 := p.session.StdoutPipe()
	stderr, err2 := p.session.StderrPipe()
	stdin, err3 := p.session.StdinPipe()
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, nil, fmt.Errorf("opening a session: %w", err)
	}
	p.stdin = stdin
	if !o.NoPTY {
		if err := p.session.RequestPty(o.Term, o.Height, o.Width, ssh.TerminalModes{}); err != nil {
			return nil, nil, fmt.Errorf("requesting a terminal: %w", err)
		}
	}
	for name, value := range o.Env {
		_ = p.session.Setenv(name, value) // may be refused
	}
	if o.Command != "" {
		err = p.session.Start(o.Command)
	} else {
		err = p.session.Shell()
	}
	if err != nil {
		return nil, nil, fmt.Errorf("requesting a shell: %w", err)
	}
	return stdout, stderr, nil
}

// show passes output to the emulator until the output ends.
func (p *Terminal) show(r io.Reader) {
	buf := make([]byte, 32<<10)
	for {
		p.mu.Lock()
		resumed := p.resumed
		p.mu.Unlock()
		<-resumed
		n, err := r.Read(buf)
		if n > 0 {
			p.mu.Lock()
			if p.opts.Tee != nil {
				p.opts.Tee.Write(buf[:n])
			}
			p.em.Write(buf[:n])
			p.received += int64(n)
			p.wake()
			p.mu.Unlock()
		}
		if err != nil {
			return
		}
	}
}

// answer sends the emulator's replies to the server's queries. It must not lock p.mu,
// because the emulator writes replies while p.mu is held and blocks until they are read.
func (p *Terminal) answer() {
	buf := make([]byte, 4<<10)
	for {
		n, err := p.em.Read(buf)
		if n > 0 && !p.opts.Silent {
			p.keys.put(buf[:n])
		}
		if err != nil {
			return
		}
	}
}

func (p *Terminal) end(err error) {
	var exit *ssh.ExitError
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case err == nil:
	case errors.As(err, &exit):
		p.status = exit.ExitStatus()
	default:
		p.status = -1
	}
	p.ended = true
	close(p.done)
	p.wake()
}

// wake wakes all goroutines that wait for a change. The caller holds p.mu.
func (p *Terminal) wake() {
	close(p.changed)
	p.changed = make(chan struct{})
}

// Resize changes the terminal's size, in cells, and notifies the server.
func (p *Terminal) Resize(width, height int) {
	p.t.Helper()
	p.mu.Lock()
	p.em.Resize(min(max(width, 1), maxWidth), min(max(height, 1), maxHeight))
	p.wake()
	p.mu.Unlock()
	if err := p.session.WindowChange(height, width); err != nil {
		p.t.Errorf("sshtest: telling a new size: %v", err)
	}
}

// Pause stops reading output, like a suspended client: the server's output accumulates
// until its window is full. Output received before is still shown.
func (p *Terminal) Pause() {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.resumed:
		p.resumed = make(chan struct{})
	default: // already paused
	}
}

// Resume reads output again after [Terminal.Pause].
func (p *Terminal) Resume() {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.resumed:
	default:
		close(p.resumed)
	}
}

// CloseInput closes the session's input after everything typed so far. The output stays
// open.
func (p *Terminal) CloseInput() { p.keys.end() }

// CloseSession closes the session's channel. The connection stays open.
func (p *Terminal) CloseSession() { _ = p.session.Close() }

// Hangup closes the TCP connection abruptly, as a lost network does, with all its
// sessions.
func (p *Terminal) Hangup() { _ = p.client.Close() }

// HasEnded reports whether the session has ended.
func (p *Terminal) HasEnded() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ended
}

// Wait waits until the session has ended and all its output is shown. It returns the exit
// status, or -1 if the server sent none.
func (p *Terminal) Wait() int {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), p.opts.Timeout)
	defer cancel()
	select {
	case <-p.done:
	case <-ctx.Done():
		p.t.Fatalf("sshtest: %s's session does not end\n%s", p.opts.User, p.Describe())
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.status
}

// Close ends the session, and the connection if [Dial] opened it, and waits for their
// goroutines. It may be called more than once.
func (p *Terminal) Close() {
	p.closing.Do(func() {
		p.Resume()
		_ = p.session.Close()
		p.keys.close()
		if p.owned {
			_ = p.client.Close()
		}
		giveUp := time.AfterFunc(p.opts.Timeout, func() {
			p.t.Errorf("sshtest: the server does not close %s's session, so its connection is cut", p.opts.User)
			_ = p.client.Close()
		})
		<-p.done
		giveUp.Stop()
		// em.Close would race with em.Read.
		_ = p.em.InputPipe().(io.Closer).Close()
		p.workers.Wait()
		if p.owned {
			_ = p.client.Wait()
		}
	})
}

// ReceivedBytes returns the number of bytes of output so far.
func (p *Terminal) ReceivedBytes() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.received
}

// IsAltScreen reports whether the alternate screen is active.
func (p *Terminal) IsAltScreen() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.em.IsAltScreen()
}

// Cursor returns the position of the cursor, counted from zero, and whether it is
// visible.
func (p *Terminal) Cursor() (x, y int, visible bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	pos := p.em.CursorPosition()
	return pos.X, pos.Y, p.state.isSet(ansi.ModeTextCursorEnable)
}
