package election

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"broadside/internal/store"
)

// How nodes acquire and keep the lock.
const (
	// readEvery is also the pause between attempts to connect.
	readEvery   = 100 * time.Millisecond
	readTimeout = time.Second
	// statementTimeout limits other statements. It is longer than a write can hold the row.
	statementTimeout = 8 * time.Second
	// waiterPause is how long a node whose connection broke leaves the lock to its
	// previous holder, whose connection may have broken as well.
	waiterPause = 2 * time.Second
)

// State is a node's knowledge about which node is active.
type State struct {
	// Active is nil unless this node is the active node.
	Active *Active
	Epoch  int64
	// ActiveID is the active node's ID, or empty if none is known.
	ActiveID string
	// Err says why the database is unreachable. The other fields are then out of date.
	Err error
}

// Election tries to make this node the active node and reports which node is active. All
// methods may be called from any goroutine.
type Election struct {
	cfg     Config
	dial    dialLock
	cancel  context.CancelFunc
	workers sync.WaitGroup

	// active is owned by run. It is nil while this node is not active.
	active *Active
	// tryAfter is owned by run. A node that is not active tries the lock after this time.
	tryAfter time.Time

	// mu guards the fields below.
	mu    sync.Mutex
	state State
	// changed is closed when state changes.
	changed chan struct{}
}

// Start starts an election, which runs until [Election.Close]. It returns immediately, even if the database
// is unreachable.
func Start(cfg Config) *Election { return startElection(cfg, dialPostgres) }

func startElection(cfg Config, dial dialLock) *Election {
	ctx, cancel := context.WithCancel(context.Background())
	e := &Election{cfg: cfg.withDefaults(), dial: dial, cancel: cancel, changed: make(chan struct{})}
	e.workers.Go(func() { e.run(ctx) })
	return e
}

// Close gives up the lock if this node holds it, and waits until all goroutines have
// ended. An active node must first have stored all its changes.
func (e *Election) Close() {
	e.cancel()
	e.workers.Wait()
}

// State returns the current state, and a channel that is closed when the state changes.
func (e *Election) State() (State, <-chan struct{}) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.state, e.changed
}

func (e *Election) run(ctx context.Context) {
	defer e.endPeriod()
	for again := false; ctx.Err() == nil; {
		c, err := e.dial(ctx, e.cfg, &e.workers)
		if err == nil {
			if again {
				e.tryAfter = time.Now().Add(waiterPause * e.cfg.timeScale)
			}
			again = true
			err = e.competeForLock(ctx, c)
			if e.active != nil {
				e.active.forbidAnswers()
			}
			c.close()
		}
		if err != nil && ctx.Err() == nil {
			s, _ := e.State()
			s.Err = err
			e.setState(s)
			sleep(ctx, readEvery)
		}
	}
}

// competeForLock takes part in the election over one connection, until the connection breaks or this node
// gives up the lock, which ends with the connection. Each read of the row is also a ping.
func (e *Election) competeForLock(ctx context.Context, c lockConn) error {
	for holding := false; ; {
		if e.active != nil && (ctx.Err() != nil || e.active.ctx.Err() != nil) {
			// The period must end before another node can get the lock.
			e.endPeriod()
			if holding {
				return nil
			}
		}
		sent := time.Now()
		lookCtx, cancel := context.WithTimeout(ctx, readTimeout*e.cfg.timeScale)
		r, got, err := c.readRow(lookCtx, !holding && (e.active != nil || sent.After(e.tryAfter)))
		cancel()
		switch {
		case err != nil:
			return err
		case got:
			if err := e.claimEpoch(ctx, c); err != nil {
				return err
			}
			holding = true
			// The next reply allows this node to answer.
			continue
		case e.active != nil && r.token != e.active.currentFence().token: // another node has been active
			e.active.end()
			continue
		case holding:
			e.active.setFence(e.active.currentFence(), sent.Add(answerTime*e.cfg.timeScale))
		case e.active == nil && r.nodeID == e.cfg.NodeID:
			// The entry is from an earlier period of this node.
			r.nodeID = ""
		}
		e.setState(State{Active: e.active, Epoch: r.epoch, ActiveID: r.nodeID})
		if err := c.wait(ctx, readEvery); err != nil {
			return err
		}
	}
}

