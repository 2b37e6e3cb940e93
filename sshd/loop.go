package sshd

import (
	"context"
	"reflect"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"broadside/internal/i18n"
	"broadside/internal/term/look"
)

// The screens are written for Bubble Tea, but are not run by its Program: that
// has a renderer with a ticker, and goroutines that only pass on what others
// bring. This is what remains of it for a session: one goroutine that updates
// and shows the model, and one for each command that is carried out.

// run runs the model until it quits, it fails, or ctx ends. A panic in the
// model or one of its commands is logged and ends it. A goroutine that the model
// starts by itself is beyond that reach: a panic there ends the process.
func (p *program) run(ctx context.Context, width, height int) {
	p.safely("Init", func() { p.start(ctx, p.model.Init()) })
	p.show()
	changed := p.session.window.changed
	var pause <-chan time.Time
	for !p.fault.Load() {
		var msg tea.Msg
		select {
		case msg = <-p.msgs:
		case <-changed:
			// A client may change its size as fast as it likes; the model hears
			// of the newest now and then.
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
			return
		}
		switch msg := msg.(type) {
		case nil:
		case tea.QuitMsg:
			return
		case tea.BatchMsg:
			for _, cmd := range msg {
				p.start(ctx, cmd)
			}
		default:
			p.safely("Update", func() { p.update(ctx, msg) })
			p.show()
		}
	}
}

// update hands the model a message.
func (p *program) update(ctx context.Context, msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		p.frames.Resize(msg.Width, msg.Height)
	case tea.KeyPressMsg:
		if msg.String() == "ctrl+l" {
			p.frames.Repaint()
		}
	case tea.RawMsg:
		if msg.Msg == "\a" { // of all that a program could write, its frames have room for this
			p.frames.Bell()
		}
	}
	next, cmd := p.model.Update(msg)
	p.model = next
	p.start(ctx, cmd)
}

// show sends the model's view. After a failure there is none.
func (p *program) show() {
	if p.fault.Load() {
		return
	}
	p.safely("View", func() {
		v := p.model.View()
		if m, ok := p.model.(interface{ Colours() *look.Look }); ok {
			p.frames.Wear(m.Colours())
		}
		_ = p.frames.Draw(v) // fails once the client is gone, and then the session ends
	})
}

// send hands the model a message, unless ctx ends before it is taken.
func (p *program) send(ctx context.Context, msg tea.Msg) {
	select {
	case p.msgs <- msg:
	case <-ctx.Done():
	}
}

// start carries out a command and has the model hear what it brings.
func (p *program) start(ctx context.Context, cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	p.commands.Go(func() {
		defer p.recover("command")
		p.bring(ctx, cmd())
	})
}

var cmdType = reflect.TypeFor[tea.Cmd]()

// bring hands the model what a command has brought. Of a sequence, the commands
// are carried out one after the other; its type is not exported, hence the
// reflection.
func (p *program) bring(ctx context.Context, msg tea.Msg) {
	v := reflect.ValueOf(msg)
	_, batch := msg.(tea.BatchMsg)
	if batch || !v.IsValid() || v.Kind() != reflect.Slice || v.Type().Elem() != cmdType {
		if msg != nil {
			p.send(ctx, msg)
		}
		return
	}
	for i := range v.Len() {
		if cmd := v.Index(i).Interface().(tea.Cmd); cmd != nil {
			p.bring(ctx, cmd())
		}
	}
}

// message is what a model is told of input.
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
	return nil // the decoder makes no others
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
		p.end(i18n.Mean(internalError))
	}
}
