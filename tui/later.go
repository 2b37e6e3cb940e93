package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
)

// laterTime bounds how long a screen waits for the disk.
const laterTime = 5 * time.Second

// later runs work that waits beside the model, and then what work returned on
// the model's goroutine, if the screen that asked is still shown.
func (m *Model) later(by screen, work func(context.Context) func() tea.Cmd) tea.Cmd {
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(m.ctx, laterTime)
		defer cancel()
		then := work(ctx)
		return broughtMsg{func(m *Model) tea.Cmd {
			if m.screen != by {
				return nil
			}
			return then()
		}}
	}
}
