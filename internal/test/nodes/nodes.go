//go:build unix

package nodes

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"broadside/internal/test/crowd"
)

// Config is what the nodes have in common.
type Config struct {
	Program string              // see [crowd.Build]
	Folder  string              // where the nodes' data folders go
	Store   string              // URL of the PostgreSQL database of all
	Count   int                 // of nodes
	Hosts   []Host              // where they are, one for each; nil: all at a loopback address
	Args    []string            // more for each command line
	Env     []string            // more for each environment
	Log     func(int) io.Writer // where the log of a node goes, counted from 0; nil: nowhere
}

// Host is a machine for a node, or what looks like one to it.
type Host struct {
	Public  string   // IP address for people, programs and whoever measures
	Private string   // IP address for the other nodes
	Enter   []string // what comes before a command line that is to run there
}

// Fleet is the nodes of one service. Each node is for one goroutine at a time.
type Fleet struct {
	Nodes []*Node
}

// Node is a process. Its addresses and its data folder stay the same when it is
// started again.
type Node struct {
	Name    string
	SSH     string // addresses
	Relay   string
	Metrics string
	Cluster string
	Data    string // folder

	fleet *Fleet
	cfg   Config
	host  Host
	log   io.Writer
	cmd   *exec.Cmd  // nil: it does not run
	ended chan error // capacity 1; of cmd
}

// startTime is how long a node may take to come up, to find the others and to go
// down, on a machine that does many other things.
const startTime = 2 * time.Minute

// New finds addresses for nodes. None runs yet.
func New(cfg Config) (*Fleet, error) {
	f := &Fleet{}
	for i := range cfg.Count {
		n := &Node{Name: fmt.Sprintf("node%d", i+1), fleet: f, cfg: cfg, host: Host{Public: loopback, Private: loopback}, log: io.Discard}
		if cfg.Hosts != nil {
			n.host = cfg.Hosts[i]
		}
		if cfg.Log != nil {
			n.log = cfg.Log(i)
		}
		n.Data = filepath.Join(cfg.Folder, n.Name)
		f.Nodes = append(f.Nodes, n)
	}
	var taken []net.Listener // until all are found
	defer func() {
		for _, l := range taken {
			l.Close()
		}
	}()
	for _, n := range f.Nodes {
		for _, a := range []struct {
			address *string
			at      string
		}{{&n.SSH, n.host.Public}, {&n.Relay, n.host.Public}, {&n.Metrics, n.host.Public}, {&n.Cluster, n.host.Private}} {
			l, err := free()
			if err != nil {
				return nil, err
			}
			taken = append(taken, l)
			_, port, err := net.SplitHostPort(l.Addr().String())
			if err != nil {
				return nil, err
			}
			*a.address = net.JoinHostPort(a.at, port) // elsewhere all are free
		}
	}
	return f, nil
}

const loopback = "127.0.0.1"

// free listens at an address of this machine with a port that the system gives
// to nobody by itself, so that it is still free when a node is started again.
func free() (net.Listener, error) {
	var err error
	for range 1000 {
		var l net.Listener
		if l, err = net.Listen("tcp", fmt.Sprintf("%s:%d", loopback, 10000+rand.IntN(20000))); err == nil {
			return l, nil
		}
	}
	return nil, fmt.Errorf("there is no free address: %w", err)
}

// Start starts all nodes at once, and waits until each is ready and knows the
// others.
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

// Active returns the active node; nil if no running node says that it is the one.
func (f *Fleet) Active(ctx context.Context) *Node {
	for _, n := range f.Nodes {
		if n.cmd == nil {
			continue
		}
		if active, err := crowd.Number(ctx, n.Metrics, "broadside_active"); err == nil && active == 1 {
			return n
		}
	}
	return nil
}

// Store returns the URL of the nodes' database.
func (f *Fleet) Store() string { return f.Nodes[0].cfg.Store }

// Close kills the nodes that run.
func (f *Fleet) Close() {
	for _, n := range f.Nodes {
		n.Kill()
	}
}

// Launch starts the process. It does not wait until it is ready.
func (n *Node) Launch() error {
	if n.cmd != nil {
		return fmt.Errorf("%s runs already", n.Name)
	}
	args := append(slices.Clone(n.host.Enter), n.cfg.Program,
		"serve", "--node-name", n.Name, "--data", n.Data, "--store", n.cfg.Store,
		"--ssh", n.SSH, "--relay", n.Relay, "--metrics-listen", n.Metrics, "--metrics-profiles",
		"--cluster", n.Cluster,
	)
	args = slices.Concat(args, crowd.Unlimited(), n.cfg.Args)
	n.cmd = exec.Command(args[0], args[1:]...)
	n.cmd.Env = append(os.Environ(), n.cfg.Env...)
	n.cmd.Stdout, n.cmd.Stderr = n.log, n.log
	if err := n.cmd.Start(); err != nil {
		n.cmd = nil
		return fmt.Errorf("starting %s: %w", n.Name, err)
	}
	n.ended = make(chan error, 1)
	cmd, ended := n.cmd, n.ended
	go func() { ended <- cmd.Wait() }() // ends with the process, which Kill and Stop wait for
	return nil
}

// Ready waits until the node lets people in and knows a number of nodes,
// itself included.
func (n *Node) Ready(ctx context.Context, nodes int) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	for {
		known, err := crowd.Number(ctx, n.Metrics, "broadside_nodes")
		var connected float64
		if err == nil {
			connected, err = crowd.Number(ctx, n.Metrics, "broadside_cluster_healthy")
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

// Restart starts a node that has ended, and waits until it is ready and knows a
// number of nodes.
func (n *Node) Restart(ctx context.Context, nodes int) error {
	if err := n.Launch(); err != nil {
		return err
	}
	return n.Ready(ctx, nodes)
}

// PID is the process; 0 if the node does not run.
func (n *Node) PID() int {
	if n.cmd == nil {
		return 0
	}
	return n.cmd.Process.Pid
}

// Signal sends the process a signal.
func (n *Node) Signal(sig os.Signal) error {
	if n.cmd == nil {
		return fmt.Errorf("%s does not run", n.Name)
	}
	return n.cmd.Process.Signal(sig)
}

// Pause stops the process where it is, until [Node.Resume].
func (n *Node) Pause() error { return n.Signal(syscall.SIGSTOP) }

// Resume lets a process go on that was paused.
func (n *Node) Resume() error { return n.Signal(syscall.SIGCONT) }

// Kill ends the process at once, wherever it is. It does nothing if the node does
// not run.
func (n *Node) Kill() {
	if n.cmd == nil {
		return
	}
	n.cmd.Process.Kill() // fails if it has ended
	<-n.ended
	n.cmd = nil
}

// Stop asks the process to end, and waits. One that does not end is killed.
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
