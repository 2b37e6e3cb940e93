package election

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// fakeDatabase behaves like PostgreSQL with the settings of lock connections, in
// the time of the test.
type fakeDatabase struct {
	mu     sync.Mutex
	row    worldRow
	down   bool
	holder *fakeConn
	conns  map[*fakeConn]bool
}

var errBroken = errors.New("connection broken")

// fakeNode is a node's way to the database.
type fakeNode struct {
	db      *fakeDatabase
	address string
	// Guarded by db.mu.
	unreachable bool // nothing gets through, without an error
	deaf        bool // the node reaches the database, but gets no answers
	refused     bool // connecting fails
}

// fakeConn implements [lockConn].
type fakeConn struct {
	node   *fakeNode
	broken chan struct{}
	idle   *time.Timer
}

func (n *fakeNode) dial(ctx context.Context, _ Config, _ *sync.WaitGroup) (lockConn, error) {
	c := &fakeConn{node: n, broken: make(chan struct{})}
	n.db.mu.Lock()
	defer n.db.mu.Unlock()
	if n.db.down || n.refused {
		return nil, errBroken
	}
	if n.unreachable || n.deaf {
		n.db.mu.Unlock()
		select {
		case <-time.After(connectTimeout):
		case <-ctx.Done():
		}
		n.db.mu.Lock()
		return nil, context.DeadlineExceeded
	}
	n.db.conns[c] = true
	c.idle = time.AfterFunc(idleTimeout, c.drop)
	return c, nil
}

// drop ends the session on the side of the database.
func (c *fakeConn) drop() {
	db := c.node.db
	db.mu.Lock()
	defer db.mu.Unlock()
	c.dropLocked()
}

func (c *fakeConn) dropLocked() {
	db := c.node.db
	if !db.conns[c] {
		return
	}
	delete(db.conns, c)
	c.idle.Stop()
	if db.holder == c {
		db.holder = nil
	}
	if !c.node.unreachable && !c.node.deaf {
		close(c.broken)
	}
}

// request executes f in the database and returns when the answer arrives.
func (c *fakeConn) request(ctx context.Context, f func(*fakeDatabase)) error {
	db := c.node.db
	db.mu.Lock()
	answered := false
	if !c.node.unreachable {
		if !db.conns[c] {
			db.mu.Unlock()
			return errBroken
		}
		c.idle.Reset(idleTimeout)
		f(db)
		answered = !c.node.deaf
	}
	db.mu.Unlock()
	if answered {
		time.Sleep(time.Millisecond)
		return ctx.Err()
	}
	select {
	case <-c.broken:
		return errBroken
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *fakeConn) readRow(ctx context.Context, try bool) (r worldRow, got bool, err error) {
	err = c.request(ctx, func(db *fakeDatabase) {
		if try && db.holder == nil {
			db.holder, got = c, true
		}
		r = db.row
	})
	return r, got, err
}

func (c *fakeConn) raiseEpoch(ctx context.Context, token string) (f fence, resumed bool, err error) {
	err = c.request(ctx, func(db *fakeDatabase) {
		if db.holder != c {
			panic("raised without the lock")
		}
		resumed = token == db.row.token
		db.row.epoch++
		db.row.token = fmt.Sprint("token", db.row.epoch)
		db.row.nodeID = c.node.address
		f = fence{epoch: db.row.epoch, token: db.row.token}
	})
	return f, resumed, err
}

func (c *fakeConn) wait(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	case <-c.broken:
		return errBroken
	}
	return nil
}

func (c *fakeConn) close() {
	c.node.db.mu.Lock()
	reachable := !c.node.unreachable
	c.node.db.mu.Unlock()
	if reachable {
		c.drop()
	}
}

// crash ends all sessions. The database accepts none until it is up again.
func (db *fakeDatabase) crash() {
	db.mu.Lock()
	defer db.mu.Unlock()
	db.down = true
	for c := range db.conns {
		c.dropLocked()
	}
}

func (db *fakeDatabase) set(f func()) {
	db.mu.Lock()
	defer db.mu.Unlock()
	f()
}