// claimEpoch starts an epoch after the node has acquired the lock. The node keeps its state if no other node
// has been active since.
func (e *Election) claimEpoch(ctx context.Context, c lockConn) error {
	ctx, cancel := context.WithTimeout(ctx, statementTimeout)
	defer cancel()
	var before fence
	if e.active != nil {
		before = e.active.currentFence()
	}
	f, resumed, err := c.raiseEpoch(ctx, before.token)
	if err != nil {
		return fmt.Errorf("become the active node: %w", err)
	}
	// Another node may still answer, so this one waits like any other.
	if e.active != nil && !resumed {
		e.endPeriod()
		return errors.New("another node has been active in the meantime")
	}
	if e.active == nil {
		e.active = newActive(f)
	}
	e.active.setFence(f, time.Time{})
	e.cfg.Log.Info("this node is the active node", "world", e.cfg.World, "epoch", f.epoch, "resumed", resumed)
	return nil
}

// endPeriod ends the period in which this node was active, if there is one.
func (e *Election) endPeriod() {
	if e.active == nil {
		return
	}
	e.active.end()
	e.active = nil
	e.cfg.Log.Info("this node is no longer the active node", "world", e.cfg.World)
	s, _ := e.State()
	s.Active, s.ActiveID = nil, ""
	e.setState(s)
}

// setState replaces the state.
func (e *Election) setState(s State) {
	e.mu.Lock()
	defer e.mu.Unlock()
	failed, failedBefore := s.Err != nil, e.state.Err != nil
	if failed && !failedBefore {
		e.cfg.Log.Warn("cannot reach the database, retrying", "world", e.cfg.World, "error", s.Err)
	} else if failedBefore && !failed {
		e.cfg.Log.Info("connected to the database again", "world", e.cfg.World)
	} else if s.Active == e.state.Active && s.Epoch == e.state.Epoch && s.ActiveID == e.state.ActiveID {
		return
	}
	e.state = s
	close(e.changed)
	e.changed = make(chan struct{})
}

func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// ErrFenced is returned for a write that the database refused because the node's epoch is
// over. No data was written. If [Active.Done] is not closed, the node may still resume
// its role, and the write can be repeated.
var ErrFenced = store.ErrFenced

// fence identifies an epoch. The database refuses a write under a fence once another epoch has started.
type fence struct {
	world string
	epoch int64
	// token is a UUID, because an epoch is not unique after a failover of the database.
	token string
}

// answerTime is how long the active node may answer after it has sent a ping that was answered. It is
// shorter than idleTimeout, which starts later.
const answerTime = 1500 * time.Millisecond

// Active is a period in which this node is the active node. It continues after an
// interrupted database connection if no other node has been active in the meantime. All
// methods may be called from any goroutine.
type Active struct {
	ctx context.Context
	end context.CancelFunc

	// mu guards the fields below.
	mu    sync.Mutex
	fence fence
	// answerUntil is when the node must stop answering. It is zero if the lock may be lost.
	answerUntil time.Time
}

func newActive(f fence) *Active {
	a := &Active{fence: f}
	a.ctx, a.end = context.WithCancel(context.Background())
	return a
}

// CanAnswer reports whether the node may answer, because no other node can be active. While it returns false
// and Done is not closed, the node keeps its state and waits for the database.
func (a *Active) CanAnswer() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.ctx.Err() == nil && time.Now().Before(a.answerUntil)
}

// forbidAnswers makes CanAnswer return false until the next call of setFence.
func (a *Active) forbidAnswers() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.answerUntil = time.Time{}
}

// Context returns a context that ends when the period is over.
func (a *Active) Context() context.Context { return a.ctx }

// Resign ends the period, so that another node can become active.
func (a *Active) Resign() { a.end() }

// Done returns a channel that is closed when the period is over. The node must then
// discard its state, because another node has loaded it or will load it.
func (a *Active) Done() <-chan struct{} { return a.ctx.Done() }

// Check returns an error unless the transaction may write. Call it before the first write. The transaction
// then delays the next active node until it ends, so it must be short, and its connection must set
// statement_timeout and idle_in_transaction_session_timeout. After [ErrFenced], roll back.
func (a *Active) Check(ctx context.Context, tx *sql.Tx) error {
	f := a.currentFence()
	var epoch int64
	err := tx.QueryRowContext(ctx, fenceSQL, f.world, f.epoch, f.token).Scan(&epoch)
	if errors.Is(err, sql.ErrNoRows) {
		a.handleRefusal(f)
		return ErrFenced
	}
	return err
}

func (a *Active) currentFence() fence {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.fence
}

// setFence changes the fence and the time until which the node may answer.
func (a *Active) setFence(f fence, until time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.fence, a.answerUntil = f, until
}

// handleRefusal ends the period after the database has refused a write under a fence, unless this node has
// started a newer epoch or may be about to.
func (a *Active) handleRefusal(f fence) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.fence == f && !a.answerUntil.IsZero() {
		a.end()
	}
}
