package server

import (
	"context"
	"fmt"
	"sync"

	"broadside/internal/election"
	"broadside/internal/metrics"
	"broadside/internal/store"
)

// node is this process as the active node.
type node struct {
	election  *election.Election
	active    *election.Active
	journal   *election.Journal
	stop      context.CancelFunc // ends reporting
	reporting sync.WaitGroup
}

// lead waits until this process is the active node, and opens the store for it.
func (s *service) lead(ctx context.Context) error {
	if err := store.Upgrade(ctx, s.cfg.Store); err != nil {
		return err
	}
	list, err := store.OpenNodes(s.cfg.Store)
	if err != nil {
		return err
	}
	s.registry, s.forward = &registry{list: list, describe: s.describe, log: s.log}, election.NewForwarder(s.log)
	cfg := election.Config{DSN: s.cfg.Store, Address: s.self.ID, Log: s.log, Stored: s.meter.Journaled}
	n := &node{election: election.Elect(cfg)}
	reporting, stop := context.WithCancel(context.Background())
	n.stop = stop
	n.reporting.Go(func() { s.registry.run(reporting, n.election, s.forward) })
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
	s.store, err = store.Open(ctx, store.Config{URL: s.cfg.Store, Fence: n.active, Journal: n.journal, Log: s.log, Wrote: s.meter.Wrote})
	return err
}

// close gives up the role of the active node.
func (n *node) close() {
	n.stop()
	n.reporting.Wait()
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
