package web

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	g "maragu.dev/gomponents"

	"broadside/internal/store"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/daily"
	"broadside/lobby/ladder"
	"broadside/match"
)

// render returns a node as HTML.
func render(n g.Node) string {
	var b strings.Builder
	n.Render(&b)
	return b.String()
}

// TestMarkupIsEscaped checks that values are escaped, in text and in attributes.
func TestMarkupIsEscaped(t *testing.T) {
	got := render(linkOrText(`"'&`, "<script>"))
	if want := `<a href="&#34;&#39;&amp;">&lt;script&gt;</a>`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestJoinWithSpaces checks that parts that are left out leave no spaces.
func TestJoinWithSpaces(t *testing.T) {
	for want, parts := range map[string][]g.Node{"": nil, "a": {nil, g.Text("a"), nil}, "a b": {g.Text("a"), nil, g.Text("b")}} {
		if got := render(joinWithSpaces(parts...)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestUnsafeTexts checks that pages escape markup and script addresses in everything that clients can choose: the
// address, the host and names.
func TestUnsafeTexts(t *testing.T) {
	s := openSite(t, Limits{})
	for _, unsafe := range []string{`"><script>alert('&')</script>`, "javascript:alert(1)"} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.URL.Path, r.Host = "/"+unsafe, "example.org"+unsafe
		p := s.newPage(r)
		p.Title, p.Description = unsafe, unsafe
		names := [2]string{unsafe, unsafe}
		person := account.Player{Name: unsafe, Account: "a"}
		running := []lobby.RunningMatch{{ID: unsafe, Players: [2]account.Player{person, person}, Rules: match.Classic()}}
		v := match.View{Rules: match.Classic()}
		for name, content := range map[string]g.Node{
			"connect": p.commandBox(unsafe, p.sshCommand()),
			"online":  p.onlineList([]lobby.Presence{{Player: person}}),
			"running": p.runningList(running),
			"games":   p.finishedTable([]store.Summary{{ID: unsafe, RuleSet: unsafe, Seats: [2]store.Seat{{Name: unsafe}, {Name: unsafe}}}}),
			"ladder":  p.ladderContent(ladder.Report{Rules: unsafe, Players: []ladder.Standing{{Name: unsafe, Kind: unsafe}}}),
			"daily":   p.finisherList(unsafe, []daily.Row{{Name: unsafe}}),
			"match":   (&liveBoards{sides: newSides(&v, names, [2]string{}), RunningMatch: running[0], line: unsafe, log: names[:]}).pageMarkup(p),
		} {
			text := render(p.documentMarkup(content))
			if strings.Contains(text, "alert('") {
				t.Errorf("%s: %s", name, text)
			}
			page := parsePage(t, text)
			for _, e := range page.findAll("script") {
				if e.attrs["src"] != "/assets/site.js" || e.text != "" {
					t.Errorf("%s has a script: %v", name, e)
				}
			}
			for _, e := range append(page.findAll("a"), page.findAll("link")...) {
				to := e.attrs["href"]
				if !strings.HasPrefix(to, "/") && !strings.HasPrefix(to, "#") && !strings.HasPrefix(to, "http://") {
					t.Errorf("%s: <%s %v>", name, e.name, e.attrs)
				}
			}
		}
	}
}
