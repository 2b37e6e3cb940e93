package sshd

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"broadside/internal/i18n"
	"broadside/tui/term"
)

// Screens are Bubble Tea models, but tea.Program does not run them, because it has a
// renderer with a ticker, and goroutines that only forward messages. Here, one goroutine
// updates and draws the model, and each command has its own goroutine.

// run runs the model until it quits or panics, its input ends, or ctx ends. It reports
// whether the client has left. A panic in a goroutine that the model starts itself is not
// recovered and ends the process.
func (p *program) run(ctx context.Context, events *eventReader, width, height int) (left bool) {
	p.safely("Init", func() { p.start(ctx, p.model.Init()) })
	p.show()
	changed := p.session.window.changed
	var pause <-chan time.Time
	waits := newWaits(p.model)
	defer waits.alarm.Stop()
	for !p.fault.Load() {
		var msg tea.Msg
		waits.refresh()
		select {
		case msg = <-p.msgs:
		case <-waits.changed:
			p.step(ctx, nil)
			continue
		case <-waits.alarm.C:
			p.step(ctx, nil)
			continue
		case <-events.input.more:
			p.safely("input", func() { msg = p.input(events, false) })
			if msg == nil && events.ended {
				return true
			}
		case <-events.late:
			p.safely("input", func() { msg = p.input(events, true) })
		case <-p.query.late:
			msg = p.query.message()
		case <-changed:
			// A client may send any number of resizes; the model gets the newest
			// every resizePause.
			w, h := p.session.window.size()
			if w == width && h == height {
				continue
			}
			width, height = w, h
			msg = tea.WindowSizeMsg{Width: w, Height: h}
			changed, pause = nil, time.After(resizePause)
		case <-pause:
			changed, pause = p.session.window.changed, nil
			continue
		case <-ctx.Done():
			return true
		}
		switch msg := msg.(type) {
		case nil:
		case tea.QuitMsg:
			return ctx.Err() != nil
		case tea.BatchMsg:
			for _, cmd := range msg {
				p.start(ctx, cmd)
			}
		default:
			p.step(ctx, msg)
		}
	}
	return ctx.Err() != nil
}

// step updates and draws the model.
func (p *program) step(ctx context.Context, msg tea.Msg) {
	p.safely("Update", func() { p.update(ctx, msg) })
	p.show()
}

// waiter is a screen that waits for something, see [Screen].
type waiter interface {
	Waits() (changed <-chan struct{}, until time.Time)
}

// waits is what a screen waits for.
type waits struct {
	screen  waiter // nil: the screen waits for nothing
	changed <-chan struct{}
	until   time.Time
	alarm   *time.Timer // for until
}

func newWaits(m tea.Model) waits {
	w := waits{alarm: time.NewTimer(time.Hour)}
	w.alarm.Stop()
	w.screen, _ = m.(waiter)
	return w
}

// refresh asks the screen again.
func (w *waits) refresh() {
	if w.screen == nil {
		return
	}
	changed, until := w.screen.Waits()
	w.changed = changed
	if until.Equal(w.until) {
		return
	}
	w.until = until
	if until.IsZero() {
		w.alarm.Stop()
	} else {
		w.alarm.Reset(time.Until(until))
	}
}

// update passes the model a message.
func (p *program) update(ctx context.Context, msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		p.frames.Resize(msg.Width, msg.Height)
	case tea.KeyPressMsg:
		if msg.String() == "ctrl+l" {
			p.frames.Repaint()
		}
	case term.Terminal:
		p.frames.SetProfile(msg.Profile)
	case tea.RawMsg:
		if msg.Msg == "\a" { // the only raw output that is supported
			p.frames.RingBell()
		}
	}
	next, cmd := p.model.Update(msg)
	p.model = next
	p.start(ctx, cmd)
}

// show draws the model's view, unless something has panicked.
func (p *program) show() {
	if p.fault.Load() {
		return
	}
	p.safely("View", func() {
		changed := p.lag.wrote(p.draw())
		if m, ok := p.model.(interface{ SetSlowLine(slow bool) }); ok && changed {
			m.SetSlowLine(p.lag.slow)
			p.draw()
		}
	})
}

// draw draws the model's view, and returns how long the write took.
func (p *program) draw() time.Duration {
	var f term.Frame
	if m, ok := p.model.(interface{ Frame() term.Frame }); ok {
		f = m.Frame()
	} else {
		v := p.model.View()
		f = term.Frame{Lines: strings.Split(v.Content, "\n"), Title: v.WindowTitle, Mouse: v.MouseMode, NoBracketedPaste: v.DisableBracketedPasteMode}
	}
	start := time.Now()
	_ = p.frames.Draw(f) // fails if the client has left, which ends the session
	return time.Since(start)
}

// send sends the model a message, or returns when ctx ends.
func (p *program) send(ctx context.Context, msg tea.Msg) {
	select {
	case p.msgs <- msg:
	case <-ctx.Done():
	}
}

// start runs a command and sends its message to the model.
func (p *program) start(ctx context.Context, cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	p.commands.Go(func() {
		defer p.recover("command")
		if msg := cmd(); msg != nil {
			p.send(ctx, msg)
		}
	})
}

// input returns the message for the next event of the input, or nil.
func (p *program) input(events *eventReader, expired bool) tea.Msg {
	e := events.next(expired)
	if a, ok := e.(answer); ok {
		return p.learn(a, events)
	}
	return message(e)
}

// message returns the message for an input event.
func message(e uv.Event) tea.Msg {
	switch e := e.(type) {
	case uv.KeyPressEvent:
		return tea.KeyPressMsg(e)
	case uv.PasteEvent:
		return tea.PasteMsg(e)
	case uv.MouseClickEvent:
		return tea.MouseClickMsg(e)
	case uv.MouseReleaseEvent:
		return tea.MouseReleaseMsg(e)
	case uv.MouseWheelEvent:
		return tea.MouseWheelMsg(e)
	case uv.MouseMotionEvent:
		return tea.MouseMotionMsg(e)
	}
	return nil // there is no event: the decoder returns no others
}

// safely calls f and recovers from its panic.
func (p *program) safely(where string, f func()) {
	defer p.recover(where)
	f()
}

// recover must be deferred around calls into the model.
func (p *program) recover(where string) {
	if r := recover(); r != nil {
		p.session.logPanic(where, r)
		p.fault.Store(true) // run returns
		p.end(i18n.NewMessage(internalError))
	}
}
