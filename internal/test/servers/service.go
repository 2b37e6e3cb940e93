//go:build unix

package servers

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"slices"
	"syscall"
)

// Config configures all nodes.
type Config struct {
	Program string              // see [Build]
	Folder  string              // parent of the nodes' data folders
	Store   string              // URL of the shared PostgreSQL database
	Count   int                 // number of nodes
	Hosts   []Host              // one for each node; nil: all nodes use a loopback address
	Args    []string            // additional arguments
	Log     func(int) io.Writer // returns the log writer of a node, counted from 0
}

// Host is a machine, or a network namespace, for a node.
type Host struct {
	Public  string   // IP address for players, programs and metrics
	Private string   // IP address for the other nodes
	Enter   []string // prefix for command lines that run on the host
}

// Service is the nodes of one service.
type Service struct {
	Nodes []*Server
	Store string // URL of their database
}

// NewService chooses addresses for nodes. It starts none of them.
func NewService(cfg Config) (*Service, error) {
	s := &Service{Store: cfg.Store}
	var addresses []*string
	for i := range cfg.Count {
		name := fmt.Sprintf("node%d", i+1)
		n := &Server{Name: name, Data: filepath.Join(cfg.Folder, name), log: cfg.Log(i)}
		s.Nodes = append(s.Nodes, n)
		addresses = append(addresses, &n.SSH, &n.Relay, &n.Web, &n.Metrics)
	}
	if err := freeAddresses(addresses...); err != nil {
		return nil, err
	}
	for i, n := range s.Nodes {
		var host Host
		if cfg.Hosts != nil {
			host = cfg.Hosts[i]
			for _, a := range []*string{&n.SSH, &n.Relay, &n.Web, &n.Metrics} {
				moveTo(host.Public, a)
			}
		}
		n.line = slices.Concat(host.Enter, n.commandLine(cfg.Program,
			"--node-name", n.Name, "--node-address", cmp.Or(host.Private, "127.0.0.1"), "--store", cfg.Store, "--web", n.Web), cfg.Args)
	}
	return s, nil
}

// moveTo changes the IP address of an address. On other hosts, all ports are free.
func moveTo(ip string, address *string) {
	_, port, _ := net.SplitHostPort(*address) // cannot fail: it is a listener's
	*address = net.JoinHostPort(ip, port)
}

// Start starts all nodes at once, and waits until each is ready and knows the others.
func (s *Service) Start(ctx context.Context) error {
	for _, n := range s.Nodes {
		if err := n.Launch(); err != nil {
			return err
		}
	}
	for _, n := range s.Nodes {
		if err := n.Ready(ctx, len(s.Nodes)); err != nil {
			return err
		}
	}
	return nil
}

// Active returns the active node; nil if no running node reports that it is active.
func (s *Service) Active(ctx context.Context) *Server {
	for _, n := range s.Nodes {
		if n.cmd == nil {
			continue
		}
		if active, err := Number(ctx, n.Metrics, "broadside_active"); err == nil && active == 1 {
			return n
		}
	}
	return nil
}

// Close kills all running nodes.
func (s *Service) Close() {
	for _, n := range s.Nodes {
		n.Kill()
	}
}

// Ready waits until the node is ready and knows the given number of nodes, including
// itself.
func (s *Server) Ready(ctx context.Context, nodes int) error {
	return s.await(ctx, func(ctx context.Context) error {
		known, err := Number(ctx, s.Metrics, "broadside_nodes")
		if err != nil {
			return err
		}
		connected, err := Number(ctx, s.Metrics, "broadside_cluster_healthy")
		if err == nil && (int(known) != nodes || connected != 1) {
			err = fmt.Errorf("it knows %v of %d nodes and is connected to %v active nodes", known, nodes, connected)
		}
		return err
	})
}

// Restart starts a node that has ended, and waits as [Server.Ready] does.
func (s *Server) Restart(ctx context.Context, nodes int) error {
	if err := s.Launch(); err != nil {
		return err
	}
	return s.Ready(ctx, nodes)
}

// Pause suspends the process until [Server.Resume].
func (s *Server) Pause() error { return s.Signal(syscall.SIGSTOP) }

// Resume resumes a paused process.
func (s *Server) Resume() error { return s.Signal(syscall.SIGCONT) }
