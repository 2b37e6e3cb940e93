// Package metrics tells operators' tools how the server does: Prometheus's
// numbers, and whether it lives and is ready, over HTTP. It looks at snapshots
// and is told of what happens by small hooks; nothing that it measures knows it.
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

	"broadside/lobby"
	"broadside/relay"
	"broadside/sshd"
)

// Sources are what the numbers are taken from whenever somebody asks. Any
// goroutine calls them; they must not wait.
type Sources struct {
	SSH    func() (conns, sessions int)
	Relay  func() (conns int, in, out uint64)
	Census func() lobby.Stats
	Queue  func() int // changes that wait for the database
	Node   func() Node
	// Ready tells whether people can come in; its error says why not.
	Ready func(context.Context) error
}

// Node is this server's part in a service of several nodes. A single server is
// active and connected.
type Node struct {
	Known     int   // nodes of the service
	Connected bool  // to the active node
	Active    bool  // this node is the active node
	Epoch     int64 // of the active node
	Sessions  int   // of all nodes, that this node serves as the active node
}

// Meter takes the numbers. Make it with [New]; any goroutine may call its
// methods, which do not wait.
type Meter struct {
	registry *prometheus.Registry
	happened *prometheus.CounterVec
	refused  *prometheus.CounterVec
	paired   prometheus.Histogram
	shots    prometheus.Histogram
	matches  prometheus.Histogram
	writes   prometheus.Histogram
	groups   prometheus.Histogram
	changes  prometheus.Counter
	failures prometheus.Counter
	sources  atomic.Pointer[Sources]
}

// namespace begins the names of all numbers.
const namespace = "broadside"

// New makes a meter for a program of a version.
func New(version string) *Meter {
	m := &Meter{registry: prometheus.NewRegistry()}
	histogram := func(name, help string, buckets []float64) prometheus.Histogram {
		return prometheus.NewHistogram(prometheus.HistogramOpts{Namespace: namespace, Name: name, Help: help, Buckets: buckets})
	}
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help})
	}
	m.happened = prometheus.NewCounterVec(prometheus.CounterOpts{
		Namespace: namespace, Name: "ssh_events_total", Help: "Logins by kind, and who was refused by reason.",
	}, []string{"event"})
	for _, h := range sshd.Events() {
		m.happened.WithLabelValues(string(h)) // there from the start, as 0
	}
	m.refused = prometheus.NewCounterVec(prometheus.CounterOpts{
		Namespace: namespace, Name: "relay_refused_total", Help: "Programs that were turned away, by reason.",
	}, []string{"reason"})
	for _, r := range relay.Refusals() {
		m.refused.WithLabelValues(string(r))
	}
	m.paired = histogram("pairing_wait_seconds", "How long those waited who found an opponent.", prometheus.ExponentialBuckets(0.25, 2, 12))
	m.shots = histogram("shot_seconds", "From a shot's arrival until it is told to all.", prometheus.ExponentialBuckets(10e-6, 4, 10))
	m.matches = histogram("match_seconds", "How long matches lasted that have ended.", prometheus.ExponentialBuckets(1, 3, 9))
	m.writes = histogram("database_write_seconds", "Transactions that write.", prometheus.ExponentialBuckets(0.25e-3, 2, 14))
	m.groups = histogram("journal_group_seconds", "Storing the events that arrived at about the same time, on the active node.", prometheus.ExponentialBuckets(0.25e-3, 2, 14))
	m.changes = counter("database_changes_total", "Changes in these transactions.")
	m.failures = counter("database_failures_total", "Transactions that failed.")
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Namespace: namespace, Name: "build_info", Help: "Always 1.", ConstLabels: prometheus.Labels{"version": version},
	})
	build.Set(1)
	m.registry.MustRegister(
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		m.happened, m.refused, m.paired, m.shots, m.matches, m.writes, m.groups, m.changes, m.failures, build, snapshots{m},
	)
	return m
}

// Watch says where snapshots come from. Until then there are none, and nobody
// is ready.
func (m *Meter) Watch(s Sources) { m.sources.Store(&s) }

// Count is for [sshd.Config].
func (m *Meter) Count(h sshd.Event) { m.happened.WithLabelValues(string(h)).Inc() }

