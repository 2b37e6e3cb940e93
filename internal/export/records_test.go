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
	"time"

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

func annAndBob() store.Match { return storetest.Match(3, match.Classic(), "ann", "bob") }

func golden(t *testing.T, name string, got []byte) {
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

// TestMoves checks that a record of moving ships has each move.
func TestMoves(t *testing.T) {
	m := storetest.Match(5, match.Naval(), "ann", "bob")
	want := 0
	for _, e := range m.Events {
		if e.Kind == match.FleetMoved {
			want++
		}
	}
	r := export.Of(m)
	got := 0
	for _, e := range r.Events {
		if e.Event == "moved" {
			got++
			if e.Ship == nil || *e.Ship >= len(r.Players[0].Layout) || e.Move == "" || e.Move == "stay" {
				t.Fatalf("a move is exported as %+v", e)
			}
		}
	}
	if want < 10 || got != want {
		t.Errorf("%d moves are exported, want %d", got, want)
	}
	text, err := export.Text(i18n.English, m)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(text, "] ") < want {
		t.Errorf("the text is\n%s", text)
	}
}

// TestJSON also decodes the record by its documented fields alone, and replays it.
func TestJSON(t *testing.T) {
	m := annAndBob()
	text, err := export.JSON(m)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "record.json", text)

	var r struct {
		Version int
		Rules   struct {
			Name    string
			Size    int
			Fleet   []match.Class
			Contact match.Contact
			Clock   float64 `json:"clock_s"`
		}
		Players []struct {
			Name            string
			Layout          []struct{ From, To string }
			Sealed, Opening string
		}
		Winner *int
		Reason string
		Events []struct {
			MS                  int64
			Event, Cell, Result string
			Player              *int
		}
	}
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	rules := match.Rules{Name: r.Rules.Name, Size: r.Rules.Size, Fleet: r.Rules.Fleet, Contact: r.Rules.Contact, Clock: time.Duration(r.Rules.Clock * 1e9)}
	if !rules.Same(m.Rules) {
		t.Errorf("the rules are read back as %+v", rules)
	}
	g := match.NewGame(rules, audit.Forfeit)
	apply := func(ms int64, c match.Command) {
		t.Helper()
		c.At = time.Duration(ms) * time.Millisecond
		if _, err := g.Apply(c); err != nil {
			t.Fatalf("at %d ms: %v", ms, err)
		}
	}
	for _, e := range r.Events {
		switch e.Event {
		case "placed":
			var layout match.Layout
			for i, ship := range r.Players[*e.Player].Layout {
				layout = append(layout, between(t, ship.From, ship.To, rules.Fleet[i].Length))
			}
			apply(e.MS, match.Place(match.Side(*e.Player), layout))
		case "fired":
			cell, err := match.ParseCell(e.Cell)
			if err != nil {
				t.Fatal(err)
			}
			apply(e.MS, match.Fire(match.Side(*e.Player), cell))
		}
	}
	if len(g.Events()) != len(m.Events) {
		t.Errorf("the record leads to %d events, the match had %d", len(g.Events()), len(m.Events))
	}
	if v := g.View(match.Nobody); r.Winner == nil || match.Side(*r.Winner) != v.Winner || r.Reason != v.Reason.String() {
		t.Errorf("the record's winner is %v (%s), the game's %v (%v)", r.Winner, r.Reason, v.Winner, v.Reason)
	}
}

func between(t *testing.T, from, to string, length int) match.Ship {
	t.Helper()
	for _, h := range match.Headings {
		stern, err := match.ParseCell(from)
		if err != nil {
			t.Fatal(err)
		}
		if s := (match.Ship{Stern: stern, Heading: h, Length: length}); s.Bow().String() == to {
			return s
		}
	}
	t.Fatalf("no ship of length %d lies between %s and %s", length, from, to)
	return match.Ship{}
}

func TestText(t *testing.T) {
	text, err := export.Text(i18n.English, annAndBob())
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "course.txt", []byte(text))
}

