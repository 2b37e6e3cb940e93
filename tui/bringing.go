package tui

import (
	tea "charm.land/bubbletea/v2"
)

// broughtMsg is what a command brings back that was sent for something; take
// takes it in, on the model's goroutine.
type broughtMsg struct{ take func(*Model) tea.Cmd }
