package main

import (
	"context"
	"encoding/json"
	"errors"

	"broadside/control"
	"broadside/internal/cluster"
	"broadside/lobby/store"
	"broadside/metrics"
)

// node is this process's part in a cluster.
type node struct {
	*cluster.Node
	service *service
	cfg     cluster.Config
}

// join makes this process a node.
func (s *service) join() error {
	settings, err := cluster.TLSConfig(nodeKeys(s.keys)...)
	if err != nil {
		return err
	}
	n := &node{service: s, cfg: cluster.Config{DSN: s.cfg.store, Address: s.cfg.cluster, TLS: settings, Log: s.log, Stored: s.meter.Journaled}}
	n.Node = cluster.Join(cluster.NodeConfig{
		Config: n.cfg,
		Open:   n.open,
		Status: func() json.RawMessage {
			b, _ := json.Marshal(s.describe()) // texts and numbers
			return b
		},
		Pause: s.cfg.pause,
	})
	s.node = n
	return nil
}

// period is what serves the sessions of all nodes while this one is active.
type period struct {
	cluster.Handler
	service *service
	journal *cluster.Journal
	store   *store.Store
}

// open begins a period: the lobby is rebuilt from the store and the journal.
func (n *node) open(ctx context.Context, a *cluster.Active) (cluster.Period, error) {
	s := n.service
	p := &period{service: s, journal: cluster.OpenJournal(n.cfg, a)}
	var err error
	p.store, err = store.Open(ctx, store.Config{URL: s.cfg.store, Fence: a, Journal: p.journal, Log: s.log, Wrote: s.meter.Wrote})
	if err == nil {
		if _, err = s.openLobby(ctx, p.store); err != nil {
			err = errors.Join(err, p.store.Close())
		}
	}
	if err != nil {
		p.journal.Close()
		return nil, err
	}
	return p, nil
}

// Close implements [cluster.Period].
func (p *period) Close(keep bool) {
	if hall := p.service.lobby(); keep {
		// Matches stay in the journal, from which the next active node continues them.
		over, cancel := context.WithCancel(context.Background())
		cancel()
		hall.Drain(over)
	}
	p.service.closeLobby()
	if err := p.store.Close(); err != nil {
		p.service.log.Error("the database was not closed properly", "error", err)
	}
	p.journal.Close()
}

// others returns the other nodes, as last known.
func (n *node) others() (all []control.Node) {
	_, known := n.Nodes()
	for _, info := range known {
		var c control.Node
		if json.Unmarshal(info.Status, &c) == nil && c.ID != n.service.self.ID {
			all = append(all, c)
		}
	}
	return all
}

// hasOthers reports whether another node can take over.
func (n *node) hasOthers() bool {
	for _, o := range n.others() {
		if !o.Draining {
			return true
		}
	}
	return false
}

// report returns what this node knows about all nodes.
func (n *node) report() control.Report {
	return control.NewReport(n.State().Epoch, n.service.describe(), n.others())
}

// part describes this node for metrics.
func (n *node) part() metrics.Node {
	return metrics.Node{
		Known: len(n.others()) + 1, Connected: n.Gateway().Err() == nil, Active: n.service.lobby() != nil, Epoch: n.State().Epoch, Sessions: n.Sessions(),
	}
}
