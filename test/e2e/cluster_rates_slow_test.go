//go:build slow && linux

package e2e

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"broadside/internal/test/servers"
)

var (
	seeks    = flag.Int("seeks", 2_000, "how many programs look for opponents at once in TestManySeeks; the goal is 10000")
	seekTime = flag.Duration("seek-time", 3*time.Minute, "how long they may look")
	sessions = flag.Int("sessions", 400, "how many people TestCostOfSessions brings; the goal is 2000")
)

// seeker is a program that seeks any opponent.
type seeker struct {
	name     string
	opponent string
	attacks  bool
	nc       net.Conn
}

// connect connects to a node from an address.
func (s *seeker) connect(address string, from net.IP) (err error) {
	d := net.Dialer{Timeout: patience, LocalAddr: &net.TCPAddr{IP: from}}
	s.nc, err = d.Dial("tcp", address)
	return err
}

// seek sends ready and waits for the match to start.
func (s *seeker) seek() error {
	s.nc.SetDeadline(time.Now().Add(*seekTime))
	if _, err := fmt.Fprintf(s.nc, "%% hello broadside/1 name=%s\n%% ready\n", s.name); err != nil {
		return err
	}
	for lines := bufio.NewReaderSize(s.nc, 128); ; {
		line, err := lines.ReadString('\n')
		if err != nil {
			return fmt.Errorf("after %q: %w", line, err)
		}
		fields := strings.Fields(line)
		switch {
		case strings.HasPrefix(line, "% opponent"):
			s.opponent = fields[2]
		case strings.HasPrefix(line, "% error"):
			return errors.New(strings.TrimSpace(line))
		case strings.HasPrefix(line, "(4,"):
			s.attacks = true
		case strings.HasPrefix(line, "(5,"):
			return nil
		}
	}
}

// seekAll lets programs at some addresses seek an opponent at the same time, checks that
// each has exactly one, and returns the number of pairs per second.
func seekAll(t *testing.T, n int, addresses ...string) (pairs float64) {
	t.Helper()
	all := make([]*seeker, n)
	var work sync.WaitGroup
	connecting := make(chan struct{}, 100)
	for i := range all {
		all[i] = &seeker{name: fmt.Sprint("p", i)}
		work.Go(func() {
			connecting <- struct{}{}
			defer func() { <-connecting }()
			// Few programs of one address may wait at a time.
			if err := all[i].connect(addresses[i%len(addresses)], net.IPv4(127, 1, byte(i>>8), byte(i))); err != nil {
				t.Error(err)
			}
		})
	}
	work.Wait()
	defer func() {
		for _, s := range all {
			if s.nc != nil {
				s.nc.Close()
			}
		}
	}()
	if t.Failed() {
		t.FailNow()
	}
	began := time.Now()
	for _, s := range all {
		work.Go(func() {
			if err := s.seek(); err != nil {
				t.Errorf("%s: %v", s.name, err)
			}
		})
	}
	work.Wait()
	took := time.Since(began)
	byName := map[string]*seeker{}
	for _, s := range all {
		byName[s.name] = s
	}
	for _, s := range all {
		if o := byName[s.opponent]; o == nil || o.opponent != s.name || o.attacks == s.attacks {
			t.Errorf("%s plays %q, who plays %v", s.name, s.opponent, o)
		}
	}
	return float64(n) / 2 / took.Seconds()
}

// TestManySeeks lets programs seek an opponent at the same time, at three nodes and at a
// single server.
func TestManySeeks(t *testing.T) {
	one, err := servers.Start(t.Context(), build(t), t.TempDir(), io.Discard, nil,
		"--relay-hello", "1m", "--relay-max-connections", "50000", "--relay-max-connections-per-address", "50000", "--log-level", "warn")
	if err != nil {
		t.Fatal(err)
	}
	single := seekAll(t, *seeks, one.Relay)
	one.Kill()
	s := startCluster(t, "--log-level", "warn")
	cluster := seekAll(t, *seeks, s.Nodes[0].Relay, s.Nodes[1].Relay, s.Nodes[2].Relay)
	t.Logf("%d programs: %.0f pairs a second at a single server, %.0f at three nodes (%.0f %%)", *seeks, single, cluster, 100*cluster/single)
	// One side of each match has not fired, so the match ends once both have left.
	s.holds("all matches are over", func() bool { return len(s.matchesOf("")) >= *seeks/2 && s.quiet() })
	met := map[string]int{}
	for _, m := range s.matchesOf("") {
		for _, seat := range m.Seats {
			met[seat.Name]++
		}
	}
	for i := range *seeks {
		if name := fmt.Sprint("p", i); met[name] != 1 {
			t.Errorf("%s is in %d stored matches", name, met[name])
		}
	}
}

