package sshd

import (
	"context"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/ssh"
	uv "github.com/charmbracelet/ultraviolet"

	"broadside/internal/i18n"
	"broadside/internal/i18n/phrase"
	"broadside/internal/term/frame"
	"broadside/internal/term/look"
)

// resizePause is the least time between two changes of a screen's size. Each
// of them has it drawn whole.
const resizePause = 30 * time.Millisecond

const internalError i18n.Text = "Internal error. Your game is safe: connect again to go on."

// program is the program of a session that has a screen. See loop.go.
type program struct {
	session  *session
	ctx      context.Context // ends with it; nil until there is a model
	model    tea.Model       // run's only, then that of who waited for its end
	frames   *frame.Writer   // as model
	msgs     chan tea.Msg    // for the model
	commands sync.WaitGroup  // of the model
	fault    atomic.Bool     // it has panicked

	mu      sync.Mutex
	over    bool           // guarded by mu: nobody may end it any more
	parting i18n.Message   // guarded by mu: what to tell the person at the end
	enders  sync.WaitGroup // who is about to end it; added to under mu
}

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

// part says what there is to say to a person whose terminal is their own
// again, and returns the exit status.
func (p *program) part(out io.Writer, who Visitor) int {
	l := who.Language
	if s, ok := p.model.(interface{ Language() i18n.Language }); ok {
		p.safely("Language", func() { l = s.Language() })
	}
	p.mu.Lock()
	text, code := p.parting.In(l), 0
	p.mu.Unlock()
	if f, ok := p.model.(interface{ Farewell() (string, int) }); ok && text == "" {
		p.safely("Farewell", func() { text, code = f.Farewell() })
	}
	if p.fault.Load() {
		text, code = l.Say(internalError), 1
	}
	if text != "" {
		_, _ = fmt.Fprintf(out, "%s\n", text) // who left need not read it
	}
	return code
}

// end ends the program in an orderly way, with a sentence to read. It does not
// wait.
func (p *program) end(parting i18n.Message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over || p.ctx == nil {
		return
	}
	p.parting = parting
	p.enders.Go(func() { p.send(p.ctx, tea.QuitMsg{}) }) // returns when the program ends, at the latest
}

// notify shows the person a sentence, if the screen can. It does not wait.
func (p *program) notify(said i18n.Message) {
	if p.session.server.cfg.Notice == nil {
		return
	}
	msg := p.session.server.cfg.Notice(said)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over {
		return
	}
	p.enders.Go(func() { p.send(p.ctx, msg) }) // returns when the program ends, at the latest
}

// timeWatch ends a session when its time is over, and says so before.
type timeWatch struct {
	limits Limits
	idle   [2]*time.Timer // the warning and the end
	length [2]*time.Timer
}

func watchTime(p running, l Limits) *timeWatch {
	return &timeWatch{
		limits: l,
		idle: [2]*time.Timer{
			time.AfterFunc(warnAt(l.IdleTimeout, idleWarning), func() { p.notify(i18n.Mean("Are you still there? Press a key, or this session ends soon.")) }),
			time.AfterFunc(l.IdleTimeout, func() { p.end(i18n.Mean("You were away for a while. Come back any time.")) }),
		},
		length: [2]*time.Timer{
			time.AfterFunc(warnAt(l.SessionTime, sessionWarning), func() { p.notify(i18n.Mean("This session has lasted long and ends soon: connect again to go on.")) }),
			time.AfterFunc(l.SessionTime, func() {
				p.end(i18n.Mean("This session has lasted as long as one may. Your game is safe: connect again to go on."))
			}),
		},
	}
}

// typed notes that the person is there.
func (w *timeWatch) typed() {
	w.idle[0].Reset(warnAt(w.limits.IdleTimeout, idleWarning))
	w.idle[1].Reset(w.limits.IdleTimeout)
}

func (w *timeWatch) stop() {
	for _, t := range []*time.Timer{w.idle[0], w.idle[1], w.length[0], w.length[1]} {
		t.Stop()
	}
}

// finish waits for those who wanted to end the program.
func (p *program) finish() {
	p.mu.Lock()
	p.over = true
	p.mu.Unlock()
	p.enders.Wait()
}

func (p *program) connection() *connection { return p.session.conn }

// running is a program or a conversation that runs.
type running interface {
	// end ends it, with a sentence to read. It does not wait.
	end(parting i18n.Message)
	// notify says a sentence to the person, if there is a way. It does not wait.
	notify(said i18n.Message)
	connection() *connection
}

// begin notes what runs from now on, unless the server is closing.
func (s *Server) begin(p running) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing || p.connection().isExpelled() {
		return false
	}
	s.programs[p] = struct{}{}
	return true
}

// end forgets what runs no more.
func (s *Server) end(p running) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.programs, p)
}
