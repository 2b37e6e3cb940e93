package server

import (
	"cmp"
	"context"
	"encoding/json"

	"golang.org/x/crypto/ssh"

	"broadside/internal/access"
	"broadside/internal/cluster"
	"broadside/internal/control"
	"broadside/internal/metrics"
	"broadside/internal/session"
	"broadside/internal/store"
)

// node is this process as a node of a cluster.
type node struct {
	*cluster.Node
	service   *service
	frontends *frontends
	cfg       cluster.Config
}

// join makes this process a node of the cluster.
func (s *service) join(f *frontends) error {
	settings, err := cluster.TLSConfig(NodeKeys(s.keys)...)
	if err != nil {
		return err
	}
	n := &node{service: s, frontends: f, cfg: cluster.Config{
		DSN: s.cfg.Store, Address: s.cfg.Cluster, TLS: settings, Log: s.log, Stored: s.meter.Journaled,
		Status: func() json.RawMessage {
			b, _ := json.Marshal(s.describe()) // cannot fail: only strings and numbers
			return b
		},
	}}
	n.Node = cluster.Join(cluster.NodeConfig{
		Config: n.cfg,
		Open:   n.open,
		Pause:  s.cfg.Pause,
	})
	s.node, s.host = n, n.Gateway()
	return nil
}

// internalKeys returns the public keys of the internal port, or none for a single server.
func (s *service) internalKeys() (public []ssh.PublicKey, err error) {
	if !s.cfg.Clustered() {
		return nil, nil
	}
	keys, err := cluster.InternalKeys(NodeKeys(s.keys)...)
	for _, k := range keys {
		p, wrong := ssh.NewPublicKey(k.Public())
		public, err = append(public, p), cmp.Or(err, wrong)
	}
	return public, err
}

// period is the lobby of all nodes while this node is active.
type period struct {
	*session.Lobby
	service *service
	journal *cluster.Journal
	store   *store.Store
}

// open begins a period by rebuilding the lobby from the store and the journal.
func (n *node) open(ctx context.Context, a *cluster.Active) (_ cluster.Period, err error) {
	s := n.service
	p := &period{service: s, journal: cluster.OpenJournal(n.cfg, a)}
	defer func() {
		if err != nil {
			p.close()
		}
	}()
	p.store, err = store.Open(ctx, store.Config{URL: s.cfg.Store, Fence: a, Journal: p.journal, Log: s.log, Wrote: s.meter.Wrote})
	if err != nil {
		return nil, err
	}
	// Operators' changes are written to the active node's store. The frontends of all nodes
	// read them from there.
	policy, err := access.Open(ctx, access.Config{Store: p.store, Admins: n.frontends.admins, Log: s.log})
	if err != nil {
		return nil, err
	}
	p.Lobby, err = s.openLobby(ctx, p.store, &connections{Policy: policy, front: n.frontends.front, relay: n.frontends.wire})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Close implements [cluster.Period].
func (p *period) Close(keep bool) {
	if current := p.service.lobby(); keep {
		// Matches stay in the journal, so that the next active node can continue them.
		over, cancel := context.WithCancel(context.Background())
		cancel()
		current.Drain(over)
	}
	p.service.closeLobby()
	p.close()
}

// close closes the store and the journal.
func (p *period) close() {
	if p.store != nil {
		if err := p.store.Close(); err != nil {
			p.service.log.Error("cannot close the database properly", "error", err)
		}
	}
	p.journal.Close()
}

// others returns the last known status of the other nodes.
func (n *node) others() (all []control.Node) {
	for _, info := range n.Gateway().Nodes() {
		var c control.Node
		if json.Unmarshal(info.Status, &c) == nil && c.ID != n.service.self.ID {
			c.Active = c.Active && n.service.lobby() == nil // the status may be older than this node's period
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

// report returns this node's information about all nodes.
func (n *node) report() control.Report {
	own := n.service.describe()
	if err := n.Gateway().Err(); err != nil {
		own.Trouble = err.Error()
	} else if n.State().Err != nil {
		own.Trouble = "the database cannot be reached"
	}
	return control.NewReport(n.State().Epoch, own, n.others())
}

// part describes this node for metrics.
func (n *node) part() metrics.Node {
	return metrics.Node{
		Known: len(n.others()) + 1, Connected: n.Gateway().Err() == nil, Active: n.service.lobby() != nil, Epoch: n.State().Epoch, Sessions: n.Sessions(),
	}
}
