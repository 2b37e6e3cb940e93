package metrics_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
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

// page returns the metrics of a server on which each kind of event has happened.
func page(t *testing.T) string {
	t.Helper()
	m := metrics.New()
	m.Watch(metrics.Sources{
		SSH: func() (int, int) { return 2, 1 }, Relay: func() (int, uint64, uint64) { return 3, 4, 5 },
		Census: func() lobby.Stats { return lobby.Stats{People: 6} }, Queue: func() int { return 7 },
		Node:  func() metrics.Node { return metrics.Node{Known: 1, Connected: true, Active: true} },
		Ready: func(context.Context) error { return nil },
	})
	m.SSH().Login(sshd.MethodGuest)
	m.SSH().Failed()
	m.SSH().Refused(sshd.RefusedRate)
	m.Refused(relay.RefusedFull)
	m.Wrote(time.Second, nil)
	m.Lobby().Paired(250 * time.Millisecond)
	m.Lobby().Paired(time.Hour)
	m.Lobby().Ended(live.Record{Rules: match.Naval(), Reason: match.Resigned, Started: time.Now()})
	m.Lobby().Ended(live.Record{Rules: match.Classic(), Reason: match.Closed, Started: time.Now(), Events: []match.Event{{Kind: match.GameAborted, Reason: match.Aborted}}})
	answer := httptest.NewRecorder()
	m.Handler(false).ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	return answer.Body.String()
}

func TestEvents(t *testing.T) {
	got := page(t)
	for _, want := range []string{
		`broadside_ssh_logins_total{method="guest"} 1`, `broadside_ssh_logins_total{method="key"} 0`, `broadside_ssh_login_failures_total 1`,
		`broadside_ssh_refusals_total{reason="rate"} 1`, `broadside_ssh_refusals_total{reason="access"} 0`, `broadside_relay_refusals_total{reason="full"} 1`,
		`broadside_matches_ended_total{reason="resigned",rules="naval"} 1`, `broadside_matches_ended_total{reason="aborted",rules="classic"} 1`,
		`broadside_match_duration_seconds_count 2`, `broadside_pairing_wait_seconds_bucket{le="0.25"} 1`,
		`broadside_pairing_wait_seconds_bucket{le="512"} 1`, `broadside_pairing_wait_seconds_bucket{le="+Inf"} 2`,
		`broadside_pairing_wait_seconds_sum 3600.25`, `broadside_pairing_wait_seconds_count 2`, `broadside_people 6`, `broadside_database_write_duration_seconds_sum 1`, `broadside_database_failures_total 0`,
	} {
		if !strings.Contains(got, "\n"+want+"\n") {
			t.Errorf("the page lacks %s", want)
		}
	}
	for _, value := range regexp.MustCompile(`(?m)^broadside_[a-z_]+\{.*[a-z]="([^"]* [^"]*)"`).FindAllStringSubmatch(got, -1) {
		t.Errorf("the label value %q has a space", value[1])
	}
}

// TestFormat checks that each metric has a description, a type and samples, and that their names
// are unique and sorted.
func TestFormat(t *testing.T) {
	head := regexp.MustCompile(`^# HELP ((?:broadside|go|process)_\w+) \S.*\.\n# TYPE (\w+) (?:gauge|counter|histogram|summary)\n((?:[^#].*\n)+)`)
	value := regexp.MustCompile(`^(?:_bucket|_sum|_count)?(?:\{\w+="[^"\\]*"(?:,\w+="[^"\\]*")*\})? (\S+)$`)
	last := ""
	for rest := page(t); rest != ""; {
		m := head.FindStringSubmatch(rest)
		if m == nil || m[1] != m[2] || m[1] <= last {
			t.Fatalf("after %s: not a metric: %.200s", last, rest)
		}
		for line := range strings.Lines(m[3]) {
			text, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), m[1])
			v := value.FindStringSubmatch(text)
			if !ok || v == nil {
				t.Errorf("%s has this sample: %s", m[1], line)
			} else if _, err := strconv.ParseFloat(v[1], 64); err != nil {
				t.Error(err)
			}
		}
		last, rest = m[1], rest[len(m[0]):]
	}
}

// described matches the description and type of a metric on the page.
var described = regexp.MustCompile(`(?m)^# HELP (broadside_\w+) (.*)\n# TYPE \w+ (\w+)$`)

// labels matches the labels of a sample.
var labels = regexp.MustCompile(`(\w+)=`)

// TestDocument compares the metrics with the table in docs/metrics.md.
func TestDocument(t *testing.T) {
	text, err := os.ReadFile("../../docs/metrics.md")
	if err != nil {
		t.Fatal(err)
	}
	got := page(t)
	var rows strings.Builder
	for _, m := range described.FindAllStringSubmatch(got, -1) {
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
	got := page(t)
	for file, least := range map[string]int{"grafana.json": 30, "prometheus/alerts.yml": 8, "prometheus/alerts_test.yml": 10} {
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
