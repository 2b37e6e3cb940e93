// Package metrics serves Prometheus metrics, health and readiness over HTTP. It reads
// snapshots and offers hooks; the measured packages do not import it.
package metrics

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"slices"
	"strings"
	"sync/atomic"
	"time"

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
	Connected bool  // to PostgreSQL
	Active    bool  // this node is the active node
	Epoch     int64 // of the active node
}

// Meter records and serves metrics. Create it with [New]. Any goroutine may call its methods,
// which do not block, except Serve.
type Meter struct {
	started                          time.Time
	logins, sshRefused, relayRefused *counter
	failed, ended, failures          *counter
	paired, shots, took              *histogram
	writes, groups                   *histogram
	sources                          atomic.Pointer[Sources]
}

// New returns a meter.
func New() *Meter {
	m := &Meter{started: time.Now()}
	m.logins = newCounter("ssh_logins_total", "SSH logins, by method.", "method")
	for _, by := range sshd.Methods() {
		m.logins.add(0, string(by)) // reported as 0 from the start
	}
	m.failed = newCounter("ssh_login_failures_total", "SSH connections that tried to log in and did not succeed.")
	m.sshRefused = newCounter("ssh_refusals_total", "Refused SSH connections and sessions, by reason.", "reason")
	for _, r := range sshd.Refusals() {
		m.sshRefused.add(0, string(r))
	}
	m.relayRefused = newCounter("relay_refusals_total", "Refused connections of programs, by reason.", "reason")
	for _, r := range relay.Refusals() {
		m.relayRefused.add(0, string(r))
	}
	m.ended = newCounter("matches_ended_total", "Matches that have ended, by rules and by how they ended.", "reason", "rules")
	for _, rules := range match.Presets() {
		m.ended.add(0, match.FleetSunk.String(), rules)
	}
	m.failures = newCounter("database_failures_total", "Failed write transactions.")
	m.paired = newHistogram("pairing_wait_seconds", "Time that paired players waited for an opponent.", 0.25, 2, 12)
	m.shots = newHistogram("shot_duration_seconds", "Time from the arrival of a shot until it is sent to all recipients.", 10e-6, 4, 10)
	m.took = newHistogram("match_duration_seconds", "Duration of matches that have ended.", 1, 3, 9)
	m.writes = newHistogram("database_write_duration_seconds", "Duration of write transactions.", 0.25e-3, 2, 14)
	m.groups = newHistogram("journal_write_duration_seconds", "Time to store a group of events in the journal, on the active node.", 0.25e-3, 2, 14)
	return m
}

// Watch sets the sources of snapshots. Without sources, the server is not ready.
func (m *Meter) Watch(s Sources) { m.sources.Store(&s) }

// SSH returns the hooks for [sshd.Config].
func (m *Meter) SSH() sshd.Meter {
	return sshd.Meter{
		Login:   func(by sshd.Method) { m.logins.add(1, string(by)) },
		Failed:  func() { m.failed.add(1) },
		Refused: func(r sshd.Refusal) { m.sshRefused.add(1, string(r)) },
	}
}

// Refused records a refused connection, for [relay.Config].
func (m *Meter) Refused(r relay.Refusal) { m.relayRefused.add(1, string(r)) }

// Lobby returns the hooks for [lobby.Config].
func (m *Meter) Lobby() lobby.Meter {
	return lobby.Meter{Paired: m.paired.observe, Shot: m.shots.observe, Ended: m.matchEnded}
}

// matchEnded records a match that has ended. The record of an aborted match does not have the
// reason, but the last event does.
func (m *Meter) matchEnded(r live.Record) {
	m.took.observe(time.Since(r.Started))
	reason := r.Reason
	if n := len(r.Events); n > 0 && r.Events[n-1].Kind == match.GameAborted {
		reason = r.Events[n-1].Reason
	}
	m.ended.add(1, reason.String(), r.Rules.Name)
}

