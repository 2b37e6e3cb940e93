package screen

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"broadside/internal/session"
	"broadside/tui/component"
)

// TestCrowdedLists: of a long list only the lines that there is room for are
// asked for, and the rest is counted.
func TestCrowdedLists(t *testing.T) {
	c := activity{&component.Env{}}
	for _, tc := range []struct {
		items, room int
		want        string
	}{
		{0, 5, "nobody"},
		{3, 5, "p0 p1 p2"},
		{5, 5, "p0 p1 p2 p3 p4"},
		{6, 5, "p0 p1 p2 p3 and 2 more"},
		{100_000, 5, "p0 p1 p2 p3 and 99,996 more"},
		{2, 0, "and 2 more"},
		{1, -3, "p0"},
	} {
		asked := 0
		lines := c.list("online", "nobody", tc.items, func(i int) string { asked++; return fmt.Sprint("p", i) }, tc.room)
		var got []string
		for _, l := range lines[1 : len(lines)-1] {
			got = append(got, strings.TrimSpace(ansi.Strip(l)))
		}
		if s := strings.Join(got, " "); s != tc.want {
			t.Errorf("%d items in a room for %d: %q, want %q", tc.items, tc.room, s, tc.want)
		}
		if most := max(tc.room, 1); asked > most {
			t.Errorf("%d lines were made for %d", asked, most)
		}
	}
}

// TestFindRunning finds the running matches by their IDs.
func TestFindRunning(t *testing.T) {
	env := &component.Env{Lobby: &session.Snapshot{
		Featured: session.Running{ID: "show1", Watching: 1},
		Running:  []session.Running{{ID: "m1", Watching: 2}, {ID: "m2", Watching: 3}},
	}}
	for id, want := range map[string]int{"show1": 1, "m1": 2, "m2": 3, "m3": 0} {
		got := 0
		if r := env.Running(id); r != nil {
			got = r.Watching
		}
		if got != want {
			t.Errorf("%s has %d spectators, want %d", id, got, want)
		}
	}
}

// TestPlayersHaveRoom: in the lobby who is here has all lines that the other
// lists leave, and nothing is cut off below.
func TestPlayersHaveRoom(t *testing.T) {
	env := &component.Env{Lobby: &session.Snapshot{}, LobbyChat: component.NewChat("", nil)}
	for i := range 40 {
		env.Lobby.People = append(env.Lobby.People, session.Presence{Player: session.Player{ID: fmt.Sprint("p", i), Name: fmt.Sprintf("name%02d", i)}})
	}
	size := component.Size{Width: 80, Height: 24, Body: 21}
	lines := activity{env}.lines(size)
	if len(lines) > size.Body {
		t.Errorf("%d lines in a room for %d", len(lines), size.Body)
	}
	text := ansi.Strip(strings.Join(lines, "\n"))
	if !strings.Contains(text, "name09") || !strings.Contains(text, "and 30 more") {
		t.Errorf("of 40 people one sees\n%s", text)
	}
	for i := range 40 {
		env.Lobby.Running = append(env.Lobby.Running, session.Running{ID: fmt.Sprint("m", i)})
	}
	lines = activity{env}.lines(size)
	if len(lines) > size.Body {
		t.Errorf("%d lines in a room for %d", len(lines), size.Body)
	}
	if text := ansi.Strip(strings.Join(lines, "\n")); !strings.Contains(text, "and 33 more") || !strings.Contains(text, "and 37 more") {
		t.Errorf("of 40 people and 40 matches one sees\n%s", text)
	}
}