// startFakeNodes starts elections of several nodes. The first one becomes active.
func startFakeNodes(t *testing.T, n int) (*fakeDatabase, []*fakeNode, []*Election) {
	t.Helper()
	db := &fakeDatabase{conns: map[*fakeConn]bool{}, row: worldRow{token: "token0"}}
	var nodes []*fakeNode
	var elections []*Election
	for i := range n {
		node := &fakeNode{db: db, address: fmt.Sprint("node", i)}
		e := startElection(Config{NodeID: node.address, World: "main"}, node.dial)
		t.Cleanup(e.Close)
		nodes, elections = append(nodes, node), append(elections, e)
		time.Sleep(10 * time.Millisecond)
	}
	if a := currentState(elections[0]).Active; a == nil || !a.CanAnswer() {
		t.Fatal("the first node is not active")
	}
	return db, nodes, elections
}

func canAnswer(e *Election) bool { a := currentState(e).Active; return a != nil && a.CanAnswer() }

// waitUntil waits in the time of the test and returns how long it took.
func waitUntil(t *testing.T, what string, ok func() bool) time.Duration {
	t.Helper()
	began := time.Now()
	for !ok() {
		if time.Since(began) > time.Minute {
			t.Fatalf("after a minute: %s", what)
		}
		time.Sleep(time.Millisecond)
	}
	return time.Since(began)
}

func TestFailoverTimes(t *testing.T) {
	for _, c := range []struct {
		name string
		lose func(*fakeDatabase, *fakeNode)
		max  time.Duration
	}{
		{"killed", func(db *fakeDatabase, n *fakeNode) { db.down = false; n.unreachable = true; db.holder.dropLocked() }, readEvery + 5*time.Millisecond},
		{"cut off", func(_ *fakeDatabase, n *fakeNode) { n.unreachable = true }, idleTimeout + readEvery + 5*time.Millisecond},
		{"deaf", func(_ *fakeDatabase, n *fakeNode) { n.deaf = true }, idleTimeout + readEvery + readEvery + 5*time.Millisecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				db, nodes, elections := startFakeNodes(t, 2)
				time.Sleep(3333 * time.Millisecond)
				first := currentState(elections[0]).Active
				db.set(func() { c.lose(db, nodes[0]) })
				if c.name != "killed" { // then it does not matter what the node believes
					took := waitUntil(t, "the former active node may answer", func() bool {
						if canAnswer(elections[1]) && first.CanAnswer() {
							t.Fatal("two nodes may answer")
						}
						return !first.CanAnswer()
					})
					if took > answerTime {
						t.Errorf("the former active node may answer for %v", took)
					}
					c.max -= took
				}
				if took := waitUntil(t, "nobody is active", func() bool { return canAnswer(elections[1]) }); took > c.max {
					t.Errorf("failover after %v, not %v", took, c.max)
				}
				db.set(func() { nodes[0].unreachable, nodes[0].deaf = false, false })
				waitUntil(t, "the former active node has not noticed", func() bool {
					return currentState(elections[0]).Active == nil && currentState(elections[0]).ActiveID == "node1"
				})
				if !isDone(first) {
					t.Error("its period has not ended")
				}
			})
		})
	}
}

func TestWaitersLeaveTheLockToItsHolderAfterARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db, nodes, elections := startFakeNodes(t, 3)
		first := currentState(elections[0]).Active
		db.crash()
		db.set(func() { nodes[0].refused = true })
		time.Sleep(10 * time.Second)
		if first.CanAnswer() || isDone(first) || currentState(elections[0]).Active != first {
			t.Error("without the database, a node must keep its state and may not answer")
		}
		db.set(func() { db.down = false })
		time.Sleep(waiterPause - time.Second) // the holder comes back later than the others
		db.set(func() { nodes[0].refused = false })
		waitUntil(t, "nobody is active", func() bool {
			if canAnswer(elections[1]) || canAnswer(elections[2]) {
				t.Fatal("another node took the lock")
			}
			return first.CanAnswer()
		})
		if f := first.currentFence(); f.epoch != 2 || f.token != "token2" {
			t.Errorf("resumed with %+v", f)
		}
		db.crash()
		elections[0].Close()
		db.set(func() { db.down = false })
		if took := waitUntil(t, "nobody is active", func() bool { return canAnswer(elections[1]) || canAnswer(elections[2]) }); took < waiterPause {
			t.Errorf("a waiter took the lock %v after the restart", took)
		}
	})
}

func TestClosedElectionHandsOverAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, _, elections := startFakeNodes(t, 2)
		first := currentState(elections[0]).Active
		time.Sleep(time.Second + 13*time.Millisecond)
		began := time.Now()
		elections[0].Close()
		if first.CanAnswer() || !isDone(first) {
			t.Error("the period goes on")
		}
		waitUntil(t, "nobody is active", func() bool { return canAnswer(elections[1]) })
		if took := time.Since(began); took > 3*readEvery {
			t.Errorf("the handover took %v", took)
		}
	})
}

func TestElectionClosesWithoutTheDatabase(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db, _, elections := startFakeNodes(t, 1)
		first := currentState(elections[0]).Active
		db.crash()
		time.Sleep(time.Second)
		elections[0].Close()
		<-first.Done()
	})
}

func TestStateChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db, _, elections := startFakeNodes(t, 1)
		s, changed := elections[0].State()
		if s.Epoch != 1 || s.ActiveID != "node0" {
			t.Errorf("first %+v", s)
		}
		time.Sleep(time.Minute)
		select {
		case <-changed:
			t.Error("reported a change when nothing had changed")
		default:
		}
		db.crash()
		<-changed
		if s, changed = elections[0].State(); s.Err == nil || s.Active == nil {
			t.Errorf("without the database %+v", s)
		}
		db.set(func() { db.down = false })
		<-changed
		if s, _ = elections[0].State(); s.Epoch != 2 || s.Err != nil {
			t.Errorf("then %+v", s)
		}
	})
}

// TestNeverTwoActiveNodes breaks everything at random for hours of the test's time.
func TestNeverTwoActiveNodes(t *testing.T) {
	for seed := range uint64(6) {
		synctest.Test(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 1))
			db, nodes, elections := startFakeNodes(t, 3)
			active, changes := map[*Active]int{}, 0
			for end := time.Now().Add(10 * time.Minute); time.Now().Before(end); time.Sleep(time.Duration(rng.Int64N(int64(30 * time.Millisecond)))) {
				if n := rng.IntN(300); n < len(nodes) {
					db.set(func() {
						nodes[n].unreachable, nodes[n].deaf = rng.IntN(4) == 0, rng.IntN(4) == 0
						if c := db.holder; c != nil && rng.IntN(6) == 0 && !c.node.unreachable && !c.node.deaf {
							c.dropLocked() // as an administrator can
						}
					})
					time.Sleep(2 * time.Millisecond) // until the node notices
				} else if n == 99 {
					db.crash()
				} else if n > 280 {
					db.set(func() { db.down = false })
				}
				synctest.Wait()
				var now []*Active
				for i, e := range elections {
					a := currentState(e).Active
					if a == nil {
						continue
					}
					if other, ok := active[a]; ok && other != i {
						t.Fatal("two nodes share a period")
					} else if !ok {
						active[a], changes = i, changes+1
					}
					if a.CanAnswer() {
						now = append(now, a)
					}
				}
				if len(now) > 1 {
					t.Fatalf("seed %d: two nodes may answer, with the fences %+v and %+v", seed, now[0].currentFence(), now[1].currentFence())
				}
			}
			if changes < 3 {
				t.Errorf("seed %d: only %d periods", seed, changes)
			}
			db.set(func() {
				db.down = false
				for _, n := range nodes {
					n.unreachable, n.deaf = false, false
				}
			})
			waitUntil(t, "nobody is active", func() bool { return canAnswer(elections[0]) || canAnswer(elections[1]) || canAnswer(elections[2]) })
		})
	}
}
