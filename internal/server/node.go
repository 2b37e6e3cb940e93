package server

import (
	"context"
	"fmt"

	"broadside/internal/election"
	"broadside/internal/metrics"
	"broadside/internal/store"
)

// node is this process as the active node.
type node struct {
	election *election.Election
	active   *election.Active
	journal  *election.Journal
}

// lead waits until this process is the active node, and opens the store for it.
func (s *service) lead(ctx context.Context) error {
	cfg := election.Config{DSN: s.cfg.Store, Address: s.cfg.Cluster, Log: s.log, Stored: s.meter.Journaled}
	n := &node{election: election.Elect(cfg)}
	s.node = n
	for n.active == nil {
		state, changed := n.election.State()
		if n.active = state.Active; n.active != nil {
			break
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("waiting to become the active node: %w", ctx.Err())
		}
	}
	n.journal = election.OpenJournal(cfg, n.active)
	var err error
	s.store, err = store.Open(ctx, store.Config{URL: s.cfg.Store, Fence: n.active, Journal: n.journal, Log: s.log, Wrote: s.meter.Wrote})
	return err
}

// close gives up the role of the active node.
func (n *node) close() {
	if n.journal != nil {
		n.journal.Close()
	}
	n.election.Close()
}

// part describes this node for metrics.
func (n *node) part() metrics.Node {
	state, _ := n.election.State()
	return metrics.Node{Known: 1, Connected: state.Err == nil, Active: n.active != nil, Epoch: state.Epoch}
}
