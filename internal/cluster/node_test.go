package cluster

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"sync"
	"testing"
	"time"
)

// period counts the calls of the node. Sessions are those of [active].
type period struct {
	*active
	mu   sync.Mutex
	kept []bool // of each Close
}

func (p *period) Close(keep bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kept = append(p.kept, keep)
}

func (p *period) closes() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return fmt.Sprint(p.kept)
}

// testNode is a node of a test and its periods as the active node.
type testNode struct {
	*Node
	mu      sync.Mutex
	periods []*period
}

func (n *testNode) count() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return len(n.periods)
}

func join(t *testing.T, dsn, name string, opens func() error) *testNode {
	return joinFor(t, dsn, name, 0, opens)
}

// joinFor is like join, for a node that waits some time for the database.
func joinFor(t *testing.T, dsn, name string, pause time.Duration, opens func() error) *testNode {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ln.Close()
	n := &testNode{}
	n.Node = Join(NodeConfig{
		Config: Config{
			DSN: dsn, Address: ln.Addr().String(), TLS: testTLS(t, 'k'), slack: slack,
			Status: func() json.RawMessage { return json.RawMessage(`"` + name + `"`) },
		},
		Open: func(context.Context, *Active) (Period, error) {
			if err := opens(); err != nil {
				return nil, err
			}
			p := &period{active: &active{sources: map[string]*fakeSession{}}}
			n.mu.Lock()
			defer n.mu.Unlock()
			n.periods = append(n.periods, p)
			return p, nil
		},
		Pause: pause,
	})
	t.Cleanup(n.Close)
	return n
}

// TestNode checks that both nodes serve sessions through the active node. When that node is
// released, the other one takes over, and sessions at both nodes continue.
func TestNode(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	fine := func() error { return nil }
	one := join(t, dsn, "one", fine)
	until(t, "for the first node", func() bool { return one.Ready() == nil })
	two := join(t, dsn, "two", fine)
	until(t, "for the second node", func() bool { return two.Ready() == nil })
	for _, n := range []*testNode{one, two} {
		until(t, "for both nodes to be known", func() bool {
			id, all := hex.EncodeToString(n.Gateway().id), n.Gateway().Nodes()
			return id != "" && len(all) == 2 && len(all[0].Status) > 0 && string(all[0].Status) != string(all[1].Status)
		})
	}
	var sessions []*remote
	for _, n := range []*testNode{one, two} {
		sessions = append(sessions, open(t, n.Gateway(), fmt.Sprint("session at ", len(sessions))))
	}
	if one.count() != 1 || two.count() != 0 {
		t.Fatalf("the nodes were active %d and %d times", one.count(), two.count())
	}

	// The connection to the database has failed for a moment.
	s := one.State()
	s.Err = errors.New("failed")
	one.election.report(s)
	one.Release()
	if got := one.periods[0].closes(); got != "[true]" {
		t.Errorf("the period of the released node was closed with %s", got)
	}
	for i, r := range sessions {
		do(t, r, fmt.Sprint("action ", i))
	}
	if one.count() != 1 || two.count() != 1 || one.Ready() != nil || two.Ready() != nil {
		t.Errorf("after the release: active %d and %d times, %v, %v", one.count(), two.count(), one.Ready(), two.Ready())
	}

	// A node whose epoch is over discards its state.
	query(t, dsn, "UPDATE world SET token = gen_random_uuid(), epoch = epoch + 1")
	until(t, "for the end of the second period", func() bool { return two.periods[0].closes() != "[]" })
	if got := two.periods[0].closes(); got != "[false]" {
		t.Errorf("the lost period was closed with %s", got)
	}
	until(t, "for the next period", func() bool { return two.count() == 2 && sessions[0].isAttached() })
}

// TestNodeThatCannotLead checks that a node that cannot open the lobby leaves the active
// role to another.
func TestNodeThatCannotLead(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	one := join(t, dsn, "one", func() error { return fmt.Errorf("the disk is full") })
	if err := one.Ready(); err == nil {
		t.Error("a node is ready without an active node")
	}
	until(t, "for an epoch", func() bool { return one.State().Epoch > 0 })
	two := join(t, dsn, "two", func() error { return nil })
	until(t, "for both to be ready", func() bool { return one.Ready() == nil && two.Ready() == nil })
	if one.count() != 0 || two.count() != 1 {
		t.Errorf("the nodes were active %d and %d times", one.count(), two.count())
	}
}

// TestPause checks that, while the database is unreachable, the active node keeps its
// sessions for the time of Pause. Then it ends the period and the sessions. When the
// database is back, it opens a new period.
func TestPause(t *testing.T) {
	t.Parallel()
	database, dsn := proxyToDatabase(t, newDatabase(t))
	n := joinFor(t, dsn, "one", 4*time.Second, func() error { return nil })
	until(t, "for the node", func() bool { return n.Ready() == nil })
	s := open(t, n.Gateway(), "ann")
	database.stall(true, true)
	until(t, "for the outage to be noticed", func() bool { return n.State().Err != nil })
	lost := n.State().Lost
	if ready, failed := n.Ready(), s.failed(); (ready != nil || failed != nil) && time.Since(lost) < 4*time.Second {
		t.Errorf("paused: %v, %v", ready, failed)
	}
	<-s.done
	if waited := time.Since(lost); waited < 4*time.Second {
		t.Errorf("the session ended after %v", waited)
	}
	if s.failed() != errRest {
		t.Errorf("the session ended: %v", s.failed())
	}
	if n.Ready() == nil || n.periods[0].closes() != "[false]" {
		t.Errorf("after the pause: %v, %s", n.Ready(), n.periods[0].closes())
	}
	database.stall(false, false)
	until(t, "for the next period", func() bool { return n.count() == 2 && n.Ready() == nil })
}
