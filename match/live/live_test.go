package live_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/test/leaks"
	"broadside/match"
	"broadside/match/audit"
	"broadside/match/live"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// fleet is a legal classic layout with all ships facing east in column 1.
var fleet = match.Layout{
	{Stern: match.NewCell(0, 0), Heading: match.East, Length: 5},
	{Stern: match.NewCell(0, 2), Heading: match.East, Length: 4},
	{Stern: match.NewCell(0, 4), Heading: match.East, Length: 3},
	{Stern: match.NewCell(0, 6), Heading: match.East, Length: 3},
	{Stern: match.NewCell(0, 8), Heading: match.East, Length: 2},
}

// person configures a player's seat.
var person = live.SeatConfig{Name: "ann", Clocked: true, Grace: time.Minute}

// program configures the seat of a client of the line protocol.
var program = live.SeatConfig{Name: "kraken", Strict: true, MoveTimeout: 5 * time.Minute}

// startMatch runs a match inside a synctest bubble until the test ends.
func startMatch(t *testing.T, rules match.Rules, first, second live.SeatConfig) *live.Match {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	m, err := live.Start(ctx, live.Config{
		ID: "test", Rules: rules, Seats: [2]live.SeatConfig{first, second}, Rand: rand.New(rand.NewPCG(1, 2)),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cancel(); <-m.Done() })
	return m
}

// reader is a seat's mailbox, or a spectator.
type reader interface {
	Receive(context.Context, *live.Update) error
}

// latestUpdate waits until nothing more happens and returns the newest update.
func latestUpdate(t *testing.T, b reader) live.Update {
	t.Helper()
	synctest.Wait()
	var u live.Update
	if err := b.Receive(t.Context(), &u); err != nil {
		t.Fatalf("no update: %v", err)
	}
	return u
}

// checkNoUpdate fails the test if the mailbox has an update.
func checkNoUpdate(t *testing.T, b reader) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	// A mailbox with an update returns it in spite of the canceled context.
	cancel()
	var u live.Update
	if err := b.Receive(ctx, &u); !errors.Is(err, context.Canceled) {
		t.Fatalf("unexpected update %+v, %v", u.Events, err)
	}
}

// startBattle returns a match in which both sides have placed fleet.
func startBattle(t *testing.T, rules match.Rules, first, second live.SeatConfig) (m *live.Match, boxes [2]*live.Mailbox) {
	t.Helper()
	m = startMatch(t, rules, first, second)
	for side := match.First; side <= match.Second; side++ {
		boxes[side] = m.Seat(side).Attach(nil)
		m.Seat(side).Place(fleet)
	}
	for _, b := range boxes {
		if u := latestUpdate(t, b); u.View.Phase != match.Battle || u.View.Turn != match.Second {
			t.Fatalf("after placing: phase %v, turn %v", u.View.Phase, u.View.Turn)
		}
	}
	return m, boxes
}

func TestWholeMatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, boxes := startBattle(t, match.Classic(), person, person)
		spectator := m.Watch(nil)
		first, second := m.Seat(match.First), m.Seat(match.Second)
		misses := []match.Cell{}
		for y := range 10 {
			misses = append(misses, match.NewCell(9, y), match.NewCell(8, y))
		}
		for cell := range fleet.Cells().All() {
			second.Fire(cell)
			if len(misses) > 0 {
				first.Fire(misses[0])
				misses = misses[1:]
			}
		}
		<-m.Done()
		rec := m.WaitForRecord()
		if rec.Winner != match.Second || rec.Reason != match.FleetSunk {
			t.Fatalf("winner %v for %v", rec.Winner, rec.Reason)
		}
		for _, b := range []reader{boxes[0], boxes[1], spectator} {
			u := latestUpdate(t, b)
			if u.View.Winner != match.Second || u.View.Fleets[match.First] == nil || u.View.Fleets[match.Second] == nil {
				t.Errorf("the last update does not reveal the end: %+v", u.View)
			}
			if err := b.Receive(t.Context(), &u); !errors.Is(err, live.ErrEnded) {
				t.Errorf("after the end: %v", err)
			}
		}
		if _, err := match.Replay(rec.Rules, audit.Flag, rec.Events); err != nil {
			t.Errorf("the record cannot be replayed: %v", err)
		}
		late := m.Seat(match.First).Attach(nil)
		if u := latestUpdate(t, late); u.View.Phase != match.Over {
			t.Errorf("a mailbox attached after the end has phase %v", u.View.Phase)
		}
	})
}

func TestRefusedCommandLosesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, boxes := startBattle(t, match.Classic(), person, person)
		m.Seat(match.First).Fire(match.NewCell(3, 3))
		u := latestUpdate(t, boxes[match.First])
		if !errors.Is(u.Refused, match.ErrNotYourTurn) || u.View.Phase != match.Battle {
			t.Fatalf("refused %v in phase %v", u.Refused, u.View.Phase)
		}
		checkNoUpdate(t, boxes[match.Second])
	})
}

// TestRepeatedShot checks that a second shot at a cell does nothing until the player has seen the
// first one's result.
func TestRepeatedShot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, _ := startBattle(t, match.Classic(), person, person)
		own := m.Seat(match.Second).Attach(nil)
		seen := latestUpdate(t, own).Seq
		m.Seat(match.Second).FireFrom(seen, match.NewCell(3, 3))
		m.Seat(match.First).Fire(match.NewCell(9, 9))
		m.Seat(match.Second).FireFrom(seen, match.NewCell(3, 3))
		m.Seat(match.Second).FireFrom(0, match.NewCell(4, 4))
		m.Seat(match.First).Fire(match.NewCell(8, 8))
		u := latestUpdate(t, own)
		if charts := u.View.Charts; u.Refused != nil || charts[match.Second].Fired != 2 || charts[match.First].Fired != 2 {
			t.Fatalf("the second side has fired %d times, %v", charts[match.Second].Fired, u.Refused)
		}
		m.Seat(match.Second).FireFrom(u.Seq, match.NewCell(3, 3))
		if u = latestUpdate(t, own); u.View.Charts[match.Second].Fired != 3 {
			t.Errorf("the second side has fired %d times", u.View.Charts[match.Second].Fired)
		}
	})
}

