package server

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"

	"broadside/internal/election"
	"broadside/internal/store"
)

// reportEvery is how often a node reports.
const reportEvery = 2 * time.Second

// retryEvery is how often a node reports while the active node does not know it. It is short, because
// clients that have connected are waiting.
const retryEvery = 200 * time.Millisecond

var errUnknown = errors.New("the active node does not know this node yet")

// registry reports this node to the others and knows what they have reported.
type registry struct {
	nodes *store.Nodes
	// host is where other nodes reach this one, or empty if it is unknown. Only run uses it.
	host string
	// describeNode must not block.
	describeNode func(host string) store.Node
	log          *slog.Logger
	// joined is the time of the first report by the database's clock. Only run uses it.
	joined time.Time

	mu sync.Mutex
	// peers are the other nodes that report, and addrs their addresses. Both are guarded by mu.
	peers []store.Node
	addrs map[netip.Addr]bool
}

// run reports until ctx ends, and tells the forwarder which node is active.
func (r *registry) run(ctx context.Context, e *election.Election, forward *election.Forwarder) {
	for ctx.Err() == nil {
		state, changed := e.State()
		pause := reportEvery
		err := r.exchangeReports(ctx, state.ActiveID, forward)
		if errors.Is(err, errUnknown) {
			pause = retryEvery
		} else if err != nil {
			r.log.Debug("cannot exchange reports with other nodes", "error", err)
		}
		select {
		case <-changed:
		case <-time.After(pause):
		case <-ctx.Done():
		}
	}
	leaving, cancel := context.WithTimeout(context.WithoutCancel(ctx), reportEvery)
	defer cancel()
	if err := r.nodes.Remove(leaving, r.describeNode(r.host).ID); err != nil {
		r.log.Debug("cannot remove this node from the list", "error", err)
	}
}

// exchangeReports reports this node, reads the other reports, and makes the forwarder use the active node,
// whose ID is active, once that node knows this one.
func (r *registry) exchangeReports(ctx context.Context, active string, forward *election.Forwarder) error {
	ctx, cancel := context.WithTimeout(ctx, reportEvery)
	defer cancel()
	if r.host == "" {
		host, err := r.nodes.OwnAddress(ctx)
		if err != nil {
			return err
		}
		r.host = host
	}
	self := r.describeNode(r.host)
	if err := r.nodes.Report(ctx, self); err != nil {
		return err
	}
	all, err := r.nodes.List(ctx)
	if err != nil {
		return err
	}
	var peers []store.Node
	var followed store.Node
	addrs := map[netip.Addr]bool{}
	for _, n := range all {
		if n.ID == self.ID && r.joined.IsZero() {
			r.joined = n.Seen
		}
		if n.Gone || n.ID == self.ID {
			continue
		}
		peers = append(peers, n)
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
				addrs[ip.Unmap()] = true
			}
		}
	}
	r.mu.Lock()
	r.peers, r.addrs = peers, addrs
	r.mu.Unlock()
	if followed.ID != "" && !followed.Seen.After(r.joined) {
		return errUnknown
	}
	forward.SetActive(followed.ID, followed.Addresses)
	return nil
}

func (r *registry) isPeer(a netip.Addr) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.addrs[a]
}

// peerNodes returns the other nodes, including those of other worlds.
func (r *registry) peerNodes() []store.Node {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.peers
}

// hasStandby reports whether another node of this world can become active.
func (r *registry) hasStandby() bool {
	world := r.describeNode("").World
	return slices.ContainsFunc(r.peerNodes(), func(n store.Node) bool { return n.World == world && !n.Draining })
}

// describeNode returns this node's report. host is where other nodes reach it. If it is empty, they use the
// addresses at which it listens.
func (s *Server) describeNode(host string) store.Node {
	n, now := s.self, s.metricsSnapshot()
	n.Active, n.Draining, n.HostKey = now.Active, s.isStopping(), s.Fingerprint()
	n.Connections, n.Sessions, n.Programs = now.Connections, now.Sessions, now.Programs
	n.People, n.Waiting = now.Lobby.Sessions, now.Lobby.WaitingPlayers
	n.Matches, n.Spectators = now.Lobby.RunningMatches, now.Lobby.Spectators
	n.Addresses = map[string]string{"ssh": s.SSHAddr().String(), "relay": s.RelayAddr().String()}
	web := s.WebAddr()
	if web != nil {
		n.Addresses["web"] = web.String()
	}
	for name, address := range n.Addresses {
		if _, port, err := net.SplitHostPort(address); err == nil && host != "" {
			n.Addresses[name] = net.JoinHostPort(host, port)
		}
	}
	return n
}

// ListNodes implements [command.Nodes]. A server that uses SQLite is the only node.
func (s *Server) ListNodes(ctx context.Context) ([]store.Node, error) {
	if s.registry == nil {
		return []store.Node{s.describeNode("")}, nil
	}
	return s.registry.nodes.List(ctx)
}

// ListWorlds implements [command.Nodes].
func (s *Server) ListWorlds(ctx context.Context) ([]store.World, error) {
	if s.registry == nil {
		n := s.describeNode("")
		addresses := []string{cmp.Or(n.Public, n.Addresses["ssh"])}
		return []store.World{{Name: n.World, Addresses: addresses, Active: true, People: n.People}}, nil
	}
	return s.registry.nodes.ListWorlds(ctx)
}
