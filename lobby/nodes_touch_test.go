package lobby_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"broadside/lobby"
	"broadside/lobby/cluster"
	"broadside/match"
	"broadside/match/live"
)

// While a node has lost touch, nobody there begins anything that others would
// have to know of, and all is well afterwards.
func TestNodesOutOfTouch(t *testing.T) {
	sites(t, 2, func(t *testing.T, s *site) {
		beaten, box := against(t, s.halls[1], bob, "easy")
		beaten.Seat.Resign()
		theEnd(t, box)
		synctest.Wait()
		s.kill(1)
		if _, err := s.halls[1].PlayNow(bob, match.Classic(), lobby.Rated); !errors.Is(err, lobby.ErrCut) {
			t.Errorf("out of touch: %v", err)
		}
		if _, err := s.halls[1].ChallengeBot(bob, "easy", match.Classic(), lobby.Rated); !errors.Is(err, lobby.ErrCut) {
			t.Errorf("a bot, out of touch: %v", err)
		}
		if _, err := beaten.Rematch(); !errors.Is(err, lobby.ErrCut) {
			t.Errorf("a rematch with a bot, out of touch: %v", err)
		}
		both, err := s.halls[1].HotSeat(bob, [2]string{"bob", "eve"}, match.Classic())
		if err != nil {
			t.Fatalf("two people at one terminal, out of touch: %v", err)
		}
		exchange(t, both, both.Partner, sit(both), sit(both.Partner), 0, 2)
		both.Seat.Match().Abort()
		s.memory.Mend(s.nodes[1].ID())
		time.Sleep(5 * time.Second)
		a, b := s.apart(t)
		exchange(t, a, b, sit(a), sit(b), 0, 2)
	})
}

// Who has the code of a room before their node has heard of it comes in.
func TestNodesRoomUnheard(t *testing.T) {
	sites(t, 2, func(t *testing.T, s *site) {
		s.kill(1)
		room, err := s.halls[0].OpenRoom(ann, match.Hasbro(), lobby.Rated)
		if err != nil {
			t.Fatal(err)
		}
		news := time.AfterFunc(300*time.Millisecond, func() { s.memory.Mend(s.nodes[1].ID()) })
		defer news.Stop()
		if r, _, err := s.halls[1].Room(home, room.Code()); err != nil || r.Name != "hasbro" {
			t.Errorf("the room is for %q: %v", r.Name, err)
		}
		if _, err := s.halls[1].Join(home, bob, room.Code()); err != nil {
			t.Errorf("joining: %v", err)
		}
		synctest.Wait()
		seated(t, room)
	})
}

// At random, nodes are cut off and come back while people at all of them play
// bots and each other.
func TestNodesAtRandom(t *testing.T) {
	for seed := range uint64(5) {
		sites(t, 3, func(t *testing.T, s *site) {
			rng := rand.New(rand.NewPCG(seed, 1))
			a, b := s.apart(t)
			boxA, boxB := sit(a), sit(b)
			var players sync.WaitGroup
			ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
			defer cancel()
			play := func(seat *lobby.Seating, box *live.Mailbox) {
				n := 0
				var u live.Update
				for {
					if err := box.Recv(ctx, &u); err != nil {
						if !errors.Is(err, live.ErrEnded) {
							t.Errorf("seed %d: side %v: %v", seed, seat.Seat.Side(), err)
						}
						return
					}
					if u.Late[seat.Seat.Side().Other()] {
						t.Errorf("seed %d: side %v is away", seed, seat.Seat.Side().Other())
						seat.Seat.Claim()
					}
					chart := &u.View.Charts[seat.Seat.Side()]
					if u.View.Phase == match.Battle && u.View.Turn == seat.Seat.Side() && !u.View.Pending {
						if chart.Fired < n {
							t.Errorf("seed %d: %d shots were %d before", seed, chart.Fired, n)
						}
						n = chart.Fired
						time.Sleep(100 * time.Millisecond)
						open := chart.Open() // a shot that was repeated may have missed its turn, and taken the next
						seat.Seat.Fire(open.Nth(0))
					}
				}
			}
			players.Go(func() { play(a, boxA) })
			players.Go(func() { play(b, boxB) })
			for range 6 {
				i := rng.IntN(2)
				s.kill(i)
				time.Sleep(time.Duration(rng.IntN(8000)) * time.Millisecond)
				s.memory.Mend(s.nodes[i].ID())
				time.Sleep(time.Duration(rng.IntN(6000)) * time.Millisecond)
			}
			time.Sleep(5 * time.Minute)
			players.Wait()
		})
	}
}

