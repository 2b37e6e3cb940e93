//go:build slow && linux

package e2e

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"broadside/internal/control"
	"broadside/internal/store"
	"broadside/internal/test/pgtest"
	"broadside/internal/test/servers"
)

var (
	pairs  = flag.Int("pairs", 40, "how many matches of people run while the nodes of a cluster fail, in some tests half or a quarter as many; the goal is 100 in each")
	within = flag.Duration("within", 30*time.Second, "how long the matches of a cluster may stand still after a failure; on a quiet machine the goals are 1s and 4s")
)

// clusterTest is three nodes, their database, and the people and programs that play there.
// The first node is active initially.
type clusterTest struct {
	*servers.Service
	t        *testing.T
	database *pgtest.Server
	store    *store.Store // for the test
	logs     []*logBook
	ctx      context.Context // ends with the test
	finish   chan struct{}   // when closed, people resign and programs play no further game
	work     sync.WaitGroup
	people   []*linePlayer
	programs []*relayPlayer // guarded by mu
	mu       sync.Mutex
}

// startCluster starts three nodes on this machine.
func startCluster(t *testing.T, args ...string) *clusterTest {
	t.Helper()
	return startClusterAt(t, nil, "", args...)
}

// startClusterAt starts a node at each host, and a database that is reachable at an
// address.
func startClusterAt(t *testing.T, hosts []servers.Host, address string, args ...string) *clusterTest {
	t.Helper()
	s := newCluster(t, address)
	dsn := databaseOf(t, s.database)
	var err error
	if s.store, err = store.Open(t.Context(), store.Config{URL: dsn}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.store.Close() })
	if address != "" {
		dsn = withHosts(t, dsn, address)
	}
	s.start(dsn, hosts, args...)
	return s
}

// newCluster starts a database for a service.
func newCluster(t *testing.T, address string) *clusterTest {
	t.Helper()
	s := &clusterTest{t: t, database: pgtest.Open(t, address), finish: make(chan struct{})}
	var cancel context.CancelFunc
	s.ctx, cancel = context.WithTimeout(t.Context(), 15*time.Minute)
	t.Cleanup(cancel)
	return s
}

// start starts the nodes on a database.
func (s *clusterTest) start(url string, hosts []servers.Host, args ...string) {
	t := s.t
	t.Helper()
	var err error
	s.Service, err = servers.NewService(servers.Config{
		Program: build(t), Folder: t.TempDir(), Store: url, Count: 3, Hosts: hosts,
		Args: append([]string{
			"--bot-pace", "0s", "--relay-hello", "1m", "--drain", "5s",
			"--relay-max-connections", "50000", "--relay-max-connections-per-address", "50000",
		}, args...),
		Log: func(int) io.Writer {
			s.logs = append(s.logs, new(logBook))
			return s.logs[len(s.logs)-1]
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Close()
		s.work.Wait()
		for i, l := range s.logs {
			if t.Failed() {
				t.Logf("the end of the log of %s:\n%s", s.Nodes[i].Name, l.end())
			}
		}
	})
	for i, n := range s.Nodes { // the first one becomes the active node
		err := n.Launch()
		if err == nil && i == 0 {
			err = n.Ready(t.Context(), 1)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, n := range s.Nodes {
		if err := n.Ready(t.Context(), len(s.Nodes)); err != nil {
			t.Fatal(err)
		}
	}
}

// databaseOf returns the URL of a new database.
func databaseOf(t *testing.T, server *pgtest.Server) string {
	t.Helper()
	url, err := server.URL(t.Context(), t.Name())
	if err != nil {
		t.Fatal(err)
	}
	return url
}

// logBook keeps the log of a node. Its methods may be called from any goroutine.
type logBook struct {
	mu   sync.Mutex
	text bytes.Buffer // guarded by mu
}

func (l *logBook) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *logBook) end() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.text.Bytes()
	return string(b[max(0, len(b)-4<<10):])
}

// holds waits until a condition is true.
func (s *clusterTest) holds(what string, condition func() bool) {
	s.t.Helper()
	for deadline := time.Now().Add(*within + patience); !condition(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			s.t.Fatalf("this never holds: %s", what)
		}
	}
}

