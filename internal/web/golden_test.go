package web

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"

	"broadside/internal/store"
	"broadside/internal/test/lobbytest"
	"broadside/internal/test/storetest"
	"broadside/match"
)

var update = flag.Bool("update", false, "write the golden pages anew")

// addMatches stores a match of the ladder, a drawn one, one against a guest, one without a result and a private one,
// and the results of two days.
func (s *site) addMatches() {
	s.t.Helper()
	ctx := s.t.Context()
	last, err := storetest.StoreLadderMatch(ctx, s.db)
	if err != nil {
		s.t.Fatal(err)
	}
	ann, err := s.db.Accounts.CreatePerson(ctx, "ann", store.Key{Fingerprint: "SHA256:ann"})
	if err != nil {
		s.t.Fatal(err)
	}
	if err := storetest.AgeAccounts(s.folder); err != nil {
		s.t.Fatal(err)
	}
	late, err := s.db.Accounts.CreatePerson(ctx, "late", store.Key{Fingerprint: "SHA256:late"})
	if err != nil {
		s.t.Fatal(err)
	}
	if err := lobbytest.AddPuzzles(ctx, s.db); err != nil {
		s.t.Fatal(err)
	}
	squid := last.Seats[last.Winner]
	for i := range uint64(5) {
		m := storetest.NewMatch(2+i, match.Hasbro(), "ann", "squid")
		m.Seats[0].Player, m.Seats[1] = ann.ID, squid
		switch i {
		case 0:
			m.Winner = match.Nobody
		case 1:
			m.Seats[1] = store.Seat{Kind: store.Person, Name: "somebody", Shots: 9}
		case 2:
			m.Winner, m.Reason = match.Nobody, match.Closed
		case 3:
			m.Private = true
		default:
			m.Rated = true
		}
		if _, err := s.db.Matches.Finish(ctx, m); err != nil {
			s.t.Fatal(err)
		}
	}
	for _, r := range []store.DailyResult{
		{Day: "2026-01-01", Player: ann.ID, Shots: 40, Finished: true},
		{Day: "2026-01-02", Player: ann.ID, Shots: 23, Finished: true},
		{Day: "2026-01-02", Player: late.ID, Shots: 20, Finished: true},
	} {
		if err := s.db.Daily.Save(ctx, r); err != nil {
			s.t.Fatal(err)
		}
	}
	if err := storetest.SettleRatings(s.folder); err != nil {
		s.t.Fatal(err)
	}
}

var (
	positions = regexp.MustCompile(`(last-event-id)=[^"]*`)
	pictures  = regexp.MustCompile(`(?s)<svg.*?</svg>`)
	blocks    = regexp.MustCompile(`<(?:meta|link|script|title|header|nav|main|footer|section|h1|h2|p|tr|li|div|input)\b`)
	content   = regexp.MustCompile(`(?s)<title>.*?</title>|<meta name="(?:description|robots)".*?>|` +
		`<noscript>.*?</noscript>|<main.*</main>`)
)

// TestPagesMatchGoldenFile compares pages and responses of the API with testdata/golden.txt: one of them whole, of the
// others the title, the description and the content, all without pictures.
func TestPagesMatchGoldenFile(t *testing.T) {
	t.Parallel()
	s := openSite(t, Limits{})
	s.addMatches()
	s.await("/m/sample000002", "data-costly")
	_, _, id := s.startMatch()
	var got bytes.Buffer
	for _, path := range []string{
		"/programs?lang=de", "/leaderboard?rules=hasbro&of=people", "/ladder",
		"/ladder/squid", "/daily/2026-01-02", "/puzzles", "/puzzles?n=2&cell=b1&lang=de", "/puzzles?cell=J5&lang=fr",
		"/@ann", "/live?lang=es", "/m/" + id, "/m/sample000002?shot=2&heat=1", "/nothing?lang=fr",
		apiRoot + "/server", apiRoot + "/ladder/squid", apiRoot + "/games?player=ann&limit=2",
		apiRoot + "/leaderboard?rules=hasbro&of=people", apiRoot + "/daily/2026-01-02", apiRoot + "/players/ann",
	} {
		_, body := s.get(path)
		body = positions.ReplaceAllString(strings.NewReplacer(s.url, "http://localhost", id, "ID").Replace(body), "$1=POSITION")
		if !strings.HasPrefix(path, apiRoot) {
			body = blocks.ReplaceAllString(pictures.ReplaceAllString(body, "(picture)"), "\n$0")
			if got.Len() > 0 {
				body = strings.Join(content.FindAllString(body, -1), "\n")
			}
		}
		fmt.Fprintf(&got, "== %s\n%s\n", strings.ReplaceAll(path, id, "ID"), strings.TrimSpace(body))
	}
	const name = "testdata/golden.txt"
	if *update {
		if err := os.WriteFile(name, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if changes := diff.Diff("want", want, "got", got.Bytes()); changes != nil {
		t.Errorf("go test -update accepts this:\n%s", changes)
	}
}
