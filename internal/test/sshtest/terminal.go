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
		return nil, fmt.Errorf("log in as %s: %w", o.User, err)
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
	return openTerminal(t, client, true, o)
}

// Open opens a session on a connection, which may have other sessions. The caller still
// owns the connection.
func Open(t testing.TB, client *ssh.Client, o Options) *Terminal {
	t.Helper()
	p, err := openTerminal(t, client, false, o)
	if err != nil {
		t.Fatalf("sshtest: %v", err)
	}
	return p
}

func openTerminal(t testing.TB, client *ssh.Client, owned bool, o Options) (*Terminal, error) {
	o = o.withDefaults()
	p := &Terminal{
		t: t, opts: o, client: client, owned: owned,
		em:      vt.NewEmulator(min(o.Width, maxWidth), min(o.Height, maxHeight)),
		changed: make(chan struct{}), resumed: make(chan struct{}), done: make(chan struct{}),
		keys: newInbox(), pace: rate.NewLimiter(keyRate, keyBurst),
	}
	close(p.resumed)
	p.state.watch(p.em)

	stdout, stderr, err := p.startSession()
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
	output.Go(func() { p.showOutput(stdout) })
	output.Go(func() { p.showOutput(stderr) })
	p.workers.Go(func() {
		output.Wait()
		p.setEnded(p.session.Wait())
	})
	p.workers.Go(p.sendReplies)
	p.workers.Go(func() { p.keys.send(p.stdin) })
	t.Cleanup(p.Close)
	return p, nil
}

// startSession opens the session and requests a terminal, a shell or a command.
func (tm *Terminal) startSession() (stdout, stderr io.Reader, err error) {
	o := &tm.opts
	if tm.session, err = tm.client.NewSession(); err != nil {
		return nil, nil, fmt.Errorf("open a session: %w", err)
	}
	stdout, err1 := tm.session.StdoutPipe()
	stderr, err2 := tm.session.StderrPipe()
	stdin, err3 := tm.session.StdinPipe()
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, nil, fmt.Errorf("open a session: %w", err)
	}
	tm.stdin = stdin
	if !o.NoPTY {
		if err := tm.session.RequestPty(o.Term, o.Height, o.Width, ssh.TerminalModes{}); err != nil {
			return nil, nil, fmt.Errorf("request a terminal: %w", err)
		}
	}
	for name, value := range o.Env {
		_ = tm.session.Setenv(name, value) // may be refused
	}
	if o.Command != "" {
		err = tm.session.Start(o.Command)
	} else {
		err = tm.session.Shell()
	}
	if err != nil {
		return nil, nil, fmt.Errorf("request a shell: %w", err)
	}
	return stdout, stderr, nil
}

// showOutput passes output to the emulator until the output ends.
func (tm *Terminal) showOutput(r io.Reader) {
	buf := make([]byte, 32<<10)
	for {
		tm.mu.Lock()
		resumed := tm.resumed
		tm.mu.Unlock()
		<-resumed
		n, err := r.Read(buf)
		if n > 0 {
			tm.mu.Lock()
			if tm.opts.Tee != nil {
				tm.opts.Tee.Write(buf[:n])
			}
			tm.em.Write(buf[:n])
			tm.received += int64(n)
			tm.signalChangeLocked()
			tm.mu.Unlock()
		}
		if err != nil {
			return
		}
	}
}

// sendReplies sends the emulator's replies to the server's queries. It must not lock p.mu,
// because the emulator writes replies while p.mu is held and blocks until they are read.
func (tm *Terminal) sendReplies() {
	buf := make([]byte, 4<<10)
	for {
		n, err := tm.em.Read(buf)
		if n > 0 && !tm.opts.Silent {
			tm.keys.enqueue(buf[:n])
		}
		if err != nil {
			return
		}
	}
}

