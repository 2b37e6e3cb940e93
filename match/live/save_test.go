package live_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"broadside/match"
	"broadside/match/live"
)

var errDown = errors.New("the database is down")

// database stores a match's events, and can be down.
type database struct {
	// mu guards the fields below.
	mu     sync.Mutex
	events []match.Event
	// up is closed while the database works.
	up chan struct{}
	// fails makes calls fail while the database is down. Otherwise they wait.
	fails bool
	// delay is how long each call takes.
	delay time.Duration
}

func newDatabase() *database {
	d := &database{up: make(chan struct{})}
	close(d.up)
	return d
}

func (d *database) goDown() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.up = make(chan struct{})
}

func (d *database) comeBack() {
	d.mu.Lock()
	defer d.mu.Unlock()
	close(d.up)
}

func (d *database) append(ctx context.Context, number int, events []match.Event, _ live.Turn) error {
	d.mu.Lock()
	up, fails, delay := d.up, d.fails, d.delay
	d.mu.Unlock()
	time.Sleep(delay)
	select {
	case <-up:
	default:
		if fails {
			return errDown
		}
		select {
		case <-up:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if number != len(d.events) {
		return fmt.Errorf("event %d comes after %d events", number, len(d.events))
	}
	d.events = append(d.events, events...)
	return nil
}

func (d *database) finish(ctx context.Context, r live.Record) error {
	d.mu.Lock()
	n := len(d.events)
	d.mu.Unlock()
	return d.append(ctx, n, r.Events[n:], live.Turn{})
}

// ways lists the ways in which a database can be down.
var ways = []struct {
	name  string
	fails bool
}{{"calls wait", false}, {"calls fail", true}}

// startSavedMatch starts a match whose events are stored in a database.
func startSavedMatch(t *testing.T, d *database, cfg live.Config) (m *live.Match, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cfg.Append, cfg.Rand = d.append, rand.New(rand.NewPCG(1, 2))
	if cfg.Finish == nil {
		cfg.Finish = d.finish
	}
	m, err := live.Start(ctx, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cancel(); <-m.Done() })
	return m, cancel
}

// TestPausedMatch checks that no one sees a shot and no clock runs until the shot is saved.
func TestPausedMatch(t *testing.T) {
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDatabase()
				d.fails = way.fails
				m, _ := startSavedMatch(t, d, live.Config{
					Rules: match.Classic().WithClock(15 * time.Second), Seats: [2]live.SeatConfig{person, person},
				})
				first, second := m.Seat(match.First), m.Seat(match.Second)
				boxes := [2]*live.Mailbox{first.Attach(nil), second.Attach(nil)}
				first.Place(fleet)
				second.Place(fleet)
				place := m.Watch(nil)
				readers := []reader{boxes[0], boxes[1], place}
				for _, r := range readers {
					latestUpdate(t, r)
				}
				d.goDown()
				second.Fire(match.NewCell(0, 0))
				time.Sleep(400 * time.Millisecond)
				synctest.Wait()
				for _, r := range readers {
					checkNoUpdate(t, r)
				}
				time.Sleep(time.Hour)
				for _, r := range readers {
					u := latestUpdate(t, r)
					if !u.Paused || !u.Deadline.IsZero() || u.View.Charts[match.Second].Fired != 0 || len(u.Events) != 0 {
						t.Errorf("paused %v until %v, %d shots, events %v", u.Paused, u.Deadline, u.View.Charts[match.Second].Fired, u.Events)
					}
				}
				second.Fire(match.NewCell(1, 0))
				// This shot waits for its turn.
				first.Fire(match.NewCell(5, 5))
				if u := latestUpdate(t, boxes[match.Second]); !errors.Is(u.Refused, live.ErrPaused) {
					t.Errorf("a second shot is refused with %v", u.Refused)
				}
				first.Detach(boxes[match.First])
				boxes[match.First] = first.Attach(nil)
				late := m.Watch(nil)
				for _, r := range []reader{boxes[match.First], late} {
					if u := latestUpdate(t, r); !u.Paused || u.View.Phase != match.Battle || u.View.Charts[match.Second].Fired != 0 {
						t.Errorf("a late reader sees paused %v, phase %v, %d shots", u.Paused, u.View.Phase, u.View.Charts[match.Second].Fired)
					}
				}
				d.comeBack()
				time.Sleep(2 * time.Second)
				for _, r := range []reader{boxes[0], boxes[1], place, late} {
					u := latestUpdate(t, r)
					if u.Paused || len(u.Events) != 4 || u.Away[match.First] || u.View.Turn != match.Second {
						t.Errorf("afterwards: paused %v, events %+v, away %v, turn %v", u.Paused, u.Events, u.Away, u.View.Turn)
					}
					if left := time.Until(u.Deadline); left < 13*time.Second || left > 15*time.Second {
						t.Errorf("the next shot has %v", left)
					}
				}
				if n := len(d.events); n != 7 {
					t.Errorf("the database has %d events, want 3 of the beginning and 4 of two shots", n)
				}
			})
		})
	}
}