// Refused is for [relay.Config].
func (m *Meter) Refused(r relay.Refusal) { m.refused.WithLabelValues(string(r)).Inc() }

// Lobby is for [lobby.Config].
func (m *Meter) Lobby() lobby.Meter {
	seconds := func(h prometheus.Histogram) func(time.Duration) {
		return func(d time.Duration) { h.Observe(d.Seconds()) }
	}
	return lobby.Meter{Paired: seconds(m.paired), Shot: seconds(m.shots), Ended: seconds(m.matches)}
}

// Wrote is for the store's configuration.
func (m *Meter) Wrote(changes int, took time.Duration, err error) {
	m.writes.Observe(took.Seconds())
	m.changes.Add(float64(changes))
	if err != nil {
		m.failures.Inc()
	}
}

// Journaled is for the journal of the active node. It is called with how long storing a
// group of events took.
func (m *Meter) Journaled(took time.Duration) { m.groups.Observe(took.Seconds()) }

// snapshots collects what there is at the moment that somebody asks.
type snapshots struct{ meter *Meter }

// fact is one number of a snapshot.
type fact struct {
	desc *prometheus.Desc
	kind prometheus.ValueType
}

func newFact(name, help string, kind prometheus.ValueType) fact {
	return fact{prometheus.NewDesc(prometheus.BuildFQName(namespace, "", name), help, nil, nil), kind}
}

// The facts, in the order in which numbers lists them.
var facts = []fact{
	newFact("ssh_connections", "Open SSH connections.", prometheus.GaugeValue),
	newFact("ssh_sessions", "Sessions with a screen.", prometheus.GaugeValue),
	newFact("relay_connections", "Connected programs.", prometheus.GaugeValue),
	newFact("relay_lines_received_total", "Lines from programs.", prometheus.CounterValue),
	newFact("relay_lines_sent_total", "Lines to programs.", prometheus.CounterValue),
	newFact("people", "People in the lobby or in a match.", prometheus.GaugeValue),
	newFact("guests", "Those of them without an account.", prometheus.GaugeValue),
	newFact("queue", "Players who wait for any opponent.", prometheus.GaugeValue),
	newFact("matches", "Running matches.", prometheus.GaugeValue),
	newFact("spectators", "Spectators of matches.", prometheus.GaugeValue),
	newFact("database_queue", "Changes that wait to be written.", prometheus.GaugeValue),
	newFact("journal_lag_seconds", "Age of the oldest event of a running match that the database does not have.", prometheus.GaugeValue),
	newFact("matches_unstored", "Matches that have ended and that the database does not have yet.", prometheus.GaugeValue),
	newFact("nodes", "Nodes of the service that this node knows.", prometheus.GaugeValue),
	newFact("cluster_healthy", "1 if this node is connected to the active node, else 0.", prometheus.GaugeValue),
	newFact("active", "1 if this node is the active node, else 0.", prometheus.GaugeValue),
	newFact("epoch", "Number of the period of the active node; 0 for a single server.", prometheus.GaugeValue),
	newFact("remote_sessions", "Sessions at all nodes that this node serves as the active node.", prometheus.GaugeValue),
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
		float64(n.Known), truth(n.Connected), truth(n.Active), float64(n.Epoch), float64(n.Sessions),
	}
}

// truth returns 1 for true and 0 for false.
func truth(b bool) float64 {
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

// readyTime is how long it may take to find out whether the server is ready.
const readyTime = 2 * time.Second

// Handler answers /metrics, /healthz, /readyz, and with profiles what
// net/http/pprof does.
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

// The most that a client of the HTTP server may take. A profile of a minute
// passes.
const (
	requestTime  = 10 * time.Second
	responseTime = 2 * time.Minute
)

// Serve answers at a listener until ctx ends.
func (m *Meter) Serve(ctx context.Context, l net.Listener, profiles bool, log *slog.Logger) error {
	srv := &http.Server{
		Handler: m.Handler(profiles), ReadTimeout: requestTime, WriteTimeout: responseTime, IdleTimeout: requestTime,
		MaxHeaderBytes: 16 << 10, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	done := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(done)
		_ = srv.Close() // nobody minds an answer that is cut
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
