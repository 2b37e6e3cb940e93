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
	"time"
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
		if cfg.Hosts != nil { // listen on both addresses of the host
			host = cfg.Hosts[i]
			n.moveTo("0.0.0.0")
		}
		n.line = slices.Concat(host.Enter, n.commandLine(cfg.Program,
			"--node-name", n.Name, "--node-address", cmp.Or(host.Private, "127.0.0.1"), "--store", cfg.Store), cfg.Args)
		if cfg.Hosts != nil {
			n.moveTo(host.Public)
		}
	}
	return s, nil
}

// moveTo changes the IP address of all addresses. On other hosts, all ports are free.
func (s *Server) moveTo(ip string) {
	for _, a := range []*string{&s.SSH, &s.Relay, &s.Web, &s.Metrics} {
		_, port, _ := net.SplitHostPort(*a) // cannot fail: it is a listener's
		*a = net.JoinHostPort(ip, port)
	}
}

// Start starts all nodes that are not running, and waits as [Service.Settle] does.
func (s *Service) Start(ctx context.Context) error {
	for _, n := range s.Nodes {
		if n.cmd != nil {
			continue
		}
		if err := n.Launch(); err != nil {
			return err
		}
	}
	return s.Settle(ctx)
}

// Settle waits until all nodes are healthy and know each other, and exactly one is active.
func (s *Service) Settle(ctx context.Context) error {
	for _, n := range s.Nodes {
		err := n.await(ctx, func(ctx context.Context) error {
			_, err := getFor(ctx, "http://"+n.Metrics+"/healthz", readyTime)
			if err != nil {
				return err
			}
			known, err := Number(ctx, n.Metrics, "broadside_nodes")
			if err == nil && int(known) != len(s.Nodes) {
				err = fmt.Errorf("it knows %v of %d nodes", known, len(s.Nodes))
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return s.Nodes[0].await(ctx, func(ctx context.Context) error {
		active := 0
		for _, n := range s.Nodes {
			if n.Ready(ctx) {
				active++
			}
		}
		if active != 1 {
			return fmt.Errorf("%d nodes are active", active)
		}
		return nil
	})
}

// Active returns the active node; nil if there is none.
func (s *Service) Active(ctx context.Context) *Server {
	for _, n := range s.Nodes {
		if n.Ready(ctx) {
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

// readyTime limits the answer of a node that may be stopped or cut off.
const readyTime = time.Second

// Ready reports whether the node serves players.
func (s *Server) Ready(ctx context.Context) bool {
	_, err := getFor(ctx, "http://"+s.Metrics+"/readyz", readyTime)
	return s.cmd != nil && err == nil
}

// Pause suspends the process until [Server.Resume].
func (s *Server) Pause() error { return s.Signal(syscall.SIGSTOP) }

// Resume resumes a paused process.
func (s *Server) Resume() error { return s.Signal(syscall.SIGCONT) }
