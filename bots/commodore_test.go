package bots

import (
	"strings"
	"testing"

	"broadside/match"
)

// onlyOpen returns answers of water for every cell except the given ones.
func onlyOpen(size int, cells string) told {
	open := map[string]bool{}
	for _, c := range strings.Fields(cells) {
		open[c] = true
	}
	var s strings.Builder
	for y := range size {
		for x := range size {
			if c := match.NewCell(x, y).String(); !open[c] {
				s.WriteString(c + "~ ")
			}
		}
	}
	return told(s.String())
}

func TestCommodoreOnFixedBoards(t *testing.T) {
	for _, c := range []struct {
		about string
		rules match.Rules
		told  told
		want  string
	}{
		{"the only gap", fleetOf(10, match.TouchCorners, 3), onlyOpen(10, "A1 A2 C3 C4 C5 J9"), "C3 C4 C5"},
		{"the gap with room", fleetOf(10, match.TouchCorners, 4), onlyOpen(10, "A1 A2 A3 C1 C2 C3 C4 F5"), "C1 C2 C3 C4"},
		{"where most places are", fleetOf(10, match.TouchAny, 5), onlyOpen(10, "E1 E2 E3 E4 E5 E6 E7 E8 E9"), "E5"},
		{"all ways from a hit", fleetOf(10, match.TouchCorners, 2), "E5x", "D5 E4 E6 F5"},
		{"along the longer way", fleetOf(10, match.TouchCorners, 4), "E5x D5~ G5~", "E4 E6"},
		{"the end that is left", match.Classic(), "E5x E6x E7~", "E4"},
		{"side by side where one is impossible", match.Hasbro(), "E5x E6x E4~ E7~", "D5 D6 F5 F6"},
		{"the other of two, once one has sunk", match.Hasbro(), "E5x E6x E4~ E7~ D6~ D5x C5~ F5#", "F6"},
	} {
		got := firstChoices(t, c.rules, c.told, newShooterFunc("commodore"))
		for _, cell := range strings.Fields(got) {
			if !strings.Contains(c.want+" ", cell+" ") {
				t.Errorf("%s: fires at %s, want one of %s", c.about, got, c.want)
			}
		}
	}
}
