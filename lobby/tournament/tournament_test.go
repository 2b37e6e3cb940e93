package tournament_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/test/must"
	"broadside/internal/test/storetest"
	"broadside/lobby/account"
	"broadside/lobby/tournament"
)

// inBubble runs a test with a new field and two people.
func inBubble(t *testing.T, test func(t *testing.T, f *field, ann, bob account.Player)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := storetest.Open(t)
		f := &field{t: t, store: s}
		f.open()
		defer func() { f.close() }()
		test(t, f, f.newPerson("ann"), f.newPerson("bob"))
	})
}

func (f *field) start(owner account.Player) {
	f.t.Helper()
	if _, err := f.lobby.Tournaments.Start(f.t.Context(), f.tournament.Code, owner); err != nil {
		f.t.Fatal(err)
	}
}

func isOver(c *tournament.Tournament) bool { return c.Phase == tournament.Over }

// TestAbsentPlayersLose checks that a match waits for the grace period, after which the
// absent player loses, or both do.
func TestAbsentPlayersLose(t *testing.T) {
	inBubble(t, func(t *testing.T, f *field, ann, bob account.Player) {
		f.newTournament(ann, tournament.Settings{Format: tournament.RoundRobin, Grace: 10 * time.Minute})
		f.join(ann, ann)
		f.join(bob, bob)
		f.join(ann, f.lobby.Accounts.BotPlayer("easy"))
		f.start(ann)
		began := time.Now()
		c := f.await(isOver)
		if took := time.Since(began); took < 30*time.Minute || took > 31*time.Minute {
			t.Errorf("three rounds took %v", took)
		}
		for _, g := range c.Games {
			want := [2]float64{}
			for side, i := range []int{g.First, g.Second} {
				if c.Entrants[i].Kind == account.Bot {
					want[side] = 1
				}
			}
			if g.Ending != tournament.ByForfeit || g.Points != want {
				t.Errorf("a game is %+v", g)
			}
		}
		if table := c.Table(); table[0].Name != "easy" || table[0].Points != 2 || table[1].Points != 0 {
			t.Errorf("the table is %+v", table)
		}
	})
}

// TestKnockoutWithByes plays a knockout of five: three byes, then the bracket to the end.
func TestKnockoutWithByes(t *testing.T) {
	inBubble(t, func(t *testing.T, f *field, ann, _ account.Player) {
		f.newTournament(ann, tournament.Settings{Format: tournament.Knockout, Break: time.Minute})
		for _, name := range []string{"easy", "medium", "hard", "commodore"} {
			f.join(ann, f.lobby.Accounts.BotPlayer(name))
		}
		f.join(ann, ann)
		f.person(ann, 0, nil)
		f.start(ann)
		c := f.await(isOver)
		byes := 0
		for _, g := range c.Games {
			if g.Ending == tournament.ByBye {
				byes++
			} else if g.Ending != tournament.Played {
				t.Errorf("a game is %+v", g)
			}
		}
		bracket := c.Bracket()
		if byes != 3 || len(c.Games) != 7 || len(bracket) != 3 || bracket[2][0].IsBye() {
			t.Errorf("%d byes, %d games, bracket %v", byes, len(c.Games), bracket)
		}
		final := c.Games[len(c.Games)-1]
		winner := final.First
		if final.Points[1] > final.Points[0] {
			winner = final.Second
		}
		if table := c.Table(); table[0].Entrant.Name != c.Entrants[winner].Name {
			t.Errorf("%s won the final, and %s is first", c.Entrants[winner].Name, table[0].Entrant.Name)
		}
	})
}

// TestPauseAndLeave checks that no match starts while a tournament is paused, including after a restart
// and for longer than the grace period, and that an entrant who leaves loses.
func TestPauseAndLeave(t *testing.T) {
	inBubble(t, func(t *testing.T, f *field, ann, bob account.Player) {
		f.newTournament(ann, tournament.Settings{Format: tournament.Swiss})
		f.join(ann, ann)
		f.join(bob, bob)
		f.start(ann)
		f.await(func(c *tournament.Tournament) bool { return c.Phase == tournament.Running })
		if _, err := f.lobby.Tournaments.Pause(t.Context(), f.tournament.Code, bob); err == nil {
			t.Error("bob has paused a tournament of ann")
		}
		must.Get(f.lobby.Tournaments.Pause(t.Context(), f.tournament.Code, ann))
		f.close()
		f.open()
		time.Sleep(time.Hour)
		c := f.await(func(*tournament.Tournament) bool { return true })
		if c.Phase != tournament.Paused || c.Games[0].Ending != tournament.Undecided {
			t.Errorf("after an hour, the tournament is %s and its game %+v", c.Phase, c.Games[0])
		}
		f.start(ann)
		must.Get(f.lobby.Tournaments.Leave(t.Context(), f.tournament.Code, bob, bob.ID))
		c = f.await(isOver)
		if g := c.Games[0]; g.Ending != tournament.ByForfeit {
			t.Errorf("the game is %+v", g)
		}
		if table := c.Table(); table[0].Name != "ann" || table[0].Points != 1 || !table[1].Left {
			t.Errorf("the table is %+v", table)
		}
	})
}