// TestClocksStandStill checks that clocks unrelated to the event being saved continue where
// they stopped.
func TestClocksStandStill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := person
		slow.PlaceTimeout = time.Minute
		d := newDatabase()
		m, _ := startSavedMatch(t, d, live.Config{Rules: match.Classic(), Seats: [2]live.SeatConfig{slow, slow}})
		first, second := m.Seat(match.First), m.Seat(match.Second)
		first.Detach(first.Attach(nil))
		box := second.Attach(nil)
		synctest.Wait()
		time.Sleep(20 * time.Second)
		d.goDown()
		second.Place(fleet)
		time.Sleep(time.Hour)
		d.comeBack()
		u := latestUpdate(t, box)
		if left := time.Until(u.AwayUntil[match.First]); left != 40*time.Second {
			t.Errorf("the absent side has %v, want 40s", left)
		}
		if left := time.Until(latestUpdate(t, first.Attach(nil)).Deadline); left != 40*time.Second {
			t.Errorf("there are %v for placing, want 40s", left)
		}
		time.Sleep(40 * time.Second)
		if u := latestUpdate(t, box); u.View.Phase != match.Battle {
			t.Errorf("the placing clock has stopped for good: phase %v", u.View.Phase)
		}
	})
}

// TestHiddenMoveEndsPause checks that a player who may not see the saved event learns that
// the match continues.
func TestHiddenMoveEndsPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rules := match.Naval()
		d := newDatabase()
		m, _ := startSavedMatch(t, d, live.Config{Rules: rules, Seats: [2]live.SeatConfig{person, person}})
		var boxes [2]*live.Mailbox
		for side := range boxes {
			boxes[side] = m.Seat(match.Side(side)).Attach(nil)
			m.Seat(match.Side(side)).Place(rules.RandomLayout(rand.New(rand.NewPCG(1, uint64(side)))))
		}
		place := m.Watch(nil)
		m.Seat(match.Second).Fire(match.NewCell(9, 9))
		synctest.Wait()
		d.goDown()
		m.Seat(match.First).Move(match.Stay)
		time.Sleep(time.Minute)
		for _, r := range []reader{boxes[match.Second], place} {
			if u := latestUpdate(t, r); !u.Paused {
				t.Error("it is not paused")
			}
		}
		d.comeBack()
		for _, r := range []reader{boxes[match.Second], place} {
			if u := latestUpdate(t, r); u.Paused || len(u.Events) != 0 {
				t.Errorf("paused %v, events %v", u.Paused, u.Events)
			}
		}
	})
}

// TestStoppedWhilePaused checks that events that are not saved before the context ends have not
// happened.
func TestStoppedWhilePaused(t *testing.T) {
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDatabase()
				d.fails = way.fails
				ended := false
				m, stop := startSavedMatch(t, d, live.Config{
					Rules: match.Classic(), Seats: [2]live.SeatConfig{person, person},
					OnEnded: func() { ended = true },
				})
				box := m.Seat(match.First).Attach(nil)
				m.Seat(match.First).Place(fleet)
				m.Seat(match.Second).Place(fleet)
				latestUpdate(t, box)
				d.goDown()
				m.Seat(match.Second).Resign()
				m.Seat(match.First).Fire(match.NewCell(0, 0))
				time.Sleep(time.Minute)
				latestUpdate(t, box)
				gone, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				if err := m.Seat(match.First).WaitForCommands(gone); !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("commands that wait are settled: %v", err)
				}
				settled := make(chan error, 1)
				go func() { settled <- m.Seat(match.First).WaitForCommands(t.Context()) }()
				synctest.Wait()
				stop()
				<-m.Done()
				if err := <-settled; !errors.Is(err, live.ErrOutcomeUnknown) {
					t.Errorf("commands that were not carried out are settled: %v", err)
				}
				synctest.Wait()
				checkNoUpdateUntil(t, box, live.ErrEnded)
				late := m.Seat(match.Second).Attach(nil)
				if u := latestUpdate(t, late); u.View.Phase != match.Battle {
					t.Errorf("a late reader sees phase %v", u.View.Phase)
				}
				if rec := m.WaitForRecord(); !ended || len(rec.Events) != 3 || rec.Winner != match.Nobody {
					t.Errorf("ended %v, record %+v", ended, rec)
				}
				if len(d.events) != 3 {
					t.Errorf("the database has %d events", len(d.events))
				}
			})
		})
	}
}

