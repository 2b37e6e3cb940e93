package term

import "testing"

func TestLatinKey(t *testing.T) {
	for typed, want := range map[string]string{
		"йцукен фыва ячс": "qwerty asdf zxc", "ролд": "hjkl", "О": "O", "ВАСЕН": "BACEH", "Ф": "A", "Ш": "I",
		"і": "s", "ασδφ ξκλ": "asdf jkl", "ΑΒΓΔ": "ABGD", "Ρρ": "Pr", "ｊＢ７？": "jB7?",
		"jB7?äÄß漢": "jB7?äÄß漢", "\x00\u00a0": "\x00\u00a0",
	} {
		got := ""
		for _, r := range typed {
			got += string(LatinKey(r))
		}
		if got != want {
			t.Errorf("%q is %q, want %q", typed, got, want)
		}
	}
}

func TestLatinCell(t *testing.T) {
	for typed, want := range map[string]string{
		"В7": "B7", "в7": "B7", "И10": "B10", "и10": "B10", "β7": "B7", "Δ7": "D7", "Ｂ７": "B7", "ｂ７": "B7", "b7": "b7", "Ä7": "Ä7",
	} {
		if got := LatinCellName(typed); got != want {
			t.Errorf("%q is %q, want %q", typed, got, want)
		}
	}
}
