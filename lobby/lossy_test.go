package lobby_test

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"broadside/lobby"
	"broadside/lobby/cluster"
	"broadside/match"
	"broadside/match/live"
)

// lossy is a node whose messages are lost while it is mute.
type lossy struct {
	cluster.Node
	mute atomic.Bool
}

func (n *lossy) Send(node string, data []byte) {
	if !n.mute.Load() {
		n.Node.Send(node, data)
	}
}

func (n *lossy) Broadcast(data []byte) {
	if !n.mute.Load() {
		n.Node.Broadcast(data)
	}
}

// lossySites are sites with nodes whose messages can be lost.
func lossySites(t *testing.T, n int, test func(t *testing.T, s *site, lines []*lossy)) {
	t.Helper()
	lines := make([]*lossy, n)
	sitesOf(t, n, func(i int, node cluster.Node) cluster.Node {
		lines[i] = &lossy{Node: node}
		return lines[i]
	}, func(t *testing.T, s *site) { test(t, s, lines) })
}

// played is a match that is over: ann's node follows, bob's has run it. Messages
// of either can be lost.
func played(t *testing.T, test func(t *testing.T, s *site, lines []*lossy, a, b *lobby.Seating)) {
	t.Helper()
	lossySites(t, 2, func(t *testing.T, s *site, lines []*lossy) {
		a, b := s.apart(t)
		boxA, boxB := sit(a), sit(b)
		exchange(t, a, b, boxA, boxB, 0, 2)
		a.Seat.Resign()
		theEnd(t, boxA)
		theEnd(t, boxB)
		time.Sleep(time.Second)
		test(t, s, lines, a, b)
	})
}

// cut loses what a node says while something is done, and for a moment longer.
func (n *lossy) cut(do func()) {
	n.mute.Store(true)
	do()
	time.Sleep(time.Second / 2)
	n.mute.Store(false)
	time.Sleep(2 * time.Second)
}

// rematch asks for one.
func rematch(t *testing.T, s *lobby.Seating) *lobby.Ticket {
	t.Helper()
	ticket, err := s.Rematch()
	if err != nil {
		t.Fatal(err)
	}
	synctest.Wait()
	return ticket
}

// plays wants both to be seated at the same match.
func plays(t *testing.T, a, b *lobby.Ticket) {
	t.Helper()
	synctest.Wait()
	x, y := seated(t, a), seated(t, b)
	if x.Seat.Match().ID() != y.Seat.Match().ID() {
		t.Error("they play different matches")
	}
	exchange(t, y, x, sit(y), sit(x), 0, 2)
}

func TestNodesLostWish(t *testing.T) {
	played(t, func(t *testing.T, s *site, lines []*lossy, a, b *lobby.Seating) {
		var wishA *lobby.Ticket
		lines[0].cut(func() { wishA = rematch(t, a) })
		plays(t, wishA, rematch(t, b))
	})
}

func TestNodesLostRematch(t *testing.T) {
	played(t, func(t *testing.T, s *site, lines []*lossy, a, b *lobby.Seating) {
		wishA := rematch(t, a)
		var wishB *lobby.Ticket
		lines[1].cut(func() { wishB = rematch(t, b) })
		plays(t, wishA, wishB)
	})
}

func TestNodesLostRise(t *testing.T) {
	played(t, func(t *testing.T, s *site, lines []*lossy, a, b *lobby.Seating) {
		wishB := rematch(t, b)
		lines[0].cut(a.Rise)
		if got := failed(t, wishB); got != lobby.ErrGone.Error() {
			t.Errorf("bob is told %q", got)
		}
	})
	played(t, func(t *testing.T, s *site, lines []*lossy, a, b *lobby.Seating) {
		wishA := rematch(t, a)
		lines[1].cut(b.Rise)
		if got := failed(t, wishA); got != lobby.ErrGone.Error() {
			t.Errorf("ann is told %q", got)
		}
	})
}

// A rematch that both want and that cannot be is over for both.
func TestNodesNoRematch(t *testing.T) {
	played(t, func(t *testing.T, s *site, lines []*lossy, a, b *lobby.Seating) {
		against(t, s.halls[0], ann, "easy")
		synctest.Wait()
		s.halls[1].SetMaxMatches(1)
		wishB, wishA := rematch(t, b), rematch(t, a)
		for _, ticket := range []*lobby.Ticket{wishA, wishB} {
			if got := failed(t, ticket); got != lobby.ErrGone.Error() {
				t.Errorf("somebody is told %q", got)
			}
		}
	})
}

// A player has gone on at another node, which is lost on the way: it is known in
// the end, and a rematch comes about.
func TestNodesLostJoin(t *testing.T) {
	lossySites(t, 3, func(t *testing.T, s *site, lines []*lossy) {
		a, b := s.apart(t)
		boxA, boxB := sit(a), sit(b)
		exchange(t, a, b, boxA, boxB, 0, 2)
		a.Seat.Detach(boxA)
		synctest.Wait()
		lines[2].cut(func() {
			if a = s.halls[2].Unfinished(ann); a == nil {
				t.Fatal("ann finds no match")
			}
			boxA = a.Seat.Attach()
		})
		b.Seat.Resign()
		theEnd(t, boxA)
		time.Sleep(time.Second)
		rematch(t, b)
		if !a.Table().Wanted {
			t.Error("ann does not hear that bob wants a rematch")
		}
	})
}

// Who has gone while their match was about to begin at another node is away.
func TestNodesGoneBefore(t *testing.T) {
	away := func(t *testing.T, s *lobby.Seating) {
		t.Helper()
		side := s.Seat.Side().Other()
		box := s.Seat.Attach()
		time.Sleep(3 * time.Second)
		if u := until(t, box, func(*live.Update) bool { return true }); !u.Away[side] {
			t.Error("who has gone is not away")
		}
	}
	lossySites(t, 2, func(t *testing.T, s *site, lines []*lossy) {
		first := playNow(t, s.halls[0], ann, match.Classic())
		synctest.Wait()
		var second *lobby.Ticket
		lines[1].cut(func() {
			second = playNow(t, s.halls[1], bob, match.Classic())
			synctest.Wait()
			if first.Cancel() {
				t.Error("it was not too late")
			}
		})
		away(t, seated(t, second))
	})
	played(t, func(t *testing.T, s *site, lines []*lossy, a, b *lobby.Seating) {
		rematch(t, a)
		var wishB *lobby.Ticket
		lines[1].cut(func() {
			wishB = rematch(t, b)
			a.Rise()
		})
		away(t, seated(t, wishB))
	})
}
