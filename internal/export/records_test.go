package export_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/vt"

	"broadside/internal/export"
	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/internal/test/sshtest"
	"broadside/internal/test/storetest"
	"broadside/match"
	"broadside/match/audit"
)

var update = flag.Bool("update", false, "write the golden files anew")

func newAnnBobMatch() store.Match { return storetest.NewMatch(3, match.Classic(), "ann", "bob") }

func checkGolden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s has changed (go test -update accepts it). It is now\n%s", file, got)
	}
}

// TestMovesAreExported checks that a record of moving ships has each move.
func TestMovesAreExported(t *testing.T) {
	m := storetest.NewMatch(5, match.Naval(), "ann", "bob")
	want := 0
	for _, e := range m.Events {
		if e.Kind == match.FleetMoved {
			want++
		}
	}
	r := export.NewRecord(m)
	got := 0
	for _, e := range r.Events {
		if e.Event == "moved" {
			got++
			if e.Ship == nil || *e.Ship >= len(r.Players[0].Layout) || e.Move == "" || e.Move == "stay" {
				t.Fatalf("got move %+v", e)
			}
		}
	}
	if want < 10 || got != want {
		t.Errorf("got %d moves, want %d", got, want)
	}
	text, err := export.MatchText(i18n.English, m)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(text, "] ") < want {
		t.Errorf("MatchText =\n%s", text)
	}
}

// TestExportsMatchGoldenFiles compares a match's formats with checked files.
func TestExportsMatchGoldenFiles(t *testing.T) {
	record, err := export.EncodeMatch(newAnnBobMatch())
	if err != nil {
		t.Fatal(err)
	}
	checkGolden(t, "record.json", record)
	for name, rules := range map[string]match.Rules{"course.txt": match.Classic(), "salvo.txt": match.Salvo()} {
		text, err := export.MatchText(i18n.English, storetest.NewMatch(3, rules, "ann", "bob"))
		if err != nil {
			t.Fatal(err)
		}
		checkGolden(t, name, []byte(text))
	}
}

// TestAsciicastOfSalvos checks that a match with several shots per turn has one frame for each turn.
func TestAsciicastOfSalvos(t *testing.T) {
	m := storetest.NewMatch(3, match.Salvo(), "ann", "bob")
	g, err := match.Replay(m.Rules, audit.Flag, m.Events)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := export.WriteAsciicast(i18n.English, &b, m); err != nil {
		t.Fatal(err)
	}
	turns := g.View(match.Nobody).Turns
	if lines := strings.Count(b.String(), "\n"); lines != 1+1+turns[0]+turns[1]+1 {
		t.Errorf("recording has %d lines for %v turns", lines, turns)
	}
}

// TestAsciicastOfSingleShots checks on a terminal emulator that every frame is a whole screen of 80×24 cells.
func TestAsciicastOfSingleShots(t *testing.T) {
	m := newAnnBobMatch()
	var b bytes.Buffer
	if err := export.WriteAsciicast(i18n.English, &b, m); err != nil {
		t.Fatal(err)
	}
	checkGolden(t, "match.cast", b.Bytes())

	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	var header struct {
		Version, Width, Height int
	}
	if err := json.Unmarshal([]byte(lines[0]), &header); err != nil || header.Version != 2 || header.Width != 80 || header.Height != 24 {
		t.Fatalf("got header %s (%v)", lines[0], err)
	}
	shots := 0
	for _, e := range m.Events {
		if e.Kind == match.ShotFired {
			shots++
		}
	}
	if len(lines) != 1+1+shots+1 { // header, before the first shot, one a shot, the end
		t.Errorf("recording has %d lines for %d shots", len(lines), shots)
	}
	screen := vt.NewEmulator(header.Width, header.Height)
	last := 0.0
	for i, line := range lines[1:] {
		var e []any
		if err := json.Unmarshal([]byte(line), &e); err != nil || len(e) != 3 || e[1] != "o" || e[0].(float64) < last {
			t.Fatalf("line %d = %s (%v)", i+2, line, err)
		}
		last = e[0].(float64)
		if i == len(lines)-2 {
			break // the terminal is restored
		}
		screen.Write([]byte(e[2].(string)))
	}
	picture := uv.NewBuffer(header.Width, header.Height)
	for y, line := range picture.Lines {
		for x := range line {
			line[x] = *screen.CellAt(x, y)
		}
	}
	checkGolden(t, "last-picture.txt", []byte(sshtest.FormatScreen(picture)))
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errors.New("the disk is full") }

func TestExportErrors(t *testing.T) {
	m := newAnnBobMatch()
	if err := export.WriteAsciicast(i18n.English, failingWriter{}, m); err == nil || !strings.Contains(err.Error(), "the disk is full") {
		t.Errorf("WriteAsciicast to a full disk = %v", err)
	}
	m.Events = slices.Delete(slices.Clone(m.Events), 5, 6)
	if err := export.WriteAsciicast(i18n.English, &bytes.Buffer{}, m); !errors.Is(err, match.ErrHistory) {
		t.Errorf("WriteAsciicast without an event = %v", err)
	}
	if _, err := export.MatchText(i18n.English, m); !errors.Is(err, match.ErrHistory) {
		t.Errorf("MatchText without an event = %v", err)
	}
}

// TestExportOfHiddenFleet checks the export of a match in which a program keeps its fleet secret and resigns.
func TestExportOfHiddenFleet(t *testing.T) {
	g := match.NewGame(match.Classic(), audit.Flag)
	fleet := match.Classic().RandomLayout(newRand())
	for _, c := range []match.Command{
		match.KeepCommand(match.First), match.PlaceCommand(match.Second, fleet), match.FireCommand(match.Second, match.NewCell(0, 0)),
		match.AnswerCommand(match.First, match.NewCell(0, 0), match.Hit), match.ForfeitCommand(match.Second, match.Resigned),
	} {
		if _, err := g.Apply(c); err != nil {
			t.Fatal(err)
		}
	}
	m := store.Match{Summary: store.Summary{ID: "kept", Winner: match.First, Reason: match.Resigned}, Rules: g.Rules(), Events: g.Events()}
	m.Seats[0], m.Seats[1] = store.Seat{Name: "\x1b[31mkraken", Kind: store.Program}, store.Seat{Name: "ann\u202e", Kind: store.Person}
	text, err := export.MatchText(i18n.English, m)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"[31mkraken's fleet, as far as it was found:\n", "A  X  ~", "[31mkraken won. ann resigned."} {
		if !strings.Contains(text, want) {
			t.Errorf("want %q in\n%s", want, text)
		}
	}
	if strings.ContainsAny(text, "\x1b\u202e") {
		t.Error("text contains control characters from names")
	}
	r := export.NewRecord(m)
	if r.Players[0].Layout != nil || len(r.Players[1].Layout) != 5 || !r.Players[1].Guest || r.Players[0].Guest {
		t.Errorf("got players %+v", r.Players)
	}
}

func newRand() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }
