package web

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	g "maragu.dev/gomponents"

	"broadside/internal/svg"
	"broadside/match"
)

// render returns a node as HTML.
func render(n g.Node) string {
	var b strings.Builder
	n.Render(&b)
	return b.String()
}

// TestEscaping checks that values are escaped, in text and in attributes.
func TestEscaping(t *testing.T) {
	got := render(link(`"'&`, "<script>"))
	if want := `<a href="&#34;&#39;&amp;">&lt;script&gt;</a>`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestSpaced checks that parts that are left out leave no spaces.
func TestSpaced(t *testing.T) {
	for want, parts := range map[string][]g.Node{"": nil, "a": {nil, g.Text("a"), nil}, "a b": {g.Text("a"), nil, g.Text("b")}} {
		if got := render(spaced(parts...)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestLinks checks that names and addresses that clients choose do not become links to scripts.
func TestLinks(t *testing.T) {
	const unsafe = "javascript:alert(1)"
	s := openSite(t, Limits{})
	r := httptest.NewRequest(http.MethodGet, "/"+unsafe, nil)
	r.Host = unsafe
	p := s.newPage(r, unsafe)
	opponent := ladderRow{Name: unsafe, Link: p.ladderLink(unsafe, unsafe)}
	p.Body = ladderPlayerPage{Name: unsafe, Profile: p.Profile(unsafe, true), Opponents: []ladderRow{opponent}}
	links := 0
	for _, name := range []string{"a", "link"} {
		for _, e := range parse(t, render(p.markup())).find(name) {
			links++
			if to := e.attrs["href"]; !strings.HasPrefix(to, "/") && !strings.HasPrefix(to, "#") && !strings.HasPrefix(to, "http://") {
				t.Errorf("<%s %v>", e.name, e.attrs)
			}
		}
	}
	if links < 10 {
		t.Errorf("%d links", links)
	}
}

// TestUnsafeTexts puts markup into everything that clients can choose: the address, the host and names.
func TestUnsafeTexts(t *testing.T) {
	const unsafe = `"><script>alert('&')</script>`
	s := openSite(t, Limits{})
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.URL.Path, r.Host = "/"+unsafe, "example.org"+unsafe
	p := s.newPage(r, "")
	names := [2]string{unsafe, unsafe}
	running := matchRow{Link: unsafe, Rules: unsafe, Since: unsafe, Names: names}
	game := gameRow{Link: unsafe, Rules: unsafe, Ended: unsafe, Winner: unsafe, Names: names}
	day := []dailyRow{{Name: unsafe, Link: unsafe}}
	rules, err := match.Preset("classic")
	if err != nil {
		t.Fatal(err)
	}
	board := svg.NewBoard(&match.View{Rules: rules}, match.First)
	both := sides{Names: names, Links: names, Boards: [2]*svg.Board{board, board}, Accuracy: names}
	shots := []replayShot{{Text: unsafe, Link: unsafe}}
	for _, p.Body = range []content{
		message(unsafe),
		homePage{Online: []person{{unsafe, unsafe}}, Running: []matchRow{running}},
		livePage{[]matchRow{running}, []gameRow{game}},
		leaderboardPage{Rules: []tab{{Text: unsafe, Link: unsafe}}, Rows: []rankRow{{Name: unsafe, Link: unsafe, Kind: unsafe, Rating: unsafe, Games: unsafe}}},
		ladderPage{Rows: []ladderRow{{Name: unsafe, Link: unsafe, Kind: unsafe}}},
		ladderPlayerPage{Name: unsafe, Profile: unsafe, Facts: names[:], Games: []ladderGame{{unsafe, unsafe, unsafe, unsafe, unsafe}}, Opponents: []ladderRow{{Name: unsafe, Link: unsafe}}},
		dailyPage{Day: unsafe, Earlier: unsafe, Later: unsafe, Best: day, Newcomers: day, Before: day},
		profilePage{Name: unsafe, Kind: unsafe, Since: unsafe, Results: []result{{unsafe, unsafe}}, Rules: []profileRow{{unsafe, unsafe, unsafe, unsafe, unsafe}}, Games: []gameRow{game}},
		programsPage{},
		&liveBoards{sides: both, ID: unsafe, Feed: unsafe, Link: unsafe, Rules: unsafe, Line: unsafe, Log: names[:]},
		replayPage{sides: both, ID: unsafe, Rules: unsafe, Ended: unsafe, Line: unsafe, Ending: unsafe, First: unsafe, Back: unsafe, Next: unsafe, End: unsafe, Heat: unsafe, Costly: shots, Shots: shots},
	} {
		p.Title, p.Description = unsafe, unsafe
		for _, e := range parse(t, render(p.markup())).find("script") {
			if e.attrs["src"] != "/assets/site.js" || e.text != "" {
				t.Errorf("%T has a script: %v", p.Body, e)
			}
		}
		if text := render(p.markup()); strings.Contains(text, "alert('") {
			t.Errorf("%T: %s", p.Body, text)
		}
	}
}
