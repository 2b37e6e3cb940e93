package screen

import (
	"strings"
	"testing"

	"broadside/internal/i18n"
	"broadside/lobby/ladder"
	"broadside/tui/widget"
)

// TestTableOnSmallTerminal checks that the ratings of programs that are online fit 40 columns.
func TestTableOnSmallTerminal(t *testing.T) {
	s := newLadderTable(&widget.Env{Lang: i18n.English}).(*ladderTable)
	s.list.SetItems([]ladder.Standing{
		{Name: "a-name-of-twenty-car", Kind: "program", Online: true, Rating: ladder.Estimate{Value: 1700, Low: 1600, High: 1800}},
	})
	if shown := strings.Join(s.View(widget.Size{Width: 40, Height: 16, Body: 13}).Lines, "\n"); !strings.Contains(shown, "1700?") || !strings.Contains(shown, "•") {
		t.Errorf("the table is\n%s", shown)
	}
}
