package session

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/i18n/phrase"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/daily"
	"broadside/match"
	"broadside/match/layoutfile"
	"broadside/match/live"
)

var update = flag.Bool("update", false, "write the golden file of the messages")

// TestMessages compares messages with testdata/messages, which other versions write and
// read. A field or type that is missing or different there can break a rolling restart.
func TestMessages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got bytes.Buffer
		for _, a := range someActions {
			complete(t, a)
			b, err := Encode(a)
			again, _, badErr := decodeMessage(b)
			if err != nil || badErr != nil || !reflect.DeepEqual(a, again) {
				t.Errorf("%#v\narrived as\n%#v, %v, %v", a, again, err, badErr)
			}
			fmt.Fprintf(&got, "%s\n", b)
		}
		for _, q := range someQueries {
			complete(t, q.query)
			b, err := Encode(q.query)
			_, badErr := Decode(b)
			if err != nil || badErr != nil {
				t.Errorf("%#v: %v, %v", q.query, err, badErr)
			}
			fmt.Fprintf(&got, "%s\n%s\n", b, travel(t, q.answer))
		}
		state := someState()
		state.Lobby = &someSnapshot
		complete(t, state)
		state.Lobby = nil
		fmt.Fprintf(&got, "%s\n", travel(t, state))
		for i, u := range someUpdates() {
			if i == 0 {
				complete(t, *u.Match)
				complete(t, u.Match.View)
			}
			fmt.Fprintf(&got, "%s\n", travel(t, u))
		}
		complete(t, someSnapshot)
		fmt.Fprintf(&got, "%s\n", travel(t, someSnapshot))
		had := Previous{
			Me: somebody, DoNotDisturb: true, ShowsFeatured: true, Match: state.Match, Over: true, Seen: [2]int{1, 2}, Code: "K3F", Watching: "m1", Counted: true,
			Challenge: state.Challenge, Offer: state.Offer, OfferedBy: []byte("{}"), Unconfirmed: &[2]int{1, 0},
		}
		complete(t, had)
		client := Client{
			Name: "ann", Fingerprint: "SHA256:1", Addr: netip.MustParseAddr("192.0.2.1"), WatchPace: time.Second, Unlisted: true, Conn: "7", Address: "play.example.org:2222",
			Operator: "root", Program: &somebody, Remote: true, Previous: &had,
		}
		complete(t, client)
		fmt.Fprintf(&got, "%s\n", travel(t, client))

		name := filepath.Join("testdata", "messages")
		if *update {
			if err := os.WriteFile(name, got.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(want), "\n")
		for i, line := range strings.Split(got.String(), "\n") {
			if i >= len(lines) || line != lines[i] {
				t.Fatalf("line %d is\n%s\nand not as in %s: can a node of the former version read it? Then run the test with -update", i+1, line, name)
			}
		}
	})
}

// complete fails the test unless a struct has every field that travels.
func complete(t *testing.T, x any) {
	t.Helper()
	v := reflect.ValueOf(x)
	for i := range v.NumField() {
		if v.Field(i).IsZero() && v.Type().Field(i).Tag.Get("json") != "-" {
			t.Errorf("%T: the example has no %s", x, v.Type().Field(i).Name)
		}
	}
}

// travel encodes a value, compares it with the decoded one, and returns the encoded form.
func travel(t interface {
	Helper()
	Fatalf(string, ...any)
}, x any,
) []byte {
	t.Helper()
	b, err := json.Marshal(x)
	again := reflect.New(reflect.TypeOf(x))
	if err == nil {
		err = json.Unmarshal(b, again.Interface())
	}
	if err != nil {
		t.Fatalf("%s: %v", b, err)
	}
	if d := differ(reflect.ValueOf(x), again.Elem()); d != "" {
		t.Fatalf("%T%s arrived as another:\n%+v\n%+v\n%s", x, d, x, again.Elem(), b)
	}
	return b
}

// differ returns where two values differ, ignoring the location and monotonic reading of
// times and the types of errors; empty if they are equal.
func differ(a, b reflect.Value) string {
	switch {
	case a.Type() == reflect.TypeFor[time.Time]():
		if !a.Interface().(time.Time).Equal(b.Interface().(time.Time)) {
			return " (a time)"
		}
		return ""
	case a.Type() == reflect.TypeFor[error]() && !a.IsNil() && !b.IsNil():
		x, y := a.Interface().(error), b.Interface().(error)
		for _, l := range i18n.Languages() {
			if phrase.Error(l, x) != phrase.Error(l, y) {
				return " (an error)"
			}
		}
		return ""
	}
	switch a.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !a.IsNil() && !b.IsNil() {
			return differ(a.Elem(), b.Elem())
		}
	case reflect.Struct:
		for i := range a.NumField() {
			if a.Type().Field(i).Tag.Get("json") == "-" {
				continue // does not travel
			}
			if d := differ(a.Field(i), b.Field(i)); d != "" {
				return "." + a.Type().Field(i).Name + d
			}
		}
		return ""
	case reflect.Slice, reflect.Array:
		if a.Len() != b.Len() || a.Kind() == reflect.Slice && a.IsNil() != b.IsNil() {
			return " (a length)"
		}
		for i := range a.Len() {
			if d := differ(a.Index(i), b.Index(i)); d != "" {
				return fmt.Sprintf("[%d]%s", i, d)
			}
		}
		return ""
	case reflect.Map:
		if !reflect.DeepEqual(a.Interface(), b.Interface()) {
			return " (a map)"
		}
		return ""
	}
	if !a.Equal(b) {
		return " (a value)"
	}
	return ""
}

