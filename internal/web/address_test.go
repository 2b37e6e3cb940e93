package web

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"broadside/lobby"
	"broadside/match"
)

// TestAddresses checks that each page has one address for search engines, and an error none.
func TestAddresses(t *testing.T) {
	s := openSite(t, Limits{})
	_, _, id := s.fight()
	for path, want := range map[string]string{
		"/@EASY": "/@easy", "/@easy": "/@easy", "/m/" + strings.ToUpper(id): "/m/" + id,
		"/daily/today": "/daily", "/live": "/live",
		"/@nobody": "", "/nothing": "", "/m/none": "", "/leaderboard?rules=chess": "",
	} {
		_, body := s.get(path)
		got := ""
		for _, l := range parse(t, body).find("link") {
			if l.attrs["rel"] == "canonical" {
				got = strings.TrimPrefix(l.attrs["href"], s.url)
			}
		}
		if got != want || strings.Contains(body, "og:url") != (want != "") {
			t.Errorf("%s: the canonical address is %q, want %q", path, got, want)
		}
	}
}

// TestProfileResults checks that a profile has a sign for each listed match, and says that private
// matches are not listed.
func TestProfileResults(t *testing.T) {
	s := openSite(t, Limits{})
	ann, bob := s.register("ann"), s.register("bob")
	finish := func() {
		t.Helper()
		ann.seated()
		bob.seated()
		id := bob.State().Match.ID
		for side, p := range []*player{ann, bob} {
			p.must(p.Place(match.Side(side), rowsOfShips(match.Classic())))
		}
		bob.must(bob.Resign(match.Second))
		s.await("/m/"+id, "data-replay")
	}
	const note = "Private matches count"
	ann.must(ann.Seek(match.Classic(), lobby.Casual))
	bob.must(bob.Seek(match.Classic(), lobby.Casual))
	finish()
	s.await("/@ann", `aria-label="won"`)
	_, body := s.get("/@bob")
	if !strings.Contains(body, `<b role="img" aria-label="lost">○</b>`) || strings.Contains(body, note) {
		t.Errorf("bob has lost a match:\n%s", body)
	}
	ann.must(ann.OpenPrivate(match.Classic(), lobby.Casual))
	bob.must(bob.JoinPrivate(ann.State().Offer.Code))
	finish()
	s.await("/@ann", note)
	if _, body := s.get("/@ann"); strings.Count(body, `aria-label="won"`) != 1 || strings.Count(body, `href="/m/`) != 1 {
		t.Errorf("ann has won two matches, one of them in private:\n%s", body)
	}
}

// TestRedirects checks that other spellings of an address lead to it permanently.
func TestRedirects(t *testing.T) {
	s := openSite(t, Limits{})
	client := &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	defer client.CloseIdleConnections()
	for path, want := range map[string]string{
		"/live/": "/live", "//live": "/live", "/x/../live": "/live", "/daily/?lang=de": "/daily?lang=de", "/@easy//": "/@easy",
		"//evil.example/": "/evil.example", "/./:x": "/:x", "/%2Fevil.example": "/evil.example",
	} {
		response, err := client.Get(s.url + path)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if got := response.Header.Get("Location"); response.StatusCode != http.StatusPermanentRedirect || got != want {
			t.Errorf("%s: %s to %q, want %q", path, response.Status, got, want)
		}
	}
}

// TestPreflight checks that browsers may send certain headers for another site's page.
func TestPreflight(t *testing.T) {
	s := openSite(t, Limits{})
	headers := []string{
		"Origin", "https://a.example", "Access-Control-Request-Method", "GET",
		"Access-Control-Request-Headers", "last-event-id",
	}
	for _, path := range []string{"/events", "/matches/none/events", "/matches", ""} {
		response, _ := s.send(http.MethodOptions, apiRoot+path, "", headers...)
		h := response.Header
		if response.StatusCode != http.StatusNoContent || h.Get("Access-Control-Allow-Origin") != "*" ||
			!strings.Contains(h.Get("Access-Control-Allow-Methods"), "GET") ||
			!strings.Contains(strings.ToLower(h.Get("Access-Control-Allow-Headers")), "last-event-id") {
			t.Errorf("OPTIONS %s: got %s and headers %v", path, response.Status, h)
		}
	}
	response, _ := s.send(http.MethodOptions, "/live", "", headers...)
	if response.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("OPTIONS /live: got %s, want 405", response.Status)
	}
}

// TestOpenAPILint checks what linters of OpenAPI documents require of each operation.
func TestOpenAPILint(t *testing.T) {
	s := openSite(t, Limits{})
	_, body := s.get(apiRoot + "/openapi.json")
	var document struct {
		Security []any
		Paths    map[string]map[string]struct {
			OperationID string
			Summary     string
			Responses   map[string]any
		}
	}
	if err := json.Unmarshal([]byte(body), &document); err != nil {
		t.Fatal(err)
	}
	if document.Security == nil {
		t.Error("the document does not say that everyone has access")
	}
	ids := map[string]bool{"": true}
	for path, operations := range document.Paths {
		for _, o := range operations {
			if ids[o.OperationID] {
				t.Errorf("%s: the operation ID %q is empty or not unique", path, o.OperationID)
			}
			ids[o.OperationID] = true
			if o.Responses["200"] == nil || o.Responses["4XX"] == nil || o.Summary == "" {
				t.Errorf("%s lacks a summary or a response: %+v", path, o)
			}
		}
	}
}
