package live_test

import (
	"testing"
	"testing/synctest"
	"time"

	"broadside/match"
	"broadside/match/audit"
	"broadside/match/live"
)

// committing returns a program with less time for its first moves than for others.
func committing() live.SeatConfig {
	s := program
	s.NoEcho = true
	return s
}

var opening = match.Opening("salt", fleet)

// sunk plays a match of two committed programs up to its last shot, which wins for Second.
func sunk(t *testing.T) (*live.Match, [2]*live.Mailbox) {
	t.Helper()
	m := start(t, match.Classic(), committing(), committing())
	boxes := [2]*live.Mailbox{m.Seat(match.First).Attach(nil), m.Seat(match.Second).Attach(nil)}
	m.Seat(match.First).Commit(match.Commitment(opening))
	m.Seat(match.Second).Commit(match.Commitment(opening))
	if u := latest(t, boxes[match.First]); u.Commitments[match.Second] != match.Commitment(opening) {
		t.Fatalf("the commitments are %q", u.Commitments)
	}
	truth := match.NewFleet(fleet)
	for cell := range fleet.Cells().All() {
		r := truth.Shoot(cell)
		m.Seat(match.Second).Fire(cell)
		m.Seat(match.First).Answer(cell, r, false)
		if r != match.LastSunk {
			m.Seat(match.First).Fire(match.At(9, 9))
			m.Seat(match.Second).Answer(match.At(9, 9), match.Water, false)
		}
	}
	for side, b := range boxes {
		if u := latest(t, b); u.View.Phase != match.Revealing || !u.View.Due[side] {
			t.Fatalf("after the last shot side %d is in phase %v, due %v", side, u.View.Phase, u.View.Due)
		}
	}
	return m, boxes
}

// TestNoRevealInTime checks that the winner loses when the move timeout expires, and that
// nobody sees a result before.
func TestNoRevealInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, boxes := sunk(t)
		m.Seat(match.First).Reveal("salt", fleet)
		latest(t, boxes[match.Second])
		time.Sleep(5*time.Minute - 1)
		synctest.Wait()
		silent(t, boxes[match.Second])
		<-m.Done()
		if rec := m.Record(); rec.Winner != match.First || rec.Reason != match.Unrevealed {
			t.Errorf("winner %v for %v", rec.Winner, rec.Reason)
		}
	})
}

// TestLosersRevealIsNotAwaited checks that the match does not wait long for the loser's
// reveal, on which the result does not depend.
func TestLosersRevealIsNotAwaited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, _ := sunk(t)
		m.Seat(match.Second).Reveal("salt", fleet)
		began := time.Now()
		<-m.Done()
		if took := time.Since(began); took != 10*time.Second {
			t.Errorf("the match ended after %v", took)
		}
		if rec := m.Record(); rec.Winner != match.Second || rec.Reason != match.FleetSunk {
			t.Errorf("winner %v for %v", rec.Winner, rec.Reason)
		}
	})
}

// TestRevealAtWrongTime checks that such a reveal is refused, even for a strict seat, which
// does not lose for it.
func TestRevealAtWrongTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, boxes := begun(t, match.Classic(), person, program)
		m.Seat(match.Second).Reveal("salt", fleet)
		if u := latest(t, boxes[match.Second]); u.Refused != match.ErrNoReveal || u.View.Phase != match.Battle {
			t.Errorf("refused with %v in phase %v", u.Refused, u.View.Phase)
		}
	})
}

// TestLeavingBeforeTheReveal checks that the winner loses the match by leaving, and the
// loser loses nothing more.
func TestLeavingBeforeTheReveal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, boxes := sunk(t)
		m.Seat(match.Second).Detach(boxes[match.Second])
		m.Seat(match.First).Reveal("salt", fleet)
		<-m.Done()
		if rec := m.Record(); rec.Winner != match.First || rec.Reason != match.Left {
			t.Errorf("winner %v for %v", rec.Winner, rec.Reason)
		}
	})
}

// TestBothAwayAfterAnInterruption ends a match whose committed programs do not return in
// time.
func TestBothAwayAfterAnInterruption(t *testing.T) {
	g := match.NewGame(match.Classic(), audit.Flag)
	commitment := match.Commitment(opening)
	for _, c := range []match.Command{
		match.Commit(match.First, commitment), match.Commit(match.Second, commitment),
		match.Fire(match.Second, match.At(9, 9)), match.Answer(match.First, match.At(9, 9), match.Water),
	} {
		if _, err := g.Apply(c); err != nil {
			t.Fatal(err)
		}
	}
	synctest.Test(t, func(t *testing.T) {
		seat := committing()
		seat.Return = 10 * time.Second
		began := time.Now()
		m, err := live.Start(t.Context(), live.Config{
			ID: "test", Rules: match.Classic(), Seats: [2]live.SeatConfig{seat, seat}, Interrupted: true, History: g.Events(),
		})
		if err != nil {
			t.Fatal(err)
		}
		<-m.Done()
		if took := time.Since(began); took != seat.Return || m.Record().Reason != match.Closed {
			t.Errorf("it ended after %v: %v", took, m.Record().Reason)
		}
	})
}

func keepBoth(m *live.Match) {
	m.Seat(match.First).Keep()
	m.Seat(match.Second).Keep()
}
