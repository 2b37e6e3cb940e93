// Package metrics serves Prometheus metrics, health and readiness over HTTP. It reads snapshots and offers
// hooks, so that the measured packages do not import it.
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
	"sync/atomic"
	"time"

	"github.com/VictoriaMetrics/metrics"

	"broadside/lobby"
	"broadside/match"
	"broadside/match/live"
	"broadside/relay"
	"broadside/sshd"
)

// Sources provides the current values of metrics. Any goroutine may call the functions.
type Sources struct {
	// Snapshot must not block.
	Snapshot func() Snapshot
	// Ready returns nil if clients can use the server, and otherwise the reason.
	Ready func(context.Context) error
}

// Snapshot is this server's state. A single server is a node that is active and connected.
type Snapshot struct {
	// Connections and Sessions are those over SSH.
	Connections, Sessions int
	Programs              int
	// LinesIn come from programs, and LinesOut go to them.
	LinesIn, LinesOut uint64
	Lobby             lobby.Stats
	// Queue counts the changes that wait for the database.
	Queue int

	// Nodes is the number of the service's nodes.
	Nodes int
	// Connected is set while PostgreSQL is reachable.
	Connected bool
	// Active is set while this node is the active node.
	Active bool
	// Epoch counts the periods of active nodes.
	Epoch int64
}

// Meter records and serves metrics. Create it with [New]. Any goroutine may call its methods,
// which do not block, except Serve.
type Meter struct {
	set                             *metrics.Set
	loginFailures, databaseFailures *metrics.Counter
	pairingWaits, shotTimes         *metrics.PrometheusHistogram
	matchTimes                      *metrics.PrometheusHistogram
	writeTimes, journalTimes        *metrics.PrometheusHistogram
	sources                         atomic.Pointer[Sources]
}

// New returns a meter.
func New() *Meter {
	metrics.ExposeMetadata(true)
	set := metrics.NewSet()
	histogram := func(name string, first, factor float64, buckets int) *metrics.PrometheusHistogram {
		return set.NewPrometheusHistogramExt(name, metrics.ExponentialBuckets(first, factor, buckets))
	}
	m := &Meter{
		set:              set,
		loginFailures:    set.NewCounter("broadside_ssh_login_failures_total"),
		databaseFailures: set.NewCounter("broadside_database_failures_total"),
		pairingWaits:     histogram("broadside_pairing_wait_seconds", 0.25, 2, 12),
		shotTimes:        histogram("broadside_shot_duration_seconds", 10e-6, 4, 10),
		matchTimes:       histogram("broadside_match_duration_seconds", 1, 3, 9),
		writeTimes:       histogram("broadside_database_write_duration_seconds", 0.25e-3, 2, 14),
		journalTimes:     histogram("broadside_journal_write_duration_seconds", 0.25e-3, 2, 14),
	}
	// Created here so that they are reported as 0 from the start.
	for _, by := range sshd.LoginMethods() {
		m.counter(logins, by)
	}
	for _, r := range sshd.RefusalReasons() {
		m.counter(sshRefusals, r)
	}
	for _, r := range relay.Refusals() {
		m.counter(relayRefusals, r)
	}
	for _, rules := range match.PresetNames() {
		m.counter(matchesEnded, match.FleetSunk.String(), rules)
	}
	return m
}

// Counters with labels.
const (
	logins        = "broadside_ssh_logins_total{method=%q}"
	sshRefusals   = "broadside_ssh_refusals_total{reason=%q}"
	relayRefusals = "broadside_relay_refusals_total{reason=%q}"
	matchesEnded  = "broadside_matches_ended_total{reason=%q,rules=%q}"
)

// counter returns the counter with the given values of its labels.
func (m *Meter) counter(name string, values ...any) *metrics.Counter {
	return m.set.GetOrCreateCounter(fmt.Sprintf(name, values...))
}

// SetSources sets the sources. Without them, the server is not ready.
func (m *Meter) SetSources(s Sources) { m.sources.Store(&s) }

// SSHMeter returns the hooks for [sshd.Config].
func (m *Meter) SSHMeter() sshd.Meter {
	return sshd.Meter{
		Login:   func(by sshd.LoginMethod) { m.counter(logins, by).Inc() },
		Failed:  m.loginFailures.Inc,
		Refused: func(r sshd.RefusalReason) { m.counter(sshRefusals, r).Inc() },
	}
}

// CountRefusal counts a refused connection of a program.
func (m *Meter) CountRefusal(r relay.Refusal) { m.counter(relayRefusals, r).Inc() }

// LobbyMeter returns the hooks for [lobby.Config].
func (m *Meter) LobbyMeter() lobby.Meter {
	return lobby.Meter{
		Paired: func(d time.Duration) { m.pairingWaits.Update(d.Seconds()) },
		Shot:   func(d time.Duration) { m.shotTimes.Update(d.Seconds()) },
		Ended:  m.countMatch,
	}
}

// countMatch counts a match that has ended. An aborted match has its reason only in the last event.
func (m *Meter) countMatch(r live.Record) {
	m.matchTimes.UpdateDuration(r.Started)
	reason := r.Reason
	n := len(r.Events)
	if n > 0 && r.Events[n-1].Kind == match.GameAborted {
		reason = r.Events[n-1].Reason
	}
	m.counter(matchesEnded, reason.String(), r.Rules.Name).Inc()
}

// ObserveWrite records a writing transaction, as the OnWrite hook of store.Config.
func (m *Meter) ObserveWrite(took time.Duration, err error) {
	m.writeTimes.Update(took.Seconds())
	if err != nil {
		m.databaseFailures.Inc()
	}
}

// ObserveJournalWrite records how long a group of events took to store, as the OnJournalWrite hook of
// store.Config.
func (m *Meter) ObserveJournalWrite(took time.Duration) { m.journalTimes.Update(took.Seconds()) }

// readyTime limits the check of readiness.
const readyTime = 2 * time.Second

// Handler returns a handler for /metrics, /healthz and /readyz and, with profiles, for
// /debug/pprof/.
func (m *Meter) Handler(profiles bool) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		// This fails if the client has gone.
		_, _ = io.WriteString(w, m.formatMetrics())
	})
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		err := errors.New("starting")
		s := m.sources.Load()
		if s != nil {
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
		// Incomplete answers do no harm.
		_ = srv.Close()
	})
	err := srv.Serve(l)
	if !stop() {
		<-done
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return fmt.Errorf("serve metrics: %w", err)
}
