// Package metrics serves Prometheus metrics, health and readiness over HTTP. It reads
// snapshots and offers hooks; the measured packages do not import it.
package metrics

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"broadside/internal/build"
	"broadside/lobby"
	"broadside/match"
	"broadside/match/live"
	"broadside/relay"
	"broadside/sshd"
)

// Sources provides the current values of metrics. Any goroutine may call the functions, which
// must not block, except Ready.
type Sources struct {
	SSH    func() (conns, sessions int)
	Relay  func() (conns int, in, out uint64)
	Census func() lobby.Stats
	Queue  func() int // changes that wait for the database
	Node   func() Node
	// Ready returns nil if clients can use the server, and otherwise the reason.
	Ready func(context.Context) error
}

// Node describes this server as a node of the service. A single server is active and
// connected.
type Node struct {
	Known     int   // nodes of the service
	Connected bool  // to the active node
	Active    bool  // this node is the active node
	Epoch     int64 // of the active node
	Sessions  int   // sessions of all nodes served by this node as the active node
}

// Meter records and serves metrics. Create it with [New]. Any goroutine may call its methods,
// which do not block, except Serve.
type Meter struct {
	registry                 *prometheus.Registry
	logins                   *prometheus.CounterVec
	failed                   prometheus.Counter
	sshRefused, relayRefused *prometheus.CounterVec
	paired                   prometheus.Histogram
	shots                    prometheus.Histogram
	took                     prometheus.Histogram
	ended                    *prometheus.CounterVec
	writes                   prometheus.Histogram
	groups                   prometheus.Histogram
	changes                  prometheus.Counter
	failures                 prometheus.Counter
	sources                  atomic.Pointer[Sources]
}

// namespace is the prefix of all metrics.
const namespace = "broadside"

// New returns a meter.
func New() *Meter {
	m := &Meter{registry: prometheus.NewRegistry()}
	histogram := func(name, help string, buckets []float64) prometheus.Histogram {
		return prometheus.NewHistogram(prometheus.HistogramOpts{Namespace: namespace, Name: name, Help: help, Buckets: buckets})
	}
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help})
	}
	vector := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help}, labels)
	}
	m.logins = vector("ssh_logins_total", "SSH logins, by method.", "method")
	for _, by := range sshd.Methods() {
		m.logins.WithLabelValues(string(by)) // reported as 0 from the start
	}
	m.failed = counter("ssh_login_failures_total", "SSH connections that tried to log in and did not succeed.")
	m.sshRefused = vector("ssh_refusals_total", "Refused SSH connections and sessions, by reason.", "reason")
	for _, r := range sshd.Refusals() {
		m.sshRefused.WithLabelValues(string(r))
	}
	m.relayRefused = vector("relay_refusals_total", "Refused connections of programs, by reason.", "reason")
	for _, r := range relay.Refusals() {
		m.relayRefused.WithLabelValues(string(r))
	}
	m.ended = vector("matches_ended_total", "Matches that have ended, by rules and by how they ended.", "rules", "reason")
	for _, rules := range match.Presets() {
		m.ended.WithLabelValues(rules, match.FleetSunk.String())
	}
	m.paired = histogram("pairing_wait_seconds", "Time that paired players waited for an opponent.", prometheus.ExponentialBuckets(0.25, 2, 12))
	m.shots = histogram("shot_duration_seconds", "Time from the arrival of a shot until it is sent to all recipients.", prometheus.ExponentialBuckets(10e-6, 4, 10))
	m.took = histogram("match_duration_seconds", "Duration of matches that have ended.", prometheus.ExponentialBuckets(1, 3, 9))
	m.writes = histogram("database_write_duration_seconds", "Duration of write transactions.", prometheus.ExponentialBuckets(0.25e-3, 2, 14))
	m.groups = histogram("journal_write_duration_seconds", "Time to store a group of events in the journal, on the active node.", prometheus.ExponentialBuckets(0.25e-3, 2, 14))
	m.changes = counter("database_changes_total", "Changes in write transactions.")
	m.failures = counter("database_failures_total", "Failed write transactions.")
	about := build.Read()
	info := prometheus.NewGauge(prometheus.GaugeOpts{
		Namespace: namespace, Name: "build_info", Help: "Always 1; the labels describe the build.",
		ConstLabels: prometheus.Labels{"version": about.Version, "revision": about.Commit},
	})
	info.Set(1)
	m.registry.MustRegister(
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		m.logins, m.failed, m.sshRefused, m.relayRefused, m.paired, m.shots, m.took, m.ended,
		m.writes, m.groups, m.changes, m.failures, info, snapshots{m},
	)
	return m
}

// Watch sets the sources of snapshots. Without sources, the server is not ready.
func (m *Meter) Watch(s Sources) { m.sources.Store(&s) }

// SSH returns the hooks for [sshd.Config].
func (m *Meter) SSH() sshd.Meter {
	return sshd.Meter{
		Login:   func(by sshd.Method) { m.logins.WithLabelValues(string(by)).Inc() },
		Failed:  m.failed.Inc,
		Refused: func(r sshd.Refusal) { m.sshRefused.WithLabelValues(string(r)).Inc() },
	}
}

// Refused records a refused connection, for [relay.Config].
func (m *Meter) Refused(r relay.Refusal) { m.relayRefused.WithLabelValues(string(r)).Inc() }

// Lobby returns the hooks for [lobby.Config].
func (m *Meter) Lobby() lobby.Meter {
	seconds := func(h prometheus.Histogram) func(time.Duration) {
		return func(d time.Duration) { h.Observe(d.Seconds()) }
	}
	return lobby.Meter{Paired: seconds(m.paired), Shot: seconds(m.shots), Ended: m.matchEnded}
}

