package web

import (
	"net/http"
	"strings"
	"testing"

	"broadside/lobby"
	"broadside/match"
)

// TestCanonicalAddresses checks that each page has one address for search engines, and an error none.
func TestCanonicalAddresses(t *testing.T) {
	s := openSite(t, Limits{})
	_, _, id := s.startMatch()
	for path, want := range map[string]string{
		"/@EASY": "/@easy", "/@easy": "/@easy", "/m/" + strings.ToUpper(id): "/m/" + id,
		"/daily/today": "/daily", "/live": "/live",
		"/@nobody": "", "/nothing": "", "/m/none": "", "/leaderboard?rules=chess": "",
	} {
		_, body := s.get(path)
		got := ""
		for _, l := range parsePage(t, body).findAll("link") {
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
		ann.awaitSeat()
		bob.awaitSeat()
		id := bob.State().Match.ID
		for side, p := range []*player{ann, bob} {
			p.must(p.Place(match.Side(side), rowLayout(match.Classic())))
		}
		bob.must(bob.Resign(match.Second))
		s.await("/m/"+id, "data-replay")
	}
	const note = "Private matches count"
	ann.must(ann.FindOpponent(match.Classic(), lobby.Casual))
	bob.must(bob.FindOpponent(match.Classic(), lobby.Casual))
	finish()
	s.await("/@ann", `aria-label="won"`)
	_, body := s.get("/@bob")
	if !strings.Contains(body, `<b role="img" aria-label="lost">○</b>`) || strings.Contains(body, note) {
		t.Errorf("bob has lost a match:\n%s", body)
	}
	ann.must(ann.OpenPrivateMatch(match.Classic(), lobby.Casual))
	bob.must(bob.JoinPrivateMatch(ann.State().Offer.Code))
	finish()
	s.await("/@ann", note)
	if _, body := s.get("/@ann"); strings.Count(body, `aria-label="won"`) != 1 || strings.Count(body, `href="/m/`) != 1 {
		t.Errorf("ann has won two matches, one of them in private:\n%s", body)
	}
}

// TestUncleanPathsRedirect checks that other spellings of an address lead to it permanently.
func TestUncleanPathsRedirect(t *testing.T) {
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

// TestSecurityHeaders checks the headers that protect pages, and that pages of other sites may use the API.
func TestSecurityHeaders(t *testing.T) {
	s := openSite(t, Limits{})
	for _, c := range []struct {
		method, path string
		status       int
		// want has a part of each header. A header without a value must be absent.
		want map[string]string
	}{
		{http.MethodGet, "/live", http.StatusOK, map[string]string{
			"Content-Security-Policy": "default-src 'none'", "Set-Cookie": "", "Access-Control-Allow-Origin": "",
			"Vary": "Accept-Language", "Cache-Control": fresh,
		}},
		{http.MethodGet, apiRoot + "/matches", http.StatusOK, map[string]string{
			"Access-Control-Allow-Origin": "*", "Content-Language": "", "Cache-Control": fresh,
		}},
		{http.MethodHead, apiRoot + "/events", http.StatusOK, map[string]string{"Content-Type": "text/event-stream"}},
		{http.MethodOptions, "/live", http.StatusMethodNotAllowed, map[string]string{"Allow": "GET, HEAD"}},
		{http.MethodOptions, apiRoot + "/events", http.StatusNoContent, map[string]string{
			"Access-Control-Allow-Origin": "*", "Access-Control-Allow-Methods": "GET", "Access-Control-Allow-Headers": "Last-Event-ID",
		}},
		{http.MethodOptions, apiRoot, http.StatusNoContent, nil},
	} {
		response, _ := s.send(c.method, c.path, "")
		if response.StatusCode != c.status || strings.Contains(response.Header.Get("Content-Security-Policy"), "unsafe") {
			t.Errorf("%s %s: got %s and %v", c.method, c.path, response.Status, response.Header)
		}
		for name, want := range c.want {
			if got := response.Header.Values(name); !strings.Contains(strings.Join(got, " "), want) || want == "" && got != nil {
				t.Errorf("%s %s: %s is %q, want %q", c.method, c.path, name, got, want)
			}
		}
	}
}
