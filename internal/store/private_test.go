package store_test

import (
	"slices"
	"testing"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/must"
	"broadside/match"
)

// TestPrivateMatches lists matches of which some are private, for players of all kinds.
func TestPrivateMatches(t *testing.T) {
	s := open(t)
	ann, bob, eve := person(t, s, "Ann"), person(t, s, "Bob"), person(t, s, "Eve")
	rng := random(1)
	var public, all []string // newest first
	for i := range 6 {
		m := finished(rng, ann, bob, match.First, start.Add(time.Duration(i)*time.Hour))
		m.Private = i%2 == 0
		stored := finish(t, s, m)
		if stored.Private != m.Private {
			t.Errorf("stored as %+v", stored)
		}
		all = slices.Insert(all, 0, m.ID)
		if !m.Private {
			public = slices.Insert(public, 0, m.ID)
		}
	}
	for name, c := range map[string]struct {
		reader store.Matches
		want   []string
	}{
		"the server": {s.Matches, all}, "ann": {s.Matches.SeenBy(ann.ID), all}, "bob": {s.Matches.SeenBy(bob.ID), all},
		"eve": {s.Matches.SeenBy(eve.ID), public}, "a guest": {s.Matches.SeenBy(""), public},
	} {
		for list, read := range map[string]func(store.Cursor) ([]store.Summary, error){
			"all matches": func(after store.Cursor) ([]store.Summary, error) { return c.reader.List(ctx, after, 2) },
			"of ann":      func(after store.Cursor) ([]store.Summary, error) { return c.reader.Of(ctx, ann.ID, after, 2) },
		} {
			var got []string
			for after := (store.Cursor{}); ; {
				page := must.Get(read(after))
				if len(page) == 0 {
					break
				}
				for _, m := range page {
					got, after = append(got, m.ID), m.Cursor()
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%s reads %s: %v, want %v", name, list, got, c.want)
			}
		}
	}
}
