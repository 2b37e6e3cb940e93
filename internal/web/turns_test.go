package web

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"broadside/internal/store"
	"broadside/internal/test/must"
	"broadside/internal/test/storetest"
	"broadside/lobby/session"
	"broadside/match"
)

// openTurns returns a site with two correspondence matches, in one of which it is bob's turn, and the token of bob's
// feed.
func openTurns(t *testing.T, log *slog.Logger) (s *site, token string) {
	t.Helper()
	s = openSiteWith(t, Config{Log: log})
	ctx := t.Context()
	var ids [2]string
	for side, name := range []string{"ann", "bob"} {
		ids[side] = must.Get(s.db.Accounts.CreatePerson(ctx, name, store.Key{Fingerprint: "SHA256:" + name})).ID
	}
	for seed, events := range []int{52, 50} {
		m := storetest.NewMatch(uint64(seed), match.Classic().WithClock(0), "ann", "bob")
		for side := range m.Seats {
			m.Seats[side].Player = ids[side]
		}
		must.Do(storetest.AddCorrespondence(ctx, s.db, m, events))
	}
	own := must.Get(s.host.Open(ctx, session.Client{Fingerprint: "SHA256:bob", Unlisted: true}))
	defer own.Close()
	token = must.Get(own.ResetFeed(ctx))
	settings := must.Get(own.Settings(ctx))
	settings.Language = "de"
	must.Do(<-own.SaveSettings(settings))
	return s, token
}

func TestPrivateFeedHasEntryForEachTurn(t *testing.T) {
	s, token := openTurns(t, nil)
	response, text := s.get("/turns/"+token+".atom", "Accept-Language", "fr")
	var atom, feed turnFeed
	if err := xml.Unmarshal([]byte(text), &atom); err != nil || len(atom.Entries) != 1 {
		t.Fatalf("got %v, %v, %s", response.Status, err, text)
	}
	for name, want := range map[string]string{
		"Cache-Control": "private, no-cache", "Referrer-Policy": "no-referrer", "Content-Type": "application/atom+xml; charset=utf-8",
	} {
		if got := response.Header.Get(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	e := atom.Entries[0]
	if e.Title != "Du bist am Zug gegen ann" || !strings.HasPrefix(e.ID, "urn:broadside:turn:sample000001:") ||
		!strings.HasPrefix(e.Content, "classic, 1 Tag je Schuss") || !strings.Contains(e.Content, "ssh -p 2222 127.0.0.1") {
		t.Errorf("got the entry %+v, want ann's turn in German", e)
	}
	response, text = s.get("/turns/" + token + ".json")
	must.Do(json.Unmarshal([]byte(text), &feed))
	if feed.Version != "https://jsonfeed.org/version/1.1" || len(feed.Entries) != 1 || feed.Entries[0] != e ||
		response.Header.Get("Content-Type") != "application/feed+json" {
		t.Errorf("got %v, %s", response.Header, text)
	}
}

// TestFeedTokensStaySecret checks that other addresses have no feed, and that no address is logged.
func TestFeedTokensStaySecret(t *testing.T) {
	var log bytes.Buffer
	s, token := openTurns(t, slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})))
	for _, file := range []string{token, token + ".xml", token[1:] + ".atom", token + "0.json", ".atom", "%20.json"} {
		if response, text := s.get("/turns/" + file); response.StatusCode != http.StatusNotFound || text != "Not Found\n" {
			t.Errorf("%s: got %v, %s", file, response.Status, text)
		}
	}
	if _, text := s.get("/robots.txt"); !strings.Contains(text, "Disallow: /turns/") {
		t.Errorf("robots.txt allows feeds: %s", text)
	}
	must.Do(s.db.Close())
	if response, _ := s.get("/turns/" + token + ".json"); response.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("without a database: got %v", response.Status)
	}
	must.Do(s.Shutdown(context.Background()))
	if text := log.String(); strings.Contains(text, token) || !strings.Contains(text, "cannot answer a request") {
		t.Errorf("got the log %s", text)
	}
}
