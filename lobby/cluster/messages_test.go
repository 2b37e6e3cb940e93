package cluster

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestMessages(t *testing.T) {
	const count = 500
	everywhere(t, func(t *testing.T, nodes []Node) {
		for _, n := range nodes {
			within(t, "all know each other", func() bool { return len(n.Peers()) == len(nodes) })
		}
		for _, n := range nodes {
			for i := range count {
				for _, to := range nodes {
					n.Send(to.ID(), fmt.Append(nil, i))
				}
				if i%10 == 0 {
					n.Broadcast([]byte("all"))
				}
			}
			n.Send("nobody0000", []byte("lost"))
		}
		for _, n := range nodes { // only now: what came before was kept
			var mu sync.Mutex
			heard := map[string][]string{}
			n.Handle(func(from string, data []byte) {
				mu.Lock()
				defer mu.Unlock()
				heard[from] = append(heard[from], string(data))
			})
			for _, from := range nodes {
				var want []string
				for i := range count {
					want = append(want, strconv.Itoa(i))
					if i%10 == 0 && from != n {
						want = append(want, "all")
					}
				}
				within(t, "all messages are there", func() bool {
					mu.Lock()
					defer mu.Unlock()
					return len(heard[from.ID()]) >= len(want)
				})
				mu.Lock()
				if !slices.Equal(heard[from.ID()], want) {
					t.Errorf("heard %v", heard[from.ID()])
				}
				mu.Unlock()
			}
		}
	})
}

func TestPeers(t *testing.T) {
	everywhere(t, func(t *testing.T, nodes []Node) {
		ids := map[string]bool{}
		for i, n := range nodes {
			ids[n.ID()] = true
			if len(n.ID()) != 10 || strings.Trim(n.ID(), "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
				t.Errorf("a node is called %q", n.ID())
			}
			n.SetStatus(func() []byte { return fmt.Append(nil, "status ", i) })
		}
		if len(ids) != len(nodes) {
			t.Errorf("the IDs are %v", ids)
		}
		var mu sync.Mutex
		var now []Peer
		nodes[0].HandlePeers(func(p []Peer) {
			mu.Lock()
			defer mu.Unlock()
			now = p
		})
		told := func(count int) func() bool {
			return func() bool {
				mu.Lock()
				defer mu.Unlock()
				return len(now) == count
			}
		}
		within(t, "all are known", told(len(nodes)))
		for _, n := range nodes {
			within(t, "everybody's status is known", func() bool {
				list := n.Peers()
				for _, p := range list {
					i := slices.IndexFunc(nodes, func(n Node) bool { return n.ID() == p.ID })
					if i < 0 || p.Name == "" || p.Started.IsZero() || time.Since(p.Started) > time.Hour {
						t.Fatalf("a peer that is none: %+v", p)
					}
					if string(p.Status) != "status "+strconv.Itoa(i) {
						return false
					}
				}
				return len(list) == len(nodes) && slices.IsSortedFunc(list, func(a, b Peer) int { return strings.Compare(a.ID, b.ID) })
			})
		}
		if len(nodes) > 1 {
			nodes[1].Close()
			within(t, "one is gone", told(len(nodes)-1))
		}
	})
}

// TestCut cuts a node of a [Memory] off, which then knows and does nothing, and
// joins it again.
func TestCut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, m := t.Context(), NewMemory()
		a, b := m.Join("a"), m.Join("b")
		defer a.Close()
		defer b.Close()
		peers := func(n Node) int { synctest.Wait(); return len(n.Peers()) }
		var told watched
		must(t, b.Watch(ctx, Offers, told.tell))
		deleted, err := a.Create(ctx, Offers, "deleted", nil)
		must(t, err)
		updated, err := a.Create(ctx, Offers, "updated", []byte("1"))
		must(t, err)
		var heard []string
		b.Handle(func(_ string, data []byte) { heard = append(heard, string(data)) })

		m.Cut(b.ID())
		wants(t, b.Healthy(), ErrCut)
		must(t, a.Healthy())
		_, err = b.Append(ctx, "log", 0, nil)
		wants(t, err, ErrCut)
		must(t, a.Delete(ctx, Offers, "deleted", deleted))
		_, err = a.Update(ctx, Offers, "updated", []byte("2"), updated)
		must(t, err)
		_, err = a.Create(ctx, Offers, "created", []byte("3"))
		must(t, err)
		a.Send(b.ID(), []byte("lost"))
		time.Sleep(DeadAfter - BeatEvery)
		if peers(a) != 2 {
			t.Error("a peer that was silent for a moment is gone")
		}
		time.Sleep(2 * BeatEvery)
		if peers(a) != 1 || peers(b) != 1 {
			t.Errorf("who is cut off is still there: %d and %d peers", peers(a), peers(b))
		}
		if now := told.now(); !maps.Equal(now, map[string]string{"deleted": "", "updated": "1"}) {
			t.Errorf("who is cut off was told %v", now)
		}

		m.Mend(b.ID())
		must(t, b.Healthy())
		time.Sleep(BeatEvery)
		if peers(a) != 2 || peers(b) != 2 {
			t.Errorf("who was cut off is not back: %d and %d peers", peers(a), peers(b))
		}
		a.Send(b.ID(), []byte("heard"))
		synctest.Wait()
		if now := told.now(); !maps.Equal(now, map[string]string{"updated": "2", "created": "3"}) {
			t.Errorf("who was cut off was told %v", now)
		}
		if len(told.list()) != 5 {
			t.Errorf("something was told twice, or not: %v", told.list())
		}
		if !slices.Equal(heard, []string{"heard"}) {
			t.Errorf("heard %v", heard)
		}

		m.Cut(b.ID())
		b.Close()
		time.Sleep(DeadAfter - BeatEvery)
		if peers(a) != 2 {
			t.Error("a node that was killed said good-bye")
		}
	})
}

// TestMessagesAreBounded sends more messages than a node keeps before there is a
// handler.
func TestMessagesAreBounded(t *testing.T) {
	n := Alone()
	defer n.Close()
	for i := range maxWaiting + 10 {
		n.Send(n.ID(), fmt.Append(nil, i))
	}
	var heard atomic.Int64
	n.Handle(func(string, []byte) { heard.Add(1) })
	within(t, "all that was kept is heard", func() bool { return heard.Load() == maxWaiting })
	n.Send(n.ID(), nil)
	within(t, "a message after the rush is heard", func() bool { return heard.Load() == maxWaiting+1 })
}

// TestPeersOfOneThatWasStopped has a process stand still, with heartbeats that
// it has not read yet.
func TestPeersOfOneThatWasStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk()
		defer d.close()
		p := newPeers(d, "self", "")
		p.beat(Peer{ID: "other"})
		time.Sleep(time.Minute)
		p.silent()
		if len(p.all()) != 2 {
			t.Error("a peer is gone that nobody could have heard")
		}
		for range 3 {
			time.Sleep(BeatEvery)
			p.silent()
		}
		if len(p.all()) != 1 {
			t.Error("a peer is still there that nobody has heard")
		}
	})
}
