package metrics

import (
	"fmt"
	"io"
	runtime "runtime/metrics"
	"strings"

	"github.com/VictoriaMetrics/metrics"

	"broadside/internal/build"
)

// help describes the metrics that the library writes, which leaves their descriptions empty.
var help = map[string]string{
	"broadside_build_info":                      "Always 1; the labels describe the build.",
	"broadside_database_failures_total":         "Failed write transactions.",
	"broadside_database_write_duration_seconds": "Duration of write transactions.",
	"broadside_journal_write_duration_seconds":  "Time to store a group of events in the journal.",
	"broadside_match_duration_seconds":          "Duration of matches that have ended.",
	"broadside_matches_ended_total":             "Matches that have ended, by rules and by how they ended.",
	"broadside_pairing_wait_seconds":            "Time that paired players waited for an opponent.",
	"broadside_relay_refusals_total":            "Refused connections of programs, by reason.",
	"broadside_shot_duration_seconds":           "Time from the arrival of a shot until it is sent to all recipients.",
	"broadside_ssh_login_failures_total":        "SSH connections that failed to log in.",
	"broadside_ssh_logins_total":                "SSH logins, by method.",
	"broadside_ssh_refusals_total":              "Refused SSH connections and sessions, by reason.",
}

// formatMetrics returns all metrics in Prometheus' text format.
func (m *Meter) formatMetrics() string {
	var text, page strings.Builder
	about := build.Read()
	metrics.WriteMetadataIfNeeded(&text, "broadside_build_info", "gauge")
	fmt.Fprintf(&text, "broadside_build_info{revision=%q,version=%q} 1\n", about.Commit, about.Version)
	m.set.WritePrometheus(&text)
	metrics.WriteProcessMetrics(&text)
	metrics.WriteFDMetrics(&text)
	for line := range strings.Lines(text.String()) {
		name, _ := strings.CutPrefix(strings.TrimSpace(line), "# HELP ")
		if about, ok := help[name]; ok {
			line = fmt.Sprintf("# HELP %s %s\n", name, about)
		}
		page.WriteString(line)
	}
	writeRuntimeMetrics(&page)
	s := m.sources.Load()
	if s != nil {
		s.Snapshot().write(&page)
	}
	return page.String()
}

// writeRuntimeMetrics writes metrics of the Go runtime that the library lacks, under the names that
// Prometheus' Go client gives them.
func writeRuntimeMetrics(w io.Writer) {
	values := []runtime.Sample{
		{Name: "/gc/gogc:percent"}, {Name: "/gc/gomemlimit:bytes"}, {Name: "/sched/gomaxprocs:threads"},
	}
	runtime.Read(values)
	value := func(i int) uint64 { return values[i].Value.Uint64() }
	writeGauge(w, "go_gc_gogc_percent", "Heap growth that starts a garbage collection, in percent.", value(0))
	writeGauge(w, "go_gc_gomemlimit_bytes", "Memory limit of the Go runtime.", value(1))
	writeGauge(w, "go_sched_gomaxprocs_threads", "Number of threads that can run Go code at the same time.", value(2))
}

func (s Snapshot) write(w io.Writer) {
	writeGauge(w, "broadside_ssh_connections", "Open SSH connections.", s.Connections)
	writeGauge(w, "broadside_ssh_sessions", "Interactive sessions.", s.Sessions)
	writeGauge(w, "broadside_relay_connections", "Connected programs.", s.Programs)
	writeMetric(w, "counter", "broadside_relay_lines_received_total", "Lines received from programs.", s.LinesIn)
	writeMetric(w, "counter", "broadside_relay_lines_sent_total", "Lines sent to programs.", s.LinesOut)
	writeGauge(w, "broadside_people", "Connected people.", s.Lobby.Sessions)
	writeGauge(w, "broadside_guests", "Connected people without an account.", s.Lobby.GuestSessions)
	writeGauge(w, "broadside_waiting_players", "Players waiting for any opponent.", s.Lobby.WaitingPlayers)
	writeGauge(w, "broadside_matches", "Running matches, except the featured match of two bots.", s.Lobby.RunningMatches)
	writeGauge(w, "broadside_spectators", "Spectators of matches.", s.Lobby.Spectators)
	writeGauge(w, "broadside_database_waiting_changes", "Changes waiting to be written.", s.Queue)
	writeGauge(w, "broadside_journal_lag_seconds", "Waiting time of the oldest event that is not in the database yet. "+
		"Matches pause while it waits.", s.Lobby.JournalLag.Seconds())
	writeGauge(w, "broadside_nodes", "Known nodes of the service.", s.Nodes)
	writeGauge(w, "broadside_cluster_healthy", "1 if this node is connected to PostgreSQL, or is a single server, else 0.",
		boolToInt(s.Connected))
	writeGauge(w, "broadside_active", "1 if this node is the active node, else 0.", boolToInt(s.Active))
	writeGauge(w, "broadside_epoch", "Epoch of the active node; 0 for a single server.", s.Epoch)
}

func writeGauge(w io.Writer, name, help string, value any) {
	writeMetric(w, "gauge", name, help, value)
}

func writeMetric(w io.Writer, kind, name, help string, value any) {
	fmt.Fprintf(w, "# HELP %[2]s %[3]s\n# TYPE %[2]s %[1]s\n%[2]s %[4]v\n", kind, name, help, value)
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
