package web

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/leaks"
	"broadside/internal/test/lobbytest"
	"broadside/internal/test/storetest"
	"broadside/lobby"
	"broadside/lobby/session"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// site is a website and its lobby.
type site struct {
	*Server
	t      testing.TB
	folder string
	db     *store.Store
	host   *session.Host
	url    string
}

// openSite serves a lobby with a store until the test ends.
func openSite(t testing.TB, limits Limits) *site {
	t.Helper()
	return openSiteWith(t, Config{Limits: limits})
}

func openSiteWith(t testing.TB, cfg Config) *site {
	t.Helper()
	folder := storetest.NewFolder(t)
	db, err := store.Open(t.Context(), store.Config{Folder: folder})
	if err != nil {
		t.Fatal(err)
	}
	l := lobbytest.Open(lobby.Config{Seed: 1, BotPace: -1, Store: db, Ladder: true})
	host := &session.Host{Lobby: l}
	cfg.Host, cfg.SSH, cfg.Relay, cfg.Fingerprint, cfg.Ladder = host, tcpAddr("127.0.0.1:2222"), tcpAddr("127.0.0.1:54321"), "SHA256:abc", true
	s := New(cfg)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- s.Serve(listener) }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := s.Shutdown(ctx); err != nil {
			t.Error(err)
		}
		if err := <-served; err != nil {
			t.Error(err)
		}
		l.Close()
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return &site{s, t, folder, db, host, "http://" + listener.Addr().String()}
}

// tcpAddr returns an address.
func tcpAddr(address string) net.Addr {
	return net.TCPAddrFromAddrPort(netip.MustParseAddrPort(address))
}

// client keeps no connections after a test.
var client = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: time.Minute}

// get requests a path. Headers are pairs of names and values.
func (s *site) get(path string, headers ...string) (*http.Response, string) {
	s.t.Helper()
	return s.send(http.MethodGet, path, "", headers...)
}

// send sends a request, whose body may be empty.
func (s *site) send(method, path, body string, headers ...string) (*http.Response, string) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response, err := client.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return response, string(text)
}

// playLadder stores a ladder match that the program whale loses to the program squid.
func (s *site) playLadder() {
	s.t.Helper()
	if _, err := storetest.StoreLadderMatch(s.t.Context(), s.db); err != nil {
		s.t.Fatal(err)
	}
}

// TestEachPageHasContent checks every page in two languages.
func TestEachPageHasContent(t *testing.T) {
	s := openSite(t, Limits{})
	s.playLadder()
	for path, texts := range map[string]struct {
		german  string
		english []string
	}{
		"/":                   {"Zum Spielen im Terminal eingeben", []string{"ssh -p 2222 127.0.0.1"}},
		"/live":               {"Zuschauer", []string{`<a href="/m/show1"`, "squid – whale"}},
		"/leaderboard":        {"Rangliste", []string{`<a href="/@medium`}},
		"/daily":              {"Tagesmeer vom", []string{"Daily sea, "}},
		"/@hard":              {"Letzte Partien", []string{"<h1>hard</h1>"}},
		"/programs":           {"Verteidiger", []string{"(2,[X,Y,R])."}},
		"/ladder?rules=naval": {"Noch keine", []string{"None yet."}},
		"/ladder": {"Programm-Rangliste", []string{
			`<a href="/ladder/whale?rules=classic">whale</a></th>`, `<a href="/ladder" aria-current="page">`,
		}},
		"/ladder/Whale?rules=classic": {"gewonnen: 0, verloren: 1.", []string{
			"<h1>whale</h1>", "Matches: 1, won: 0, lost: 1.", "Losses: 1 (sunk)", `<a href="/@whale">Profile</a>`,
			`<a href="/ladder/squid?rules=classic">squid</a>`, `">squid</a></th><td>lost</td>`,
		}},
	} {
		response, body := s.get(path)
		for _, want := range append(texts.english, `<html lang="en">`) {
			if response.StatusCode != http.StatusOK || !strings.Contains(body, want) {
				t.Errorf("%s: %s without %q:\n%s", path, response.Status, want, body)
			}
		}
		again, rest := s.get(path, "If-None-Match", response.Header.Get("ETag"))
		if path != "/" && (again.StatusCode != http.StatusNotModified || rest != "") {
			t.Errorf("%s unchanged: %s with %d bytes", path, again.Status, len(rest))
		}
		sep := "?"
		if strings.Contains(path, "?") {
			sep = "&"
		}
		_, chosen := s.get(path + sep + "lang=de")
		_, accepted := s.get(path, "Accept-Language", "tlh, de-AT;q=0.8, en;q=0.5")
		for _, body := range []string{chosen, accepted} {
			if !strings.Contains(body, texts.german) || !strings.Contains(body, `<html lang="de">`) {
				t.Errorf("%s: without %q:\n%s", path, texts.german, body)
			}
		}
	}
	s.cfg.Ladder = false
	response, body := s.get("/ladder")
	if response.StatusCode != http.StatusNotFound || strings.Contains(body, `href="/ladder"`) {
		t.Errorf("a server without a ladder: %s\n%s", response.Status, body)
	}
}

