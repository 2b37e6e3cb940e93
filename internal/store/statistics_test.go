package store_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"broadside/internal/store"
	"broadside/internal/store/rating"
	"broadside/internal/test/must"
	"broadside/match"
)

// newQuickMatch returns a match without events.
func newQuickMatch(a, b store.Player, winner match.Side, ended time.Time) store.Match {
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

// TestHistory lists matches of which some are private, in pages, for all readers.
func TestHistory(t *testing.T) {
	s := openStore(t)
	ann, bob, eve := createPerson(t, s, "Ann"), createPerson(t, s, "Bob"), createPerson(t, s, "Eve")
	all := map[string]store.Match{}
	for i := range 30 {
		a, b := ann, bob
		if i%3 == 0 {
			a, b = bob, eve
		} else if i%2 == 0 {
			a, b = b, a
		}
		m := newQuickMatch(a, b, match.First, start.Add(time.Duration(i/2)*time.Minute)) // two end at the same moment
		m.Private = i%4 == 0
		all[m.ID] = m
		finishMatch(t, s, m)
	}
	plays := func(m store.Match, account string) bool {
		return m.Seats[0].Player == account || m.Seats[1].Player == account
	}
	for _, c := range []struct {
		matches store.Matches
		reader  string // "": a guest
		of      string // the player of the listed matches; empty: all
	}{
		{s.Matches, "server", ""}, {s.Matches, "server", ann.ID}, {s.Matches.RestrictTo(ann.ID), ann.ID, ""}, {s.Matches.RestrictTo(bob.ID), bob.ID, ann.ID},
		{s.Matches.RestrictTo(eve.ID), eve.ID, ann.ID}, {s.Matches.RestrictTo(""), "", ""}, {s.Matches, "server", "nobody"},
	} {
		want := 0
		for _, m := range all {
			if (c.of == "" || plays(m, c.of)) && (!m.Private || c.reader == "server" || plays(m, c.reader)) {
				want++
			}
		}
		seen := map[string]bool{}
		var last store.Summary
		for after := (store.Cursor{}); ; after = last.Cursor() {
			list := func() ([]store.Summary, error) { return c.matches.ListByPlayer(ctx, c.of, after, 7) }
			if c.of == "" {
				list = func() ([]store.Summary, error) { return c.matches.List(ctx, after, 7) }
			}
			page := must.Get(list())
			if len(page) == 0 || len(page) > 7 {
				break
			}
			for _, m := range page {
				if last.ID != "" && m.EndTime().After(last.EndTime()) || seen[m.ID] || c.of != "" && !plays(all[m.ID], c.of) || m.Private != all[m.ID].Private {
					t.Errorf("%+v after %+v", m, last)
				}
				seen[m.ID], last = true, m
			}
		}
		if len(seen) != want {
			t.Errorf("%s sees %d matches of %q, want %d", c.reader, len(seen), c.of, want)
		}
	}
	one := must.Get(s.Matches.ListByPlayer(ctx, ann.ID, store.Cursor{}, 1))
	if whole, err := s.Matches.FindByID(ctx, one[0].ID); err != nil || !reflect.DeepEqual(whole.Summary, one[0]) {
		t.Errorf("the list has %+v, the match is %+v, %v", one[0], whole.Summary, err)
	}
	for _, limit := range []int{0, -1} {
		if got, err := s.Matches.List(ctx, store.Cursor{}, limit); err != nil || len(got) != 0 {
			t.Errorf("limit %d: %d matches, %v", limit, len(got), err)
		}
	}
}

func TestFormAndFigures(t *testing.T) {
	s := openStore(t)
	ann, bob := createPerson(t, s, "Ann"), createPerson(t, s, "Bob")
	guest := store.Player{Name: "guest", Kind: store.Person}
	finishMatch(t, s, newQuickMatch(ann, bob, match.First, start))
	finishMatch(t, s, newQuickMatch(bob, ann, match.First, start.Add(time.Hour)))
	finishMatch(t, s, newQuickMatch(ann, guest, match.First, start.Add(2*time.Hour)))
	void := newQuickMatch(ann, bob, match.Nobody, start.Add(3*time.Hour))
	finishMatch(t, s, void)
	endless := newQuickMatch(ann, bob, match.Nobody, start.Add(4*time.Hour))
	endless.Reason = match.Endless
	finishMatch(t, s, endless)
	hotSeat := newFinishedMatch(newRandom(1), ann, guest, match.First, start.Add(4*time.Hour))
	hotSeat.Casual, hotSeat.Private = store.HotSeat, true
	must.Do(s.Matches.SaveAccuracy(ctx, finishMatch(t, s, hotSeat), [2]store.Accuracy{{Judged: 9, Share: 0.5}}))
	if shots, err := s.Statistics.FirstShots(ctx, ann.ID, "classic"); err != nil || len(shots) != 0 {
		t.Errorf("the first shots at a hot seat are %v, %v", shots, err)
	}
	other := newQuickMatch(ann, bob, match.Second, start.Add(5*time.Hour))
	other.Rules = match.Hasbro()
	finishMatch(t, s, other)

	form, err := s.Statistics.RecentOutcomes(ctx, ann.ID, 10)
	if want := []store.Outcome{store.Lost, store.Drawn, store.Won, store.Lost, store.Won}; err != nil || !slices.Equal(form, want) {
		t.Errorf("form: %v, %v, want %v", form, err, want)
	}
	if form, err := s.Statistics.RecentOutcomes(ctx, ann.ID, 2); err != nil || !slices.Equal(form, []store.Outcome{store.Lost, store.Drawn}) {
		t.Errorf("form of the last two: %v, %v", form, err)
	}
	figures, err := s.Statistics.Figures(ctx, ann.ID)
	if want := []store.Figures{{RuleSet: "classic", Games: 4, Won: 2}, {RuleSet: "hasbro", Games: 1}}; err != nil || !slices.Equal(figures, want) {
		t.Errorf("figures: %+v, %v, want %+v", figures, err, want)
	}

	contradicting := newQuickMatch(bob, ann, match.Second, start.Add(150*time.Minute))
	contradicting.Casual = store.Disputed
	finishMatch(t, s, contradicting)
	if form, err := s.Statistics.RecentOutcomes(ctx, ann.ID, 4); err != nil || form[2] != store.Drawn {
		t.Errorf("form after winning a disputed match: %v, %v", form, err)
	}
	if form, err := s.Statistics.RecentOutcomes(ctx, bob.ID, 4); err != nil || form[2] != store.Lost {
		t.Errorf("form after losing a disputed match: %v, %v", form, err)
	}
	figures, err = s.Statistics.Figures(ctx, ann.ID)
	if err != nil || figures[0].Games != 5 || figures[0].Won != 2 {
		t.Errorf("figures after a disputed match: %+v, %v", figures, err)
	}

	long := newFinishedMatch(newRandom(8), bob, ann, match.First, start.Add(6*time.Hour))
	finishMatch(t, s, long)
	finishMatch(t, s, long) // counts once
	figures, err = s.Statistics.Figures(ctx, ann.ID)
	seat := long.Seats[1]
	for _, e := range long.Events {
		if e.Kind == match.ShotFired && e.Side == match.Second {
			seat.Shots++
		}
		if e.Kind == match.ShotAnswered && e.Side == match.First && e.Result != match.Miss {
			seat.Hits++
		}
	}
	if err != nil || figures[0].Games != 6 || figures[0].Shots != seat.Shots || figures[0].Hits != seat.Hits {
		t.Errorf("figures after a long match: %+v, %v", figures, err)
	}
}

func TestOpenings(t *testing.T) {
	s := openStore(t)
	ann, bob := createPerson(t, s, "Ann"), createPerson(t, s, "Bob")
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
		m := newQuickMatch(ann, bob, match.First, start.Add(time.Duration(i)*time.Hour))
		m.Events = shots(cells...)
		finishMatch(t, s, m)
	}
	got, err := s.Statistics.FirstShots(ctx, ann.ID, "classic")
	want := map[string]int{"B2": 2, "E5": 1, "H8": 1, "B8": 1, "H2": 1}
	if err != nil || len(got) != len(want) {
		t.Errorf("openings: %v, %v, want %v", got, err, want)
	}
	for cell, times := range got {
		if want[cell.String()] != times {
			t.Errorf("openings: %v, want %v", got, want)
		}
	}
	if got, err := s.Statistics.FirstShots(ctx, bob.ID, "classic"); err != nil || len(got) != 0 {
		t.Errorf("openings of a player who did not fire: %v, %v", got, err)
	}
}

