package sshd

import (
	"context"
	"io"
	"strings"
	"sync"

	"charm.land/ssh"

	"broadside/internal/i18n"
	"broadside/internal/sanitize"
	"broadside/tui/term"
)

// Lines serves a session in line mode and returns its exit status. It returns soon after ctx or the console's
// input ends. The server's messages use the console's language.
type Lines func(ctx context.Context, user User, c *term.Console) int

// serveLineMode serves a session in line mode if it has no terminal, if its terminal cannot show a screen, or
// if its command asked for line mode.
func serveLineMode(next ssh.Handler) ssh.Handler {
	return func(c ssh.Session) {
		s := c.(*session)
		if s.user.Terminal && !isDumb(s.user.Term) && !s.lineMode {
			next(c)
			return
		}
		_ = s.Exit(s.runLineMode())
	}
}

// isDumb reports whether a type of terminal cannot show a screen.
func isDumb(term string) bool { return term == "dumb" || strings.HasPrefix(term, "dumb-") }

// lineReadSize is the number of bytes of input that are read at a time.
const lineReadSize = 512

// lineMode is a session in line mode.
type lineMode struct {
	session *session
	cancel  context.CancelFunc
	console *term.Console

	// mu guards the fields below.
	mu sync.Mutex
	// finished is set when notify has no effect any more.
	finished bool
	parting  i18n.Message
	// notices waits for the notices that notify shows. It grows only under mu.
	notices sync.WaitGroup
}

// end implements [frontend].
func (m *lineMode) end(parting i18n.Message) {
	m.mu.Lock()
	m.parting = parting
	m.mu.Unlock()
	m.cancel()
}

// notify implements [frontend].
func (m *lineMode) notify(said i18n.Message) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.finished {
		m.notices.Go(func() { m.console.PrintMessage(said) })
	}
}

// finish waits for pending notices. It returns the message that end was given, if any.
func (m *lineMode) finish() (parting i18n.Message) {
	m.mu.Lock()
	m.finished, parting = true, m.parting
	m.mu.Unlock()
	m.notices.Wait()
	return parting
}

func (m *lineMode) connection() *connection { return m.session.conn }

func (s *session) runLineMode() int {
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	con := term.NewConsole(s, s.user.Terminal, func() int { width, _ := s.window.size(); return width })
	con.SetLanguage(s.user.Language)
	m := &lineMode{session: s, cancel: cancel, console: con}
	if !s.server.addFrontend(m) {
		return 1
	}
	defer s.server.removeFrontend(m)
	timer := newSessionTimer(m, s.server.limits())

	var helpers sync.WaitGroup
	helpers.Go(func() {
		// The session may outlast its input.
		select {
		case <-s.window.closed:
			cancel()
		case <-ctx.Done():
		}
	})
	helpers.Go(func() { m.feedInput(ctx, timer.resetIdle) })
	status := m.run(ctx)
	cancel()
	parting := m.finish()
	if parting.Key != "" {
		con.PrintMessage(parting)
	}
	_ = s.Exit(status)
	helpers.Wait()
	timer.stop()
	return status
}

// feedInput passes the input to the console, up to its end.
func (m *lineMode) feedInput(ctx context.Context, typed func()) {
	defer m.console.EndInput(ctx)
	var in io.Reader = m.session.input
	// Without a terminal, the input may be a text file.
	if !m.session.user.Terminal {
		in = sanitize.NewReader(in)
	}
	chunk := make([]byte, lineReadSize)
	for {
		n, err := in.Read(chunk)
		if err != nil {
			return
		}
		typed()
		m.console.Feed(ctx, chunk[:n])
	}
}

// run calls [Config].Lines and recovers from a panic.
func (m *lineMode) run(ctx context.Context) (status int) {
	defer func() {
		p := recover()
		if p != nil {
			m.session.logPanic("lines", p)
			m.console.PrintMessage(i18n.NewMessage(internalError))
			status = 1
		}
	}()
	return m.session.server.cfg.Lines(ctx, m.session.user, m.console)
}