func (tm *Terminal) setEnded(err error) {
	var exit *ssh.ExitError
	tm.mu.Lock()
	defer tm.mu.Unlock()
	if errors.As(err, &exit) {
		tm.status = exit.ExitStatus()
	} else if err != nil {
		tm.status = -1
	}
	tm.ended = true
	close(tm.done)
	tm.signalChangeLocked()
}

// signalChangeLocked wakes all goroutines that wait for a change. The caller holds p.mu.
func (tm *Terminal) signalChangeLocked() {
	close(tm.changed)
	tm.changed = make(chan struct{})
}

// Resize changes the terminal's size, in cells, and notifies the server.
func (tm *Terminal) Resize(width, height int) {
	tm.t.Helper()
	tm.mu.Lock()
	tm.em.Resize(min(max(width, 1), maxWidth), min(max(height, 1), maxHeight))
	tm.signalChangeLocked()
	tm.mu.Unlock()
	if err := tm.session.WindowChange(height, width); err != nil {
		tm.t.Errorf("sshtest: resize: %v", err)
	}
}

// Pause stops reading output, like a suspended client: the server's output accumulates
// until its window is full. Output received before is still shown.
func (tm *Terminal) Pause() {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	select {
	case <-tm.resumed:
		tm.resumed = make(chan struct{})
	default: // already paused
	}
}

// Resume reads output again after [Terminal.Pause].
func (tm *Terminal) Resume() {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	select {
	case <-tm.resumed:
	default:
		close(tm.resumed)
	}
}

// CloseInput closes the session's input after everything typed so far. The output stays
// open.
func (tm *Terminal) CloseInput() { tm.keys.finish() }

// CloseSession closes the session's channel. The connection stays open.
func (tm *Terminal) CloseSession() { _ = tm.session.Close() }

// Hangup closes the TCP connection abruptly, as a lost network does, with all its
// sessions.
func (tm *Terminal) Hangup() { _ = tm.client.Close() }

// HasEnded reports whether the session has ended.
func (tm *Terminal) HasEnded() bool {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	return tm.ended
}

// Wait waits until the session has ended and all its output is shown. It returns the exit
// status, or -1 if the server sent none.
func (tm *Terminal) Wait() int {
	tm.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), tm.opts.Timeout)
	defer cancel()
	select {
	case <-tm.done:
	case <-ctx.Done():
		tm.t.Fatalf("sshtest: %s's session does not end\n%s", tm.opts.User, tm.Describe())
	}
	tm.mu.Lock()
	defer tm.mu.Unlock()
	return tm.status
}

// Close ends the session, and the connection if [Dial] opened it, and waits for their
// goroutines. It may be called more than once.
func (tm *Terminal) Close() {
	tm.closing.Do(func() {
		tm.Resume()
		_ = tm.session.Close()
		tm.keys.discard()
		if tm.owned {
			_ = tm.client.Close()
		}
		giveUp := time.AfterFunc(tm.opts.Timeout, func() {
			tm.t.Errorf("sshtest: the server does not close %s's session, so its connection is cut", tm.opts.User)
			_ = tm.client.Close()
		})
		<-tm.done
		giveUp.Stop()
		// em.Close would race with em.Read.
		_ = tm.em.InputPipe().(io.Closer).Close()
		tm.workers.Wait()
		if tm.owned {
			_ = tm.client.Wait()
		}
	})
}

// ReceivedBytes returns the number of bytes of output so far.
func (tm *Terminal) ReceivedBytes() int64 {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	return tm.received
}

// IsAltScreen reports whether the alternate screen is active.
func (tm *Terminal) IsAltScreen() bool {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	return tm.em.IsAltScreen()
}

// Cursor returns the cursor's position, counted from zero, and whether it is
// visible.
func (tm *Terminal) Cursor() (x, y int, visible bool) {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	pos := tm.em.CursorPosition()
	return pos.X, pos.Y, tm.state.isSet(ansi.ModeTextCursorEnable)
}
