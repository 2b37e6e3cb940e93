package sshd

import (
	"fmt"
	"reflect"
	"runtime/debug"

	tea "charm.land/bubbletea/v2"

	"broadside/tui/look"
	"broadside/words"
)

// guard wraps a session's model: a panic in it, or in one of its commands, is
// logged and ends the session, with a message and an exit status, instead of
// leaving the client with neither. A goroutine that the model starts by itself
// is beyond its reach: a panic there ends the process.
type guard struct {
	model   tea.Model
	program *program
}

// safely calls f and survives its panic.
func (p *program) safely(where string, f func()) {
	defer p.recover(where)
	f()
}

// recover is deferred by those who call what is not ours.
func (p *program) recover(where string) {
	if r := recover(); r != nil {
		p.fault.Store(true)
		p.session.log.Error("session failed", "in", where, "panic", fmt.Sprint(r), "stack", string(debug.Stack()))
		p.end(words.Mean(internalError))
	}
}

// Init implements [tea.Model].
func (g guard) Init() tea.Cmd {
	defer g.program.recover("Init")
	return g.wrap(g.model.Init())
}

// Update implements [tea.Model].
func (g guard) Update(msg tea.Msg) (m tea.Model, cmd tea.Cmd) {
	m = g // if Update fails
	if g.program.fault.Load() {
		return g, nil
	}
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		g.program.frames.Resize(msg.Width, msg.Height)
	case tea.KeyPressMsg:
		if msg.String() == "ctrl+l" {
			g.program.frames.Repaint()
		}
	case tea.RawMsg:
		if msg.Msg == "\a" { // of all that a program could write, its frames have room for this
			g.program.frames.Bell()
		}
	}
	defer g.program.recover("Update")
	next, c := g.model.Update(msg)
	return guard{next, g.program}, g.wrap(c)
}

// View implements [tea.Model]. Bubble Tea calls it after each update and shows
// nothing itself: the view is sent from here. After a failure there is none.
func (g guard) View() (v tea.View) {
	if g.program.fault.Load() {
		return tea.View{}
	}
	defer g.program.recover("View")
	v = g.model.View()
	if m, ok := g.model.(interface{ Colours() *look.Look }); ok {
		g.program.frames.Wear(m.Colours())
	}
	_ = g.program.frames.Draw(v) // fails once the client is gone, and then the session ends
	return v
}

// wrap guards a command, and those that it brings.
func (g guard) wrap(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		defer g.program.recover("command")
		return g.wrapAll(cmd())
	}
}

var cmdType = reflect.TypeFor[tea.Cmd]()

// wrapAll guards the commands in a message that is a list of them. The type of
// sequences is not exported, hence the reflection.
func (g guard) wrapAll(msg tea.Msg) tea.Msg {
	v := reflect.ValueOf(msg)
	if !v.IsValid() || v.Kind() != reflect.Slice || v.Type().Elem() != cmdType {
		return msg
	}
	wrapped := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	for i := range v.Len() {
		wrapped.Index(i).Set(reflect.ValueOf(g.wrap(v.Index(i).Interface().(tea.Cmd))))
	}
	return wrapped.Interface()
}
