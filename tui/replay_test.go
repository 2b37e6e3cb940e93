package tui

import (
	"fmt"
	"strings"
	"testing"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/internal/test/storetest"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/tui/screen"
	"broadside/tui/text"
)

// TestReplayOfOddBoards shows matches on the smallest and the largest boards, step by step:
// the last shot is always visible.
func TestReplayOfOddBoards(t *testing.T) {
	for _, c := range []struct{ size, ships int }{{5, 1}, {7, 2}, {26, 10}} {
		withModel(t, 80, 24, func(t *testing.T, d *driver) {
			rules, err := match.Custom(c.size, c.ships, match.TouchAny)
			if err != nil {
				t.Fatal(err)
			}
			film, err := text.NewReplay(d.m.env.Lang, storetest.Match(3, rules, "ann", "bob"))
			if err != nil {
				t.Fatal(err)
			}
			d.m.Open(screen.NewReplay(d.m.env, film, &store.Summary{}, session.Review{}, 0))
			at := peek[int](d.page(), "at")
			d.press("down", "down")
			d.golden(fmt.Sprintf("replay-%d", c.size))
			for *at < film.Len()-1 {
				d.press("right")
				if screen := d.screen(); !strings.Contains(screen, "‹") {
					t.Fatalf("the shot is out of sight:\n%s", screen)
				}
			}
			d.golden(fmt.Sprintf("replay-%d-end", c.size))
		})
	}
}

// TestReplayNamesBots checks that a replay names built-in bots as lists do, and nobody else.
func TestReplayNamesBots(t *testing.T) {
	m := storetest.Match(3, match.Classic(), "easy", "hard")
	m.Seats[match.Second].Kind = store.Bot
	f, err := text.NewReplay(i18n.MustParse("de"), m)
	if err != nil {
		t.Fatal(err)
	}
	if h := f.Heading(); !strings.Contains(h, "easy") || !strings.Contains(h, "Schwer") {
		t.Errorf("the heading is %q", h)
	}
}
