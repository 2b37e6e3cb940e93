package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
)

// laterTime bounds how long a screen waits for the disk.
const laterTime = 5 * time.Second

// later runs work that waits beside the model, and then what work returned on
// the model's goroutine, if the screen that asked is still shown. What takes
// long is seen to be worked at.
func (m *Model) later(by screen, work func(context.Context) func() tea.Cmd) tea.Cmd {
	m.work.begin(time.Now())
	return tea.Batch(m.tick(), func() tea.Msg {
		ctx, cancel := context.WithTimeout(m.ctx, laterTime)
		defer cancel()
		then := work(ctx)
		return broughtMsg{func(m *Model) tea.Cmd {
			m.work.end()
			if m.screen != by {
				return nil
			}
			return then()
		}}
	})
}
