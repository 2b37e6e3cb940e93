package screen

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/lobby/ladder"
	"broadside/tui/widget"
)

// TestTableOnSmallTerminal checks that the ratings of programs that are online fit 40 columns.
func TestTableOnSmallTerminal(t *testing.T) {
	s := newLadder(&widget.Env{Lang: i18n.English}).(*ladderTable)
	s.list.Set([]ladder.Standing{
		{Name: "a-name-of-twenty-car", Kind: "program", Online: true, Rating: ladder.Estimate{Value: 1700, Low: 1600, High: 1800}},
	})
	if shown := strings.Join(s.View(widget.Size{Width: 40, Height: 16, Body: 13}).Lines, "\n"); !strings.Contains(shown, "1700?") || !strings.Contains(shown, "•") {
		t.Errorf("the table is\n%s", shown)
	}
}

// TestPageScrolls checks that the arrow keys reach all opponents, and that the page does not
// scroll further than that.
func TestPageScrolls(t *testing.T) {
	about := &ladder.Page{}
	about.Opponents = slices.Grow(about.Opponents, 40)[:40]
	for i := range about.Opponents {
		about.Opponents[i].Name = fmt.Sprintf("opponent%02d", i)
	}
	s := &ladderPlayer{Env: &widget.Env{Navigator: noScreens{}, Lang: i18n.English}, rules: "classic", name: "kraken", about: about}
	shown := func(key rune) string {
		for range 100 {
			widget.Press(tea.KeyPressMsg{Code: key}, s.Actions())
			s.View(widget.Size{Width: 80, Height: 24, Body: 21})
		}
		return strings.Join(s.View(widget.Size{Width: 80, Height: 24, Body: 21}).Lines, "\n")
	}
	if down := shown(tea.KeyDown); !strings.Contains(down, "opponent39") || !strings.Contains(down, "opponent25") {
		t.Errorf("the end of the page is\n%s", down)
	}
	if up := shown(tea.KeyUp); strings.Contains(up, "opponent39") || !strings.Contains(up, "opponent00") {
		t.Errorf("the beginning of the page is\n%s", up)
	}
}