// allPlay waits until each person has received the result of a shot after since. It
// returns how long each one waited.
func (s *clusterTest) allPlay(what string, people []*linePlayer, since time.Time) (took []time.Duration) {
	s.t.Helper()
	for _, p := range people {
		for deadline := time.Now().Add(*within + patience); p.firedSince(since).IsZero(); time.Sleep(20 * time.Millisecond) {
			if time.Now().After(deadline) {
				s.t.Fatalf("%s does not play on %s: %v", p.name, what, p)
			}
		}
		took = append(took, p.firedSince(since).Sub(since))
	}
	if !since.IsZero() {
		s.t.Logf("%d people play on %s after %s", len(people), what, spread(took))
	}
	return took
}

// soon checks that no match paused for too long. The first shot of either player counts.
func (s *clusterTest) soon(took []time.Duration) {
	s.t.Helper()
	if slowest := slices.Max(took); slowest > *within {
		s.t.Errorf("a match stood still for %v, more than %v", slowest, *within)
	}
}

// nextShots waits until a shot of each match was answered since a time.
func (s *clusterTest) nextShots(what string, all []pair, since time.Time) {
	s.t.Helper()
	var took []time.Duration
	for _, p := range all {
		s.holds(fmt.Sprintf("%s plays on %s: %v%v", p[0].name, what, p[0], p[1]), func() bool { return !p.nextShot(since).IsZero() })
		took = append(took, p.nextShot(since).Sub(since))
	}
	s.t.Logf("%d matches: next shot %s after %s", len(all), what, spread(took))
	s.soon(took)
}

// stayed checks that people were never disconnected.
func (s *clusterTest) stayed(people []*linePlayer) {
	s.t.Helper()
	for _, p := range people {
		if n := p.lostCount(); n > 0 {
			s.t.Errorf("%s at %s has lost connection %d times", p.name, s.Nodes[p.node].Name, n)
		}
	}
}

// end finishes all matches and compares the notes of people and programs with the stored
// matches. No node may keep anything.
func (s *clusterTest) end() {
	s.t.Helper()
	close(s.finish)
	ended := make(chan struct{})
	go func() { s.work.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(patience):
		for _, p := range s.people {
			if !p.idle() {
				s.t.Errorf("a match does not end: %v", p)
				break
			}
		}
		s.t.FailNow()
	}
	s.holds("no match runs, and all nodes know it", s.quiet)
	s.checkPeople()
	s.checkPrograms()
}

// quiet reports whether all nodes know each other, exactly one is active, and none has a
// match.
func (s *clusterTest) quiet() bool {
	for _, n := range s.Nodes {
		r, err := control.Ask(s.ctx, n.Data)
		if err != nil || len(r.Nodes) != len(s.Nodes) || r.Matches != 0 {
			return false
		}
		active := 0
		for _, info := range r.Nodes {
			if info.Active {
				active++
			}
			if info.Trouble != "" {
				return false
			}
		}
		if active != 1 {
			return false
		}
	}
	return true
}

// spread formats the distribution of durations.
func spread(all []time.Duration) string {
	if len(all) == 0 {
		return "nothing"
	}
	all = slices.Sorted(slices.Values(all))
	return fmt.Sprintf("p50 %v, p99 %v, max %v", all[len(all)/2].Round(100*time.Microsecond),
		all[len(all)*99/100].Round(100*time.Microsecond), all[len(all)-1].Round(time.Millisecond))
}

// withHosts returns a connection string with other hosts. PostgreSQL clients use the
// writable one.
func withHosts(t *testing.T, dsn string, hosts ...string) string {
	t.Helper()
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	q.Set("host", strings.Join(hosts, ","))
	q.Set("target_session_attrs", "read-write")
	u.RawQuery = q.Encode()
	return u.String()
}
