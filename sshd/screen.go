package sshd

import (
	"context"
	"fmt"
	"sync"

	tea "charm.land/bubbletea/v2"
	"charm.land/ssh"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/tui/term"
)

// Screen is the model that an [App] shows in one session. Its Update returns the screen itself. Besides Bubble
// Tea's messages, the screen receives a [term.Terminal] when the terminal has answered a query, and a
// [term.SlowLine] when the line's speed changes.
type Screen interface {
	tea.Model
	// Frame returns the view as separate lines, with their palette. The server does not call View.
	Frame() term.Frame
	// Language returns the language that the user has chosen.
	Language() i18n.Language
	// ExitMessage returns the line to leave in the user's terminal, and the exit status, after the screen has
	// quit by itself.
	ExitMessage() (text string, status int)
	// Close is called once, when the session has ended for any reason. It must not wait.
	Close()
}

// App creates a session's screen. Ctx ends with the session, and the screen's blocking commands must end with
// it. An error ends the session and is shown to the user.
type App func(ctx context.Context, user User) (Screen, error)

// serveScreen serves a session with a screen. It is the last middleware.
func serveScreen(ssh.Handler) ssh.Handler {
	return func(c ssh.Session) {
		s := c.(*session)
		_ = s.Exit(s.runScreen())
	}
}

// runScreen runs a screen until it quits, or until the channel, its input or the connection ends. It returns
// the exit status.
func (s *session) runScreen() int {
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	s.user.HadScreen = s.conn.screenCount.Add(1) > 1
	screen, err := s.server.cfg.App(ctx, s.user)
	if err != nil {
		fmt.Fprintln(s, narrate.ErrorText(s.user.Language, err))
		return 1
	}
	closeScreen := sync.OnceFunc(screen.Close)
	defer closeScreen()

	terminal := term.DetectTerminal(s.user.Term, s.user.Env)
	p := newProgram(ctx, s, screen, terminal.Profile)
	// Close fails if the client has left.
	defer p.frames.Close()
	if !s.server.addFrontend(p) {
		return 1
	}
	defer s.server.removeFrontend(p)
	timer := newSessionTimer(p, s.server.limits())
	defer timer.stop()
	notify := func(text i18n.Key) { p.notify(i18n.NewMessage(text)) }
	events := newEventReader(s.input, s.server.limits().MaxPaste, timer.resetIdle, notify)
	query := newQuery(p.frames, events, terminal, s.user.Term)
	var pump sync.WaitGroup
	pump.Go(func() {
		defer p.recoverPanic("input")
		if p.forwardEvents(ctx, events, query); events.ended {
			cancel()
		}
	})
	p.run()
	left := ctx.Err() != nil
	cancel()
	// Close the screen before anything that waits for the client, because the player is no longer present.
	closeScreen()
	pump.Wait()
	_ = p.frames.Close()
	if left {
		return 1
	}
	query.drainAnswers(s.ctx, events)
	return p.writeExitMessage()
}
