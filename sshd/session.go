package sshd

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"time"

	"charm.land/ssh"

	"broadside/internal/i18n"
	"broadside/internal/i18n/phrase"
)

// session is one session channel. It has a context of its own, for the
// library's belongs to the connection, which may outlive it and have others.
type session struct {
	server *Server
	conn   *connection
	window *window
	input  *inputBuffer
	log    *slog.Logger
	ctx    context.Context
	cancel context.CancelFunc

	// Closed when serve has returned; nil unless it was called. Written and
	// read by the channel's goroutine only.
	served chan struct{}
}

func newSession(s *Server, c *connection, number int) *session {
	ctx, cancel := context.WithCancel(context.Background())
	return &session{
		server: s, conn: c, window: newWindow(), input: newInputBuffer(&c.backlog), ctx: ctx, cancel: cancel,
		log: c.log.With("session", number),
	}
}

// requested starts the session when its client has asked for a shell or a
// command.
func (s *session) requested(ssh.Session, string) bool {
	s.served = make(chan struct{})
	s.input.start()
	return true
}

// wait ends the session and returns when it has, if it ever began.
func (s *session) wait() {
	s.cancel()
	if s.served != nil {
		<-s.served
	}
}

// serve handles the session once its client has asked for a shell or a
// command.
func (s *session) serve(c ssh.Session) {
	served := s.served
	defer close(served)
	defer s.input.Close()
	defer context.AfterFunc(c.Context(), s.cancel)()
	s.conn.begin()
	defer s.conn.end()

	start := time.Now()
	code := s.handle(c)
	s.log.Info("session ends", "after", time.Since(start).Round(time.Millisecond), "status", code)
	s.leave(c, code)
}

// handle does what the session asks for and returns its exit status.
func (s *session) handle(c ssh.Session) int {
	out, errs := s.bounded(c), s.bounded(c.Stderr())
	login := s.conn.who()
	term, terminal := s.window.terminal()
	env := environment(c.Environ())
	who := Visitor{Name: login.name, Fingerprint: login.fingerprint, Term: term, Env: env, Addr: s.conn.addr, Conn: s.conn.id, Language: i18n.OfSession(env)}
	who.Width, who.Height = s.window.size()
	if a := s.server.cfg.Admission; a != nil {
		if err := a.Key(s.ctx, login.fingerprint); err != nil {
			s.server.count(RefusedByGate)
			s.log.Warn("ssh refused", "user", login.name, "key", login.fingerprint, "reason", err)
			fmt.Fprintf(errs, "%s.\n", capital(phrase.Error(who.Language, err)))
			s.conn.expel("refused")
			return 1
		}
	}
	if f := s.server.cfg.Language; f != nil {
		who.Language = f(s.ctx, who)
	}
	commands := slices.DeleteFunc(slices.Clone(s.server.cfg.Commands), func(c Command) bool {
		return c.For != nil && !c.For(who)
	})
	var opens Command
	log := s.log
	lines, plain := s.server.cfg.Lines != nil && (!terminal || dumb(term)), false
	if line := split(c.RawCommand()); len(line) > 0 {
		log = log.With("command", clip(line[0], 40))
		line, plain = s.server.wantsLines(commands, line)
		lines = lines || plain
		who.Command = line
		found, status := findCommand(s.ctx, commands, who, terminal || plain, out, errs)
		if found == nil {
			log.Info("session begins")
			return status
		}
		opens = *found
	}
	runs := opens.Name != "" && !opens.opens(terminal || plain)
	switch {
	case runs && !opens.Lasts:
		log.Info("session begins")
		return s.runCommand(&opens, who, c, out, errs)
	case !runs && !terminal && !lines:
		log.Info("session begins without a terminal")
		needTerminal(opens, who.Language, errs)
		return 1
	}
	if err := s.server.sessCount.Take(s.conn.addr); err != nil {
		s.server.count(refused(err))
		s.log.Warn("session turned away", "reason", err)
		_, _ = fmt.Fprintf(errs, "%s.\n", capital(phrase.Error(who.Language, err))) // who left need not read it
		return 1
	}
	defer s.server.sessCount.Give(s.conn.addr)
	if runs {
		log.Info("session begins")
		return s.runCommand(&opens, who, c, out, errs)
	}
	if lines {
		log.Info("session begins in lines", "terminal", terminal, "term", term)
		return s.converse(c, out, who, terminal)
	}
	log.Info("session begins", "term", term)
	return s.play(c, out, who)
}

// bounded is a writer to the client that does not wait for it for ever.
func (s *session) bounded(w io.Writer) io.Writer {
	return deadlineWriter{w, s.server.limits().WriteTimeout, func() { s.conn.cut("does not read") }}
}

// leave tells the client that its session is over and waits until the channel
// is closed. The client has to answer that; one that does not is cut.
func (s *session) leave(c ssh.Session, code int) {
	late := time.AfterFunc(s.server.limits().WriteTimeout, func() { s.conn.cut("does not close its session") })
	defer late.Stop()
	_ = c.Exit(code) // fails if the client has closed the channel already
	<-s.window.closed
}

// clip makes text of a client fit for the log.
func clip(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return strings.Trim(fmt.Sprintf("%q", text), `"`)
}
