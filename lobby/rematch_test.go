package lobby_test

import (
	"errors"
	"testing"

	"broadside/internal/test/must"
	"broadside/lobby"
	"broadside/match"
	"broadside/match/live"
)

func TestRematchSwapsSides(t *testing.T) {
	l := open(t)
	first, second := paired(t, l)
	first.Seat.Resign()
	<-first.Seat.Match().Done()
	wake := live.NewSignal()
	// From now on, only changes of the seat's state send wake.
	second.Detach(second.Attach(wake))
	announced := func() {
		t.Helper()
		select {
		case <-wake:
		default:
			t.Error("a change of the seat's state was not announced")
		}
	}
	<-wake

	a := must.Get(first.OfferRematch())
	announced()
	state := second.State()
	if !state.RematchOffered || state.OpponentLeft {
		t.Fatalf("bob sees %+v", state)
	}
	b := must.Get(second.OfferRematch())
	sa, sb := seated(t, a), seated(t, b)
	if sa.Seat.Side() != match.Second || sb.Seat.Side() != match.First || sa.Opponent.Name != "bob" {
		t.Errorf("ann has side %v against %q, bob side %v", sa.Seat.Side(), sa.Opponent.Name, sb.Seat.Side())
	}
	announced()
}

func TestNoRematchWithWhoHasLeft(t *testing.T) {
	l := open(t)
	first, second := paired(t, l)
	offer := must.Get(first.OfferRematch())
	second.Leave()
	if _, ok := <-offer.Seat(); ok || !errors.Is(offer.Err(), lobby.ErrOpponentLeft) {
		t.Errorf("the offer ended with %v", offer.Err())
	}
	if _, err := first.OfferRematch(); !errors.Is(err, lobby.ErrOpponentLeft) {
		t.Errorf("asking again: %v", err)
	}
	if !first.State().OpponentLeft {
		t.Error("ann does not see that bob has left")
	}
}

// TestRematchThatWasCancelled checks that a cancelled rematch does not start, and that its
// player can ask again.
func TestRematchThatWasCancelled(t *testing.T) {
	l := open(t)
	first, second := paired(t, l)
	offer := must.Get(first.OfferRematch())
	if !offer.Cancel() || second.State().RematchOffered {
		t.Error("bob still sees that ann wants a rematch")
	}
	answer := must.Get(second.OfferRematch())
	select {
	case <-answer.Seat():
		t.Fatal("a match has begun that ann does not want")
	default:
	}
	again := must.Get(first.OfferRematch())
	seated(t, again)
	seated(t, answer)
}