// matchEnded records a match that has ended. The record of an aborted match does not have the
// reason, but the last event does.
func (m *Meter) matchEnded(r live.Record) {
	m.took.Observe(time.Since(r.Started).Seconds())
	reason := r.Reason
	if n := len(r.Events); n > 0 && r.Events[n-1].Kind == match.GameAborted {
		reason = r.Events[n-1].Reason
	}
	m.ended.WithLabelValues(r.Rules.Name, reason.String()).Inc()
}

// Wrote records a write transaction, for store.Config.
func (m *Meter) Wrote(changes int, took time.Duration, err error) {
	m.writes.Observe(took.Seconds())
	m.changes.Add(float64(changes))
	if err != nil {
		m.failures.Inc()
	}
}

// Journaled records how long storing a group of events took, for the journal of the active
// node.
func (m *Meter) Journaled(took time.Duration) { m.groups.Observe(took.Seconds()) }

// snapshots is a [prometheus.Collector] of current values.
type snapshots struct{ meter *Meter }

// fact is a metric of a snapshot.
type fact struct {
	desc *prometheus.Desc
	kind prometheus.ValueType
}

func newFact(name, help string, kind prometheus.ValueType) fact {
	return fact{prometheus.NewDesc(prometheus.BuildFQName(namespace, "", name), help, nil, nil), kind}
}

// facts lists the metrics of a snapshot. numbers returns their values in the same order.
var facts = []fact{
	newFact("ssh_connections", "Open SSH connections.", prometheus.GaugeValue),
	newFact("ssh_sessions", "Interactive sessions.", prometheus.GaugeValue),
	newFact("relay_connections", "Connected programs.", prometheus.GaugeValue),
	newFact("relay_lines_received_total", "Lines received from programs.", prometheus.CounterValue),
	newFact("relay_lines_sent_total", "Lines sent to programs.", prometheus.CounterValue),
	newFact("people", "Connected people.", prometheus.GaugeValue),
	newFact("guests", "Connected people without an account.", prometheus.GaugeValue),
	newFact("waiting_players", "Players seeking any opponent.", prometheus.GaugeValue),
	newFact("matches", "Running matches.", prometheus.GaugeValue),
	newFact("spectators", "Spectators of matches.", prometheus.GaugeValue),
	newFact("database_waiting_changes", "Changes waiting to be written.", prometheus.GaugeValue),
	newFact("journal_lag_seconds", "Age of the oldest event of a running match that is not in the database yet.", prometheus.GaugeValue),
	newFact("matches_unstored", "Finished matches that are not in the database yet.", prometheus.GaugeValue),
	newFact("nodes", "Known nodes of the service.", prometheus.GaugeValue),
	newFact("cluster_healthy", "1 if this node is connected to the active node, else 0.", prometheus.GaugeValue),
	newFact("active", "1 if this node is the active node, else 0.", prometheus.GaugeValue),
	newFact("epoch", "Epoch of the active node; 0 for a single server.", prometheus.GaugeValue),
	newFact("remote_sessions", "Sessions of all nodes that this node serves as the active node.", prometheus.GaugeValue),
}

func (s *Sources) numbers() []float64 {
	conns, sessions := s.SSH()
	programs, in, out := s.Relay()
	c := s.Census()
	n := s.Node()
	return []float64{
		float64(conns), float64(sessions), float64(programs), float64(in), float64(out),
		float64(c.People), float64(c.Guests), float64(c.Waiting), float64(c.Matches), float64(c.Watching),
		float64(s.Queue()), c.JournalLag.Seconds(), float64(c.Unstored),
		float64(n.Known), boolValue(n.Connected), boolValue(n.Active), float64(n.Epoch), float64(n.Sessions),
	}
}

// boolValue returns 1 for true and 0 for false.
func boolValue(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// Describe implements [prometheus.Collector].
func (s snapshots) Describe(to chan<- *prometheus.Desc) {
	for _, f := range facts {
		to <- f.desc
	}
}

// Collect implements [prometheus.Collector].
func (s snapshots) Collect(to chan<- prometheus.Metric) {
	sources := s.meter.sources.Load()
	if sources == nil {
		return
	}
	for i, n := range sources.numbers() {
		to <- prometheus.MustNewConstMetric(facts[i].desc, facts[i].kind, n)
	}
}

// readyTime limits the check of readiness.
const readyTime = 2 * time.Second

// Handler returns a handler for /metrics, /healthz and /readyz and, with profiles, for
// /debug/pprof/.
func (m *Meter) Handler(profiles bool) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{Registry: m.registry}))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		err := errors.New("starting")
		if s := m.sources.Load(); s != nil {
			ctx, cancel := context.WithTimeout(r.Context(), readyTime)
			defer cancel()
			err = s.Ready(ctx)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ready")
	})
	if profiles {
		mux.HandleFunc("GET /debug/pprof/", pprof.Index)
		mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
		mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
		mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
		mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	}
	return mux
}

// Timeouts of the HTTP server, long enough for a one-minute profile.
const (
	requestTime  = 10 * time.Second
	responseTime = 2 * time.Minute
)

// Serve serves HTTP on a listener until ctx ends.
func (m *Meter) Serve(ctx context.Context, l net.Listener, profiles bool, log *slog.Logger) error {
	srv := &http.Server{
		Handler: m.Handler(profiles), ReadTimeout: requestTime, WriteTimeout: responseTime, IdleTimeout: requestTime,
		MaxHeaderBytes: 16 << 10, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	done := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(done)
		_ = srv.Close() // incomplete answers do no harm
	})
	err := srv.Serve(l)
	if !stop() {
		<-done
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return fmt.Errorf("serving metrics: %w", err)
}
