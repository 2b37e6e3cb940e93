package screen

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"broadside/tui/widget"
)

// TestEnterTwice checks that a second enter does not create a second tournament while the first is
// being created.
func TestEnterTwice(t *testing.T) {
	env := &widget.Env{Nav: noScreens{}}
	s := newTournamentList(env).(*tournamentList)
	s.askName()
	s.Update(tea.KeyPressMsg{Code: '5', Text: "5"})
	enter := tea.KeyPressMsg{Code: tea.KeyEnter}
	if cmd, _ := widget.RunAction(enter, s.Actions()); cmd == nil {
		t.Error("enter creates no tournament")
	}
	if cmd, _ := widget.RunAction(enter, s.Actions()); cmd != nil {
		t.Error("enter creates another tournament")
	}
}

type noScreens struct{ widget.Navigator }
