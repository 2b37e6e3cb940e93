package metrics_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"broadside/internal/metrics"
	"broadside/lobby"
	"broadside/match"
	"broadside/match/live"
	"broadside/relay"
	"broadside/sshd"
)

// readPage returns the metrics of a server on which each kind of event has happened.
func readPage(t *testing.T) string {
	t.Helper()
	m := metrics.New()
	m.SetSources(metrics.Sources{Snapshot: func() metrics.Snapshot {
		return metrics.Snapshot{
			Connections: 2, Sessions: 1, Programs: 3, LinesIn: 4, LinesOut: 5, Queue: 7, Nodes: 1, Active: true, Epoch: 8,
			Lobby: lobby.Stats{Sessions: 6, JournalLag: 1500 * time.Millisecond},
		}
	}})
	m.SSHMeter().Login(sshd.LoginAsGuest)
	m.SSHMeter().Failed()
	m.SSHMeter().Refused(sshd.RefusedRate)
	m.CountRefusal(relay.RefusedFull)
	m.ObserveWrite(time.Second, nil)
	m.ObserveWrite(0, errors.New("the disk is full"))
	m.ObserveJournalWrite(time.Second / 2)
	m.LobbyMeter().Shot(40 * time.Microsecond)
	m.LobbyMeter().Paired(250 * time.Millisecond)
	m.LobbyMeter().Paired(time.Hour)
	m.LobbyMeter().Ended(live.Record{Rules: match.Naval(), Reason: match.Resigned, Started: time.Now()})
	m.LobbyMeter().Ended(live.Record{
		Rules: match.Classic(), Reason: match.Closed, Started: time.Now(),
		Events: []match.Event{{Kind: match.GameAborted, Reason: match.Aborted}},
	})
	answer := httptest.NewRecorder()
	m.Handler(false).ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	return answer.Body.String()
}

func TestEvents(t *testing.T) {
	got := readPage(t)
	for _, want := range []string{
		`broadside_ssh_logins_total{method="guest"} 1`, `broadside_ssh_logins_total{method="key"} 0`,
		`broadside_ssh_login_failures_total 1`,
		`broadside_ssh_refusals_total{reason="rate"} 1`, `broadside_ssh_refusals_total{reason="access"} 0`,
		`broadside_relay_refusals_total{reason="full"} 1`, `broadside_relay_refusals_total{reason="rate"} 0`,
		`broadside_matches_ended_total{reason="resigned",rules="naval"} 1`,
		`broadside_matches_ended_total{reason="aborted",rules="classic"} 1`,
		`broadside_matches_ended_total{reason="sunk",rules="classic"} 0`,
		`broadside_match_duration_seconds_count 2`,
		`broadside_pairing_wait_seconds_bucket{le="0.25"} 1`, `broadside_pairing_wait_seconds_bucket{le="512"} 1`,
		`broadside_pairing_wait_seconds_bucket{le="+Inf"} 2`, `broadside_pairing_wait_seconds_sum 3600.25`,
		`broadside_shot_duration_seconds_bucket{le="4e-05"} 1`, `broadside_shot_duration_seconds_count 1`,
		`broadside_ssh_connections 2`, `broadside_ssh_sessions 1`, `broadside_people 6`,
		`broadside_relay_connections 3`, `broadside_relay_lines_received_total 4`, `broadside_relay_lines_sent_total 5`,
		`broadside_database_waiting_changes 7`, `broadside_database_write_duration_seconds_sum 1`,
		`broadside_database_failures_total 1`, `broadside_journal_write_duration_seconds_sum 0.5`,
		`broadside_journal_lag_seconds 1.5`, `broadside_active 1`, `broadside_cluster_healthy 0`, `broadside_epoch 8`,
	} {
		if !strings.Contains(got, "\n"+want+"\n") {
			t.Errorf("the page lacks %s", want)
		}
	}
}

