//go:build unix

package nodes

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"broadside/internal/test/users"
)

// Config configures all nodes.
type Config struct {
	Program string              // see [users.Build]
	Folder  string              // parent of the nodes' data folders
	Store   string              // URL of the shared PostgreSQL database
	Count   int                 // number of nodes
	Hosts   []Host              // one for each node; nil: all nodes use a loopback address
	Args    []string            // additional arguments
	Log     func(int) io.Writer // returns the log writer of a node, counted from 0; nil: logs are discarded
}

// Host is a machine, or a network namespace, for a node.
type Host struct {
	Public  string   // IP address for players, programs and metrics
	Private string   // IP address for the other nodes
	Enter   []string // prefix for command lines that run on the host
}

// Fleet is the nodes of one service. Each node may be used by one goroutine at a time.
type Fleet struct {
	Nodes []*Node
}

// Node is a server process. Its addresses and its data folder stay the same when it
// restarts.
type Node struct {
	Name    string
	SSH     string // addresses
	Relay   string
	Web     string
	Metrics string
	Cluster string
	Data    string // folder

	cfg   Config
	host  Host
	log   io.Writer
	cmd   *exec.Cmd  // nil if it is not running
	ended chan error // capacity 1; receives the result of cmd
}

// startTime limits the start of a node, its discovery of the others, and its shutdown, on
// a busy machine.
const startTime = 2 * time.Minute

// New chooses addresses for nodes. It starts none of them.
func New(cfg Config) (*Fleet, error) {
	f := &Fleet{}
	for i := range cfg.Count {
		n := &Node{Name: fmt.Sprintf("node%d", i+1), cfg: cfg, host: Host{Public: loopback, Private: loopback}, log: io.Discard}
		if cfg.Hosts != nil {
			n.host = cfg.Hosts[i]
		}
		if cfg.Log != nil {
			n.log = cfg.Log(i)
		}
		n.Data = filepath.Join(cfg.Folder, n.Name)
		f.Nodes = append(f.Nodes, n)
	}
	var taken []net.Listener // closed once all are found
	defer func() {
		for _, l := range taken {
			l.Close()
		}
	}()
	for _, n := range f.Nodes {
		for _, a := range []struct {
			address *string
			at      string
		}{{&n.SSH, n.host.Public}, {&n.Relay, n.host.Public}, {&n.Web, n.host.Public}, {&n.Metrics, n.host.Public}, {&n.Cluster, n.host.Private}} {
			l, err := users.Listen()
			if err != nil {
				return nil, err
			}
			taken = append(taken, l)
			_, port, err := net.SplitHostPort(l.Addr().String())
			if err != nil {
				return nil, err
			}
			*a.address = net.JoinHostPort(a.at, port) // on other hosts, all ports are free
		}
	}
	return f, nil
}

const loopback = "127.0.0.1"

// Start starts all nodes at once, and waits until each is ready and knows the others.
func (f *Fleet) Start(ctx context.Context) error {
	for _, n := range f.Nodes {
		if err := n.Launch(); err != nil {
			return err
		}
	}
	for _, n := range f.Nodes {
		if err := n.Ready(ctx, len(f.Nodes)); err != nil {
			return err
		}
	}
	return nil
}

// Active returns the active node; nil if no running node reports that it is active.
func (f *Fleet) Active(ctx context.Context) *Node {
	for _, n := range f.Nodes {
		if n.cmd == nil {
			continue
		}
		if active, err := users.Number(ctx, n.Metrics, "broadside_active"); err == nil && active == 1 {
			return n
		}
	}
	return nil
}

// Store returns the URL of the nodes' database.
func (f *Fleet) Store() string { return f.Nodes[0].cfg.Store }

// Close kills all running nodes.
func (f *Fleet) Close() {
	for _, n := range f.Nodes {
		n.Kill()
	}
}

// Launch starts the process without waiting until it is ready.
func (n *Node) Launch() error {
	if n.cmd != nil {
		return fmt.Errorf("%s runs already", n.Name)
	}
	args := append(slices.Clone(n.host.Enter), n.cfg.Program,
		"serve", "--node-name", n.Name, "--data", n.Data, "--store", n.cfg.Store,
		"--ssh", n.SSH, "--relay", n.Relay, "--web", n.Web, "--metrics-listen", n.Metrics, "--metrics-profiles",
		"--cluster", n.Cluster,
	)
	args = slices.Concat(args, users.Unlimited, n.cfg.Args)
	n.cmd = exec.Command(args[0], args[1:]...)
	n.cmd.Stdout, n.cmd.Stderr = n.log, n.log
	if err := n.cmd.Start(); err != nil {
		n.cmd = nil
		return fmt.Errorf("starting %s: %w", n.Name, err)
	}
	n.ended = make(chan error, 1)
	cmd, ended := n.cmd, n.ended
	go func() { ended <- cmd.Wait() }() // ends with the process; Kill and Stop wait for it
	return nil
}

// Ready waits until the node is ready and knows the given number of nodes, including
// itself.
func (n *Node) Ready(ctx context.Context, nodes int) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	for {
		known, err := users.Number(ctx, n.Metrics, "broadside_nodes")
		var connected float64
		if err == nil {
			connected, err = users.Number(ctx, n.Metrics, "broadside_cluster_healthy")
		}
		if err == nil && int(known) == nodes && connected == 1 {
			return nil
		}
		if err == nil {
			err = fmt.Errorf("it knows %v of %d nodes and is connected to %v active nodes", known, nodes, connected)
		}
		select {
		case ended := <-n.ended:
			n.cmd = nil
			return fmt.Errorf("%s has ended: %w", n.Name, errors.Join(ended, errors.New("its log says why")))
		case <-ctx.Done():
			return fmt.Errorf("%s does not come up: %w", n.Name, err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Restart starts a node that has ended, and waits as [Node.Ready] does.
func (n *Node) Restart(ctx context.Context, nodes int) error {
	if err := n.Launch(); err != nil {
		return err
	}
	return n.Ready(ctx, nodes)
}

// PID returns the process ID; 0 if the node is not running.
func (n *Node) PID() int {
	if n.cmd == nil {
		return 0
	}
	return n.cmd.Process.Pid
}

// Signal sends a signal to the process.
func (n *Node) Signal(sig os.Signal) error {
	if n.cmd == nil {
		return fmt.Errorf("%s does not run", n.Name)
	}
	return n.cmd.Process.Signal(sig)
}

// Pause suspends the process until [Node.Resume].
func (n *Node) Pause() error { return n.Signal(syscall.SIGSTOP) }

// Resume resumes a paused process.
func (n *Node) Resume() error { return n.Signal(syscall.SIGCONT) }

// Kill kills the process. It does nothing if the node is not running.
func (n *Node) Kill() {
	if n.cmd == nil {
		return
	}
	n.cmd.Process.Kill() // fails if it has ended
	<-n.ended
	n.cmd = nil
}

// Stop asks the process to end and waits. It kills a process that does not end in time.
func (n *Node) Stop() error {
	if err := n.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	select {
	case err := <-n.ended:
		n.cmd = nil
		return err
	case <-time.After(startTime):
		n.Kill()
		return fmt.Errorf("%s did not end by itself", n.Name)
	}
}