// Wrote records a write transaction, for store.Config.
func (m *Meter) Wrote(took time.Duration, err error) {
	m.writes.observe(took)
	if err != nil {
		m.failures.add(1)
	}
}

// Journaled records how long storing a group of events took, for the journal of the active
// node.
func (m *Meter) Journaled(took time.Duration) { m.groups.observe(took) }

// metrics returns the metrics of a snapshot.
func (s *Sources) metrics() []metric {
	conns, sessions := s.SSH()
	programs, in, out := s.Relay()
	c := s.Census()
	n := s.Node()
	return []metric{
		single(isGauge, namespace+"ssh_connections", "Open SSH connections.", float64(conns)),
		single(isGauge, namespace+"ssh_sessions", "Interactive sessions.", float64(sessions)),
		single(isGauge, namespace+"relay_connections", "Connected programs.", float64(programs)),
		single(isCounter, namespace+"relay_lines_received_total", "Lines received from programs.", float64(in)),
		single(isCounter, namespace+"relay_lines_sent_total", "Lines sent to programs.", float64(out)),
		single(isGauge, namespace+"people", "Connected people.", float64(c.People)),
		single(isGauge, namespace+"guests", "Connected people without an account.", float64(c.Guests)),
		single(isGauge, namespace+"waiting_players", "Players seeking any opponent.", float64(c.Waiting)),
		single(isGauge, namespace+"matches", "Running matches, except the featured match of two bots.", float64(c.Matches)),
		single(isGauge, namespace+"spectators", "Spectators of matches.", float64(c.Watching)),
		single(isGauge, namespace+"database_waiting_changes", "Changes waiting to be written.", float64(s.Queue())),
		single(isGauge, namespace+"journal_lag_seconds", "How long the oldest event that is not in the database yet has been waiting; matches are paused meanwhile.", c.JournalLag.Seconds()),
		single(isGauge, namespace+"nodes", "Known nodes of the service.", float64(n.Known)),
		single(isGauge, namespace+"cluster_healthy", "1 if this node is connected to PostgreSQL, or is a single server, else 0.", boolValue(n.Connected)),
		single(isGauge, namespace+"active", "1 if this node is the active node, else 0.", boolValue(n.Active)),
		single(isGauge, namespace+"epoch", "Epoch of the active node; 0 for a single server.", float64(n.Epoch)),
	}
}

// boolValue returns 1 for true and 0 for false.
func boolValue(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// page returns all metrics in the text format of Prometheus, sorted by name.
func (m *Meter) page() string {
	about := build.Read()
	all := []metric{
		{namespace + "build_info", isGauge, "Always 1; the labels describe the build.", []sample{{labelled([]string{"revision", "version"}, []string{about.Commit, about.Version}), 1}}},
		single(isGauge, "process_start_time_seconds", "Unix time at which the process started.", seconds(m.started)),
	}
	for _, c := range []*counter{m.logins, m.failed, m.sshRefused, m.relayRefused, m.ended, m.failures} {
		all = append(all, c.metric())
	}
	for _, h := range []*histogram{m.paired, m.shots, m.took, m.writes, m.groups} {
		all = append(all, h.metric())
	}
	if s := m.sources.Load(); s != nil {
		all = append(all, s.metrics()...)
	}
	all = slices.Concat(all, runtimeMetrics(), processMetrics())
	slices.SortFunc(all, func(a, b metric) int { return strings.Compare(a.name, b.name) })
	var b strings.Builder
	for _, x := range all {
		b.WriteString(x.String())
	}
	return b.String()
}

// readyTime limits the check of readiness.
const readyTime = 2 * time.Second

// Handler returns a handler for /metrics, /healthz and /readyz and, with profiles, for
// /debug/pprof/.
func (m *Meter) Handler(profiles bool) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		_, _ = io.WriteString(w, m.page()) // fails if the client has gone
	})
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
