package webhook

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"broadside/internal/test/leaks"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// TestBodySuitsService checks what ntfy, and what other services get.
func TestBodySuitsService(t *testing.T) {
	got := make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- r.Header.Get("Content-Type") + "\n" + string(body)
	}))
	defer server.Close()
	for fragment, want := range map[string]string{
		"#ntfy": "text/plain; charset=utf-8\nhello",
		"":      "application/json\n" + `{"allowed_mentions":{"parse":[]},"content":"hello","text":"hello"}`,
	} {
		s := New(server.URL+"/secret"+fragment, slog.New(slog.DiscardHandler))
		s.Send("hello")
		if body := <-got; body != want {
			t.Errorf("%q: got %q, want %q", fragment, body, want)
		}
		s.Close()
	}
	for address, want := range map[string]bool{
		"https://ntfy.sh/topic": true, "https://discord.com/api/webhooks/1/ntfy": false, "https://NTFY.example.org/t": true, "%": false,
	} {
		if isNtfy(address) != want {
			t.Errorf("isNtfy(%q) = %v, want %v", address, !want, want)
		}
	}
}

// TestFailureIsLoggedWithoutSecret checks that a failure is logged, that a redirect is not followed, and that the log
// does not contain the URL's secret.
func TestFailureIsLoggedWithoutSecret(t *testing.T) {
	requests := make(chan string, 10)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests <- r.URL.Path
		http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
	}))
	defer server.Close()
	for _, address := range []string{server.URL + "/secret", "http://127.0.0.1:1/secret", "http://[::1]:bad/secret"} {
		var out bytes.Buffer
		s := New(address, slog.New(slog.NewTextHandler(&out, nil)))
		s.Send("hello")
		s.done.Wait()
		s.Close()
		log := out.String()
		if strings.Count(log, "cannot tell the webhook") != 1 || strings.Contains(log, "secret") {
			t.Errorf("%s: got the log %q, want one line without the secret", address, log)
		}
	}
	for len(requests) > 0 {
		if path := <-requests; path != "/secret" {
			t.Errorf("got a request for %s", path)
		}
	}
}

// TestMessagesAreRare checks that Send neither waits nor sends twice within the pause.
func TestMessagesAreRare(t *testing.T) {
	release, count := make(chan struct{}), make(chan struct{}, 10)
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		count <- struct{}{}
		<-release
	}))
	defer server.Close()
	s := New(server.URL, slog.New(slog.DiscardHandler))
	for range 1000 {
		s.Send("hello")
	}
	<-count
	close(release)
	s.Close()
	if len(count) > 0 {
		t.Errorf("got %d more messages, want none", len(count))
	}
}
