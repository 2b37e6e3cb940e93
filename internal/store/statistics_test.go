package store_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"broadside/internal/store"
	"broadside/internal/store/rating"
	"broadside/internal/test/must"
	"broadside/match"
)

// quick returns a match without events.
func quick(a, b store.Player, winner match.Side, ended time.Time) store.Match {
	m := store.Match{
		Summary: store.Summary{
			ID: store.NewID(), Started: ended.Add(-time.Minute), Took: time.Minute, Winner: winner, Reason: match.Resigned,
			Rated: a.ID != "" && b.ID != "" && winner != match.Nobody,
			Seats: [2]store.Seat{{Player: a.ID, Name: a.Name, Kind: a.Kind}, {Player: b.ID, Name: b.Name, Kind: b.Kind}},
		},
		Rules: match.Classic(),
	}
	if winner == match.Nobody {
		m.Reason = match.Closed
	}
	return m
}

func TestHistory(t *testing.T) {
	s := open(t)
	ann, bob, eve := person(t, s, "Ann"), person(t, s, "Bob"), person(t, s, "Eve")
	var all, anns []string // newest first
	for i := range 30 {
		a, b := ann, bob
		if i%3 == 0 {
			a, b = bob, eve
		} else if i%2 == 0 {
			a, b = b, a
		}
		m := quick(a, b, match.First, start.Add(time.Duration(i/2)*time.Minute)) // two end at the same moment
		finish(t, s, m)
		all = append(all, m.ID)
		if i%3 != 0 {
			anns = append(anns, m.ID)
		}
	}
	pages := func(list func(after store.Cursor) ([]store.Summary, error)) (ids []string) {
		var last store.Summary
		for after := (store.Cursor{}); ; after = last.Cursor() {
			page := must.Get(list(after))
			if len(page) == 0 {
				return ids
			}
			if len(page) > 7 {
				t.Fatalf("a page of %d", len(page))
			}
			for _, m := range page {
				if last.ID != "" && m.Ended().After(last.Ended()) {
					t.Error("an older match comes before a newer one")
				}
				ids, last = append(ids, m.ID), m
			}
		}
	}
	sorted := func(ids []string) []string { return slices.Sorted(slices.Values(ids)) }
	got := pages(func(after store.Cursor) ([]store.Summary, error) { return s.Matches.List(ctx, after, 7) })
	if !reflect.DeepEqual(sorted(got), sorted(all)) {
		t.Errorf("all matches: %v, want %v", got, all)
	}
	got = pages(func(after store.Cursor) ([]store.Summary, error) { return s.Matches.Of(ctx, ann.ID, after, 7) })
	if !reflect.DeepEqual(sorted(got), sorted(anns)) {
		t.Errorf("Ann's matches: %v, want %v", got, anns)
	}
	if got, err := s.Matches.Of(ctx, "nobody", store.Cursor{}, 7); err != nil || len(got) != 0 {
		t.Errorf("nobody's matches: %v, %v", got, err)
	}
	one, err := s.Matches.Of(ctx, ann.ID, store.Cursor{}, 1)
	if err != nil || len(one) != 1 {
		t.Fatal(one, err)
	}
	if whole, err := s.Matches.ByID(ctx, one[0].ID); err != nil || !reflect.DeepEqual(whole.Summary, one[0]) {
		t.Errorf("the list has %+v, the match is %+v, %v", one[0], whole.Summary, err)
	}
	for _, limit := range []int{0, -1} {
		if got, err := s.Matches.List(ctx, store.Cursor{}, limit); err != nil || len(got) != 0 {
			t.Errorf("limit %d: %d matches, %v", limit, len(got), err)
		}
	}
}

func TestFormAndFigures(t *testing.T) {
	s := open(t)
	ann, bob := person(t, s, "Ann"), person(t, s, "Bob")
	guest := store.Player{Name: "guest", Kind: store.Person}
	finish(t, s, quick(ann, bob, match.First, start))
	finish(t, s, quick(bob, ann, match.First, start.Add(time.Hour)))
	finish(t, s, quick(ann, guest, match.First, start.Add(2*time.Hour)))
	void := quick(ann, bob, match.Nobody, start.Add(3*time.Hour))
	finish(t, s, void)
	endless := quick(ann, bob, match.Nobody, start.Add(4*time.Hour))
	endless.Reason = match.Endless
	finish(t, s, endless)
	other := quick(ann, bob, match.Second, start.Add(5*time.Hour))
	other.Rules = match.Hasbro()
	finish(t, s, other)

	form, err := s.Statistics.Form(ctx, ann.ID, 10)
	if want := []store.Outcome{store.Lost, store.Drawn, store.Won, store.Lost, store.Won}; err != nil || !slices.Equal(form, want) {
		t.Errorf("form: %v, %v, want %v", form, err, want)
	}
	if form, err := s.Statistics.Form(ctx, ann.ID, 2); err != nil || !slices.Equal(form, []store.Outcome{store.Lost, store.Drawn}) {
		t.Errorf("form of the last two: %v, %v", form, err)
	}
	figures, err := s.Statistics.Figures(ctx, ann.ID)
	if want := []store.Figures{{RuleSet: "classic", Games: 4, Won: 2}, {RuleSet: "hasbro", Games: 1}}; err != nil || !slices.Equal(figures, want) {
		t.Errorf("figures: %+v, %v, want %+v", figures, err, want)
	}

	contradicting := quick(bob, ann, match.Second, start.Add(150*time.Minute))
	contradicting.Casual = store.Disputed
	finish(t, s, contradicting)
	if form, err := s.Statistics.Form(ctx, ann.ID, 4); err != nil || form[2] != store.Drawn {
		t.Errorf("form after winning a disputed match: %v, %v", form, err)
	}
	if form, err := s.Statistics.Form(ctx, bob.ID, 4); err != nil || form[2] != store.Lost {
		t.Errorf("form after losing a disputed match: %v, %v", form, err)
	}
	figures, err = s.Statistics.Figures(ctx, ann.ID)
	if err != nil || figures[0].Games != 5 || figures[0].Won != 2 {
		t.Errorf("figures after a disputed match: %+v, %v", figures, err)
	}

	long := finished(random(8), bob, ann, match.First, start.Add(6*time.Hour))
	finish(t, s, long)
	finish(t, s, long) // counts once
	figures, err = s.Statistics.Figures(ctx, ann.ID)
	seat := long.Seats[1]
	for _, e := range long.Events {
		if e.Kind == match.ShotFired && e.Side == match.Second {
			seat.Shots++
		}
		if e.Kind == match.ShotAnswered && e.Side == match.First && e.Result != match.Water {
			seat.Hits++
		}
	}
	if err != nil || figures[0].Games != 6 || figures[0].Shots != seat.Shots || figures[0].Hits != seat.Hits {
		t.Errorf("figures after a long match: %+v, %v", figures, err)
	}
}

