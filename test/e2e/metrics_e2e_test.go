package e2e

import (
	"bufio"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"broadside/internal/server"
	"broadside/internal/test/servers"
	"broadside/internal/test/sshtest"
)

// freeAddress returns an address on which nothing listens at the moment.
func freeAddress(t testing.TB) string {
	t.Helper()
	l, err := servers.ListenLoopback()
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// get requests a page from an address.
func get(t testing.TB, url string) (status int, body string) {
	t.Helper()
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: patience}
	r, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(b)
}

// parseMetrics returns the samples of a page of metrics, by name and labels.
func parseMetrics(t *testing.T, page string) map[string]float64 {
	t.Helper()
	all := map[string]float64{}
	for lines := bufio.NewScanner(strings.NewReader(page)); lines.Scan(); {
		name, value, ok := strings.Cut(lines.Text(), "} ")
		if ok {
			name += "}"
		} else if name, value, ok = strings.Cut(lines.Text(), " "); !ok {
			continue
		}
		if n, err := strconv.ParseFloat(value, 64); err == nil {
			all[name] = n
		}
	}
	return all
}

func TestMetrics(t *testing.T) {
	t.Parallel()
	address := freeAddress(t)
	h := open(t, func(c *server.Config) { c.Metrics = address })
	ann := h.enterLobby(t, "ann")
	ann.Press("b")
	ann.WaitText("Play a bot")
	ann.Press("1")
	place(ann)
	ann.WaitText("YOUR TURN")
	ann.Type("B7")
	ann.Press("enter")
	ann.WaitText("You fired at B7")
	program := h.connectProgram(t)
	program.expect("(3,[]).\n")

	var n map[string]float64
	waitUntil(t, "the shot is counted", func() bool { // it is seen before
		status, page := get(t, "http://"+address+"/metrics")
		if status != http.StatusOK {
			t.Fatalf("status %d: %s", status, page)
		}
		n = parseMetrics(t, page)
		return n["broadside_shot_duration_seconds_count"] > 0
	})
	for name, want := range map[string]float64{
		"broadside_ssh_connections": 1, "broadside_ssh_sessions": 1, "broadside_people": 1, "broadside_guests": 0,
		"broadside_matches": 1, "broadside_waiting_players": 1, "broadside_relay_connections": 1, "broadside_relay_lines_sent_total": 1,
		`broadside_ssh_logins_total{method="key"}`: 1, `broadside_ssh_refusals_total{reason="full"}`: 0, "broadside_ssh_login_failures_total": 0,
		`broadside_relay_refusals_total{reason="full"}`: 0,
	} {
		if got, ok := n[name]; !ok || got != want {
			t.Errorf("%s is %v (%v), want %v", name, got, ok, want)
		}
	}
	for _, name := range []string{"broadside_database_write_duration_seconds_count", "go_goroutines", "process_open_fds"} {
		if n[name] < 1 {
			t.Errorf("%s is %v", name, n[name])
		}
	}
	for path, want := range map[string]int{"/healthz": 200, "/readyz": 200, "/debug/pprof/": 404, "/": 404} {
		if status, body := get(t, "http://"+address+path); status != want {
			t.Errorf("%s: %d, want %d: %s", path, status, want, body)
		}
	}
	ann.Press("q", "y")
}

// TestShutdownLogsNoError checks that a clean shutdown logs no error.
func TestShutdownLogsNoError(t *testing.T) {
	t.Parallel()
	address := freeAddress(t)
	var log strings.Builder
	h := openLogging(t, func(c *server.Config) { c.Metrics = address }, &log)
	get(t, "http://"+address+"/healthz")
	h.close(t)
	if log.Len() > 0 {
		t.Errorf("logged at shutdown: %s", log.String())
	}
}

// TestReadiness checks the readiness while the server drains.
func TestReadiness(t *testing.T) {
	t.Parallel()
	address := freeAddress(t)
	h := open(t, func(c *server.Config) {
		c.Metrics, c.Profiles, c.Drain, c.RelayHello = address, true, patience, time.Minute
	})
	program := h.connectProgram(t)
	program.send("% vs bot easy\n")
	program.expect("% ok vs bot easy\n")
	program.expect("(4,[]).\n") // a match runs
	if status, _ := get(t, "http://"+address+"/debug/pprof/goroutine?debug=1"); status != http.StatusOK {
		t.Errorf("profiles: %d", status)
	}
	h.stop()
	for status := 0; status != http.StatusServiceUnavailable; {
		var body string
		if status, body = get(t, "http://"+address+"/readyz"); status == http.StatusServiceUnavailable && !strings.Contains(body, "shutting down") {
			t.Errorf("not ready because: %s", body)
		}
	}
	if status, _ := get(t, "http://"+address+"/healthz"); status != http.StatusOK {
		t.Errorf("it drains and is not healthy: %d", status)
	}
	program.nc.Close()
}

// TestIdlePeopleAreWarned checks that an idle player is warned before the session ends. If the computer is so busy that
// the session ends first, it tries again with more time.
func TestIdlePeopleAreWarned(t *testing.T) {
	t.Parallel()
	const end = "You were inactive for too long."
	warned := func(s string) bool { return strings.Contains(s, "Are you still there? Press a key") }
	for idle, seen := 6*time.Second, false; !seen; idle *= 2 {
		if idle > patience {
			t.Fatal("there is no warning")
		}
		h := open(t, func(c *server.Config) { c.Limits.IdleTimeout = idle })
		ann := sshtest.Dial(t, h.ssh, sshtest.Options{User: "ann"})
		seen = warned(ann.WaitFor("the warning or the end", func(s string) bool { return warned(s) || strings.Contains(s, end) }))
		ann.Press("?")
		ann.WaitFor("the warning to go", func(s string) bool { return !warned(s) })
		ann.Wait()
		if s := ann.Screen(); !strings.Contains(s, end) {
			t.Errorf("the reason is not shown:\n%s", s)
		}
	}
}
