package users

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

// The size of every session's terminal, in cells.
const (
	Width  = 100
	Height = 30
)

// patience limits every wait.
const patience = 2 * time.Minute

// Session is one connection with one screen. Its methods may be called from any
// goroutine, but only one goroutine may press keys.
type Session struct {
	nc      net.Conn
	client  *ssh.Client
	channel *ssh.Session
	keys    io.Writer
	connect time.Duration // see Connect

	mu       sync.Mutex
	screen   *emulator     // guarded by mu; nil unless Options.Looks
	received int64         // guarded by mu: bytes
	arrivals int64         // guarded by mu: how often bytes arrived
	last     time.Time     // guarded by mu: when the last bytes arrived
	changed  chan struct{} // guarded by mu: closed and replaced when something arrives
	ended    bool          // guarded by mu
	stalled  bool          // guarded by mu: reading has stopped
	reader   sync.WaitGroup
}

// Options configures a session.
type Options struct {
	Address string     // of the server
	User    string     // empty: guest
	Signer  ssh.Signer // the key to log in with; nil: none
	Command string     // empty: the default screen
	Looks   bool       // keep the screen, for Shows, Text and Wait
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
		s.screen = new(emulator)
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
	cfg := &ssh.ClientConfig{User: cmp.Or(o.User, "guest"), HostKeyCallback: ssh.InsecureIgnoreHostKey()} // the server is new and local
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
	if o.Command == "" && o.Signer == nil { // from the first screen of guests to the lobby
		if _, err := io.WriteString(s.keys, "l"); err != nil {
			return err
		}
	}
	s.reader.Go(func() { s.read(out) })
	return nil
}

// read processes the server's output until it ends.
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
			s.arrivals++
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

// Press types keys and waits for output. It returns how long that took and how many bytes
// had arrived by then.
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

// Shows reports whether a text is on the screen.
func (s *Session) Shows(text string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Sees(text)
}

// Text returns the screen.
func (s *Session) Text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.screen.String()
}

// Sees is like Shows, for use in a condition of Wait.
func (s *Session) Sees(text string) bool { return s.screen.shows(text) }

// Over reports whether the session has ended.
func (s *Session) Over() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended
}

// Type types keys without waiting for output.
func (s *Session) Type(keys string) error {
	if _, err := io.WriteString(s.keys, keys); err != nil {
		return fmt.Errorf("typing: %w", err)
	}
	return nil
}

// Connect returns the time from dialing to the first bytes of the screen.
func (s *Session) Connect() time.Duration { return s.connect }

// Got returns how many bytes the server has sent.
func (s *Session) Got() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.received
}

// Arrivals returns how often something has arrived from the server.
func (s *Session) Arrivals() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.arrivals
}

// Stall stops reading, to simulate a connection that hangs.
func (s *Session) Stall() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stalled = true
}

// Close closes the connection and waits for the session's goroutines.
func (s *Session) Close() {
	s.nc.Close()
	s.mu.Lock()
	s.stalled = false
	close(s.changed)
	s.changed = make(chan struct{})
	s.mu.Unlock()
	s.reader.Wait()
}
