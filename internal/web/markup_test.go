package web

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestFill checks that all values but markup are escaped, in text and in attributes.
func TestFill(t *testing.T) {
	got := fill(`<a title="%v">%v</a>%v %v`, `"'&`, "<script>", fill("<b>%v</b>", "<"), 3)
	if want := markup(`<a title="&#34;&#39;&amp;">&lt;script&gt;</a><b>&lt;</b> 3`); got != want {
		t.Errorf("%s, want %s", got, want)
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
	match := matchRow{Link: unsafe, Rules: unsafe, Since: unsafe, Names: names}
	game := gameRow{Link: unsafe, Rules: unsafe, Ended: unsafe, Winner: unsafe, Names: names}
	day := []dailyRow{{Name: unsafe, Link: unsafe}}
	for _, p.Body = range []content{
		message(unsafe),
		homePage{Online: []person{{unsafe, unsafe}}, Running: []matchRow{match}},
		livePage{[]matchRow{match}, []gameRow{game}},
		leaderboardPage{Rules: []tab{{Text: unsafe, Link: unsafe}}, Rows: []rankRow{{Name: unsafe, Link: unsafe, Kind: unsafe, Rating: unsafe, Games: unsafe}}},
		ladderPage{Rows: []ladderRow{{Name: unsafe, Link: unsafe, Kind: unsafe}}},
		ladderPlayerPage{Name: unsafe, Profile: unsafe, Facts: names[:], Games: []ladderGame{{unsafe, unsafe, unsafe, unsafe, unsafe}}, Opponents: []ladderRow{{Name: unsafe, Link: unsafe}}},
		dailyPage{Day: unsafe, Earlier: unsafe, Later: unsafe, Best: day, Newcomers: day, Before: day},
		profilePage{Name: unsafe, Kind: unsafe, Since: unsafe, Form: names[:], Rules: []profileRow{{unsafe, unsafe, unsafe, unsafe, unsafe}}, Games: []gameRow{game}},
		programsPage{},
	} {
		p.Title, p.Description, p.Picture = unsafe, unsafe, "/"+unsafe
		for _, e := range parse(t, string(p.markup())).find("script") {
			if e.attrs["src"] != "/assets/site.js" || e.text != "" {
				t.Errorf("%T has a script: %v", p.Body, e)
			}
		}
		if text := string(p.markup()); strings.Contains(text, "alert('") || strings.Contains(text, "%!") {
			t.Errorf("%T: %s", p.Body, text)
		}
	}
}