// checkNoUpdateUntil fails the test if a mailbox returns anything but its last error.
func checkNoUpdateUntil(t *testing.T, b *live.Mailbox, want error) {
	t.Helper()
	var u live.Update
	if err := b.Receive(t.Context(), &u); !errors.Is(err, want) {
		t.Errorf("the mailbox ends with %v: %+v", err, u.View)
	}
}

// TestSlowSavingLosesNothing checks a match of programs that send results together with shots,
// while saving an event takes a few milliseconds.
func TestSlowSavingLosesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDatabase()
		d.delay = 5 * time.Millisecond
		told := make(chan live.Record, 1)
		m, _ := startSavedMatch(t, d, live.Config{
			Rules: match.Classic(), Seats: [2]live.SeatConfig{program, program},
			Finish: func(ctx context.Context, r live.Record) error {
				time.Sleep(10 * time.Millisecond)
				told <- r
				return d.finish(ctx, r)
			},
		})
		var work sync.WaitGroup
		for side := match.First; side <= match.Second; side++ {
			seat := m.Seat(side)
			work.Go(func() { playCells(t, seat) })
		}
		work.Wait()
		<-m.Done()
		rec := <-told
		if rec.Winner != match.Second || rec.Reason != match.FleetSunk || len(rec.Events) != len(d.events) {
			t.Errorf("winner %v for %v, %d events of which %d are saved", rec.Winner, rec.Reason, len(rec.Events), len(d.events))
		}
	})
}

// playCells plays with a kept fleet and fires at all cells in order.
func playCells(t *testing.T, seat *live.Seat) {
	box, truth := seat.Attach(nil), match.NewFleet(fleet)
	seat.Keep()
	fire := func(u *live.Update) {
		n := u.View.Charts[seat.Side()].Fired
		seat.Fire(match.NewCell(n%10, n/10))
	}
	fired := -1
	for {
		var u live.Update
		if err := box.Receive(t.Context(), &u); err != nil {
			return
		}
		v := &u.View
		switch n := v.Charts[seat.Side()].Fired; {
		case v.Phase != match.Battle:
		case v.Pending && v.Turn != seat.Side():
			result := truth.Fire(v.Targets[0])
			seat.Answer(v.Targets[0], result)
			if result != match.LastSunk && fired < n {
				fired = n
				fire(&u)
			}
		case v.Turn == seat.Side() && !v.Pending && fired < n:
			fired = n
			fire(&u)
		}
	}
}

// TestAbortedWhilePaused checks that a match aborted while the database is down ends once the shot
// before it is saved.
func TestAbortedWhilePaused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDatabase()
		m, _ := startSavedMatch(t, d, live.Config{Rules: match.Classic(), Seats: [2]live.SeatConfig{person, person}})
		m.Seat(match.First).Place(fleet)
		m.Seat(match.Second).Place(fleet)
		synctest.Wait()
		d.goDown()
		m.Seat(match.Second).Fire(match.NewCell(0, 0))
		time.Sleep(time.Minute)
		m.Abort()
		d.comeBack()
		if rec := m.WaitForRecord(); rec.Reason != match.Closed || len(rec.Events) != 6 {
			t.Errorf("reason %v, %d events", rec.Reason, len(rec.Events))
		}
	})
}

// TestEndingFails checks that a match ends even if its record cannot be handled.
func TestEndingFails(t *testing.T) {
	ended := make(chan struct{})
	m, err := live.Start(t.Context(), live.Config{
		Rules: match.Classic(), Finish: func(context.Context, live.Record) error { panic("no disk") }, OnEnded: func() { close(ended) },
	})
	if err != nil {
		t.Fatal(err)
	}
	box := m.Seat(match.First).Attach(nil)
	m.Seat(match.Second).Resign()
	<-ended
	for err = nil; err == nil; {
		err = box.Receive(t.Context(), new(live.Update))
	}
	if !errors.Is(err, live.ErrEnded) || m.WaitForRecord().Winner != match.First {
		t.Errorf("the mailbox ends with %v, and %v wins", err, m.WaitForRecord().Winner)
	}
}
