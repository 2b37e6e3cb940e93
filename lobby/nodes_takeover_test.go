package lobby_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"broadside/lobby"
	"broadside/lobby/cluster"
	"broadside/match"
	"broadside/match/live"
)

// The node that runs a match is gone: the other one goes on with it, and nothing
// is lost.
func TestNodesGoOn(t *testing.T) {
	sites(t, 3, func(t *testing.T, s *site) {
		a, b := s.apart(t)
		boxA, boxB := sit(a), sit(b)
		exchange(t, a, b, boxA, boxB, 0, 7)
		b.Seat.Fire(match.At(0, 9))
		until(t, boxA, fired(match.First, 7))
		s.kill(1)
		a.Seat.Fire(match.At(0, 9)) // nobody is there to hear it
		time.Sleep(cluster.DeadAfter + 2*time.Second)
		u := until(t, boxA, func(u *live.Update) bool { return u.View.Charts[match.First].Fired == 8 })
		if n := u.View.Charts[match.Second].Fired; n != 8 {
			t.Errorf("%d shots of the other side are known", n)
		}
		// Bob is back, at the third node.
		again := s.halls[2].Unfinished(bob)
		if again == nil {
			t.Fatal("bob finds no match")
		}
		boxB = again.Seat.Attach()
		exchange(t, a, again, boxA, boxB, 8, 12)
		again.Seat.Resign()
		if v := theEnd(t, boxA); v.Winner != match.First {
			t.Errorf("%v wins", v.Winner)
		}
		theEnd(t, boxB)

		// The one who was gone comes back, and has nothing to say any more.
		s.memory.Mend(s.nodes[1].ID())
		time.Sleep(10 * time.Second)
		s.empty(t)
	})
}

// A node that was stopped for a while comes back to a match that another one has
// gone on with: its player sees what has happened, and nothing is played twice.
func TestNodesFenced(t *testing.T) {
	sites(t, 2, func(t *testing.T, s *site) {
		a, b := s.apart(t)
		boxA, boxB := sit(a), sit(b)
		exchange(t, a, b, boxA, boxB, 0, 3)
		s.kill(1)
		b.Seat.Fire(match.At(0, 9)) // at a node that cannot write it down
		time.Sleep(cluster.DeadAfter + 2*time.Second)
		if u := until(t, boxA, func(u *live.Update) bool { return u.Away[match.Second] }); u.View.Charts[match.Second].Fired != 3 {
			t.Errorf("%d shots of bob", u.View.Charts[match.Second].Fired)
		} else if left := time.Until(u.AwayUntil[match.Second]); left <= 0 || left > lobby.DefaultGrace {
			t.Errorf("bob may be away for %v more", left)
		}
		s.memory.Mend(s.nodes[1].ID())
		time.Sleep(10 * time.Second)
		until(t, boxB, func(u *live.Update) bool { return u.View.Charts[match.Second].Fired == 4 })
		u := until(t, boxA, fired(match.First, 3))
		if n := u.View.Charts[match.Second].Fired; n != 4 {
			t.Errorf("ann knows of %d shots", n)
		}
		a.Seat.Fire(match.At(0, 9))
		exchange(t, a, b, boxA, boxB, 4, 8)
	})
}

func TestNodesHandOver(t *testing.T) {
	sites(t, 2, func(t *testing.T, s *site) {
		a, b := s.apart(t)
		boxA, boxB := sit(a), sit(b)
		exchange(t, a, b, boxA, boxB, 0, 3)
		if err := s.halls[1].Drain(t.Context()); err != nil {
			t.Errorf("drained with %v", err)
		}
		exchange(t, a, b, boxA, boxB, 3, 5) // until it is gone, the node serves its players
		b.Seat.Detach(boxB)
		s.halls[1].Close()
		s.nodes[1].Close()
		time.Sleep(time.Second)
		again := s.halls[0].Unfinished(bob)
		if again == nil {
			t.Fatal("bob finds no match")
		}
		boxB = again.Seat.Attach()
		exchange(t, a, again, boxA, boxB, 5, 8)
	})
}

// slowly is a node that takes its time to read logs.
type slowly struct{ cluster.Node }

func (s slowly) Read(ctx context.Context, log string) ([]cluster.Record, error) {
	time.Sleep(time.Second)
	return s.Node.Read(ctx, log)
}

// Both players of a match that is handed over come to its new node before that
// has found out what has happened in it.
func TestNodesComeBackAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory := cluster.NewMemory()
		old, next := memory.Join("old"), memory.Join("next")
		here := lobby.New(lobby.Config{Seed: 1, BotPace: -1, Node: old})
		there := lobby.New(lobby.Config{Seed: 2, BotPace: -1, Node: slowly{next}})
		defer next.Close()
		defer there.Close()
		synctest.Wait()
		first := playNow(t, here, ann, match.Classic())
		second := playNow(t, here, bob, match.Classic())
		a, b := seated(t, first), seated(t, second)
		boxA, boxB := sit(a), sit(b)
		exchange(t, a, b, boxA, boxB, 0, 3)
		if err := here.Drain(t.Context()); err != nil {
			t.Error(err)
		}
		a.Seat.Detach(boxA)
		b.Seat.Detach(boxB)
		here.Close()
		old.Close()
		time.Sleep(500 * time.Millisecond)
		a, b = there.Unfinished(ann), there.Unfinished(bob)
		if a == nil || b == nil {
			t.Fatal("the players find no match")
		}
		exchange(t, a, b, a.Seat.Attach(), b.Seat.Attach(), 3, 5)
	})
}

