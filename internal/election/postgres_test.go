package election

import (
	"database/sql"
	"strings"
	"testing"

	"broadside/internal/test/must"
)

// slack is for tests in which no node may lose its role because the machine is busy.
const slack = 5

// lockSQL finds the session that holds the lock of the only world.
const lockSQL = " FROM pg_locks WHERE locktype = 'advisory' AND classid = 7411 AND objid = (SELECT id FROM world)"

// startNode starts an election of a node in the test's world.
func startNode(t testing.TB, dsn, address string) *Election {
	t.Helper()
	return startNodeWith(t, Config{DSN: dsn, NodeID: address})
}

func startNodeWith(t testing.TB, cfg Config) *Election {
	t.Helper()
	e := Start(cfg)
	t.Cleanup(e.Close)
	return e
}

// waitForActive waits until a node is active and may answer.
func waitForActive(t testing.TB, e *Election) *Active {
	t.Helper()
	waitUntilTrue(t, "for a node to become active", func() bool { a := currentState(e).Active; return a != nil && a.CanAnswer() })
	return currentState(e).Active
}

func currentState(e *Election) State {
	s, _ := e.State()
	return s
}

func isDone(a *Active) bool {
	select {
	case <-a.Done():
		return true
	default:
		return false
	}
}

func TestOneNodeIsActive(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	a := startNodeWith(t, Config{DSN: dsn, NodeID: "a:1", timeScale: slack})
	first := waitForActive(t, a)
	if f := first.currentFence(); f.epoch != 1 || f.world != "main" || f.token == "" {
		t.Errorf("fence %+v", f)
	}
	b := startNodeWith(t, Config{DSN: dsn, NodeID: "b:1", timeScale: slack})
	waitUntilTrue(t, "for b to see a", func() bool { return currentState(b).ActiveID == "a:1" && currentState(b).Epoch == 1 })
	if currentState(b).Active != nil {
		t.Error("two nodes are active")
	}

	a.Close()
	if first.CanAnswer() || !isDone(first) {
		t.Error("a node that has released the lock may answer")
	}
	second := waitForActive(t, b)
	if e := second.currentFence().epoch; e != 2 {
		t.Errorf("the second epoch is %d", e)
	}
	if got := queryDatabase(t, dsn, "SELECT address FROM world"); got != "b:1" {
		t.Errorf("the row has the address %q", got)
	}
}

func TestAnotherWorldHasItsOwnActiveNode(t *testing.T) {
	dsn := newDatabase(t)
	waitForActive(t, startNode(t, dsn, "a:1"))
	b := startNodeWith(t, Config{DSN: dsn, World: "second", NodeID: "b:1", timeScale: slack})
	if f := waitForActive(t, b).currentFence(); f.world != "second" || f.epoch != 1 {
		t.Errorf("fence %+v", f)
	}
}

func TestStoppedNodeMayNotAnswer(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	p, through := proxyToDatabase(t, dsn)
	a := startNode(t, through, "a:1")
	first := waitForActive(t, a)
	p.stall(true)
	waitUntilTrue(t, "for the period to become invalid", func() bool { return !first.CanAnswer() })
	waitUntilTrue(t, "for the connection to be given up", func() bool { return currentState(a).Err != nil })
	if isDone(first) {
		t.Error("the period has ended while no other node was active")
	}
	p.stall(false)
	waitUntilTrue(t, "for the node to resume", first.CanAnswer)
	if currentState(a).Active != first {
		t.Error("the node did not keep its state")
	}
	if e := first.currentFence().epoch; e < 2 {
		t.Errorf("resumed in epoch %d", e)
	}
}

func TestUnreachableDatabaseIsReported(t *testing.T) {
	e := startNode(t, "postgres://127.0.0.1:1/postgres?sslmode=disable", "a:1")
	waitUntilTrue(t, "for an error", func() bool { return currentState(e).Err != nil })
	if s := currentState(e); s.Active != nil || s.ActiveID != "" {
		t.Errorf("state %+v", s)
	}
}

func TestDatabaseThatOnlyReadsIsRefused(t *testing.T) {
	dsn := newDatabase(t) + "&default_transaction_read_only=on"
	e := startNode(t, dsn, "a:1")
	waitUntilTrue(t, "for an error", func() bool { return currentState(e).Err != nil })
	if !strings.Contains(currentState(e).Err.Error(), "read only") {
		t.Error(currentState(e).Err)
	}
}

// TestRefusedWriteEndsThePeriod checks the writes of a node whose epoch is over.
func TestRefusedWriteEndsThePeriod(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	p, through := proxyToDatabase(t, dsn)
	e := startNode(t, through, "a:1")
	first := waitForActive(t, e)
	db := must.Get(sql.Open("pgx", dsn))
	defer db.Close()
	check := func(a *Active) error {
		tx := must.Get(db.BeginTx(t.Context(), nil))
		defer tx.Rollback()
		return a.Check(t.Context(), tx)
	}
	// Another node raises the epoch before the active node notices.
	queryDatabase(t, dsn, "UPDATE world SET epoch = epoch + 1, token = gen_random_uuid()")
	if err := check(first); err != ErrFenced || first.CanAnswer() || !isDone(first) {
		t.Errorf("after a refused write, %v: valid %v, done %v", err, first.CanAnswer(), isDone(first))
	}
	waitUntilTrue(t, "for the next period", func() bool { a := currentState(e).Active; return a != nil && a != first && a.CanAnswer() })
	second := currentState(e).Active
	if err := check(second); err != nil || second.currentFence().epoch < 3 {
		t.Errorf("in the next period, with the fence %+v: %v", second.currentFence(), err)
	}
	// While its lock connection is being replaced, the node does not know whether it is still active. It
	// must not write, nor give up.
	p.stall(true)
	third := waitForActive(t, startNode(t, dsn, "b:1"))
	if err := check(third); err != nil {
		t.Errorf("the active node: %v", err)
	}
	if err := check(second); err != ErrFenced {
		t.Errorf("the former active node: %v", err)
	}
	p.stall(false)
	waitUntilTrue(t, "for the former active node to notice", func() bool { return isDone(second) })
}
