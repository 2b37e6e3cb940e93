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

// Screen is the model that an [App] shows in one session. Close is called once, on
// the value that the App returned, when the session has ended for whatever reason;
// it must not wait. [tea.Sequence] is not supported.
//
// A Screen may have these methods:
//
//	Frame() term.Frame
//
// returns the view as separate lines, with their palette. View is then not called.
//
//	Waits() (changed <-chan struct{}, until time.Time)
//
// returns what the screen waits for, and is called after Init and after each Update. Update gets
// a nil message when the channel yields a value, and at that time unless it is zero.
//
//	SetSlowLine(slow bool)
//
// is called when writes to the client begin to block, and when they no longer do.
//
//	Farewell() (text string, status int)
//
// returns a line to leave in the user's terminal, and the exit status, after the
// model has quit by itself.
//
//	Language() i18n.Language
//
// returns the language that the user has chosen.
type Screen interface {
	tea.Model
	Close()
}

// App creates the screen of a session. Ctx ends with the session, and blocking commands
// of the screen must end with it. An error ends the session and is shown to the user.
type App func(ctx context.Context, user User) (Screen, error)

// serveScreen serves a session with a screen. It is the last of the middleware.
func serveScreen(ssh.Handler) ssh.Handler {
	return func(c ssh.Session) {
		s := c.(*session)
		_ = s.Exit(s.runScreen())
	}
}

// runScreen creates the screen, runs it, and returns the exit status.
func (s *session) runScreen() int {
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	p := &program{session: s, msgs: make(chan tea.Msg)}
	var screen Screen
	var refusal error
	s.user.Returned = s.conn.screens.Add(1) > 1
	p.safely("App", func() { screen, refusal = s.server.cfg.App(ctx, s.user) })
	if refusal != nil {
		fmt.Fprintln(s, narrate.Error(s.user.Language, refusal))
		return 1
	}
	if screen == nil {
		p.fault.Store(true)
		return p.part()
	}
	closeScreen := sync.OnceFunc(func() { p.safely("Close", screen.Close) })
	defer closeScreen()

	p.ctx, p.model = ctx, screen
	if !s.server.add(p) {
		return 1
	}
	defer s.server.end(p)
	return p.serve(cancel, closeScreen)
}

// serve runs the program until it quits, or until the channel, its input or the
// connection ends. It returns the exit status.
func (p *program) serve(cancel, closeScreen func()) int {
	s := p.session
	timer := newSessionTimer(p, s.server.limits())
	events := newEventReader(s.input, s.server.limits().MaxPaste, timer.typed, func(text i18n.Key) { p.notify(i18n.NewMessage(text)) })
	terminal := term.ReadTerminal(s.user.Term, s.user.Env)
	p.frames = term.NewWriter(frameOutput{s}, terminal.Profile, s.user.Width, s.user.Height)
	p.sendQuery(terminal, events)
	left := p.run(p.ctx, events, s.user.Width, s.user.Height)
	cancel()
	closeScreen() // before anything that waits for the client: the player is no longer present
	status := 1
	_ = p.frames.Close() // fails if the client has left
	if !left {
		p.drainAnswers(events)
		status = p.part()
	}
	_ = s.Exit(status)
	p.commands.Wait()
	timer.stop()
	p.finish()
	return status
}
