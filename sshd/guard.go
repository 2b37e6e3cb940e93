package sshd

import (
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"
)

// guard wraps a session's model: a panic in it, or in one of its commands, is
// logged and ends the session, with a message and an exit status, instead of
// leaving the client with neither.
type guard struct {
	model tea.Model
	log   *slog.Logger
	fault *atomic.Bool
}

func (g guard) caught(where string) {
	if p := recover(); p != nil {
		g.fault.Store(true)
		g.log.Error("session failed", "in", where, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
	}
}

func (g guard) Init() (cmd tea.Cmd) {
	cmd = tea.Quit // if Init fails
	defer g.caught("Init")
	return g.wrap(g.model.Init())
}

func (g guard) Update(msg tea.Msg) (m tea.Model, cmd tea.Cmd) {
	m, cmd = g, tea.Quit // if Update fails
	defer g.caught("Update")
	if _, failed := msg.(failedMsg); failed {
		return g, tea.Quit
	}
	next, c := g.model.Update(msg)
	return guard{next, g.log, g.fault}, g.wrap(c)
}

func (g guard) View() (v tea.View) {
	defer g.caught("View")
	if g.fault.Load() {
		return tea.View{}
	}
	return g.model.View()
}

// failedMsg says that a command has failed.
type failedMsg struct{}

// wrap guards a command, and those that it brings.
func (g guard) wrap(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		msg = failedMsg{}
		defer g.caught("command")
		msg = cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for i, c := range batch {
				batch[i] = g.wrap(c)
			}
		}
		return msg
	}
}
