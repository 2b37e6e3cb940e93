package server

import (
	"cmp"
	"context"
	"log/slog"
	"net"
	"net/netip"
	"sync/atomic"
	"time"

	"broadside/internal/election"
	"broadside/internal/store"
)

// reportEvery is how often a node reports.
const reportEvery = 2 * time.Second

// registry reports this node to the others and knows what they have reported.
type registry struct {
	list     *store.Nodes
	describe func() store.Node // must not block
	log      *slog.Logger
	peers    atomic.Pointer[map[netip.Addr]bool]
}

// run reports until ctx ends, and tells the forwarder which node is active.
func (r *registry) run(ctx context.Context, e *election.Election, forward *election.Forwarder) {
	tick := time.NewTicker(reportEvery)
	defer tick.Stop()
	for ctx.Err() == nil {
		state, changed := e.State()
		if err := r.exchange(ctx, state.Address, forward); err != nil {
			r.log.Debug("cannot exchange reports with other nodes", "error", err)
		}
		select {
		case <-changed:
		case <-tick.C:
		case <-ctx.Done():
		}
	}
	leaving, cancel := context.WithTimeout(context.WithoutCancel(ctx), reportEvery)
	defer cancel()
	if err := r.list.Remove(leaving, r.describe().ID); err != nil {
		r.log.Debug("cannot remove this node from the list", "error", err)
	}
}

// exchange reports this node, reads the other reports and follows the active node, which has
// an ID.
func (r *registry) exchange(ctx context.Context, active string, forward *election.Forwarder) error {
	ctx, cancel := context.WithTimeout(ctx, reportEvery)
	defer cancel()
	self := r.describe()
	if err := r.list.Report(ctx, self); err != nil {
		return err
	}
	all, err := r.list.List(ctx)
	if err != nil {
		return err
	}
	peers := map[netip.Addr]bool{}
	followed := store.Node{}
	for _, n := range all {
		if n.Gone || n.ID == self.ID {
			continue
		}
		if n.ID == active {
			followed = n
		}
		for _, address := range n.Addresses {
			host, _, _ := net.SplitHostPort(address)
			ips, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
			if err != nil {
				r.log.Warn("cannot find the address of a node", "node", n.Name, "address", address, "error", err)
			}
			for _, ip := range ips {
				peers[ip.Unmap()] = true
			}
		}
	}
	r.peers.Store(&peers)
	forward.Follow(followed.ID, followed.Addresses)
	return nil
}

// isPeer reports whether another node has an address.
func (r *registry) isPeer(a netip.Addr) bool {
	peers := r.peers.Load()
	return peers != nil && (*peers)[a]
}

// List implements [command.Nodes]. A server that uses SQLite is the only node.
func (s *service) List(ctx context.Context) ([]store.Node, error) {
	if s.registry == nil {
		return []store.Node{s.describe()}, nil
	}
	return s.registry.list.List(ctx)
}

// Worlds implements [command.Nodes].
func (s *service) Worlds(ctx context.Context) ([]store.World, error) {
	if s.registry == nil {
		n := s.describe()
		return []store.World{{Name: n.World, Addresses: []string{cmp.Or(n.Public, n.Addresses["ssh"])}, Active: true, People: n.People}}, nil
	}
	return s.registry.list.Worlds(ctx)
}
