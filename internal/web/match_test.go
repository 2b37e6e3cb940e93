package web

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"broadside/internal/web/feed"
	"broadside/match"
)

// TestMatchTexts checks what pages say about the state of a match and its events.
func TestMatchTexts(t *testing.T) {
	p := (&Server{}).newPage(httptest.NewRequest(http.MethodGet, "/", nil))
	names := [2]string{"ann", "bob"}
	first, second := 0, 1
	for want, s := range map[string]feed.Status{
		"Players are placing ships.": {Phase: "placing"},
		"bob is aiming.":             {Phase: "battle", Turn: &second},
		"ann won.":                   {Phase: "over", Winner: &first},
		"No one won.":                {Phase: "over"},
	} {
		if got := p.statusLine(s, names); got != want {
			t.Errorf("%+v is %q, want %q", s, got, want)
		}
	}
	for want, e := range map[string]match.EncodedEvent{
		"The battle starts. bob fires first.": {Event: "begun", Player: &second},
		"bob fired at C4: hit.":               {Event: "answered", Player: &first, Cell: "C4", Result: match.Hit},
		"ann won.":                            {Event: "ended", Player: &first},
		"No one won.":                         {Event: "ended"},
		"":                                    {Event: "fired", Player: &second, Cell: "C4"},
	} {
		if got := p.logLine(e, names); got != want {
			t.Errorf("%+v is %q, want %q", e, got, want)
		}
	}
}

// TestMatchFromStartToEnd checks a match's feed up to its end, and then each step of its replay.
func TestMatchFromStartToEnd(t *testing.T) {
	t.Parallel()
	s := openSite(t, Limits{})
	first, second, id := s.startMatch()
	events := s.openFeed(apiRoot + "/matches/" + id + "/events")
	s.finishMatch(first, second, id)
	<-events.ended
	for _, want := range []string{
		"retry: 2000\n", "event: boards\n", `data: {"event":"match","id":"` + id + `","rules":"classic","started":"`,
		`"players":[{"name":"","kind":"person","guest":true,"shots":0,"hits":0},`,
		`data: {"phase":"battle","turn":1,"winner":null,"reason":"","shots":[0,0],"hits":[0,0],"afloat":[5,5],` +
			`"away":[false,false],"deadline":"","boards":[[],[]],"full":true}`,
		`"event":"fired","player":1,"cell":"A1"}`, `"event":"answered","player":0,"cell":"A1","result":"hit"}`,
		`"event":"ended","player":1,"reason":"resigned"}`,
		`data: {"phase":"over","turn":null,"winner":1,"reason":"resigned","shots":[0,1],"hits":[0,1],"afloat":[5,5],`,
	} {
		if !strings.Contains(events.readAll(), want) {
			t.Errorf("the feed lacks %q:\n%s", want, events.readAll())
		}
	}
	for query, want := range map[string][]string{
		"":                {"guest won.", "Shot 1 of 1", "?shot=0", "?shot=1"},
		"?shot=9":         {"Shot 1 of 1"},
		"?shot=-1":        {"Shot 0 of 1", "?shot=1"},
		"?shot=0&heat=1":  {"Shot 0 of 1", "?shot=1&amp;heat=1", `aria-pressed="true"`, "heat9"},
		"?shot=x&lang=de": {"Schuss 1 von 1", "?shot=0&amp;lang=de"},
	} {
		_, body := s.get("/m/" + id + query)
		for _, text := range want {
			if !strings.Contains(body, text) {
				t.Errorf("%s lacks %q:\n%s", query, text, body)
			}
		}
	}
}

// TestCurrentTabs checks which lists the leaderboard marks as chosen.
func TestCurrentTabs(t *testing.T) {
	s := openSite(t, Limits{})
	for query, want := range map[string][]string{
		"": {"classic", "All", "English"}, "?rules=salvo&of=bots": {"salvo", "Bots and programs", "English"},
	} {
		_, body := s.get("/leaderboard" + query)
		var chosen []string
		for _, a := range parsePage(t, body).findAll("a") {
			if a.attrs["aria-current"] == "true" {
				chosen = append(chosen, a.text)
			}
		}
		if !slices.Equal(chosen, want) {
			t.Errorf("%q: %q are chosen, want %q", query, chosen, want)
		}
	}
}
