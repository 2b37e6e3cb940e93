package sshd

import (
	"context"
	"fmt"
	"io"
	"sync"

	tea "charm.land/bubbletea/v2"
	"charm.land/ssh"
	uv "github.com/charmbracelet/ultraviolet"

	"broadside/internal/i18n"
	"broadside/internal/i18n/phrase"
	"broadside/internal/term/frame"
	"broadside/internal/term/look"
)

// Screen is what an [App] shows to one session. Its program is its only user.
// Close is called, once and on the value that the App returned, when the
// program has ended for whatever reason; it must not wait for anybody.
//
// A model whose views have inks has a method
//
//	Colours() *look.Look
//
// that tells how they look. The last model of the program may have a method
//
//	Farewell() (text string, status int)
//
// to leave a line in the person's terminal and choose the exit status, when it
// has quit by itself, and a method
//
//	Language() words.Language
//
// to tell in which language the person is spoken to by now.
type Screen interface {
	tea.Model
	Close()
}

// App makes the screen of a session. Ctx ends with the session; commands of
// the screen that wait must end with it. The error is a sentence for the person,
// which ends the session.
type App func(ctx context.Context, who Visitor) (Screen, error)

// play runs the app for the session and returns its exit status. It ends when
// the program does, or the channel, the input or the connection.
func (s *session) play(c ssh.Session, out io.Writer, who Visitor) int {
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	p := &program{session: s, msgs: make(chan tea.Msg)}
	var screen Screen
	var refusal error
	p.safely("App", func() { screen, refusal = s.server.cfg.App(ctx, who) })
	if refusal != nil {
		_, _ = fmt.Fprintf(out, "%s\n", phrase.Error(who.Language, refusal)) // who left need not read it
		return 1
	}
	if screen == nil {
		p.fault.Store(true)
		return p.part(out, who)
	}
	closeScreen := sync.OnceFunc(func() { p.safely("Close", screen.Close) })
	defer closeScreen()

	p.ctx, p.model = ctx, screen
	p.frames = frame.New(out, look.Read(who.Term, who.Env).Profile, who.Width, who.Height)
	if !s.server.begin(p) {
		return 1
	}
	defer s.server.end(p)
	l := s.server.limits()
	watch := watchTime(p, l)

	events := eventReader{
		input: s.input, maxPaste: l.MaxPaste, typed: watch.typed,
		send:   func(e uv.Event) { p.send(ctx, message(e)) },
		notice: func(text i18n.Text) { p.notify(i18n.Mean(text)) },
	}
	var helpers sync.WaitGroup
	helpers.Go(func() {
		if err := events.run(ctx); err != nil {
			s.log.Warn("session's input is refused", "error", err)
		}
		cancel()
	})
	p.run(ctx, who.Width, who.Height)
	left := ctx.Err() // why it was the client that ended it
	cancel()
	// The presence of the person must not depend on how their client says
	// goodbye.
	closeScreen()
	code := 1
	_ = p.frames.Close() // fails if the client is gone
	if left == nil {
		code = p.part(out, who)
	}
	s.leave(c, code)
	helpers.Wait()
	p.commands.Wait()
	watch.stop()
	p.finish()
	return code
}
