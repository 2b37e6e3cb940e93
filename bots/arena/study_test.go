package arena_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"broadside/bots/arena"
	"broadside/match"
)

func TestStudy(t *testing.T) {
	dir := t.TempDir()
	s, err := arena.RunStudy(t.Context(), arena.StudyConfig{
		Rules: match.Naval(), Games: 2, Seed: 3, Dir: dir, Strategies: []string{"hilbert", "warship"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Attacks) != 6 || len(s.Contests) != 3 {
		t.Fatalf("%d attacks, %d contests", len(s.Attacks), len(s.Contests))
	}
	for _, a := range s.Attacks {
		if a.Shots < 31 || a.PerHit < 1 || a.Games != 2 {
			t.Errorf("%s against %s: %+v", a.Shooter, a.Mover, a)
		}
	}
	moves := 0
	for _, e := range s.Game.Events() {
		if e.Kind == match.FleetMoved && e.Move != match.Stay {
			moves++
		}
	}
	if s.Game.Phase() != match.Over || moves < 10 {
		t.Errorf("the game that is shown has %d moves", moves)
	}
	text, err := os.ReadFile(filepath.Join(dir, "study.md"))
	if err != nil || string(text) != s.Markdown() || !strings.Contains(s.Markdown(), "| hilbert |") {
		t.Errorf("the report: %v", err)
	}
	for _, name := range []string{"rounds.svg", "course.svg"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		d := xml.NewDecoder(bytes.NewReader(data))
		elements := 0
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if _, ok := token.(xml.StartElement); ok {
				elements++
			}
		}
		if elements < 20 {
			t.Errorf("%s has %d elements", name, elements)
		}
	}
}

func TestStudyOfAnchoredShips(t *testing.T) {
	if _, err := arena.RunStudy(t.Context(), arena.StudyConfig{Rules: match.Classic(), Games: 4}); err == nil {
		t.Error("a study of ships that never move")
	}
}
