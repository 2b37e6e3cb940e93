package screen

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"broadside/tui/widget"
)

// TestEnterTwice checks that a second enter does not create a second cup while the first is
// being created.
func TestEnterTwice(t *testing.T) {
	s := &tournaments{Env: &widget.Env{}}
	s.Update(tea.KeyPressMsg{Code: 'n', Text: "n"})
	s.Update(tea.KeyPressMsg{Code: '5', Text: "5"})
	enter := tea.KeyPressMsg{Code: tea.KeyEnter}
	if s.Update(enter) == nil {
		t.Error("enter creates no cup")
	}
	if s.Update(enter) != nil {
		t.Error("enter creates another cup")
	}
}