// TestFormat checks that each metric has a description, a type and samples, and that their names
// are unique. The library leaves descriptions of the Go runtime and of the process empty.
func TestFormat(t *testing.T) {
	head := regexp.MustCompile(`^# HELP (\w+)(| \S.*\.)\n# TYPE (\w+) \w+\n((?:[^#].*\n)+)`)
	value := regexp.MustCompile(`^(?:_bucket|_sum|_count)?(?:\{\w+="[^"\\ ]*"(?:, ?\w+="[^"\\]*")*\})? (\S+)$`)
	seen := map[string]bool{}
	for rest := readPage(t); rest != ""; {
		m := head.FindStringSubmatch(rest)
		if m == nil || m[1] != m[3] || m[2] == "" && strings.HasPrefix(m[1], "broadside_") || seen[m[1]] {
			t.Fatalf("not a metric: %.200s", rest)
		}
		for line := range strings.Lines(m[4]) {
			text, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), m[1])
			v := value.FindStringSubmatch(text)
			if !ok || v == nil {
				t.Errorf("%s has this sample: %s", m[1], line)
			} else if _, err := strconv.ParseFloat(v[1], 64); err != nil {
				t.Error(err)
			}
		}
		seen[m[1]], rest = true, rest[len(m[0]):]
	}
}

// TestRuntimeNames checks that the metrics of the Go runtime and of the process that dashboards
// know from Prometheus' Go client exist, with their types.
func TestRuntimeNames(t *testing.T) {
	want, err := os.ReadFile("testdata/runtime.txt")
	if err != nil {
		t.Fatal(err)
	}
	got := readPage(t)
	for line := range strings.Lines(string(want)) {
		if !strings.Contains(got, "\n# TYPE "+line) {
			t.Errorf("the page lacks %s", line)
		}
	}
}

// described matches the description and type of a metric on the page.
var described = regexp.MustCompile(`(?m)^# HELP (broadside_\w+) (.*)\n# TYPE \w+ (\w+)$`)

// labels matches a sample's labels.
var labels = regexp.MustCompile(`(\w+)=`)

// TestDocument compares the metrics with the table in docs/metrics.md.
func TestDocument(t *testing.T) {
	text, err := os.ReadFile("../../docs/metrics.md")
	if err != nil {
		t.Fatal(err)
	}
	got := readPage(t)
	all := described.FindAllStringSubmatch(got, -1)
	slices.SortFunc(all, func(a, b []string) int { return strings.Compare(a[1], b[1]) })
	var rows strings.Builder
	for _, m := range all {
		sample := regexp.MustCompile(`(?m)^` + m[1] + `(?:_count)?(?:\{(.*)\})? `).FindStringSubmatch(got)
		if sample == nil {
			t.Errorf("%s has no value", m[1])
			continue
		}
		var names []string
		for _, l := range labels.FindAllStringSubmatch(sample[1], -1) {
			names = append(names, "`"+l[1]+"`")
		}
		fmt.Fprintf(&rows, "| `%s` | %s | %s | %s |\n", m[1], m[3], strings.Join(names, ", "), m[2])
	}
	if !strings.Contains(string(text), "|---|---|---|---|\n"+rows.String()+"\n") {
		t.Errorf("docs/metrics.md should have this table:\n%s", rows.String())
	}
}

// TestNamesInUse checks that the dashboard and the alert rules use existing metrics.
func TestNamesInUse(t *testing.T) {
	name := regexp.MustCompile(`\b(?:broadside|go|process)_[a-z_]+`)
	got := readPage(t)
	for file, least := range map[string]int{
		"grafana.json": 30, "prometheus/alerts.yml": 8, "prometheus/alerts_test.yml": 10,
	} {
		text, err := os.ReadFile("../../deploy/" + file)
		if err != nil {
			t.Fatal(err)
		}
		found := name.FindAllString(string(text), -1)
		if len(found) < least {
			t.Errorf("%s uses %d metrics, want %d or more", file, len(found), least)
		}
		for _, n := range found {
			if !strings.Contains(got, "\n"+n+" ") && !strings.Contains(got, "\n"+n+"{") {
				t.Errorf("%s uses %s, which does not exist", file, n)
			}
		}
	}
}