// TestAddressesWithoutContent checks the errors for addresses without content and for methods that are not allowed.
func TestAddressesWithoutContent(t *testing.T) {
	s := openSite(t, Limits{})
	for _, path := range []string{"/m/none", "/m/none/picture.svg", "/@nobody", "/nothing", "/daily/2020-13-01", "/daily/2999-01-01", "/leaderboard?rules=chess", "/assets/none.js",
		"/ladder?rules=chess", "/ladder/nobody", apiRoot + "/ladder?rules=chess",
		apiRoot + "/matches/none", apiRoot + "/matches/none/events", apiRoot + "/matches/none/frames", apiRoot + "/players/nobody", apiRoot + "/games?limit=0", apiRoot + "/daily/x", apiRoot + "/bots?rules=chess", apiRoot + "/ladder/nobody", apiRoot + "/none"} {
		if response, body := s.get(path); response.StatusCode != http.StatusNotFound || response.Header.Get("ETag") != "" {
			t.Errorf("%s: %s %s", path, response.Status, body)
		} else if strings.HasPrefix(path, apiRoot) {
			checkFailure(t, path, response, body)
		}
	}
	for _, c := range []struct {
		method, path, body string
		status             int
	}{
		{http.MethodPost, "/", "x", http.StatusRequestEntityTooLarge},
		{http.MethodPost, "/live", "", http.StatusMethodNotAllowed},
		{http.MethodPost, apiRoot + "/matches", "x", http.StatusRequestEntityTooLarge},
		{http.MethodPost, apiRoot + "/matches", "", http.StatusMethodNotAllowed},
		{http.MethodDelete, apiRoot + "/none", "", http.StatusMethodNotAllowed},
		{http.MethodGet, apiRoot, "", http.StatusNotFound},
	} {
		response, body := s.send(c.method, c.path, c.body)
		if response.StatusCode != c.status {
			t.Errorf("%s %s: %s %s", c.method, c.path, response.Status, body)
		} else if strings.HasPrefix(c.path, apiRoot) {
			checkFailure(t, c.path, response, body)
		}
	}
}

// checkFailure checks that an error has the documented form of the API.
func checkFailure(t *testing.T, path string, response *http.Response, body string) {
	t.Helper()
	var f Failure
	if err := json.Unmarshal([]byte(body), &f); err != nil || f.Error == "" || response.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%s: %v %s", path, response.Header, body)
	}
}

// TestHomePageIsLight checks how many bytes a browser loads, compressed, for the home page.
func TestHomePageIsLight(t *testing.T) {
	t.Parallel()
	s := openSite(t, Limits{})
	_, _, _ = s.startMatch()
	total, plain := 0, 0
	for _, path := range []string{"/", "/assets/style.css", "/assets/site.js", "/assets/icon.svg"} {
		response, body := s.get(path, "Accept-Encoding", "gzip")
		again, whole := s.get(path)
		if response.StatusCode != http.StatusOK || again.StatusCode != http.StatusOK {
			t.Errorf("%s: got %s, then %s, want 200", path, response.Status, again.Status)
		}
		total, plain = total+len(body), plain+len(whole)
		if response.Header.Get("Content-Encoding") != "gzip" && len(whole) >= minGzip {
			t.Errorf("%s is not compressed", path)
		}
	}
	if total > 20<<10 || plain > 70<<10 {
		t.Errorf("the home page has %d bytes, %d uncompressed", total, plain)
	}
	t.Logf("the home page has %d bytes, %d uncompressed", total, plain)
}
