package e2e

import (
	"encoding/json"
	"strings"
	"testing"

	"broadside/internal/export"
	"broadside/internal/store"
	"broadside/internal/test/sshtest"
	"broadside/match"
)

// TestVoidMatchShowsNoFleet checks that the fleets of matches that end before they count are neither on the
// opponent's screen nor in any form of the record.
func TestVoidMatchShowsNoFleet(t *testing.T) {
	t.Parallel()
	var site string
	h := open(t, withSite(t, &site))
	ann, bob := h.two(t)
	fireFirst(ann, bob)
	ann.WaitText("YOUR TURN")
	ann.Press("q")
	ann.WaitText("Abort this match?")
	ann.Press("y")
	for _, p := range []*sshtest.Terminal{ann, bob} {
		if s := p.WaitText("NOBODY WON"); !strings.Contains(s, "Enemy waters") {
			t.Errorf("the result shows the enemy's fleet:\n%s", s)
		}
		p.Press("esc")
		p.WaitText("Play now")
	}
	ann.Press("m")
	ann.WaitText("Private match")
	ann.Press("enter")
	code := ann.WaitMatch(`Private match: ([A-Z0-9-]{11})`)[1]
	bob.Press("m")
	bob.WaitText("Private match")
	bob.Type(code)
	bob.Press("enter")
	place(bob)
	ann.WaitText("Place your fleet")
	bob.WaitText("Your fleet is ready.")
	ann.Press("m")
	ann.WaitText("Remove bob from your match?")
	ann.WaitText("your abort.")
	ann.Press("y")
	if s := bob.WaitText("NOBODY WON"); !strings.Contains(s, "Enemy waters") {
		t.Errorf("the result shows the enemy's fleet:\n%s", s)
	}

	db, err := store.Open(t.Context(), store.Config{Folder: h.data})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	list, err := db.Matches.List(t.Context(), store.Cursor{}, 10)
	if err != nil || len(list) != 2 || list[0].Reason != match.Removed || list[1].Reason != match.Aborted {
		t.Fatalf("the matches are stored as %+v, %v", list, err)
	}
	eve := sshtest.Options{User: "eve", Signer: sshtest.NewSigner(t)}
	for _, m := range list {
		short := h.output(t, eve, "record --short "+m.ID)
		if !strings.Contains(short, ",kept],'") {
			t.Errorf("short record of the %v match: %s", m.Reason, short)
		}
		_, page := get(t, "http://"+site+"/m/"+m.ID+"?at=end")
		if strings.Contains(page, `class="ship`) || !strings.Contains(page, "<svg") {
			t.Errorf("page of the %v match: %s", m.Reason, page)
		}
		_, api := get(t, "http://"+site+"/api/v1/matches/"+m.ID)
		for what, text := range map[string]string{"record": h.output(t, eve, "record "+m.ID), "api": api} {
			var record export.Record
			if err := json.Unmarshal([]byte(text), &record); err != nil {
				t.Fatal(err)
			}
			for _, p := range record.Players {
				if p.Layout != nil {
					t.Errorf("%s of the %v match: %+v", what, m.Reason, p)
				}
			}
		}
	}
}