// TestSalvo exports a match with several shots per turn: one line and one picture for each
// turn.
func TestSalvo(t *testing.T) {
	m := storetest.Match(3, match.Salvo(), "ann", "bob")
	text, err := export.Text(i18n.English, m)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "salvo.txt", []byte(text))
	g, err := match.Replay(m.Rules, audit.Flag, m.Events)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := export.Cast(i18n.English, &b, m); err != nil {
		t.Fatal(err)
	}
	turns := g.View(match.Nobody).Turns
	if lines := strings.Count(b.String(), "\n"); lines != 1+1+turns[0]+turns[1]+1 {
		t.Errorf("the recording has %d lines for %v turns", lines, turns)
	}
	var r export.Record
	data, err := json.Marshal(export.Of(m))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &r); err != nil || !r.Rules.Salvo || len(r.Events) != len(m.Events) {
		t.Errorf("the record is of %+v (%v)", r.Rules, err)
	}
}

// TestCast plays the recording on a terminal emulator: every picture is a whole screen of
// 80×24 cells.
func TestCast(t *testing.T) {
	m := annAndBob()
	var b bytes.Buffer
	if err := export.Cast(i18n.English, &b, m); err != nil {
		t.Fatal(err)
	}
	golden(t, "match.cast", b.Bytes())

	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	var header struct {
		Version, Width, Height int
	}
	if err := json.Unmarshal([]byte(lines[0]), &header); err != nil || header.Version != 2 || header.Width != 80 || header.Height != 24 {
		t.Fatalf("the header is %s (%v)", lines[0], err)
	}
	shots := 0
	for _, e := range m.Events {
		if e.Kind == match.ShotFired {
			shots++
		}
	}
	if len(lines) != 1+1+shots+1 { // header, before the first shot, one a shot, the end
		t.Errorf("%d lines for %d shots", len(lines), shots)
	}
	screen := vt.NewEmulator(header.Width, header.Height)
	last := 0.0
	for i, line := range lines[1:] {
		var e []any
		if err := json.Unmarshal([]byte(line), &e); err != nil || len(e) != 3 || e[1] != "o" || e[0].(float64) < last {
			t.Fatalf("line %d is %s (%v)", i+2, line, err)
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
	golden(t, "last-picture.txt", []byte(sshtest.Text(picture)))
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("the disk is full") }

func TestErrors(t *testing.T) {
	m := annAndBob()
	if err := export.Cast(i18n.English, failing{}, m); err == nil || !strings.Contains(err.Error(), "the disk is full") {
		t.Errorf("a film that cannot be written: %v", err)
	}
	m.Events = slices.Delete(slices.Clone(m.Events), 5, 6)
	if err := export.Cast(i18n.English, &bytes.Buffer{}, m); !errors.Is(err, match.ErrHistory) {
		t.Errorf("a film of a match with an event missing: %v", err)
	}
	if _, err := export.Text(i18n.English, m); !errors.Is(err, match.ErrHistory) {
		t.Errorf("the course of a match with an event missing: %v", err)
	}
}

// TestKept exports a match of a program that keeps its fleet and resigns.
func TestKept(t *testing.T) {
	g := match.NewGame(match.Classic(), audit.Flag)
	fleet := match.Classic().RandomLayout(newRand())
	for _, c := range []match.Command{
		match.Keep(match.First), match.Place(match.Second, fleet), match.Fire(match.Second, match.At(0, 0)),
		match.Answer(match.First, match.At(0, 0), match.Hit), match.Forfeit(match.Second, match.Resigned),
	} {
		if _, err := g.Apply(c); err != nil {
			t.Fatal(err)
		}
	}
	m := store.Match{Summary: store.Summary{ID: "kept", Winner: match.First, Reason: match.Resigned}, Rules: g.Rules(), Events: g.Events()}
	m.Seats[0], m.Seats[1] = store.Seat{Name: "\x1b[31mkraken", Kind: store.Program}, store.Seat{Name: "ann\u202e", Kind: store.Person}
	text, err := export.Text(i18n.English, m)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"The fleet of [31mkraken, as far as it was found:\n", "A  X  ~", "[31mkraken won. ann resigned."} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q in\n%s", want, text)
		}
	}
	if strings.ContainsAny(text, "\x1b\u202e") {
		t.Error("names bring control characters to the text")
	}
	r := export.Of(m)
	if r.Players[0].Layout != nil || len(r.Players[1].Layout) != 5 || !r.Players[1].Guest || r.Players[0].Guest {
		t.Errorf("the players are %+v", r.Players)
	}
}

func newRand() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }
