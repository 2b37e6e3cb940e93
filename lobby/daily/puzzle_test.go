package daily_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/leaks"
	"broadside/internal/test/must"
	"broadside/internal/test/storetest"
	"broadside/lobby/account"
	"broadside/lobby/daily"
	"broadside/match"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// openPuzzle opens the puzzle with a store, which may be nil.
func openPuzzle(t *testing.T, s *store.Store) *daily.Puzzle {
	return openLogged(t, s, slog.New(slog.DiscardHandler))
}

func openLogged(t *testing.T, s *store.Store, log *slog.Logger) *daily.Puzzle {
	t.Helper()
	seed := uint64(0)
	p, err := daily.Open(t.Context(), daily.Config{Store: s, Log: log, Rand: func() *rand.Rand {
		seed++
		return rand.New(rand.NewPCG(seed, seed))
	}})
	must.Do(err)
	return p
}

// newAccount creates a person's account.
func newAccount(t *testing.T, s *store.Store, name string) account.Player {
	t.Helper()
	p := must.Get(s.Accounts.CreatePerson(t.Context(), name, store.Key{Fingerprint: "SHA256:" + name}))
	return account.PersonPlayer(p)
}

// longAgo makes all accounts old enough for every leaderboard, with enough rated matches.
const longAgo = `UPDATE players SET created = 1;
	INSERT INTO ratings (player, rules, machine, value, deviation, volatility, settled, games, updated)
	SELECT id, 'classic', FALSE, 1500, 350, 0.06, FALSE, 5, 0 FROM players WHERE kind = 'person'`

// openDaily opens today's puzzle.
func openDaily(t *testing.T, l *daily.Puzzle, p account.Player) *daily.Attempt {
	t.Helper()
	return must.Get(l.OpenAttempt(t.Context(), p))
}

// shoot fires at cells.
func shoot(t *testing.T, try *daily.Attempt, cells ...match.Cell) *daily.Attempt {
	t.Helper()
	for _, c := range cells {
		next, err := try.Fire(t.Context(), c)
		if err != nil {
			t.Fatalf("at %v: %v", c, err)
		}
		try = next
	}
	return try
}

// finish fires at open cells, starting from the given one, until the fleet is sunk.
func finish(t *testing.T, try *daily.Attempt, from match.Cell) *daily.Attempt {
	t.Helper()
	all := slices.Collect(match.Classic().Cells().All())
	first := slices.Index(all, from)
	for _, c := range append(all[first:len(all):len(all)], all[:first]...) {
		chart := try.View().Chart
		if open := chart.OpenCells(); open.Has(c) && !try.View().Done {
			try = shoot(t, try, c)
		}
	}
	if !try.View().Done {
		t.Fatal("every cell was shot at, and a ship is afloat")
	}
	return try
}

func TestDailySeaIsTheSameForAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := storetest.OpenDisk(t, store.Config{})
		s := db.Store
		l := openPuzzle(t, s)
		a, b := newAccount(t, s, "Ann"), newAccount(t, s, "Bob")
		db.Exec(longAgo)
		anns, bobs := finish(t, openDaily(t, l, a), match.NewCell(0, 0)), finish(t, openDaily(t, l, b), match.NewCell(4, 4))
		if anns.View().Chart.Sunk != bobs.View().Chart.Sunk {
			t.Error("two players had two fleets on one day")
		}
		if _, err := anns.Fire(t.Context(), match.NewCell(9, 9)); err != daily.ErrDone {
			t.Errorf("a shot after the end: %v", err)
		}
		again := openDaily(t, l, a)
		if !reflect.DeepEqual(again.View(), anns.View()) {
			t.Errorf("a second try: %+v", again.View())
		}
		time.Sleep(24 * time.Hour)
		next := openDaily(t, l, a)
		if v := next.View(); v.Done || len(v.Cells) != 0 || v.Day == anns.View().Day {
			t.Errorf("the next day: %+v", v)
		}
		if next = finish(t, next, match.NewCell(0, 0)); next.View().Chart.Sunk == anns.View().Chart.Sunk {
			t.Error("the same fleet on two days")
		}
		d, err := daily.ReadLeaderboard(t.Context(), s, a.Account, next.View().Day, 10)
		if err != nil || d.Finished != 1 || d.Own.Place != 1 || d.Own.Shots != len(next.View().Cells) || d.Streak != 2 || d.Longest != 2 {
			t.Errorf("standing: %+v, %v", d, err)
		}
		best := "Ann"
		if len(bobs.View().Cells) < len(anns.View().Cells) {
			best = "Bob"
		}
		tied := len(bobs.View().Cells) == len(anns.View().Cells)
		if d.Yesterday.Place != 1 || d.Yesterday.Name != best && !tied {
			t.Errorf("yesterday's winner is %+v, not %s", d.Yesterday, best)
		}
	})
}

func TestDailyResumes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		folder := t.TempDir()
		var want daily.View
		var ann account.Player
		// Each round restarts the server.
		for range 3 {
			s := must.Get(store.Open(t.Context(), store.Config{Folder: folder}))
			l := openPuzzle(t, s)
			if ann.ID == "" {
				ann = newAccount(t, s, "Ann")
				want = openDaily(t, l, ann).View()
			}
			try := openDaily(t, l, ann)
			if !reflect.DeepEqual(try.View(), want) {
				t.Errorf("found again: %+v\nleft: %+v", try.View(), want)
			}
			next := len(want.Cells)
			want = shoot(t, try, match.NewCell(next, 3), match.NewCell(next+1, 3)).View()
			must.Do(s.Close())
		}
		if len(want.Cells) != 6 {
			t.Errorf("%d shots", len(want.Cells))
		}
	})
}

// TestDailyInTwoSessions checks that no session can take back another session's shot.
func TestDailyInTwoSessions(t *testing.T) {
	// With synctest's clock, the day does not change.
	synctest.Test(t, func(t *testing.T) {
		s := storetest.Open(t)
		l := openPuzzle(t, s)
		a := newAccount(t, s, "Ann")
		one, two := openDaily(t, l, a), openDaily(t, l, a)
		one = shoot(t, one, match.NewCell(0, 0))
		two, err := two.Fire(t.Context(), match.NewCell(5, 5))
		if err != daily.ErrElsewhere || !reflect.DeepEqual(two.View(), one.View()) {
			t.Errorf("the other session fired, too: %v, %+v", err, two.View())
		}
		two = shoot(t, two, match.NewCell(5, 5))
		stale := one
		one, err = one.Fire(t.Context(), match.NewCell(9, 9))
		if err != daily.ErrElsewhere || len(one.View().Cells) != 2 {
			t.Errorf("the first one fired: %v, %+v", err, one.View())
		}
		finish(t, two, match.NewCell(0, 0))
		if one, err = stale.Fire(t.Context(), match.NewCell(9, 9)); err != daily.ErrElsewhere || !one.View().Done {
			t.Errorf("after the end: %v, %+v", err, one.View())
		}
		if _, err = one.Fire(t.Context(), match.NewCell(9, 9)); err != daily.ErrDone {
			t.Errorf("after the end: %v", err)
		}
	})
}

func TestDailyRefusals(t *testing.T) {
	l := openPuzzle(t, nil)
	try := shoot(t, openDaily(t, l, account.Player{Name: "ann"}), match.NewCell(0, 0))
	for _, c := range []match.Cell{match.NewCell(0, 0), match.NewCell(10, 0), match.NewCell(-1, 0)} {
		if next, err := try.Fire(t.Context(), c); err == nil || next != try {
			t.Errorf("a shot at %v: %v", c, err)
		}
	}
}

func TestDailyMidnight(t *testing.T) {
	// The clock of synctest starts at midnight UTC.
	synctest.Test(t, func(t *testing.T) {
		db := storetest.OpenDisk(t, store.Config{})
		s := db.Store
		l := openPuzzle(t, s)
		a, b := newAccount(t, s, "Ann"), newAccount(t, s, "Bob")
		db.Exec(longAgo)
		day := daily.PuzzleDay(time.Now())
		time.Sleep(23*time.Hour + 59*time.Minute)
		try := shoot(t, openDaily(t, l, a), match.NewCell(0, 0))
		time.Sleep(2 * time.Minute)
		try = shoot(t, try, match.NewCell(2, 2))
		if try.View().Day != day {
			t.Errorf("a try of %s counts for %s", day, try.View().Day)
		}
		if again := openDaily(t, l, a); !reflect.DeepEqual(again.View(), try.View()) {
			t.Errorf("after midnight: %+v", again.View())
		}
		if bobs := openDaily(t, l, b); bobs.View().Day == day {
			t.Error("a new try at the sea of the day before")
		}
		late := shoot(t, try, match.NewCell(4, 4))
		done := finish(t, late, match.NewCell(0, 0))
		if d, err := daily.ReadLeaderboard(t.Context(), s, a.Account, day, 10); err != nil || d.Own.Place != 1 || d.Own.Shots != len(done.View().Cells) {
			t.Errorf("standing: %+v, %v", d, err)
		}
		if next := openDaily(t, l, a); next.View().Day == day || len(next.View().Cells) != 0 {
			t.Errorf("the next sea: %+v", next.View())
		}

		// The next attempt is at 23:31.
		time.Sleep(23*time.Hour + 30*time.Minute)
		try = shoot(t, openDaily(t, l, a), match.NewCell(0, 0))
		// The next attempt is at 01:01.
		time.Sleep(time.Hour + 30*time.Minute)
		if _, err := try.Fire(t.Context(), match.NewCell(1, 1)); err != daily.ErrClosed {
			t.Errorf("a shot more than an hour after midnight: %v", err)
		}
		if next := openDaily(t, l, a); len(next.View().Cells) != 0 {
			t.Errorf("more than an hour after midnight: %+v", next.View())
		}
		if d, err := daily.ReadLeaderboard(t.Context(), s, a.Account, daily.PuzzleDay(time.Now()), 10); err != nil || d.Streak != 0 || d.Longest != 1 {
			t.Errorf("standing: %+v, %v", d, err)
		}
	})
}

