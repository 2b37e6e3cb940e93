package e2e

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"

	"golang.org/x/sync/errgroup"

	"broadside/internal/test/servers"
	"broadside/internal/test/users"
)

var benchSessions = flag.Int("bench-sessions", 300, "how many sessions BenchmarkSessions opens at once")

// BenchmarkSessions compares sessions on this server with those on a bare SSH server, which
// echoes keys. Each round measures one server after the other, as processes of their own, and
// the medians of all rounds are printed as a table.
//
//	go test ./test/e2e -run - -bench Sessions -benchtime 3x -timeout 30m
//
// Sessions connect one at a time, then eight at a time. While nobody presses a key, only the
// featured match changes the lobby. Then each session presses one key per second: the help in
// the lobby, and later a cursor key in a match against a bot. CPU time includes encryption and
// system calls.
func BenchmarkSessions(b *testing.B) {
	bare, err := servers.Build(b.Context(), "./internal/test/bareserver", b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	program := build(b)
	results := [2]map[string][]float64{{}, {}}
	for b.Loop() {
		for i, start := range []func() (*servers.Server, error){
			func() (*servers.Server, error) { return servers.StartBare(b.Context(), bare) },
			func() (*servers.Server, error) {
				return servers.Start(b.Context(), program, b.TempDir(), io.Discard, nil)
			},
		} {
			s, err := start()
			if err != nil {
				b.Fatal(err)
			}
			m := sessionCosts{server: s, figures: results[i]}
			err = m.measure(b.Context())
			s.Kill()
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(0, "ns/op") // rounds differ in what they wait for
	fmt.Print(table(results))  // the log of a benchmark is cut off after ten lines
}

// sessionCosts measures one server.
type sessionCosts struct {
	server  *servers.Server // a bare one has no metrics and no matches
	empty   servers.Cost    // without sessions
	figures map[string][]float64
}

// The figures, in the order of the table.
const (
	alonePaint  = "connect to first paint, one at a time, p50, ms"
	eightPaint  = "connect to first paint, 8 at a time, p50, ms"
	eightWorst  = "connect to first paint, 8 at a time, p99, ms"
	connectTime = "CPU time of a connection and of the lobby meanwhile, ms"
	lobbyMemory = "memory of a session in the lobby, PSS, KiB"
	changeTime  = "CPU time of a change of the lobby, ms"
	lobbyKey    = "key in the lobby to paint, p50, ms"
	lobbyWorst  = "key in the lobby to paint, p99, ms"
	matchMemory = "memory of a session in a match, PSS, KiB"
	matchTime   = "CPU time of a cursor key in a match, ms"
	matchKey    = "cursor key to paint, p50, ms"
	matchWorst  = "cursor key to paint, p99, ms"
)

var sessionFigures = []string{alonePaint, eightPaint, eightWorst, connectTime, lobbyMemory, changeTime, lobbyKey, lobbyWorst, matchMemory, matchTime, matchKey, matchWorst}

func (m *sessionCosts) record(figure string, v float64) {
	m.figures[figure] = append(m.figures[figure], v)
}

// quantiles records the median and the 99th percentile.
func (m *sessionCosts) quantiles(median, worst string, took []time.Duration) {
	slices.Sort(took)
	m.record(median, millis(took[len(took)/2]))
	if worst != "" {
		m.record(worst, millis(took[len(took)*99/100]))
	}
}

func millis(d time.Duration) float64 { return d.Seconds() * 1e3 }

func (m *sessionCosts) measure(ctx context.Context) error {
	err := m.alone(ctx)
	if err != nil {
		return err
	}
	if m.empty, err = m.measureMemory(ctx); err != nil {
		return err
	}
	if err := m.inLobby(ctx); err != nil {
		return err
	}
	time.Sleep(2 * time.Second) // the server closes the sessions
	return m.inMatches(ctx)
}

// alone opens sessions one at a time.
func (m *sessionCosts) alone(ctx context.Context) error {
	var took []time.Duration
	for range 100 {
		s, err := users.Dial(ctx, users.Options{Address: m.server.SSH})
		if err != nil {
			return err
		}
		took = append(took, s.Connect())
		s.Close()
		time.Sleep(20 * time.Millisecond) // the server shows the lobby and ends the session
	}
	m.quantiles(alonePaint, "", took)
	return nil
}

func (m *sessionCosts) inLobby(ctx context.Context) error {
	n := float64(*benchSessions)
	all, err := m.open(ctx, users.Options{Address: m.server.SSH})
	defer closeAll(all)
	if err != nil {
		return err
	}
	entered := servers.Measure(m.server.PID())
	m.record(connectTime, millis(entered.Time-m.empty.Time)/n)
	var took []time.Duration
	for _, s := range all {
		took = append(took, s.Connect())
	}
	m.quantiles(eightPaint, eightWorst, took)
	time.Sleep(2 * time.Second)

	const idle = 10 * time.Second
	start, changes := servers.Measure(m.server.PID()), arrivals(all)
	time.Sleep(idle)
	end := servers.Measure(m.server.PID())
	if changes = arrivals(all) - changes; changes > 0 {
		m.record(changeTime, millis(end.Time-start.Time)/float64(changes))
	}
	full, err := m.measureMemory(ctx)
	if err != nil {
		return err
	}
	m.record(lobbyMemory, float64(full.Memory-m.empty.Memory)/1024/n)
	if took, err = press(ctx, all, "?"); err != nil {
		return err
	}
	m.quantiles(lobbyKey, lobbyWorst, took)
	return nil
}

func (m *sessionCosts) inMatches(ctx context.Context) error {
	all, err := m.open(ctx, users.Options{Address: m.server.SSH, Command: "play --vs hard", Looks: true})
	defer closeAll(all)
	if err != nil {
		return err
	}
	time.Sleep(2 * time.Second)
	start := servers.Measure(m.server.PID())
	took, err := press(ctx, all, "\x1b[C", "\x1b[D")
	if err != nil {
		return err
	}
	end := servers.Measure(m.server.PID())
	m.record(matchTime, millis(end.Time-start.Time)/float64(len(took)))
	m.quantiles(matchKey, matchWorst, took)
	full, err := m.measureMemory(ctx)
	m.record(matchMemory, float64(full.Memory-m.empty.Memory)/1024/float64(*benchSessions))
	return err
}

// measureMemory measures the server after a garbage collection, if it can be requested.
func (m *sessionCosts) measureMemory(ctx context.Context) (servers.Cost, error) {
	for range 2 { // the second frees what pools kept in the first
		if m.server.Metrics != "" {
			if err := servers.Collect(ctx, m.server.Metrics); err != nil {
				return servers.Cost{}, err
			}
		}
	}
	return servers.Measure(m.server.PID()), nil
}

// open opens all sessions, eight at a time. On a server with matches, those with a command
// place their fleet and begin.
func (m *sessionCosts) open(ctx context.Context, o users.Options) ([]*users.Session, error) {
	all := make([]*users.Session, *benchSessions)
	var g errgroup.Group
	g.SetLimit(8)
	for i := range all {
		g.Go(func() (err error) {
			if all[i], err = users.Dial(ctx, o); err != nil || m.server.Metrics == "" || o.Command == "" {
				return err
			}
			return begin(ctx, all[i])
		})
	}
	err := g.Wait()
	return slices.DeleteFunc(all, func(s *users.Session) bool { return s == nil }), err
}

// begin places a fleet at random and starts the match.
func begin(ctx context.Context, s *users.Session) error {
	if !s.Wait(ctx, func() bool { return s.Sees("Place your fleet") }) {
		return errors.New("there is no fleet to place")
	}
	for _, key := range []string{"x", "\r"} {
		if _, _, err := s.Press(ctx, key); err != nil {
			return err
		}
	}
	if !s.Wait(ctx, func() bool { return s.Sees("YOUR TURN") || s.Sees("is aiming.") }) {
		return errors.New("the match does not begin")
	}
	return nil
}

// press presses keys in turn in each session, one per second, for ten seconds, and returns
// the times until something was painted.
func press(ctx context.Context, all []*users.Session, keys ...string) (took []time.Duration, err error) {
	const times = 10
	var mu sync.Mutex
	g, ctx := errgroup.WithContext(ctx)
	for i, s := range all {
		g.Go(func() error {
			time.Sleep(time.Second * time.Duration(i) / time.Duration(len(all)))
			for n := range times {
				next := time.After(time.Second)
				d, _, err := s.Press(ctx, keys[n%len(keys)])
				if err != nil {
					return err
				}
				mu.Lock()
				took = append(took, d)
				mu.Unlock()
				<-next
			}
			return nil
		})
	}
	err = g.Wait()
	return took, err
}

// arrivals returns how often the sessions have received something.
func arrivals(all []*users.Session) (n int64) {
	for _, s := range all {
		n += s.Arrivals()
	}
	return n
}

func closeAll(all []*users.Session) {
	for _, s := range all {
		s.Close()
	}
}

// table returns the medians of both servers.
func table(results [2]map[string][]float64) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "\n%d sessions\tbare SSH server\tBroadside\tratio\n", *benchSessions)
	for _, name := range sessionFigures {
		var medians [2]float64
		for i, figures := range results {
			if all := slices.Sorted(slices.Values(figures[name])); len(all) > 0 {
				medians[i] = all[len(all)/2]
			}
		}
		fmt.Fprintf(w, "%s\t%.2f\t%.2f\t", name, medians[0], medians[1])
		if medians[0] > 0 {
			fmt.Fprintf(w, "%.2f", medians[1]/medians[0])
		}
		fmt.Fprintln(w)
	}
	w.Flush()
	return b.String()
}
