package sshd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/ssh"
	uv "github.com/charmbracelet/ultraviolet"

	"broadside/tui/frame"
	"broadside/tui/look"
	"broadside/words"
)

// resizePause is the least time between two changes of a screen's size. Each
// of them has it drawn whole.
const resizePause = 30 * time.Millisecond

const internalError words.Text = "Internal error. Your game is safe: connect again to go on."

// program is the Bubble Tea program of a session.
type program struct {
	session *session
	tea     *tea.Program  // nil until it is made
	frames  *frame.Writer // the program's, then that of who waited for its end
	fault   atomic.Bool   // it has panicked

	mu      sync.Mutex
	over    bool           // guarded by mu: nobody may end it any more
	parting words.Message  // guarded by mu: what to tell the person at the end
	enders  sync.WaitGroup // who is about to end it; added to under mu
}

// play runs the app for the session and returns its exit status. It ends when
// the program does, or the channel, the input or the connection.
func (s *session) play(c ssh.Session, out io.Writer, who Visitor) int {
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	p := &program{session: s}
	var screen Screen
	p.safely("App", func() { screen = s.server.cfg.App(ctx, who) })
	if screen == nil {
		p.fault.Store(true)
		return p.part(out, who, nil, nil)
	}
	closeScreen := sync.OnceFunc(func() { p.safely("Close", screen.Close) })
	defer closeScreen()

	colours := look.Read(who.Term, who.Env).Profile
	p.frames = frame.New(out, colours, who.Width, who.Height)
	p.tea = tea.NewProgram(guard{screen, p},
		tea.WithContext(ctx),
		tea.WithInput(nil),    // see input.go
		tea.WithoutRenderer(), // see guard.View
		tea.WithFPS(1),        // of that renderer's ticker, which cannot be turned off
		tea.WithOutput(io.Discard),
		tea.WithEnvironment(append([]string{"TERM=" + who.Term}, who.Env...)),
		tea.WithColorProfile(colours),
		tea.WithWindowSize(who.Width, who.Height),
		tea.WithoutSignalHandler(), // signals are the server's business
		tea.WithFilter(s.window.filter),
	)
	if !s.server.begin(p) {
		return 1
	}
	defer s.server.end(p)
	l := s.server.limits()
	watch := watchTime(p, l)

	var helpers sync.WaitGroup
	helpers.Go(func() { p.watchWindow(ctx, who.Width, who.Height) })
	chunks := make(chan []byte)
	helpers.Go(func() {
		defer close(chunks)
		readInput(ctx, c, inputLimits{rate: l.InputRate, burst: l.InputBurst}, watch.typed, chunks)
	})
	helpers.Go(func() {
		if err := decodeInput(ctx, chunks, l.MaxPaste, func(e uv.Event) { p.tea.Send(e) }); err != nil {
			s.log.Warn("session's input is refused", "error", err)
		}
		cancel()
	})
	last, err := p.tea.Run()
	left := ctx.Err() // why it was the client that ended it
	cancel()
	// The presence of the person must not depend on how their client says
	// goodbye.
	closeScreen()
	code := 1
	_ = p.frames.Close() // fails if the client is gone
	if left == nil {
		code = p.part(out, who, last, err)
	}
	s.leave(c, code) // the input's reader waits for the client until then
	helpers.Wait()
	watch.stop()
	p.finish()
	return code
}

// part says what there is to say to a person whose terminal is their own
// again, and returns the exit status.
func (p *program) part(out io.Writer, who Visitor, last tea.Model, err error) int {
	g, _ := last.(guard)
	l := who.Language
	if s, ok := g.model.(interface{ Language() words.Language }); ok {
		p.safely("Language", func() { l = s.Language() })
	}
	p.mu.Lock()
	text, code := p.parting.In(l), 0
	p.mu.Unlock()
	if f, ok := g.model.(interface{ Farewell() (string, int) }); ok && err == nil && text == "" {
		p.safely("Farewell", func() { text, code = f.Farewell() })
	}
	switch {
	case p.fault.Load() || errors.Is(err, tea.ErrProgramPanic):
		text, code = l.Say(internalError), 1
	case err != nil:
		p.session.log.Error("program failed", "error", err)
		code = 1
	}
	if text != "" {
		_, _ = fmt.Fprintf(out, "%s\n", text) // who left need not read it
	}
	return code
}

// end ends the program in an orderly way, with a sentence to read. It does not
// wait.
func (p *program) end(parting words.Message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over || p.tea == nil {
		return
	}
	p.parting = parting
	p.enders.Go(func() { p.tea.Send(tea.QuitMsg{}) }) // returns when the program ends, at the latest
}

// notify shows the person a sentence, if the screen can. It does not wait.
func (p *program) notify(said words.Message) {
	if p.session.server.cfg.Notice == nil {
		return
	}
	msg := p.session.server.cfg.Notice(said)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over {
		return
	}
	p.enders.Go(func() { p.tea.Send(msg) }) // returns when the program ends, at the latest
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
			time.AfterFunc(warnAt(l.IdleTimeout, idleWarning), func() { p.notify(words.Mean("Are you still there? Press a key, or this session ends soon.")) }),
			time.AfterFunc(l.IdleTimeout, func() { p.end(words.Mean("You were away for a while. Come back any time.")) }),
		},
		length: [2]*time.Timer{
			time.AfterFunc(warnAt(l.SessionTime, sessionWarning), func() { p.notify(words.Mean("This session has lasted long and ends soon: connect again to go on.")) }),
			time.AfterFunc(l.SessionTime, func() {
				p.end(words.Mean("This session has lasted as long as one may. Your game is safe: connect again to go on."))
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
	end(parting words.Message)
	// notify says a sentence to the person, if there is a way. It does not wait.
	notify(said words.Message)
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

// watchWindow tells the program of new sizes. A client may change its size as
// fast as it likes; the program hears of the newest now and then.
func (p *program) watchWindow(ctx context.Context, width, height int) {
	w := p.session.window
	changed := w.changed
	var pause <-chan time.Time
	for {
		select {
		case <-changed:
			newWidth, newHeight := w.size()
			if newWidth == width && newHeight == height {
				continue
			}
			width, height = newWidth, newHeight
			p.tea.Send(tea.WindowSizeMsg{Width: width, Height: height})
			changed, pause = nil, time.After(resizePause)
		case <-pause:
			changed, pause = w.changed, nil
		case <-ctx.Done():
			return
		}
	}
}
