package web

import (
	"net/http"
	"strings"
	"testing"

	"broadside/internal/store"
	"broadside/lobby"
	"broadside/match"
)

// startMatch starts a classic match of two guests whose ships are in rows. It returns its ID.
func (s *site) startMatch() (first, second *player, id string) {
	rules := match.Classic()
	return s.startMatchWith(rules, rowLayout(rules), rowLayout(rules))
}

// startMatchWith starts a match of two guests with layouts.
func (s *site) startMatchWith(rules match.Rules, mine, theirs match.Layout) (first, second *player, id string) {
	s.t.Helper()
	first, second = s.enter("firstsecret"), s.enter("secondsecret")
	first.must(first.FindOpponent(rules, lobby.Casual))
	second.must(second.FindOpponent(rules, lobby.Casual))
	first.awaitSeat()
	second.awaitSeat()
	all := second.RunningMatches()
	if len(all) != 1 {
		s.t.Fatal(all)
	}
	first.must(first.Place(match.First, mine))
	second.must(second.Place(match.Second, theirs))
	second.awaitView(func(v *match.View) bool { return v.Phase == match.Battle })
	return first, second, all[0].ID
}

// finishMatch ends a match after a shot, and waits until its record is stored.
func (s *site) finishMatch(first, second *player, id string) {
	s.t.Helper()
	second.must(second.Fire(match.Second, 0, match.NewCell(0, 0)))
	first.must(first.Resign(match.First))
	second.awaitView(func(v *match.View) bool { return v.Phase == match.Over })
	s.await("/m/"+id, "data-replay")
}

// rowLayout returns a layout whose ships are in rows, from the left.
func rowLayout(rules match.Rules) (layout match.Layout) {
	for i, c := range rules.Fleet {
		layout = append(layout, match.Ship{Stern: match.NewCell(0, 2*i), Heading: match.East, Length: c.Length})
	}
	return layout
}

// TestFeedResumesAfterLastEventID checks that a feed continues after Last-Event-ID with only the missed events.
func TestFeedResumesAfterLastEventID(t *testing.T) {
	t.Parallel()
	s := openSite(t, Limits{})
	first, second, id := s.startMatch()
	path := apiRoot + "/matches/" + id + "/events"
	feed := s.openFeed(path)
	second.must(second.Fire(match.Second, 0, match.NewCell(3, 3)))
	had := feed.readUntil(`"cell":"D4","state":"miss"`)
	last := had[strings.LastIndex(had, "id: ")+4:]
	last, _, _ = strings.Cut(last, "\n")
	first.awaitView(func(v *match.View) bool { return v.Turn == match.First && !v.Pending })
	first.must(first.Fire(match.First, 0, match.NewCell(0, 0)))
	feed.readUntil(`"cell":"A1","state":"hit"`)
	for _, again := range []*eventReader{s.openFeed(path, "Last-Event-ID", last), s.openFeed(path + "?last-event-id=" + last)} {
		if got := again.readUntil(`"cell":"A1","state":"hit"`); strings.Contains(got, `"event":"match"`) || strings.Contains(got, `"cell":"D4","result"`) {
			t.Errorf("after %s came\n%s", last, got)
		}
	}
	if got := s.openFeed(path, "Last-Event-ID", "unknown-1").readUntil(`"cell":"A1","state":"hit"`); !strings.Contains(got, `"full":true`) {
		t.Errorf("after an unknown event came\n%s", got)
	}
}

// TestTheMatchOfTwoBotsIsListed checks that no list says that there is no match while two bots play for
// someone in the lobby.
func TestTheMatchOfTwoBotsIsListed(t *testing.T) {
	t.Parallel()
	s := openSite(t, Limits{})
	if _, body := s.get(apiRoot + "/matches"); body != "[]\n" {
		t.Errorf("while no one watches, the matches are %s", body)
	}
	s.enter("first").ShowFeatured(true)
	s.await(apiRoot+"/matches", `"id": "show`)
	for path, watching := range map[string]string{"/": " · 1 watching</span>", "/live": `<td class="n">1</td>`} {
		if _, body := s.get(path); !strings.Contains(body, watching) || !strings.Contains(body, `href="/m/show`) || strings.Contains(body, "No match is running") {
			t.Errorf("%s does not list the match of two bots:\n%s", path, body)
		}
	}
}

// TestPrivateMatchesAreNotListed checks that only its own address shows a private match, running or finished.
func TestPrivateMatchesAreNotListed(t *testing.T) {
	t.Parallel()
	s := openSite(t, Limits{})
	all := s.openFeed(apiRoot + "/events")
	host, guest := s.register("ann"), s.register("bob")
	host.must(host.OpenPrivateMatch(match.Classic(), lobby.Casual))
	guest.must(guest.JoinPrivateMatch(host.State().Offer.Code))
	guest.awaitSeat()
	if running := guest.RunningMatches(); len(running) != 0 {
		t.Errorf("lists over SSH have a private match: %v", running)
	}
	id := guest.State().Match.ID
	if response, body := s.get("/m/" + id); response.StatusCode != http.StatusOK || !strings.Contains(body, "noindex") {
		t.Errorf("its own page: %s\n%s", response.Status, body)
	}
	for _, path := range []string{"/", "/live", apiRoot + "/matches"} {
		if _, body := s.get(path); strings.Contains(body, id) {
			t.Errorf("%s lists a private match", path)
		}
	}
	third, fourth := s.enter("third"), s.enter("fourth")
	third.must(third.FindOpponent(match.Classic(), lobby.Casual))
	fourth.must(fourth.FindOpponent(match.Classic(), lobby.Casual))
	fourth.awaitSeat()
	third.awaitSeat()
	all.readUntil(fourth.State().Match.ID) // the feed has looked at the list of matches
	guest.must(guest.Resign(match.Second))
	fourth.must(fourth.Resign(match.Second))
	all.readUntil(`"event":"ended"`)
	if strings.Contains(all.readAll(), id) {
		t.Error("the feed of all matches has a private match")
	}
	s.await("/m/"+id, "data-replay")
	s.await(apiRoot+"/games", fourth.State().Match.ID)
	if _, body := s.get("/m/" + id); !strings.Contains(body, "noindex") {
		t.Error("search engines may list a private match")
	}
	for _, path := range []string{"/", "/live", "/@ann", "/@bob", "/leaderboard", apiRoot + "/games", apiRoot + "/games?player=ann", apiRoot + "/players/ann"} {
		if _, body := s.get(path); strings.Contains(body, id) {
			t.Errorf("%s lists a private match", path)
		}
	}
	for p, want := range map[*player]int{host: 2, guest: 2, fourth: 1} {
		if all, err := p.Session.FinishedMatches(t.Context(), "", store.Cursor{}, 9); err != nil || len(all) != want {
			t.Errorf("%s lists %d matches over SSH, want %d: %v", p.State().Me.Name, len(all), want, err)
		}
	}
}