// TestEveryTypeTravels reads this package: actions, queries and errors that are missing in
// the tables cannot be sent.
func TestEveryTypeTravels(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]string{} // do, ask: receivers; Err: names
	var known []string             // errors in the table
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv != nil {
					of := types.ExprString(d.Recv.List[0].Type)
					found[d.Name.Name] = append(found[d.Name.Name], strings.TrimPrefix(of, "*"))
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					v, ok := s.(*ast.ValueSpec)
					if !ok {
						continue
					}
					if strings.HasPrefix(v.Names[0].Name, "Err") {
						found["Err"] = append(found["Err"], v.Names[0].Name)
					}
					if v.Names[0].Name == "sentinels" {
						ast.Inspect(v, func(n ast.Node) bool {
							if id, ok := n.(*ast.Ident); ok {
								known = append(known, id.Name)
							}
							return true
						})
					}
				}
			}
		}
	}
	for _, c := range []struct {
		what     string
		in       []string
		examples []string
	}{
		{"do", slices.Collect(maps.Keys(messages)), typesOf(someActions)},
		{"ask", slices.Collect(maps.Keys(messages)), typesOf(someQueries)},
		{"Err", known, nil},
	} {
		if len(found[c.what]) < 10 {
			t.Errorf("only %d of %s", len(found[c.what]), c.what)
		}
		for _, name := range found[c.what] {
			if !slices.Contains(c.in, name) {
				t.Errorf("%s is missing in the table of wire.go", name)
			}
			if c.examples != nil && !slices.Contains(c.examples, name) {
				t.Errorf("%s is missing in the examples of this test", name)
			}
		}
	}
}

func typesOf[T any](all []T) (names []string) {
	for _, x := range all {
		var of any = x
		if q, ok := of.(struct{ query, answer any }); ok {
			of = q.query
		}
		names = append(names, reflect.TypeOf(of).Name())
	}
	return names
}