func TestStrictSeatLosesByIllegalCommand(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(*live.Seat)
		why  match.Reason
	}{
		{"out of turn", func(s *live.Seat) { s.Fire(match.NewCell(0, 0)) }, match.OutOfTurn},
		{"answer to nothing", func(s *live.Seat) { s.Answer(match.NewCell(0, 0), match.Miss) }, match.OutOfTurn},
		{"ready twice", func(s *live.Seat) { s.Keep() }, match.OutOfTurn},
		{"its own confession", func(s *live.Seat) { s.Forfeit(match.Malformed) }, match.Malformed},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := startMatch(t, match.Classic(), program, person)
				m.Seat(match.First).Keep()
				m.Seat(match.Second).Place(fleet)
				c.do(m.Seat(match.First))
				<-m.Done()
				if rec := m.WaitForRecord(); rec.Winner != match.Second || rec.Reason != c.why {
					t.Errorf("winner %v for %v, want reason %v", rec.Winner, rec.Reason, c.why)
				}
			})
		})
	}
}

func TestWrongAnswers(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(*live.Seat)
		why  match.Reason
	}{
		{"another cell", func(s *live.Seat) { s.Answer(match.NewCell(1, 1), match.Miss) }, match.WrongCell},
		{"no such result", func(s *live.Seat) { s.Answer(match.NewCell(5, 5), 7) }, match.BadParameters},
		{"a shot instead", func(s *live.Seat) { s.Fire(match.NewCell(5, 5)) }, match.OutOfTurn},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := startMatch(t, match.Classic(), program, person)
				m.Seat(match.First).Keep()
				m.Seat(match.Second).Place(fleet)
				m.Seat(match.Second).Fire(match.NewCell(5, 5))
				c.do(m.Seat(match.First))
				<-m.Done()
				if rec := m.WaitForRecord(); rec.Winner != match.Second || rec.Reason != c.why {
					t.Errorf("winner %v for %v, want reason %v", rec.Winner, rec.Reason, c.why)
				}
			})
		})
	}
}

func TestSecondSessionTakesOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, boxes := startBattle(t, match.Classic(), person, person)
		taken := m.Seat(match.First).Attach(nil)
		latestUpdate(t, taken)
		var u live.Update
		if err := boxes[match.First].Receive(t.Context(), &u); !errors.Is(err, live.ErrReplaced) {
			t.Errorf("the former session receives %v", err)
		}
		// The first side's older session ends only now.
		m.Seat(match.First).Detach(boxes[match.First])
		synctest.Wait()
		if u := latestUpdate(t, boxes[match.Second]); u.Away[match.First] {
			t.Error("the former session's end made the side absent")
		}
	})
}

func TestSlowReaderGetsNewestView(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, boxes := startBattle(t, match.Classic(), person, person)
		n := 0
		for y := range 10 {
			for x := range 5 {
				m.Seat(match.Second).Fire(match.NewCell(x+5, y))
				m.Seat(match.First).Fire(match.NewCell(x+5, y))
				n++
			}
		}
		u := latestUpdate(t, boxes[match.First])
		if !u.Missed || u.View.Charts[match.Second].Fired != n {
			t.Errorf("missed %v, sees %d of %d shots", u.Missed, u.View.Charts[match.Second].Fired, n)
		}
		if len(u.Events) > 64 {
			t.Errorf("%d events are kept for a reader that does not read", len(u.Events))
		}
		checkNoUpdate(t, boxes[match.First])
	})
}

func TestContextEndsMatchWithoutWinner(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	m, err := live.Start(ctx, live.Config{Rules: match.Classic(), Rand: rand.New(rand.NewPCG(1, 2))})
	if err != nil {
		t.Fatal(err)
	}
	b := m.Seat(match.First).Attach(nil)
	cancel()
	<-m.Done()
	if rec := m.WaitForRecord(); rec.Winner != match.Nobody || rec.Reason != match.Closed {
		t.Errorf("winner %v for %v", rec.Winner, rec.Reason)
	}
	var u live.Update
	for {
		if err := b.Receive(t.Context(), &u); err != nil {
			if !errors.Is(err, live.ErrEnded) {
				t.Errorf("the reader receives %v", err)
			}
			return
		}
	}
}

func TestInvalidRulesDoNotStart(t *testing.T) {
	if _, err := live.Start(t.Context(), live.Config{Rules: match.Rules{Size: 3}}); err == nil {
		t.Fatal("a match with impossible rules was started")
	}
}

// TestManyLateRequests checks that all requests to a match that is ending return.
func TestManyLateRequests(t *testing.T) {
	for range 200 {
		m, err := live.Start(t.Context(), live.Config{Rules: match.Classic(), Rand: rand.New(rand.NewPCG(1, 2))})
		if err != nil {
			t.Fatal(err)
		}
		got := make(chan error)
		for range 20 {
			go func() {
				var u live.Update
				got <- m.Watch(nil).Receive(t.Context(), &u)
			}()
		}
		m.Abort()
		for range 20 {
			if err := <-got; err != nil {
				t.Fatal(err)
			}
		}
	}
}