// TestDailyPractice checks that guests play a different fleet, and that nothing is stored.
func TestDailyPractice(t *testing.T) {
	// With synctest's clock, the day does not change.
	synctest.Test(t, func(t *testing.T) {
		db := storetest.OpenDisk(t, store.Config{})
		s := db.Store
		l := openPuzzle(t, s)
		a := newAccount(t, s, "Ann")
		db.Exec(longAgo)
		guest := account.Player{Name: "guest", ID: "person-1", Guest: true}
		real := finish(t, openDaily(t, l, a), match.NewCell(0, 0)).View()
		one, two := finish(t, openDaily(t, l, guest), match.NewCell(0, 0)).View(), finish(t, openDaily(t, l, guest), match.NewCell(0, 0)).View()
		if !one.Practice || real.Practice {
			t.Errorf("practice: guest %v, account %v", one.Practice, real.Practice)
		}
		if one.Chart.Sunk == real.Chart.Sunk || one.Chart.Sunk == two.Chart.Sunk {
			t.Error("a guest learns of another's fleet")
		}
		d, err := daily.ReadLeaderboard(t.Context(), s, "", real.Day, 10)
		if err != nil || d.Finished != 1 || len(d.Best) != 1 || d.Best[0].Own || d.Own.Own {
			t.Errorf("standing for guests: %+v, %v", d, err)
		}
	})
}

func TestDailyTable(t *testing.T) {
	// With synctest's clock, the day does not change.
	synctest.Test(t, func(t *testing.T) {
		db := storetest.OpenDisk(t, store.Config{})
		s := db.Store
		l := openPuzzle(t, s)
		day := ""
		var players []account.Player
		for i, name := range []string{"Ann", "Bob", "Cid"} {
			p := newAccount(t, s, name)
			players = append(players, p)
			day = finish(t, openDaily(t, l, p), match.NewCell(3*i, 3*i)).View().Day
		}
		idle := newAccount(t, s, "Dan")
		db.Exec(longAgo)
		eve := newAccount(t, s, "Eve")
		evesShots := len(finish(t, openDaily(t, l, eve), match.NewCell(5, 0)).View().Cells)
		shoot(t, openDaily(t, l, idle), match.NewCell(0, 0))
		for _, p := range players {
			d, err := daily.ReadLeaderboard(t.Context(), s, p.Account, day, 2)
			if err != nil || len(d.Best) != 2 || d.Finished != 3 || d.Own.Place < 1 || d.Streak != 1 || d.Yesterday.Place != 0 {
				t.Fatalf("%s: %+v, %v", p.Name, d, err)
			}
			for i, r := range d.Best {
				if r.Place != i+1 || r.Own != (r.Name == p.Name) || r.Own && r != d.Own {
					t.Errorf("%s: line %d is %+v, the own one %+v", p.Name, i, r, d.Own)
				}
			}
			if d.Best[0].Shots > d.Best[1].Shots {
				t.Errorf("%+v", d.Best)
			}
			if got := strings.Count(d.Blocks, "░") + 17; got != d.Own.Shots {
				t.Errorf("the blocks tell of %d shots, there were %d", got, d.Own.Shots)
			}
		}
		if d, err := daily.ReadLeaderboard(t.Context(), s, idle.Account, day, 10); err != nil || d.Own.Place != 0 || d.Own.Shots != 1 || d.Finished != 3 {
			t.Errorf("not done: %+v, %v", d, err)
		}
		// Eve's account was created today, so she only has a line below the table.
		d, err := daily.ReadLeaderboard(t.Context(), s, eve.Account, day, 10)
		if want := (daily.Row{Name: "Eve", Shots: evesShots, Own: true}); err != nil || d.Finished != 3 || !d.Done || d.Streak != 1 ||
			!slices.Equal(d.Newcomers, []daily.Row{want}) || d.Own != want {
			t.Errorf("a newcomer: %+v, %v", d, err)
		}
		for _, day := range []string{"today", "0000-01-01"} {
			if _, err := daily.ReadLeaderboard(t.Context(), s, "", day, 10); err == nil {
				t.Errorf("%s is no day", day)
			}
		}
	})
}

