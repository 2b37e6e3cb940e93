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
	"github.com/charmbracelet/colorprofile"

	"broadside/internal/i18n"
	"broadside/tui/term"
)

// resizePause is the minimum time between two resizes of a screen, each of which redraws it.
const resizePause = 30 * time.Millisecond

// program runs a session's screen with Bubble Tea. It is the model around the screen and draws each frame with
// a [term.Writer] instead of Bubble Tea's renderer.
type program struct {
	session *session

	// The loop owns the following fields, and runScreen after it.
	screen Screen
	frames *term.Writer
	lag    lag

	loop *tea.Program
	// failed is set when something has panicked.
	failed atomic.Bool

	// mu guards the fields below.
	mu      sync.Mutex
	parting i18n.Message
}

func newProgram(ctx context.Context, s *session, screen Screen, profile colorprofile.Profile) *program {
	p := &program{
		session: s, screen: screen,
		frames: term.NewWriter(frameOutput{s}, s.user.Width, s.user.Height),
	}
	p.loop = tea.NewProgram(p,
		tea.WithContext(ctx), tea.WithOutput(io.Discard), tea.WithInput(nil), tea.WithoutRenderer(),
		tea.WithoutSignalHandler(), tea.WithFPS(1), tea.WithEnvironment([]string{}), tea.WithColorProfile(profile),
		tea.WithFilter(filterMessage),
	)
	return p
}

// filterMessage drops messages about the server's own terminal and requests to suspend the server.
func filterMessage(_ tea.Model, msg tea.Msg) tea.Msg {
	switch msg := msg.(type) {
	case tea.ColorProfileMsg, tea.EnvMsg, tea.SuspendMsg:
		return nil
	case tea.WindowSizeMsg:
		if msg.Width == 0 {
			return nil
		}
	}
	return msg
}

// Init implements [tea.Model].
func (p *program) Init() tea.Cmd {
	defer p.recoverPanic("Init")
	return tea.Batch(p.screen.Init(), p.draw())
}

// Update implements [tea.Model].
func (p *program) Update(msg tea.Msg) (model tea.Model, cmd tea.Cmd) {
	// Set the result even after a panic.
	model = p
	defer p.recoverPanic("Update")
	if p.failed.Load() {
		return p, nil
	}
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		p.frames.Resize(msg.Width, msg.Height)
	case tea.KeyPressMsg:
		if msg.String() == "ctrl+l" {
			p.frames.Repaint()
		}
	case term.Clip:
		p.frames.Copy(msg)
	case tea.RawMsg:
		// This is the only raw output that is supported.
		if msg.Msg == "\a" {
			p.frames.RingBell()
		}
	}
	_, cmd = p.screen.Update(msg)
	return p, tea.Batch(cmd, p.draw())
}

// View implements [tea.Model].
func (p *program) View() tea.View { return tea.View{} }

// draw shows the screen. While the client does not read, draw waits, and so do all messages.
func (p *program) draw() tea.Cmd {
	f := p.screen.Frame()
	start := time.Now()
	// Draw fails if the client has left, which ends the session.
	_ = p.frames.Draw(f)
	if !p.lag.recordWrite(time.Since(start)) {
		return nil
	}
	slow := term.SlowLine(p.lag.slow)
	return func() tea.Msg { return slow }
}

// recoverPanic ends the session after a panic of the screen. It must be deferred around calls into the screen.
func (p *program) recoverPanic(in string) {
	r := recover()
	if r != nil {
		p.session.logPanic(in, r)
		p.failed.Store(true)
		p.end(i18n.NewMessage(internalError))
	}
}

// run runs the screen until it quits or its context ends.
func (p *program) run() {
	_, err := p.loop.Run()
	if errors.Is(err, tea.ErrProgramPanic) {
		p.session.log.Error("session failed", "in", "command", "error", err)
		p.failed.Store(true)
	}
}

// writeExitMessage writes the last message to the restored terminal and returns the exit status.
func (p *program) writeExitMessage() (status int) {
	l := p.screen.Language()
	p.mu.Lock()
	text := p.parting.Text(l)
	p.mu.Unlock()
	switch {
	case p.failed.Load():
		text, status = l.Text(internalError), 1
	case text == "":
		text, status = p.screen.ExitMessage()
	}
	if text != "" {
		fmt.Fprintln(p.session, text)
	}
	return status
}

// end implements [frontend].
func (p *program) end(parting i18n.Message) {
	p.mu.Lock()
	p.parting = parting
	p.mu.Unlock()
	// Quit returns when the program takes the message or ends.
	go p.loop.Quit()
}

// notify implements [frontend].
func (p *program) notify(said i18n.Message) {
	notice := p.session.server.cfg.Notice
	if notice != nil {
		// Send returns when the program takes the message or ends.
		go p.loop.Send(notice(said))
	}
}

func (p *program) connection() *connection { return p.session.conn }

// forwardEvents sends the program the input's events and the terminal's sizes until the input or ctx ends.
func (p *program) forwardEvents(ctx context.Context, events *eventReader, query *query) {
	window := p.session.window
	width, height := p.session.user.Width, p.session.user.Height
	changed := window.changed
	var pause <-chan time.Time
	for {
		var msg tea.Msg
		select {
		case <-events.input.readable:
			msg = query.nextMessage(events, false)
			if msg == nil && events.ended {
				return
			}
		case <-events.timeout:
			msg = query.nextMessage(events, true)
		case <-query.answerTimeout:
			msg = query.reportTerminal()
		case <-changed:
			// A client may send any number of resizes. The screen gets the newest one every resizePause.
			w, h := window.size()
			if w == width && h == height {
				continue
			}
			width, height = w, h
			msg = tea.WindowSizeMsg{Width: w, Height: h}
			changed, pause = nil, time.After(resizePause)
		case <-pause:
			changed, pause = window.changed, nil
		case <-ctx.Done():
			return
		}
		if msg != nil {
			p.loop.Send(msg)
		}
	}
}