// Two nodes lose touch and find each other again: each knows again who is at the
// other, and what they offer.
func TestNodesFindEachOtherAgain(t *testing.T) {
	sites(t, 2, func(t *testing.T, s *site) {
		a, b := s.halls[0].Enter(ann), s.halls[1].Enter(bob)
		first := playNow(t, s.halls[0], ann, match.Classic())
		room, err := s.halls[1].OpenRoom(bob, match.Hasbro(), lobby.Rated)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Second)
		s.kill(1)
		time.Sleep(10 * time.Second)
		for i, v := range []*lobby.Visit{a, b} {
			if here := news(t, v).Here; len(here) != 1 {
				t.Errorf("out of touch, node %d sees %+v", i, here)
			}
		}
		if _, _, err := s.halls[0].Room(home, room.Code()); !errors.Is(err, lobby.ErrNoRoom) {
			t.Errorf("the room of a node that is gone: %v", err)
		}
		s.memory.Mend(s.nodes[1].ID())
		time.Sleep(10 * time.Second)
		for i, v := range []*lobby.Visit{a, b} {
			if here := news(t, v).Here; len(here) != 2 {
				t.Errorf("in touch again, node %d sees %+v", i, here)
			}
		}
		carl, dora := lobby.Player{ID: "key-carl", Name: "carl"}, lobby.Player{ID: "key-dora", Name: "dora"}
		if _, err := s.halls[0].Join(home, carl, room.Code()); err != nil {
			t.Errorf("joining the room: %v", err)
		}
		playNow(t, s.halls[1], dora, match.Classic())
		synctest.Wait()
		seated(t, room)
		seated(t, first)
	})
}

// A node that was out of touch for long removes nothing of those that it has taken
// for dead.
func TestNodesSweepNobody(t *testing.T) {
	for _, cut := range []time.Duration{4, 5, 6, 7, 8, 9, 10, 11, 12, 20} {
		sites(t, 2, func(t *testing.T, s *site) {
			time.Sleep(10*time.Second + 700*time.Millisecond) // between two heartbeats
			s.halls[0].Enter(ann)
			playNow(t, s.halls[0], ann, match.Classic())
			synctest.Wait()
			for _, b := range []cluster.Bucket{cluster.Presence, cluster.Offers} {
				if err := s.nodes[0].Watch(t.Context(), b, func(e cluster.Entry) {
					if e.Gone {
						t.Errorf("%s %s is removed after %d s", b, e.Key, cut)
					}
				}); err != nil {
					t.Fatal(err)
				}
			}
			s.kill(1)
			time.Sleep(cut*time.Second + 100*time.Millisecond)
			s.memory.Mend(s.nodes[1].ID())
			time.Sleep(30 * time.Second)
			if _, err := s.halls[1].PlayNow(bob, match.Hasbro(), lobby.Rated); err != nil {
				t.Error(err)
			}
			s.nodes[0].Close() // its watches are told nothing any more
		})
	}
}

// What a node that died has left behind is nobody's opponent, for who comes later
// either.
func TestNodesGhosts(t *testing.T) {
	sites(t, 1, func(t *testing.T, s *site) {
		s.halls[0].Enter(ann)
		playNow(t, s.halls[0], ann, match.Classic())
		synctest.Wait()
		s.kill(0)
		node, l := s.late(t)
		v := l.Enter(bob)
		time.Sleep(6 * cluster.DeadAfter)
		if s := news(t, v); len(s.Here) != 1 || len(s.Waiting) != 0 {
			t.Errorf("bob sees %+v, and %+v waiting", s.Here, s.Waiting)
		}
		for _, b := range []cluster.Bucket{cluster.Presence, cluster.Offers} {
			left := 0
			if err := node.Watch(t.Context(), b, func(e cluster.Entry) {
				if !e.Gone {
					left++
				}
			}); err != nil {
				t.Fatal(err)
			}
			if want := map[cluster.Bucket]int{cluster.Presence: 1}[b]; left != want {
				t.Errorf("%d entries of %s are left", left, b)
			}
		}
	})
}

// A lobby that hears nothing of the others is not opened.
func TestNodesOpenOutOfTouch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory := cluster.NewMemory()
		node := memory.Join("node")
		defer node.Close()
		memory.Cut(node.ID())
		if _, err := lobby.Open(t.Context(), lobby.Config{Node: node}); !errors.Is(err, cluster.ErrCut) {
			t.Errorf("opened with %v", err)
		}
	})
}
