package sshd

import (
	"context"
	"log/slog"
	"time"

	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"
)

// session is one session channel, and the [ssh.Session] that the middleware handles. Its ctx ends with the
// channel. The library's Context ends with the connection, which may have several sessions.
type session struct {
	// Session is nil until the client has requested a shell or a command.
	ssh.Session

	server *Server
	conn   *connection
	window *window
	input  *inputBuffer
	// channel is set by acceptChannel.
	channel gossh.Channel
	log     *slog.Logger
	ctx     context.Context
	cancel  context.CancelFunc

	// serveDone is closed when serve has returned. It is nil if serve was never called. The channel's goroutine
	// owns it.
	serveDone chan struct{}

	// The middleware owns the following fields.
	user User
	// words are those of the command line, if there is one.
	words []string
	// command is set by admitUsers. It is nil without a command line.
	command Command
	// lineMode is set if the command asked for line mode.
	lineMode bool
	status   int
}

func newSession(s *Server, c *connection, number int) *session {
	ctx, cancel := context.WithCancel(context.Background())
	return &session{
		server: s, conn: c, window: newWindow(), input: newInputBuffer(&c.unread), ctx: ctx, cancel: cancel,
		log: c.log.With("session", number), status: 1,
	}
}

// handleStartRequest starts the session when its client has requested a shell or a command.
func (s *session) handleStartRequest(ssh.Session, string) bool {
	s.serveDone = make(chan struct{})
	s.input.markStarted()
	return true
}

// endAndWait ends the session and waits for serve to return.
func (s *session) endAndWait() {
	s.cancel()
	if s.serveDone != nil {
		<-s.serveDone
	}
	_ = s.input.Close()
}

// serve passes the session through the middleware.
func (s *session) serve(c ssh.Session) {
	defer close(s.serveDone)
	defer context.AfterFunc(c.Context(), s.cancel)()
	s.conn.addSession()
	defer s.conn.removeSession()
	s.Session = c
	s.setUser()
	s.words = splitWords(c.RawCommand())
	if s.user.Terminal && isShellScript(s.words) {
		s.words = nil
	}
	s.server.srv.Handler(s)
}

// Exit implements [ssh.Session]. It drops all input and waits until the channel is closed. It disconnects a
// client that does not confirm that.
func (s *session) Exit(status int) error {
	s.status = status
	_ = s.input.Close()
	late := time.AfterFunc(s.server.limits().WriteTimeout, func() { s.conn.closeWithReason("does not close its session") })
	defer late.Stop()
	err := s.Session.Exit(status)
	<-s.window.closed
	return err
}
