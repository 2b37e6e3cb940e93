package crowd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"
)

// The terminal that everybody has, in cells.
const (
	Width  = 100
	Height = 30
)

// patience is how long anybody waits for anything.
const patience = 30 * time.Second

// Session is one connection with one screen. Its methods may be called from
// any goroutine, but only one may press keys.
type Session struct {
	nc      net.Conn
	client  *ssh.Client
	channel *ssh.Session
	keys    io.Writer
	connect time.Duration // see Connect

	mu       sync.Mutex
	screen   *glass        // guarded by mu; nil for who does not look
	received int64         // guarded by mu: bytes
	last     time.Time     // guarded by mu: when the last of them came
	changed  chan struct{} // guarded by mu: closed and replaced when something came
	ended    bool          // guarded by mu
	stalled  bool          // guarded by mu: nothing more is read
	reader   sync.WaitGroup
}

// Options say who connects, and for what.
type Options struct {
	Address string     // of the server
	User    string     // empty: guest
	Signer  ssh.Signer // the key to log in with; nil: none
	Command string     // empty: what everybody gets
	Looks   bool       // Shows, Text and Wait know what is on the screen
}

// Dial connects and waits for the first bytes of the screen.
func Dial(ctx context.Context, o Options) (*Session, error) {
	began := time.Now()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var d net.Dialer
	nc, err := d.DialContext(ctx, "tcp", o.Address)
	if err != nil {
		return nil, fmt.Errorf("connecting: %w", err)
	}
	s := &Session{nc: nc, changed: make(chan struct{})}
	if o.Looks {
		s.screen = new(glass)
	}
	defer context.AfterFunc(ctx, func() { nc.Close() })()
	if err := s.open(o); err != nil {
		nc.Close()
		s.reader.Wait()
		return nil, err
	}
	if !s.Wait(ctx, func() bool { return s.received > 0 }) {
		s.Close()
		return nil, errors.New("nothing is shown")
	}
	s.mu.Lock()
	s.connect = s.last.Sub(began)
	s.mu.Unlock()
	return s, nil
}

func (s *Session) open(o Options) error {
	cfg := &ssh.ClientConfig{User: cmp.Or(o.User, "guest"), HostKeyCallback: ssh.InsecureIgnoreHostKey()} // it is this machine's, and new
	if o.Signer != nil {
		cfg.Auth = []ssh.AuthMethod{ssh.PublicKeys(o.Signer)}
	}
	conn, channels, requests, err := ssh.NewClientConn(s.nc, o.Address, cfg)
	if err != nil {
		return fmt.Errorf("logging in: %w", err)
	}
	s.client = ssh.NewClient(conn, channels, requests)
	if s.channel, err = s.client.NewSession(); err != nil {
		return fmt.Errorf("opening a session: %w", err)
	}
	out, err := s.channel.StdoutPipe()
	if err != nil {
		return err
	}
	if s.keys, err = s.channel.StdinPipe(); err != nil {
		return err
	}
	if err := s.channel.RequestPty("xterm-256color", Height, Width, ssh.TerminalModes{}); err != nil {
		return fmt.Errorf("asking for a terminal: %w", err)
	}
	if o.Command == "" {
		err = s.channel.Shell()
	} else {
		err = s.channel.Start(o.Command)
	}
	if err != nil {
		return fmt.Errorf("asking for a screen: %w", err)
	}
	s.reader.Go(func() { s.read(out) })
	return nil
}

// read takes in what the server sends until it ends.
func (s *Session) read(out io.Reader) {
	buf := make([]byte, 8<<10)
	for {
		n, err := out.Read(buf)
		s.mu.Lock()
		for s.stalled && err == nil { // until Close
			changed := s.changed
			s.mu.Unlock()
			<-changed
			s.mu.Lock()
		}
		if n > 0 {
			s.last = time.Now()
			s.received += int64(n)
			if s.screen != nil {
				s.screen.Write(buf[:n])
			}
		}
		s.ended = err != nil
		close(s.changed)
		s.changed = make(chan struct{})
		s.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// Wait waits until done returns true. It calls done with the session locked, so
// Sees is the only method of the session that done may call. Wait returns false
// if the session, ctx or patience ends first.
func (s *Session) Wait(ctx context.Context, done func() bool) bool {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for {
		s.mu.Lock()
		yes, ended, changed := done(), s.ended, s.changed
		s.mu.Unlock()
		if yes {
			return true
		}
		if ended {
			return false
		}
		select {
		case <-changed:
		case <-timer.C:
			return false
		case <-ctx.Done():
			return false
		}
	}
}

// Press types keys and waits until something is painted. It returns how long
// that took and how many bytes came by then.
func (s *Session) Press(ctx context.Context, keys string) (time.Duration, int64, error) {
	s.mu.Lock()
	before := s.received
	s.mu.Unlock()
	began := time.Now()
	if err := s.Type(keys); err != nil {
		return 0, 0, err
	}
	if !s.Wait(ctx, func() bool { return s.received > before }) {
		return 0, 0, errors.New("a key was pressed, and nothing was painted")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last.Sub(began), s.received - before, nil
}

// Shows tells whether a text is on the screen.
func (s *Session) Shows(text string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Sees(text)
}

// Text is what is on the screen.
func (s *Session) Text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.screen.String()
}

// Sees is Shows for a condition of Wait.
func (s *Session) Sees(text string) bool { return s.screen.shows(text) }

// Over tells whether the session has ended.
func (s *Session) Over() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended
}

// Type types keys and waits for nothing.
func (s *Session) Type(keys string) error {
	if _, err := io.WriteString(s.keys, keys); err != nil {
		return fmt.Errorf("typing: %w", err)
	}
	return nil
}

// Connect is the time from the first packet to the first bytes of the screen.
func (s *Session) Connect() time.Duration { return s.connect }

// Got returns how many bytes the server has sent.
func (s *Session) Got() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.received
}

// Stall reads nothing any more, as somebody does whose line hangs.
func (s *Session) Stall() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stalled = true
}

// Close hangs up and waits until nothing of the session runs any more.
func (s *Session) Close() {
	s.nc.Close()
	s.mu.Lock()
	s.stalled = false
	close(s.changed)
	s.changed = make(chan struct{})
	s.mu.Unlock()
	s.reader.Wait()
}
