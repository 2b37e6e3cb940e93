//go:build unix

package e2e

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"broadside/internal/test/servers"
)

// watchedSite is the website of a node with a match, whose feed a client reads as browsers do:
// it connects again whenever the connection ends.
type watchedSite struct {
	t     *testing.T
	node  *servers.Server
	cells chan string // shots that were answered
}

// watchSite checks that a node serves the running match on all pages, and begins to read its
// feed.
func watchSite(t *testing.T, n *servers.Server) *watchedSite {
	t.Helper()
	site := "http://" + n.Web
	id := awaitMatch(t, site)
	for path, want := range map[string]string{
		"/": "/m/" + id, "/live": "/m/" + id, "/m/" + id: "bob", "/@ann": "<h1>ann</h1>", "/leaderboard": "/@medium", "/daily": "<h1>",
		"/programs": ".</code>", "/api/v1/server": `"ann"`, "/api/v1/players/ann": `"ann"`, "/api/v1/games": "[",
	} {
		if status, body := get(t, site+path); status != http.StatusOK || !strings.Contains(body, want) {
			t.Errorf("%s%s: status %d without %q:\n%s", n.Name, path, status, want, body)
		}
	}
	s := &watchedSite{t, n, make(chan string, 100)}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		last := ""
		for ctx.Err() == nil {
			last = s.follow(ctx, site+"/api/v1/matches/"+id+"/events", last)
			select {
			case <-time.After(200 * time.Millisecond):
			case <-ctx.Done():
			}
		}
	}()
	t.Cleanup(func() {
		cancel()
		<-done
	})
	return s
}

// follow reads the feed until it ends, and returns the ID of the last event.
func (s *watchedSite) follow(ctx context.Context, address, last string) string {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		s.t.Error(err)
		return last
	}
	r.Header.Set("Last-Event-ID", last)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return last // the node is dead, or the test ends
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		io.Copy(io.Discard, response.Body)
		return last
	}
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if id, ok := strings.CutPrefix(lines.Text(), "id: "); ok {
			last = id
		}
		for _, part := range strings.Split(lines.Text(), `"cell":"`)[1:] {
			cell, state, _ := strings.Cut(part, `"`)
			if !strings.HasPrefix(state, `,"state":"clear"`) {
				select {
				case s.cells <- cell:
				default:
				}
			}
		}
	}
	return last
}

// see waits until the feed shows a shot at a cell.
func (s *watchedSite) see(cell string) {
	s.t.Helper()
	for deadline := time.After(patience); ; {
		select {
		case c := <-s.cells:
			if c == cell {
				return
			}
		case <-deadline:
			s.t.Fatalf("the website of %s does not show the shot at %s", s.node.Name, cell)
		}
	}
}