func TestBadRequests(t *testing.T) {
	for _, bad := range []string{
		``, `{`, `null`, `[]`, `{}`, `Nothing {}`, `fire {}`, `Fire`, `Fire{}`, `"Fire" {}`,
		`Fire []`, `Fire {"Side":2}`, `Fire {"Side":256}`, `Fire {"Side":-1}`,
		`Fire {"Cell":"A27"}`, `Fire {"Cell":7}`, `Move {"Move":41}`,
		`Place {"Layout":["A1E9"]}`, `Say {"Room":2}`, `Mute {"Hearing":3}`,
		`Seek {}`, `Seek {"Rules":{"name":"classic","size":10}}`, `Seek {"Rules":{"name":"classic","clock":1}}`,
		`Seek {"Rules":{"name":"custom","size":30,"fleet":[{"name":"carrier","length":5}],"contact":"any"}}`,
		`Seek {"Rules":{"name":"custom","size":9,"fleet":[{"name":"raft","length":5}],"contact":"any"}}`,
		`Seek {"Rules":{"name":"classic"},"Stakes":"guest"}`,
		`Games {"Limit":-1}`, `Games {"Limit":1001}`, `OpenDaily {"Rows":1e9}`,
		`Leaderboard {"Board":3}`, `Say ` + strings.Repeat(`[`, 12000) + ``,
		`Say {"Text":"` + strings.Repeat(`x`, maxMessage) + `"}`,
	} {
		if x, _, err := decodeMessage([]byte(bad)); err == nil {
			t.Errorf("%.80s was decoded as %#v", bad, x)
		}
	}
	for _, good := range []string{`Fire {}`, `Fire null`, `Fire {"Cell":"-","Later":{}}`, `Keys {}`} {
		if _, err := Decode([]byte(good)); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for _, bad := range []string{`{"Match":{"Side":2}}`, `{"Challenge":{"Rules":{"size":99}}}`} {
		if err := json.Unmarshal([]byte(bad), new(State)); err == nil {
			t.Errorf("the state %s was decoded", bad)
		}
	}
	if err := json.Unmarshal([]byte(`{"Previous":{"Match":{"Side":2}}}`), new(Client)); err == nil {
		t.Error("a client with a third side was decoded")
	}
	for _, bad := range []string{`{"Side":2}`, `{"Room":2}`, `{"Match":{"View":{"Viewer":9}}}`, `{"Lines":{}}`} {
		if err := json.Unmarshal([]byte(bad), new(Update)); err == nil {
			t.Errorf("the update %s was decoded", bad)
		}
	}
}

func TestErrorsTravel(t *testing.T) {
	for _, of := range []error{
		ErrReplaced, ErrNoStore, ErrStore, ErrFleetName, ErrFleetAccount, ErrTooManyFleets, ErrLastKey, ErrNotFound, ErrNoOffer, ErrHotSeat, ErrNoMatch,
		ErrNoMatchToWatch, ErrNoChat, live.ErrEnded, live.ErrNoClaim, live.ErrTimeOver, match.ErrOver, match.ErrNoReveal, match.ErrNotYourTurn, match.ErrOffBoard,
		lobby.ErrOfferGone, lobby.ErrGone, daily.ErrElsewhere, account.ErrName, context.Canceled, context.DeadlineExceeded,
	} {
		for _, err := range []error{of, fmt.Errorf("reading the match %q: %w", "m1", of), &layoutfile.LineError{Line: 7, Err: of}} {
			again := DecodeError(EncodeError(err))
			if !errors.Is(again, of) {
				t.Errorf("%q is decoded as %q", of, again)
			}
			for _, l := range i18n.Languages() {
				if got, want := phrase.Error(l, again), phrase.Error(l, err); got != want {
					t.Errorf("%v: %q arrived as %q", l, want, got)
				}
			}
			for _, other := range []error{ErrNotFound, ErrReplaced, live.ErrEnded} {
				if errors.Is(again, other) != (other == of) {
					t.Errorf("%q is taken for %q", again, other)
				}
			}
		}
	}
	if b := EncodeError(nil); b != nil || DecodeError(b) != nil || DecodeError(json.RawMessage("null")) != nil {
		t.Error("no error arrived as one")
	}
	class := match.Naval().Fleet[0]
	wrong := &match.LayoutError{Class: class, Problem: match.Overlaps, Other: match.Naval().Fleet[1]}
	if got, want := phrase.Error(i18n.MustParse("de"), DecodeError(EncodeError(wrong))), phrase.Error(i18n.MustParse("de"), wrong); got != want {
		t.Errorf("%q arrived as %q", want, got)
	}
	for _, bad := range []string{`{`, `7`, `{"said":7}`, `{"is":["replaced"]}`} {
		if DecodeError(json.RawMessage(bad)) == nil {
			t.Errorf("%s is no error", bad)
		}
	}
	later := json.RawMessage(`{"said":{"k":101,"t":"a text of a later version for %s","a":[{"k":115,"t":"ann"}]},"is":["later"]}`)
	if got := i18n.MustParse("de").Error(DecodeError(later)); got != "a text of a later version for ann" {
		t.Errorf("an unknown text is shown as %q", got)
	}
}

// TestErrorsHaveDistinctTexts checks that the errors of the packages below have different
// texts, because decoded errors are compared by their texts.
func TestErrorsHaveDistinctTexts(t *testing.T) {
	sentinel := regexp.MustCompile(`(?m)\b(Err\w+) *= (?:i18n\.Errorf|errors\.New)\(("[^"]*")`)
	texts := map[string]string{}
	for _, folder := range []string{".", "../../lobby", "../store", "../ratelimit", "../../match", "../../match/live"} {
		names, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			source, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, found := range sentinel.FindAllStringSubmatch(string(source), -1) {
				if other, ok := texts[found[2]]; ok {
					t.Errorf("%s and %s say the same: %s", other, found[1], found[2])
				}
				texts[found[2]] = found[1]
			}
		}
	}
	if len(texts) < 50 {
		t.Errorf("only %d errors were found", len(texts))
	}
}

// TestClocksMayDiffer sends a message to a node whose clock is an hour ahead. The remaining
// time of a limit stays the same.
func TestClocksMayDiffer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u, s := someUpdates()[0], someState()
		was := u.Match.Deadline
		updated, err := json.Marshal(u)
		if err != nil {
			t.Fatal(err)
		}
		stated, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		want := was.Add(time.Hour)
		if err := errors.Join(json.Unmarshal(updated, &u), json.Unmarshal(stated, &s)); err != nil {
			t.Fatal(err)
		}
		for what, got := range map[string]time.Time{
			"Deadline": u.Match.Deadline, "AwayUntil": u.Match.AwayUntil[0], "Challenge": s.Challenge.Until, "Seek": s.Offer.Until,
			"Takeover": s.Seat.Takeover.Until,
		} {
			if !got.Equal(want) {
				t.Errorf("%s is %v, want %v", what, got, want)
			}
		}
		if !u.Match.AwayUntil[1].IsZero() {
			t.Error("a clock runs that did not")
		}
		if err := json.Unmarshal([]byte(`{"Match":{"Deadline":"2001-02-03T04:05:06.000007Z"}}`), &u); err != nil || !u.Match.Deadline.Equal(someMoment) {
			t.Errorf("without the moment of sending, the deadline is %v, %v", u.Match.Deadline, err)
		}
	})
}