func TestOpenings(t *testing.T) {
	s := open(t)
	ann, bob := person(t, s, "Ann"), person(t, s, "Bob")
	shots := func(cells ...string) (events []match.Event) {
		for _, c := range cells {
			auto := c[0] == '!'
			cell := must.Get(match.ParseCell(c[len(c)-2:]))
			events = append(events, match.Event{Kind: match.ShotFired, Side: match.First, Cell: cell, Auto: auto})
		}
		return events
	}
	for i, cells := range [][]string{
		{"B2", "E5", "!A1", "E5", "H8", "B8", "H2", "C3"}, // the clock's shot, a repeated one and the sixth do not count
		{"B2"},
		{},
	} {
		m := quick(ann, bob, match.First, start.Add(time.Duration(i)*time.Hour))
		m.Events = shots(cells...)
		finish(t, s, m)
	}
	got, err := s.Statistics.Openings(ctx, ann.ID, "classic")
	want := map[string]int{"B2": 2, "E5": 1, "H8": 1, "B8": 1, "H2": 1}
	if err != nil || len(got) != len(want) {
		t.Errorf("openings: %v, %v, want %v", got, err, want)
	}
	for cell, times := range got {
		if want[cell.String()] != times {
			t.Errorf("openings: %v, want %v", got, want)
		}
	}
	if got, err := s.Statistics.Openings(ctx, bob.ID, "classic"); err != nil || len(got) != 0 {
		t.Errorf("openings of a player who did not fire: %v, %v", got, err)
	}
}

func TestLeaderboards(t *testing.T) {
	t.Parallel()
	s := open(t)
	var players []store.Player
	for i := range 6 {
		players = append(players, person(t, s, fmt.Sprint("p", i)))
	}
	for _, name := range []string{"easy", "hard"} {
		b := must.Get(s.Accounts.EnsureBot(ctx, name))
		players = append(players, b)
	}
	rng := random(9)
	at := start
	for range 200 {
		i, j := rng.IntN(6), rng.IntN(6)
		if i != j {
			at = at.Add(time.Hour)
			finish(t, s, quick(players[i], players[j], match.Side(rng.IntN(2)), at))
			at = at.Add(time.Hour) // only matches against established opponents settle a rating
			finish(t, s, quick(players[i], players[7], match.Side(rng.IntN(2)), at))
		}
	}

	// A new player has played once.
	once := person(t, s, "once")
	finish(t, s, quick(once, players[0], match.First, at.Add(time.Minute)))

	all, err := s.Ratings.Leaderboard(ctx, store.Everybody, "classic", at, 100)
	if err != nil || len(all) != 8 {
		t.Fatal(len(all), err)
	}
	var people, machines []store.Standing
	for i, x := range all {
		if !x.Settled() || i > 0 && x.Value > all[i-1].Value {
			t.Errorf("place %d: %+v", i+1, x)
		}
		if x.Kind == store.Bot {
			fixed, _ := rating.OfBot("classic", x.Name)
			if machines = append(machines, x); x.Rating != fixed {
				t.Errorf("%s has %v, want %v", x.Name, x.Rating, fixed)
			}
		} else {
			people = append(people, x)
		}
	}
	if got, err := s.Ratings.Leaderboard(ctx, store.People, "classic", at, 100); err != nil || !reflect.DeepEqual(got, people) {
		t.Errorf("people: %+v, %v", got, err)
	}
	if got, err := s.Ratings.Leaderboard(ctx, store.Machines, "classic", at, 100); err != nil || !reflect.DeepEqual(got, machines) {
		t.Errorf("machines: %+v, %v", got, err)
	}
	if top, err := s.Ratings.Leaderboard(ctx, store.Everybody, "classic", at, 3); err != nil || !reflect.DeepEqual(top, all[:3]) {
		t.Errorf("the top three: %+v, %v", top, err)
	}
	for months := range 24 { // without matches, one rating after the other becomes provisional
		later := at.AddDate(0, months, 0)
		want := slices.DeleteFunc(slices.Clone(all), func(x store.Standing) bool { return !x.At(later).Settled() })
		if got, err := s.Ratings.Leaderboard(ctx, store.Everybody, "classic", later, 100); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("after %d months: %v, %v; want %v", months, got, err, want)
		} else if months == 23 && len(got) != len(machines) {
			t.Errorf("after two years, %d players are listed", len(got))
		}
	}
	if other, err := s.Ratings.Leaderboard(ctx, store.People, "hasbro", at, 100); err != nil || len(other) != 0 {
		t.Errorf("another rule set: %+v, %v", other, err)
	}
}
