package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"broadside/internal/test/servers"
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
	t.Helper()
	ln, err := servers.Listen()
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