// stopwatch measures the time from typing a shot until the opponent reads it. Its methods
// may be called from any goroutine; those of nil do nothing.
type stopwatch struct {
	mu    sync.Mutex // guards all below
	typed map[string]time.Time
	took  []time.Duration
}

func (w *stopwatch) fired(name, cell string) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.typed[name+" "+cell] = time.Now()
}

func (w *stopwatch) heard(name, cell string) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if at, ok := w.typed[name+" "+cell]; ok {
		w.took = append(w.took, time.Since(at))
	}
}

// TestShotLatency measures the time from the line that one person types to the line that
// the other reads, both over SSH: within the active node, across two gateways and within a
// gateway.
func TestShotLatency(t *testing.T) {
	s := startCluster(t, "--log-level", "warn")
	var work sync.WaitGroup
	var watches [3]*stopwatch
	places := [][2]int{{0, 0}, {1, 2}, {1, 1}}
	for i, at := range places {
		watches[i] = &stopwatch{typed: map[string]time.Time{}}
		for k := range 4 {
			both := s.invite(fmt.Sprintf("at%dx%d", i, k), 50*time.Millisecond, at[0], at[1])
			both[0].watch, both[1].watch = watches[i], watches[i]
			work.Go(func() { pair{both[0], both[1]}.playMatch(s.ctx) })
		}
	}
	work.Wait()
	for i, what := range []string{"within the active node", "across two gateways", "within a gateway"} {
		t.Logf("%d shots %s: %s", len(watches[i].took), what, spread(watches[i].took))
		if len(watches[i].took) == 0 {
			t.Errorf("no shot was measured %s", what)
		}
	}
	s.end()
}

// TestCostOfSessions opens sessions at two gateways and measures their cost there and at
// the active node. A quarter of the people play.
func TestCostOfSessions(t *testing.T) {
	s := startCluster(t, "--log-level", "warn")
	load, err := servers.Build(t.Context(), "./internal/test/load", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	active := s.Nodes[0]
	empty, _ := heap(t, active)
	var work sync.WaitGroup
	for _, n := range s.Nodes[1:] {
		work.Go(func() {
			out, err := exec.CommandContext(s.ctx, load, "--server", n.SSH, "--pid", fmt.Sprint(n.PID()), "--metrics", n.Metrics, "--bot", "easy",
				"--sessions", fmt.Sprint(*sessions/2), "--playing", fmt.Sprint(*sessions/8), "--watching", "10", "--for", "40s").CombinedOutput()
			if err != nil {
				t.Errorf("%v: %s", err, out)
			}
			t.Logf("at %s:\n%s", n.Name, out)
		})
	}
	s.holds("all sessions are there", func() bool {
		n, err := servers.Number(s.ctx, active.Metrics, "broadside_remote_sessions")
		return err == nil && int(n) >= *sessions*49/50
	})
	time.Sleep(5 * time.Second)
	full, before := heap(t, active)
	began := time.Now()
	time.Sleep(20 * time.Second)
	used := servers.Measure(active.PID()).Time - before
	t.Logf("the active node: %.1f KiB of heap and stacks and %.3f ms a second for each of %d sessions",
		(full-empty)/1024/float64(*sessions), used.Seconds()*1000/time.Since(began).Seconds()/float64(*sessions), *sessions)
	work.Wait()
}

// heap returns the bytes of a node's heap and stacks, and its CPU time.
func heap(t *testing.T, n *servers.Server) (bytes float64, used time.Duration) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := servers.Collect(ctx, n.Metrics); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"go_memstats_heap_alloc_bytes", "go_memstats_stack_inuse_bytes"} {
		b, err := servers.Number(ctx, n.Metrics, name)
		if err != nil {
			t.Fatal(err)
		}
		bytes += b
	}
	return bytes, servers.Measure(n.PID()).Time
}
