package lobby_test

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"broadside/lobby"
	"broadside/lobby/cluster"
	"broadside/match"
	"broadside/match/live"
)

// unsure is a node that does not hear of what it has changed while it is deaf, and
// writes no logs then. It takes its time to make entries.
type unsure struct {
	cluster.Node
	deaf atomic.Bool
	slow atomic.Int64
}

func (u *unsure) Create(ctx context.Context, b cluster.Bucket, key string, value []byte) (uint64, error) {
	rev, err := u.Node.Create(ctx, b, key, value)
	time.Sleep(time.Duration(u.slow.Load()))
	if err == nil && u.deaf.Load() {
		return 0, context.DeadlineExceeded
	}
	return rev, err
}

func (u *unsure) Append(ctx context.Context, log string, after uint64, data []byte) (uint64, error) {
	if u.deaf.Load() {
		return 0, context.DeadlineExceeded
	}
	return u.Node.Append(ctx, log, after, data)
}

func (u *unsure) Update(ctx context.Context, b cluster.Bucket, key string, value []byte, rev uint64) (uint64, error) {
	rev, err := u.Node.Update(ctx, b, key, value, rev)
	if err == nil && u.deaf.Load() {
		return 0, context.DeadlineExceeded
	}
	return rev, err
}

// unsureAt is a wrapper for the node i.
func unsureAt(i int, u *unsure) func(int, cluster.Node) cluster.Node {
	return func(at int, n cluster.Node) cluster.Node {
		if at != i {
			return n
		}
		u.Node = n
		return u
	}
}

// waits wants a ticket to have no opponent and to be offered at all nodes.
func waits(t *testing.T, s *site, ticket *lobby.Ticket) {
	t.Helper()
	synctest.Wait()
	select {
	case seating, ok := <-ticket.Seated():
		t.Fatalf("it does not wait: %v, %v", seating, ok)
	default:
	}
	for i, l := range s.halls {
		v := l.Enter(lobby.Player{Name: "looker"})
		if all := news(t, v).Waiting; len(all) != 1 || all[0].Player.Name != ticket.Player().Name {
			t.Errorf("node %d lists %+v", i, all)
		}
		v.Leave()
	}
}

// Who takes an offer does not hear that they did: who made it waits again, and
// gets another opponent.
func TestNodesUnheardClaim(t *testing.T) {
	var u unsure
	sitesOf(t, 2, unsureAt(1, &u), func(t *testing.T, s *site) {
		room, err := s.halls[0].OpenRoom(ann, match.Classic(), lobby.Rated)
		if err != nil {
			t.Fatal(err)
		}
		first := playNow(t, s.halls[0], kraken, match.Classic())
		synctest.Wait()
		u.deaf.Store(true)
		if _, err := s.halls[1].Join(home, bob, room.Code()); !errors.Is(err, lobby.ErrCut) {
			t.Fatalf("joining ends with %v", err)
		}
		if _, err := s.halls[1].PlayNow(bob, match.Classic(), lobby.Rated); !errors.Is(err, lobby.ErrCut) {
			t.Fatalf("playing ends with %v", err)
		}
		u.deaf.Store(false)
		time.Sleep(3 * time.Second)
		waits(t, s, first)
		s.empty(t)
		if _, err := s.halls[1].Join(home, bob, room.Code()); err != nil {
			t.Errorf("joining again: %v", err)
		}
		dora := lobby.Player{ID: "key-dora", Name: "dora"}
		second := playNow(t, s.halls[1], dora, match.Classic())
		synctest.Wait()
		for _, ticket := range []*lobby.Ticket{room, first, second} {
			if seating := seated(t, ticket); seating.Seat.Side() != ticket.Side() {
				t.Errorf("the seat is of side %v", seating.Seat.Side())
			}
		}
	})
}

// Who takes back an offer that somebody has taken, and does not know it, is done
// with it.
func TestNodesUnheardClaimUnwanted(t *testing.T) {
	var u unsure
	sitesOf(t, 2, unsureAt(1, &u), func(t *testing.T, s *site) {
		first := playNow(t, s.halls[0], ann, match.Classic())
		synctest.Wait()
		u.deaf.Store(true)
		if _, err := s.halls[1].PlayNow(bob, match.Classic(), lobby.Rated); !errors.Is(err, lobby.ErrCut) {
			t.Fatalf("playing ends with %v", err)
		}
		if first.Cancel() {
			t.Error("it was taken back when it had been taken")
		}
		u.deaf.Store(false)
		time.Sleep(3 * time.Second)
		if got := failed(t, first); got != lobby.ErrOfferGone.Error() {
			t.Errorf("ann is told %q", got)
		}
		s.empty(t)
	})
}

// An offer that others have removed is made again, and taken before its node hears
// that it is there.
func TestNodesRenewedAndTaken(t *testing.T) {
	var u unsure
	sitesOf(t, 2, unsureAt(0, &u), func(t *testing.T, s *site) {
		first := playNow(t, s.halls[0], ann, match.Classic())
		synctest.Wait()
		u.slow.Store(int64(time.Second))
		var offer cluster.Entry
		if err := s.nodes[1].Watch(t.Context(), cluster.Offers, func(e cluster.Entry) { offer = e }); err != nil {
			t.Fatal(err)
		}
		if err := s.nodes[1].Delete(t.Context(), cluster.Offers, offer.Key, offer.Rev); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second / 2)
		second := playNow(t, s.halls[1], bob, match.Classic())
		time.Sleep(time.Second)
		seated(t, first)
		seated(t, second)
		for i, l := range s.halls {
			if all := news(t, l.Enter(lobby.Player{Name: "looker"})).Waiting; len(all) != 0 {
				t.Errorf("node %d still lists %+v", i, all)
			}
		}
	})
}

// When a match of before a restart begins, the nodes are out of touch: it goes on
// later, at this node or at another one, with all that has happened.
func TestNodesGoOnLater(t *testing.T) {
	for _, dies := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			store := openStore(t)
			ann := account(t, store, "Ann")
			l := lobby.New(lobby.Config{Seed: 1, BotPace: -1, Store: store})
			seating, box := against(t, l, ann, "easy")
			volley(t, seating, box, 0, 5)
			l.Close()

			memory := cluster.NewMemory()
			u := &unsure{Node: memory.Join("first")}
			defer u.Close()
			u.deaf.Store(true)
			first := lobby.New(lobby.Config{Seed: 2, BotPace: -1, Store: store, Node: u, Log: slog.New(slog.NewTextHandler(t.Output(), nil)).With("at", 1)})
			defer first.Close()
			node := memory.Join("second")
			defer node.Close()
			second := lobby.New(lobby.Config{Seed: 3, BotPace: -1, Store: store, Node: node, Log: slog.New(slog.NewTextHandler(t.Output(), nil)).With("at", 2)})
			defer second.Close()
			time.Sleep(10 * time.Second)
			if u.deaf.Store(false); dies {
				memory.Cut(u.ID())
			}
			time.Sleep(10 * time.Second)
			again := second.Unfinished(ann)
			if again == nil || again.Seat.Match().Here() != dies {
				t.Fatalf("it does not go on where it should: %v", again)
			}
			box = again.Seat.Attach()
			time.Sleep(time.Second)
			if n := until(t, box, func(*live.Update) bool { return true }).View.Charts[match.Second].Fired; n != 5 {
				t.Fatalf("%d shots are known", n)
			}
			again.Seat.Fire(match.At(5, 0))
			volley(t, again, box, 6, 8)
		})
	}
}