// TestStoreFails checks that a change that cannot be stored changes nothing.
func TestStoreFails(t *testing.T) {
	inBubble(t, func(t *testing.T, f *field, ann, bob account.Player) {
		f.newTournament(ann, tournament.Settings{Format: tournament.Swiss})
		f.join(ann, ann)
		before := must.Get(f.lobby.Tournaments.Find(t.Context(), f.tournament.Code))
		must.Do(f.store.Close())
		ctx, tournaments := t.Context(), f.lobby.Tournaments
		_, created := tournaments.Create(ctx, ann, tournament.Settings{Name: "x", Format: tournament.Swiss})
		_, joined := tournaments.Join(ctx, f.tournament.Code, bob, tournament.Entrant{ID: bob.ID, Kind: account.Person})
		_, left := tournaments.Leave(ctx, f.tournament.Code, ann, ann.ID)
		_, ended := tournaments.End(ctx, f.tournament.Code, ann)
		for what, err := range map[string]error{"New": created, "Join": joined, "Leave": left, "End": ended} {
			if !errors.Is(err, account.ErrStore) {
				t.Errorf("%s: %v", what, err)
			}
		}
		after, err := tournaments.Find(ctx, f.tournament.Code)
		if err != nil || !reflect.DeepEqual(after, before) || len(tournaments.ListByPlayer(ann)) != 1 {
			t.Errorf("the tournament is %+v, %v, want %+v", after, err, before)
		}
	})
}

// TestResultBeforeRestart ends a match at the moment in which the server stops.
func TestResultBeforeRestart(t *testing.T) {
	inBubble(t, func(t *testing.T, f *field, ann, bob account.Player) {
		f.newTournament(ann, tournament.Settings{Format: tournament.Swiss})
		f.join(ann, ann)
		f.join(bob, bob)
		a, b := f.lobby.Enter(ann), f.lobby.Enter(bob)
		f.start(ann)
		seat := <-a.Seats()
		seat.Resign()
		<-seat.Match().Done()
		a.Leave()
		b.Leave()
		f.close()
		f.open()
		if g := f.await(isOver).Games[0]; g.Ending != tournament.Played || g.Points[seat.Side()] != 0 {
			t.Errorf("the game is %+v", g)
		}
	})
}

// TestLimits checks that players cannot create or enter any number of tournaments.
func TestLimits(t *testing.T) {
	inBubble(t, func(t *testing.T, f *field, ann, bob account.Player) {
		settings := tournament.Settings{Name: " x \t\x1by ", Format: tournament.Swiss}
		for range tournament.MaxPerOwner {
			if c := must.Get(f.lobby.Tournaments.Create(t.Context(), ann, settings)); c.Name != "x y" || c.Grace != tournament.DefaultGrace {
				t.Errorf("created as %+v", c.Settings)
			}
		}
		if _, err := f.lobby.Tournaments.Create(t.Context(), ann, settings); err == nil {
			t.Error("ann owns more tournaments than MaxPerOwner")
		}
		f.newTournament(bob, tournament.Settings{Format: tournament.RoundRobin})
		for i := range tournament.MaxRoundRobin {
			e := tournament.Entrant{ID: string(rune('A' + i)), Kind: account.Bot}
			must.Get(f.lobby.Tournaments.Join(t.Context(), f.tournament.Code, bob, e))
		}
		e := f.lobby.NewTournamentEntrant(t.Context(), ann, f.tournament.Rules)
		if _, err := f.lobby.Tournaments.Join(t.Context(), f.tournament.Code, ann, e); err == nil {
			t.Error("the tournament has too many entrants")
		}
		e = tournament.Entrant{ID: "z", Kind: account.Program, Owner: ann.ID}
		if _, err := f.lobby.Tournaments.Join(t.Context(), f.tournament.Code, bob, e); err == nil {
			t.Error("bob has entered a program of ann")
		}
	})
}

// TestEndReleasesPrograms checks that a program's wait ends with the tournament, and that the
// program cannot wait for it again.
func TestEndReleasesPrograms(t *testing.T) {
	inBubble(t, func(t *testing.T, f *field, ann, bob account.Player) {
		f.newTournament(ann, tournament.Settings{Format: tournament.Swiss})
		p := f.newProgram(ann, "crew")
		f.join(ann, p)
		f.join(bob, bob)
		f.start(ann)
		offer := must.Get(f.lobby.Offers.AwaitTournamentMatch(p, f.tournament))
		must.Get(f.lobby.Tournaments.End(t.Context(), f.tournament.Code, ann))
		select {
		case seat := <-offer.Seat():
			if seat != nil || !errors.Is(offer.Err(), tournament.ErrOver) {
				t.Errorf("the program has got %v, %v", seat, offer.Err())
			}
		case <-time.After(time.Hour):
			t.Fatal("the program still waits")
		}
		if _, err := f.lobby.Offers.AwaitTournamentMatch(p, f.tournament); !errors.Is(err, tournament.ErrOver) {
			t.Errorf("the program waits again: %v", err)
		}
	})
}

// TestMatchOutlastsItsTournament ends a tournament whose match still runs, and so many others that the
// first one is removed from memory. The result is stored nevertheless.
func TestMatchOutlastsItsTournament(t *testing.T) {
	inBubble(t, func(t *testing.T, f *field, ann, bob account.Player) {
		f.newTournament(ann, tournament.Settings{Format: tournament.Swiss})
		f.join(ann, ann)
		f.join(bob, bob)
		a, b := f.lobby.Enter(ann), f.lobby.Enter(bob)
		defer a.Leave()
		defer b.Leave()
		f.start(ann)
		seat := <-a.Seats()
		code := f.tournament.Code
		end := func(code string, owner account.Player) {
			must.Get(f.lobby.Tournaments.End(t.Context(), code, owner))
		}
		end(code, ann)
		for range 201 {
			f.newTournament(bob, tournament.Settings{Format: tournament.Swiss})
			end(f.tournament.Code, bob)
		}
		seat.Resign()
		time.Sleep(time.Minute)
		data, err := f.store.Tournaments.Get(t.Context(), code)
		stored := &tournament.Tournament{}
		if err != nil || json.Unmarshal(data, stored) != nil || stored.Games[0].Ending != tournament.Played {
			t.Errorf("%v, %s", err, data)
		}
	})
}