// A match is handed over to a node that has joined, and whose lobby is not open
// yet: it goes on when it is.
func TestNodesHandOverToNewcomer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory := cluster.NewMemory()
		old := memory.Join("old")
		here := lobby.New(lobby.Config{Seed: 1, BotPace: -1, Node: old})
		defer old.Close()
		defer here.Close()
		first := playNow(t, here, ann, match.Classic())
		second := playNow(t, here, bob, match.Classic())
		a, b := seated(t, first), seated(t, second)
		boxA, boxB := sit(a), sit(b)
		exchange(t, a, b, boxA, boxB, 0, 3)
		next := memory.Join("next")
		time.Sleep(time.Second)
		if err := here.Drain(t.Context()); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Second)
		there := lobby.New(lobby.Config{Seed: 2, BotPace: -1, Node: next})
		defer next.Close()
		defer there.Close()
		exchange(t, a, b, boxA, boxB, 3, 5)
	})
}

// The heir of a match is gone, too, before the next one in line has had its turn.
func TestNodesHeirIsGone(t *testing.T) {
	for range 5 { // chance decides on the turns
		sites(t, 3, func(t *testing.T, s *site) {
			a, b := s.apart(t)
			exchange(t, a, b, sit(a), sit(b), 0, 3)
			s.kill(1)
			time.Sleep(2*cluster.DeadAfter + 500*time.Millisecond) // a young lobby waits that long
			if !a.Seat.Match().Here() {
				t.Fatal("ann's node does not go on with the match")
			}
			s.nodes[0].Close()
			time.Sleep(10 * time.Second)
			a, b = s.halls[2].Unfinished(ann), s.halls[2].Unfinished(bob)
			if a == nil || b == nil || !a.Seat.Match().Here() {
				t.Fatal("the match does not go on")
			}
			exchange(t, a, b, a.Seat.Attach(), b.Seat.Attach(), 3, 5)
		})
	}
}

// A bot's match goes on without its node, too, once its person is back.
func TestNodesBotGoesOn(t *testing.T) {
	sites(t, 2, func(t *testing.T, s *site) {
		seating, box := against(t, s.halls[1], ann, "hard")
		volley(t, seating, box, 0, 5)
		synctest.Wait() // until the other node knows of the match
		s.kill(1)
		time.Sleep(cluster.DeadAfter + 5*time.Second)
		again := s.halls[0].Unfinished(ann)
		if again == nil {
			t.Fatal("ann finds no match")
		}
		volley(t, again, again.Seat.Attach(), 5, 10)
	})
}

// A program's connection is part of its match.
func TestNodesProgramIsLost(t *testing.T) {
	for _, owner := range []bool{true, false} {
		sites(t, 2, func(t *testing.T, s *site) {
			people, programs := 0, 1
			var first, second *lobby.Ticket
			if owner {
				first = playNow(t, s.halls[people], ann, match.Classic())
				synctest.Wait()
				second = playNow(t, s.halls[programs], kraken, match.Classic())
			} else {
				second = playNow(t, s.halls[programs], kraken, match.Classic())
				synctest.Wait()
				first = playNow(t, s.halls[people], ann, match.Classic())
			}
			synctest.Wait()
			box := sit(seated(t, first))
			program := seated(t, second)
			program.Seat.Attach()
			program.Seat.Keep()
			time.Sleep(time.Second)
			s.kill(programs)
			time.Sleep(cluster.DeadAfter + 3*time.Second)
			if v := theEnd(t, box); v.Winner != match.Nobody || v.Reason != match.Closed {
				t.Errorf("owner %v: won by %v: %v", owner, v.Winner, v.Reason)
			}
		})
	}
}

// A node that is out of touch cannot hand anything over, until it is in touch
// again.
func TestNodesHandOverLater(t *testing.T) {
	sites(t, 2, func(t *testing.T, s *site) {
		a, b := s.apart(t)
		boxA, boxB := sit(a), sit(b)
		exchange(t, a, b, boxA, boxB, 0, 3)
		s.kill(1)
		drained := make(chan error)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		go func() { drained <- s.halls[1].Drain(ctx) }()
		time.Sleep(time.Second)
		s.memory.Mend(s.nodes[1].ID())
		if err := <-drained; err != nil {
			t.Errorf("drained with %v", err)
		}
		exchange(t, a, b, boxA, boxB, 3, 6)
	})
}
