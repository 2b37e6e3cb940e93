package web

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"broadside/internal/test/storetest"
	"broadside/lobby/ladder"
)

// TestLadder checks the page of a ladder with programs and bots, of a ladder without players, and
// of a server without a ladder.
func TestLadder(t *testing.T) {
	s := openSite(t, Limits{})
	if response, body := s.get("/ladder?rules=naval"); response.StatusCode != http.StatusOK || !strings.Contains(body, "None yet.") {
		t.Errorf("without players: %s\n%s", response.Status, body)
	}
	for _, path := range []string{"/ladder?rules=chess", apiRoot + "/ladder?rules=chess"} {
		if response, _ := s.get(path); response.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", path, response.Status)
		}
	}
	p := s.newPage(httptest.NewRequest(http.MethodGet, "/ladder", nil))
	p.Nav = "ladder"
	p.Title, p.Description = p.T("Ladder"), p.T("Registered programs play rated matches here day and night. Ratings with a question mark are provisional.")
	content := p.ladderContent(ladder.Report{Rules: "classic", Players: []ladder.Standing{
		{Place: 1, Name: "kraken", Kind: "program", Online: true, Rating: ladder.Estimate{Value: 1712.4, Low: 1612.4, High: 1812.4}, Games: 12, Won: 9, Lost: 3},
		{Place: 2, Name: "medium", Kind: "bot", Settled: true, Rating: ladder.Estimate{Value: 1500, Low: 1455, High: 1545}, Games: 12, Won: 3, Lost: 9},
	}})
	page := string(p.render(content).body)
	checkPage(t, "/ladder", page)
	for _, want := range []string{`<a href="/ladder/kraken?rules=classic">kraken</a></th>`, "<td>•</td>", "1712? ±100", "1500 ±45", `<a href="/ladder" aria-current="page">`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
	s.cfg.Ladder = false
	response, body := s.get("/ladder")
	if response.StatusCode != http.StatusNotFound || strings.Contains(body, `href="/ladder"`) {
		t.Errorf("a server without a ladder: %s\n%s", response.Status, body)
	}
}

// playLadder stores a ladder match that the program whale loses to the program squid.
func (s *site) playLadder() {
	s.t.Helper()
	if _, err := storetest.PlayLadder(s.t.Context(), s.db); err != nil {
		s.t.Fatal(err)
	}
}

// TestLadderPlayer shows the page of a player of the ladder, in two languages.
func TestLadderPlayer(t *testing.T) {
	s := openSite(t, Limits{})
	s.playLadder()
	for path, want := range map[string][]string{
		"/ladder/whale":                 {"<h1>whale</h1>", "Matches: 1, won: 0, lost: 1.", "Losses: 1 (", `<a href="/@whale">Profile</a>`, `<a href="/ladder/squid?rules=classic">squid</a>`, `">squid</a></th><td>lost</td>`},
		"/ladder/Squid?lang=de":         {"<h1>squid</h1>", "gewonnen: 1, verloren: 0.", "Ergebnis", `href="/ladder/whale?rules=classic&amp;lang=de"`},
		"/ladder/whale?rules=classic":   {"<h1>whale</h1>"},
		"/ladder?rules=classic":         {`<a href="/ladder/whale?rules=classic">whale</a>`},
		apiRoot + "/ladder/whale":       {`"name": "whale"`, `"lost": 1`},
		apiRoot + "/bots?rules=classic": {`"name": "easy"`},
		apiRoot + "/rules":              {`"name": "naval"`},
	} {
		response, body := s.get(path)
		if response.StatusCode != http.StatusOK {
			t.Errorf("%s: %s", path, response.Status)
		}
		if !strings.HasPrefix(path, apiRoot) {
			checkPage(t, path, body)
		}
		for _, text := range want {
			if !strings.Contains(body, text) {
				t.Errorf("%s lacks %q:\n%s", path, text, body)
			}
		}
	}
	for _, path := range []string{"/ladder/nobody", "/ladder/whale?rules=naval", "/ladder/whale?rules=chess"} {
		if response, _ := s.get(path); response.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", path, response.Status)
		}
	}
}
