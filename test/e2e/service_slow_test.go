//go:build slow && unix

package e2e

import (
	"context"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"broadside/internal/test/servers"
)

// nodesConfig configures all nodes.
type nodesConfig struct {
	Program string
	// Folder is the parent of the nodes' data folders.
	Folder string
	// Store is the URL of the shared PostgreSQL database.
	Store string
	Count int
	// Hosts has a host for each node, or is nil if all nodes use a loopback address.
	Hosts []host
	Args  []string
	// Log returns the log writer of a node, counted from 0.
	Log func(node int) io.Writer
}

// host is a machine, or a network namespace, for a node.
type host struct {
	// Public is the IP address for players, programs and metrics, Private that for other nodes.
	Public, Private string
	// Enter is the start of command lines that run on the host.
	Enter []string
}

// service has the nodes of one service.
type service struct {
	Nodes []*servers.Server
	// Store is the URL of the nodes' database.
	Store string
}

// newService chooses addresses for nodes. It starts none of them.
func newService(cfg nodesConfig) (*service, error) {
	s := &service{Store: cfg.Store}
	for i := range cfg.Count {
		name := fmt.Sprintf("node%d", i+1)
		host := host{Private: "127.0.0.1"}
		if cfg.Hosts != nil {
			host = cfg.Hosts[i]
		}
		n, err := servers.New(cfg.Program, filepath.Join(cfg.Folder, name), cfg.Log(i), nil,
			append([]string{"--node-name", name, "--node-address", host.Private, "--store", cfg.Store}, cfg.Args...)...)
		if err != nil {
			return nil, err
		}
		s.Nodes = append(s.Nodes, n)
		if cfg.Hosts != nil {
			moveTo(n, host)
		}
	}
	return s, nil
}

// moveTo makes a node listen on all addresses of a host, where all ports are free.
func moveTo(n *servers.Server, h host) {
	for i, arg := range n.CommandLine {
		n.CommandLine[i] = strings.Replace(arg, "127.0.0.1:", "0.0.0.0:", 1)
	}
	n.CommandLine = slices.Concat(h.Enter, n.CommandLine)
	for _, a := range []*string{&n.SSH, &n.Relay, &n.Web, &n.Metrics} {
		// A listener's address has a port.
		_, port, _ := net.SplitHostPort(*a)
		*a = net.JoinHostPort(h.Public, port)
	}
}

// Start starts all nodes that are not running, and waits as Settle does.
func (s *service) Start(ctx context.Context) error {
	for _, n := range s.Nodes {
		if n.IsRunning() {
			continue
		}
		if err := n.Launch(); err != nil {
			return err
		}
	}
	return s.AwaitActive(ctx)
}

// AwaitActive waits until all nodes are healthy and know each other, and exactly one is active.
func (s *service) AwaitActive(ctx context.Context) error {
	for _, n := range s.Nodes {
		err := n.WaitUntilReady(ctx, func(ctx context.Context) error {
			_, err := servers.FetchPage(ctx, "http://"+n.Metrics+"/healthz", readyTime)
			if err != nil {
				return err
			}
			known, err := servers.ReadMetric(ctx, n.Metrics, "broadside_nodes")
			if err == nil && int(known) != len(s.Nodes) {
				err = fmt.Errorf("it knows %v of %d nodes", known, len(s.Nodes))
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return s.Nodes[0].WaitUntilReady(ctx, func(ctx context.Context) error {
		active := 0
		for _, n := range s.Nodes {
			if isReady(ctx, n) {
				active++
			}
		}
		if active != 1 {
			return fmt.Errorf("%d nodes are active", active)
		}
		return nil
	})
}

// Active returns the active node, or nil if there is none.
func (s *service) Active(ctx context.Context) *servers.Server {
	for _, n := range s.Nodes {
		if isReady(ctx, n) {
			return n
		}
	}
	return nil
}

// Close kills all running nodes.
func (s *service) Close() {
	for _, n := range s.Nodes {
		n.Kill()
	}
}

// readyTime limits the answer of a node that may be stopped or cut off.
const readyTime = time.Second

// isReady reports whether a node serves players.
func isReady(ctx context.Context, n *servers.Server) bool {
	_, err := servers.FetchPage(ctx, "http://"+n.Metrics+"/readyz", readyTime)
	return n.IsRunning() && err == nil
}