func TestLeaderboards(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	var players []store.Player
	for i := range 6 {
		players = append(players, createPerson(t, s, fmt.Sprint("p", i)))
	}
	for _, name := range []string{"easy", "hard"} {
		b := must.Get(s.Accounts.EnsureBot(ctx, name))
		players = append(players, b)
	}
	rng := newRandom(9)
	at := start
	for range 200 {
		i, j := rng.IntN(6), rng.IntN(6)
		if i != j {
			at = at.Add(time.Hour)
			finishMatch(t, s, newQuickMatch(players[i], players[j], match.Side(rng.IntN(2)), at))
			at = at.Add(time.Hour) // only matches against established opponents settle a rating
			finishMatch(t, s, newQuickMatch(players[i], players[7], match.Side(rng.IntN(2)), at))
		}
	}

	// A new player has played once.
	once := createPerson(t, s, "once")
	finishMatch(t, s, newQuickMatch(once, players[0], match.First, at.Add(time.Minute)))

	all, err := s.Ratings.Leaderboard(ctx, store.AllPlayers, "classic", at, 100)
	if err != nil || len(all) != 8 {
		t.Fatal(len(all), err)
	}
	var people, machines []store.Standing
	for i, x := range all {
		if !x.IsSettled() || i > 0 && x.Value > all[i-1].Value {
			t.Errorf("place %d: %+v", i+1, x)
		}
		if x.Kind == store.Bot {
			fixed, _ := rating.BotRating("classic", x.Name)
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
	if got, err := s.Ratings.Leaderboard(ctx, store.ProgramsAndBots, "classic", at, 100); err != nil || !reflect.DeepEqual(got, machines) {
		t.Errorf("machines: %+v, %v", got, err)
	}
	if top, err := s.Ratings.Leaderboard(ctx, store.AllPlayers, "classic", at, 3); err != nil || !reflect.DeepEqual(top, all[:3]) {
		t.Errorf("the top three: %+v, %v", top, err)
	}
	for months := range 24 { // without matches, one rating after the other becomes provisional
		later := at.AddDate(0, months, 0)
		want := slices.DeleteFunc(slices.Clone(all), func(x store.Standing) bool { return !x.RatingAt(later).IsSettled() })
		if got, err := s.Ratings.Leaderboard(ctx, store.AllPlayers, "classic", later, 100); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("after %d months: %v, %v; want %v", months, got, err, want)
		} else if months == 23 && len(got) != len(machines) {
			t.Errorf("after two years, %d players are listed", len(got))
		}
	}
	if other, err := s.Ratings.Leaderboard(ctx, store.People, "hasbro", at, 100); err != nil || len(other) != 0 {
		t.Errorf("another rule set: %+v, %v", other, err)
	}
}

// TestBotScores checks that scores count a player's finished matches against bots under one rule set.
func TestBotScores(t *testing.T) {
	s := openStore(t)
	ann, bob := createPerson(t, s, "Ann"), createPerson(t, s, "Bob")
	easy, hard := store.Player{Name: "easy", Kind: store.Bot}, store.Player{Name: "hard", Kind: store.Bot}
	for i, c := range []struct {
		a, b   store.Player
		winner match.Side
		rules  match.Rules
	}{
		{ann, easy, match.First, match.Classic()}, {easy, ann, match.First, match.Classic()}, {easy, ann, match.Second, match.Classic()},
		{hard, ann, match.First, match.Classic()}, {ann, hard, match.First, match.Hasbro()}, {ann, hard, match.Nobody, match.Classic()},
		{ann, bob, match.First, match.Classic()}, {bob, easy, match.First, match.Classic()},
	} {
		m := newQuickMatch(c.a, c.b, c.winner, start.Add(time.Duration(i)*time.Minute))
		m.Rules, m.Rated = c.rules, false
		finishMatch(t, s, m)
	}
	got := must.Get(s.Statistics.BotScores(ctx, ann.ID, "classic"))
	slices.SortFunc(got, func(a, b store.BotScore) int { return strings.Compare(a.Bot, b.Bot) })
	want := []store.BotScore{{Bot: "easy", Played: 3, Won: 2}, {Bot: "hard", Played: 1}}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestFirstShotResults checks the first shots' results, that a damaged record does not hide them, and that SQLite does
// not scan a whole table for them.
func TestFirstShotResults(t *testing.T) {
	s := openStore(t)
	ann, bob := createPerson(t, s, "Ann"), createPerson(t, s, "Bob")
	for i, result := range []match.Result{match.Hit, match.Miss} {
		m := newQuickMatch(ann, bob, match.First, start.Add(time.Duration(i)*time.Hour))
		for cell, r := range map[string]match.Result{"B2": match.Hit, "E5": result} {
			at := must.Get(match.ParseCell(cell))
			m.Events = append(m.Events, match.Event{Kind: match.ShotFired, Side: match.First, Cell: at},
				match.Event{Kind: match.ShotAnswered, Side: match.Second, Cell: at, Result: r})
		}
		finishMatch(t, s, m)
	}
	damaged := newQuickMatch(ann, bob, match.First, start)
	finishMatch(t, s, damaged)
	must.Do(s.DamageRecord(damaged.ID))
	got, err := s.Statistics.FirstShotResults(ctx, ann.ID, "classic", 9)
	want := []store.CellResults{
		{Cell: must.Get(match.ParseCell("B2")), Shots: 2, Hits: 2}, {Cell: must.Get(match.ParseCell("E5")), Shots: 2, Hits: 1},
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	if got, err := s.Statistics.FirstShotResults(ctx, bob.ID, "classic", 9); err != nil || len(got) != 0 {
		t.Errorf("a player who did not fire has %v, %v", got, err)
	}
	plan, err := s.FirstShotPlan(ctx)
	if err == nil && !slices.Contains(plan, "SCAN newest") {
		t.Errorf("the plan is %q", plan)
	}
	for _, step := range plan {
		if step != "SCAN newest" && step[:4] == "SCAN" {
			t.Errorf("the plan scans a table: %q", plan)
		}
	}
}
