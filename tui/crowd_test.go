package tui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"broadside/lobby"
	"broadside/lobby/chat"
)

// TestCrowdedLists: of a long list only the lines that there is room for are
// asked for, and the rest is counted.
func TestCrowdedLists(t *testing.T) {
	m := &Model{}
	for _, c := range []struct {
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
		lines := m.list("Here", "nobody", c.items, func(i int) string { asked++; return fmt.Sprint("p", i) }, c.room)
		var got []string
		for _, l := range lines[1 : len(lines)-1] {
			got = append(got, strings.TrimSpace(ansi.Strip(l)))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%d items in a room for %d: %q, want %q", c.items, c.room, s, c.want)
		}
		if most := max(c.room, 1); asked > most {
			t.Errorf("%d lines were made for %d", asked, most)
		}
	}
}

// TestFindRunning finds the matches that are on by their IDs.
func TestFindRunning(t *testing.T) {
	m := &Model{news: &lobby.Snapshot{
		Featured: lobby.Running{ID: "show1", Watching: 1},
		Running:  []lobby.Running{{ID: "m1", Watching: 2}, {ID: "m2", Watching: 3}},
	}}
	for id, want := range map[string]int{"show1": 1, "m1": 2, "m2": 3, "m3": 0} {
		got := 0
		if r := m.running(id); r != nil {
			got = r.Watching
		}
		if got != want {
			t.Errorf("%s has %d spectators, want %d", id, got, want)
		}
	}
}

// TestPeopleHaveTheRoom: in the lobby who is here has all lines that the other
// lists leave, and nothing is cut off below.
func TestPeopleHaveTheRoom(t *testing.T) {
	m := &Model{width: 80, height: 24, news: &lobby.Snapshot{}, colours: nil, hallTalk: &talk{}}
	for i := range 40 {
		m.news.People = append(m.news.People, lobby.Presence{Player: lobby.Player{ID: fmt.Sprint("p", i), Name: fmt.Sprintf("name%02d", i)}})
	}
	s := &lobbyScreen{}
	lines := s.company(m)
	if len(lines) > m.room() {
		t.Errorf("%d lines in a room for %d", len(lines), m.room())
	}
	text := ansi.Strip(strings.Join(lines, "\n"))
	if !strings.Contains(text, "name09") || !strings.Contains(text, "and 30 more") {
		t.Errorf("of 40 people one sees\n%s", text)
	}
	for i := range 40 {
		m.news.Running = append(m.news.Running, lobby.Running{ID: fmt.Sprint("m", i)})
	}
	lines = s.company(m)
	if len(lines) > m.room() {
		t.Errorf("%d lines in a room for %d", len(lines), m.room())
	}
	if text := ansi.Strip(strings.Join(lines, "\n")); !strings.Contains(text, "and 33 more") || !strings.Contains(text, "and 37 more") {
		t.Errorf("of 40 people and 40 matches one sees\n%s", text)
	}
}

// TestTalkLeavesRoomForPeople, where the lobby shows the boards of a match as well.
func TestTalkLeavesRoomForPeople(t *testing.T) {
	spectate(t, 100, 30, func(t *testing.T, _ *lobby.Lobby, d *driver, _ *stagedMatch) {
		d.see("5 of 5 afloat")
		news := *d.m.news
		for i := range 9 {
			news.People = append(news.People, lobby.Presence{Player: lobby.Player{ID: fmt.Sprint("p", i), Name: fmt.Sprint("name", i)}})
			d.m.hallTalk.lines = append(d.m.hallTalk.lines, chat.Line{Text: fmt.Sprint("said ", i)})
		}
		d.m.news = &news
		d.m.View() // before the lobby's own news come
		for _, want := range []string{"carol (you)", "and 9 more", "said 8", "Matches"} {
			if s := d.screen(); !strings.Contains(s, want) || strings.Contains(s, "pgdn") {
				t.Errorf("no %q, or not all of it, on\n%s", want, s)
			}
		}
	})
}
