package sshd

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/ssh"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	gossh "golang.org/x/crypto/ssh"
)

// session is one session channel. It has a context of its own, for the
// library's belongs to the connection, which may outlive it and have others.
type session struct {
	server *Server
	conn   *gossh.ServerConn
	window *window
	log    *slog.Logger
	ctx    context.Context
	cancel context.CancelFunc
	served chan struct{} // closed when serve has returned; nil until it begins

	mu      sync.Mutex
	program *tea.Program // guarded by mu: while it runs
	parting string       // guarded by mu: what to tell the person at the end
}

func newSession(s *Server, conn *gossh.ServerConn, id int) *session {
	ctx, cancel := context.WithCancel(context.Background())
	return &session{
		server: s, conn: conn, window: newWindow(), ctx: ctx, cancel: cancel,
		log: s.cfg.Log.With("session", id, "remote", conn.RemoteAddr().String()),
	}
}

// wait returns when the session's handler has, if it was ever called.
func (s *session) wait() {
	s.cancel()
	s.mu.Lock()
	served := s.served
	s.mu.Unlock()
	if served != nil {
		<-served
	}
}

// serve handles the session once its client has asked for a shell or a
// command.
func (s *session) serve(c ssh.Session) {
	done := make(chan struct{})
	s.mu.Lock()
	s.served = done
	s.mu.Unlock()
	defer close(done)
	start := time.Now()
	who := Visitor{Name: cleanName(c.User()), Fingerprint: fingerprint(c.PublicKey())}
	who.Width, who.Height = s.window.size()
	s.log.Info("session begins", "user", who.Name, "key", who.Fingerprint)
	term, terminal := s.window.terminal()
	var code int
	switch {
	case strings.TrimSpace(c.RawCommand()) != "":
		code = runCommand(c)
	case !terminal:
		fmt.Fprint(c.Stderr(), needTerminal)
		code = 1
	default:
		code = s.run(c, who, term)
	}
	s.log.Info("session ends", "user", who.Name, "after", time.Since(start).Round(time.Millisecond), "status", code)
	c.Exit(code) // fails if the client has closed the channel already
}

// end ends the session's program in an orderly way, with a sentence to read.
// It does not wait.
func (s *session) end(parting string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.parting = parting
	if p := s.program; p != nil {
		s.server.work.Go(func() { p.Send(tea.QuitMsg{}) }) // returns when the program ends, at the latest
	}
}

// run runs the program of the session and returns its exit status. It ends
// when the program does, or the channel, the input or the connection.
func (s *session) run(c ssh.Session, who Visitor, term string) int {
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	defer context.AfterFunc(c.Context(), cancel)()

	screen := s.server.cfg.App(ctx, who)
	defer screen.Close()
	var fault atomic.Bool
	out := deadlineWriter{c, s.server.cfg.WriteTimeout, func() {
		s.log.Warn("session does not read, its connection is cut")
		s.conn.Close()
	}}
	env := environment(c.Environ(), term)
	p := tea.NewProgram(guard{screen, s.log, &fault},
		tea.WithContext(ctx),
		tea.WithInput(nil),
		tea.WithOutput(out),
		tea.WithEnvironment(env),
		tea.WithColorProfile(profile(env)),
		tea.WithWindowSize(who.Width, who.Height),
		tea.WithoutSignalHandler(),
		tea.WithFPS(framesPerSecond),
	)
	if !s.begin(p) {
		return 1
	}
	idle := time.AfterFunc(s.server.cfg.IdleTimeout, func() { s.end("You were away for a while. Come back any time.") })
	defer idle.Stop()

	var helpers sync.WaitGroup
	helpers.Go(func() { s.watchWindow(ctx, cancel, p) })
	helpers.Go(func() {
		err := pumpInput(ctx, c, term, func() { idle.Reset(s.server.cfg.IdleTimeout) }, func(e uv.Event) { p.Send(e) })
		if err != nil && ctx.Err() == nil {
			s.log.Warn("session's input ends", "error", err)
		}
		cancel()
	})
	s.server.work.Go(func() { s.keepAlive(ctx) })

	_, err := p.Run()
	idle.Stop()
	parting := s.finish()
	code := 0
	switch {
	case fault.Load():
		parting, code = "Internal error. Your game is safe: connect again to go on.", 1
	case ctx.Err() != nil:
		code = 1
	case err != nil:
		s.log.Error("program failed", "error", err)
		code = 1
	}
	if parting != "" && ctx.Err() == nil {
		fmt.Fprintf(out, "%s\n", parting)
	}
	// The input's reader waits for the client until the channel is closed.
	cancel()
	c.Exit(code)
	helpers.Wait()
	return code
}

// framesPerSecond bounds how often a screen is sent. A key is answered within
// a frame.
const framesPerSecond = 30

// begin notes the program, unless the server is closing.
func (s *session) begin(p *tea.Program) bool {
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	if s.server.closing {
		return false
	}
	s.mu.Lock()
	s.program = p
	s.mu.Unlock()
	s.server.sessions[s] = struct{}{}
	return true
}

// finish forgets the program and returns what to tell the person.
func (s *session) finish() string {
	s.server.mu.Lock()
	delete(s.server.sessions, s)
	s.server.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.program = nil
	return s.parting
}

// watchWindow tells the program of new sizes, and ends it when the channel is
// closed.
func (s *session) watchWindow(ctx context.Context, cancel context.CancelFunc, p *tea.Program) {
	for {
		select {
		case <-s.window.changed:
			width, height := s.window.size()
			p.Send(tea.WindowSizeMsg{Width: width, Height: height})
		case <-s.window.closed:
			cancel()
			return
		case <-ctx.Done():
			return
		}
	}
}

// missedKeepAlives is how many intervals a client may let pass before it is
// taken for dead.
const missedKeepAlives = 3

// keepAlive asks the client now and then whether it is still there. A link
// that is down is noticed by that, and the player counts as gone.
func (s *session) keepAlive(ctx context.Context) {
	every := s.server.cfg.KeepAliveInterval
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		dead := time.AfterFunc(missedKeepAlives*every, func() {
			s.log.Info("session's client is gone")
			s.conn.Close()
		})
		_, _, err := s.conn.SendRequest("keepalive@openssh.com", true, nil)
		dead.Stop()
		if err != nil {
			return
		}
	}
}

// environment is what of a client's environment concerns its screen.
func environment(client []string, term string) []string {
	// With SSH_TTY set, Bubble Tea does not ask the terminal what it can do.
	// The answers would arrive in the person's shell after a short visit.
	env := []string{"TERM=" + term, "SSH_TTY=/dev/tty"}
	for _, kv := range client {
		switch name, _, _ := strings.Cut(kv, "="); name {
		case "COLORTERM", "NO_COLOR", "LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES":
			env = append(env, kv)
		}
	}
	return env
}

// profile is how many colours a terminal has. Any value of NO_COLOR but the
// empty one means none.
func profile(env []string) colorprofile.Profile {
	for _, kv := range env {
		if value, ok := strings.CutPrefix(kv, "NO_COLOR="); ok && value != "" {
			return colorprofile.ASCII
		}
	}
	return colorprofile.Env(env)
}