// TestDailyHidesTheFleet checks that views, messages and logs are equal for two fleets that
// the shots cannot distinguish, and that the secret appears nowhere.
func TestDailyHidesTheFleet(t *testing.T) {
	// With synctest's clock, the day does not change.
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		s := storetest.Open(t)
		l := openLogged(t, s, slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})))
		secret, err := s.State.Get(t.Context(), "daily secret")
		if err != nil || len(secret) != 64 {
			t.Fatalf("no secret of 32 bytes is kept: %d letters, %v", len(secret), err)
		}
		raw := must.Get(hex.DecodeString(secret))
		a := newAccount(t, s, "Ann")
		try := openDaily(t, l, a)
		fleet := fmt.Sprint(daily.Layout(raw, try.View().Day))
		// Two guests have two fleets, and shoot until the answers differ.
		guest := account.Player{Name: "guest"}
		const pairs = 10
		compared := 0
		for range pairs {
			one, two := openDaily(t, l, guest), openDaily(t, l, guest)
			for c := range match.Classic().Cells().All() {
				if !reflect.DeepEqual(one.View().Results, two.View().Results) {
					break
				}
				if !reflect.DeepEqual(one.View(), two.View()) {
					t.Fatalf("views tell two fleets apart that the shots do not:\n%+v\n%+v", one.View(), two.View())
				}
				if fmt.Sprintf("%v %+v %#v", one, one, one) != fmt.Sprintf("%v %+v %#v", two, two, two) {
					t.Fatalf("print tells two fleets apart: %+v", one)
				}
				compared++
				one, two = shoot(t, one, c), shoot(t, two, c)
			}
		}
		// Each pair was compared before its first shot, too.
		if compared -= pairs; compared < pairs {
			t.Fatalf("views were compared after %d shots, want at least %d", compared, pairs)
		}
		said := fmt.Sprintf("%v %+v %#v %+v", try, try, try, try.View())
		d, err := daily.ReadLeaderboard(t.Context(), s, a.Account, try.View().Day, 10)
		must.Do(err)
		said += fmt.Sprintf("%+v", d)
		try = finish(t, try, match.NewCell(0, 0))
		guests, err := daily.ReadLeaderboard(t.Context(), s, "", try.View().Day, 10)
		must.Do(err)
		said += fmt.Sprintf("%+v", guests) + daily.ResultBlocks(try.View().Results) + log.String()
		for _, secret := range []string{secret, string(raw), fleet, fmt.Sprint(raw)} {
			if strings.Contains(said, secret) {
				t.Errorf("%q appears in\n%s", secret, said)
			}
		}
		acts, err := s.Audit.List(t.Context(), store.Cursor{}, 100)
		if err != nil || len(acts) != 0 {
			t.Errorf("the log of acts has %+v, %v", acts, err)
		}
	})
}

// TestDailyDamage corrupts data that the lobby has stored.
func TestDailyDamage(t *testing.T) {
	// With synctest's clock, the day does not change.
	synctest.Test(t, func(t *testing.T) {
		s := storetest.OpenDisk(t, store.Config{}).Store
		a := newAccount(t, s, "Ann")
		day := daily.PuzzleDay(time.Now())
		must.Do(s.Daily.Save(t.Context(), store.DailyResult{Day: day, Player: a.Account, Shots: 1, Progress: []byte(`["Z99"]`)}))
		if _, err := openPuzzle(t, s).OpenAttempt(t.Context(), a); err != account.ErrStore {
			t.Errorf("a try with a cell that is none: %v", err)
		}
		must.Do(s.State.Set(t.Context(), "daily secret", "xyz", ""))
		if _, err := openPuzzle(t, s).OpenAttempt(t.Context(), a); err != account.ErrStore {
			t.Errorf("a sea drawn from no secret: %v", err)
		}
	})
}
