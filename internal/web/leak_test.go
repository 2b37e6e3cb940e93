package web

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"broadside/lobby/session"
	"broadside/match"
)

// player is a guest in a match.
type player struct {
	*session.Session
	t       testing.TB
	updates chan session.Update
}

// enter opens a session for a guest.
func (s *site) enter(name string) *player {
	s.t.Helper()
	return s.open(session.Client{Name: name, Addr: netip.MustParseAddr("203.0.113.7")})
}

// register opens a session for a player with an account.
func (s *site) register(name string) *player {
	s.t.Helper()
	p := s.open(session.Client{Name: name, Fingerprint: "SHA256:" + name})
	p.must(p.Register(p.t.Context(), name))
	return p
}

func (s *site) open(c session.Client) *player {
	s.t.Helper()
	own, err := s.host.Open(s.t.Context(), c)
	if err != nil {
		s.t.Fatal(err)
	}
	p := &player{own, s.t, make(chan session.Update)}
	ctx, cancel := context.WithCancel(context.Background())
	var reading sync.WaitGroup
	reading.Go(func() {
		for {
			u, err := own.Next(ctx)
			if err != nil {
				return
			}
			select {
			case p.updates <- u:
			case <-ctx.Done():
				return
			}
		}
	})
	s.t.Cleanup(func() {
		cancel()
		reading.Wait()
		own.Close()
	})
	return p
}

// must checks that an action has succeeded.
func (p *player) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

// awaitSeat waits until the player has a match.
func (p *player) awaitSeat() {
	p.t.Helper()
	for deadline := time.After(time.Minute); ; {
		select {
		case u := <-p.updates:
			if u.Kind == session.MatchJoined {
				return
			}
		case <-deadline:
			p.t.Fatal("no match started")
		}
	}
}

// awaitView waits for a state of the player's match.
func (p *player) awaitView(ok func(*match.View) bool) {
	p.t.Helper()
	for deadline := time.After(time.Minute); ; {
		select {
		case u := <-p.updates:
			if u.Match != nil && ok(&u.Match.View) {
				return
			}
		case <-deadline:
			p.t.Fatal("the match did not get there")
		}
	}
}

// secrets are what pages and feeds must not contain.
var secrets = []string{"firstsecret", "secondsecret", "203.0.113.7"}

// volatile matches what differs between two matches that look the same: IDs, times and tags.
var volatile = regexp.MustCompile(`[0-9a-z]{12,}|[0-9A-Z]{8}-\d+|\d{4}-\d\d-\d\d[T ][0-9:.Z]+|"ms":\d+|\d+ watching|"watching":\d+|127\.0\.0\.1:\d+`)

// shownMatch is everything that the website shows of a match of two guests after some shots.
type shownMatch struct {
	before string // pages and feed while the match runs
	after  string
}

// watchSecretMatch plays a match on its own server: the first player has a layout, the second one
// fires at cells and is answered, and the first one always fires at the same cell.
func watchSecretMatch(t *testing.T, rules match.Rules, secret, own match.Layout, cells []match.Cell) (w shownMatch) {
	s := openSite(t, Limits{})
	first, second, id := s.startMatchWith(rules, secret, own)
	events := s.openFeed(apiRoot + "/matches/" + id + "/events")
	for n, c := range cells {
		if n > 0 {
			second.awaitView(func(v *match.View) bool { return v.Turn == match.Second && !v.Pending })
		}
		second.must(second.Fire(match.Second, 0, c))
		second.awaitView(func(v *match.View) bool { return v.Charts[match.Second].Fired == n+1 })
		if n < len(cells)-1 {
			first.awaitView(func(v *match.View) bool { return v.Phase == match.Battle && v.Turn == match.First && !v.Pending })
			first.must(first.Fire(match.First, 0, match.NewCell(0, 0)))
		}
	}
	w.before = decodeFeed(t, events.readUntil(`"shots":[`+digit(len(cells)-1)+","+digit(len(cells))+"]")) + s.readAllPages(id, false)
	first.must(first.Resign(match.First))
	second.awaitView(func(v *match.View) bool { return v.Phase == match.Over })
	s.await("/m/"+id, "data-replay")
	w.after = s.readAllPages(id, true)
	for _, secret := range secrets {
		if strings.Contains(w.before+w.after+events.readAll(), secret) {
			t.Errorf("the website shows %q", secret)
		}
	}
	return w
}

// decodeFeed returns the data sent by a feed: its messages in order, and the newest state of each
// cell. How changes are grouped depends on the speed of the reader.
func decodeFeed(t *testing.T, feed string) string {
	var b strings.Builder
	cells := map[string]string{}
	for line := range strings.Lines(feed) {
		data, ok := strings.CutPrefix(line, "data: ")
		if !ok {
			continue
		}
		var update struct{ Boards [2][]map[string]any }
		if err := json.Unmarshal([]byte(data), &update); err != nil {
			t.Fatalf("%v in %s", err, data)
		}
		if update.Boards[0] == nil {
			b.WriteString(data)
		}
		for side, changes := range update.Boards {
			for _, c := range changes {
				cells[fmt.Sprint(side, c["cell"])] = fmt.Sprint(c)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(cells)) {
		fmt.Fprintln(&b, name, cells[name])
	}
	return b.String()
}

func digit(n int) string { return string(rune('0' + n)) }

// readAllPages returns all pages and responses about a match, and those that may list it. The API has
// its record only once it is over.
func (s *site) readAllPages(id string, over bool) string {
	var b strings.Builder
	for _, path := range []string{
		"/m/" + id, "/m/" + id + "/picture.svg", "/live", "/", apiRoot + "/matches", apiRoot + "/matches/" + id,
		apiRoot + "/matches/" + id + "/frames", apiRoot + "/matches/" + id + "/odds?frame=1", apiRoot + "/games", apiRoot + "/server", "/ladder", apiRoot + "/ladder", "/leaderboard", "/@hard",
	} {
		want := http.StatusOK
		if strings.HasPrefix(path, apiRoot+"/matches/") && !over {
			want = http.StatusNotFound
		}
		response, body := s.get(path)
		if response.StatusCode != want {
			s.t.Errorf("%s: got %s, want %d", path, response.Status, want)
		}
		b.WriteString(path + "\n" + body)
	}
	return b.String()
}

// await requests a page until it contains a text.
func (s *site) await(path, text string) {
	s.t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) { // requests are limited
		_, body := s.get(path)
		if strings.Contains(body, text) {
			return
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("%s does not contain %q:\n%s", path, text, body)
		}
	}
}

// eventReader reads an event stream.
type eventReader struct {
	t     testing.TB
	ended chan struct{} // closed at the end of the stream
	mu    sync.Mutex
	text  strings.Builder // guarded by mu
}

// openFeed opens an event stream until the test ends.
func (s *site) openFeed(path string, headers ...string) *eventReader {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.url+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	if response.StatusCode != http.StatusOK {
		s.t.Fatalf("%s: %s", path, response.Status)
	}
	e := &eventReader{t: s.t, ended: make(chan struct{})}
	go func() {
		defer close(e.ended)
		lines := bufio.NewScanner(response.Body)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			e.mu.Lock()
			e.text.WriteString(lines.Text() + "\n")
			e.mu.Unlock()
		}
	}()
	s.t.Cleanup(func() {
		response.Body.Close()
		<-e.ended
	})
	return e
}

// readAll returns everything that has arrived.
func (e *eventReader) readAll() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.text.String()
}

// readUntil waits for a text and returns everything up to the end of its event.
func (e *eventReader) readUntil(text string) string {
	e.t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		all := e.readAll()
		if i := strings.LastIndex(all, text); i >= 0 {
			if end := strings.Index(all[i:], "\n\n"); end >= 0 {
				return all[:i+end]
			}
		}
		if time.Now().After(deadline) {
			e.t.Fatalf("%q did not arrive:\n%s", text, all)
		}
	}
}

// TestPagesLeakNoSecrets plays the same shots against two layouts that their answers cannot tell
// apart. Pages, pictures and feeds must be the same while the match runs, and contain
// neither names of guests nor addresses at any time.
func TestPagesLeakNoSecrets(t *testing.T) {
	t.Parallel()
	for seed, rules := range []match.Rules{match.Classic(), match.Hasbro()} {
		rng := rand.New(rand.NewPCG(uint64(seed), 1))
		secret, own := rules.RandomLayout(rng), rules.RandomLayout(rng)
		board := rules.Cells()
		cells := slices.Collect(board.All())
		rng.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
		cells = cells[:6]
		twin := rules.RandomLayout(rng)
		for !giveSameAnswers(secret, twin, cells) {
			twin = rules.RandomLayout(rng)
		}
		a, b := watchSecretMatch(t, rules, secret, own, cells), watchSecretMatch(t, rules, twin, own, cells)
		if x, y := volatile.ReplaceAllString(a.before, "…"), volatile.ReplaceAllString(b.before, "…"); x != y {
			t.Errorf("%s: the website tells two layouts apart:\n%s\n%s", rules.Name, x, y)
		}
		if !strings.Contains(a.after, `class="ship"`) {
			t.Errorf("%s: the replay does not show the fleets", rules.Name)
		}
	}
}

func giveSameAnswers(a, b match.Layout, cells []match.Cell) bool {
	x, y := match.NewFleet(a), match.NewFleet(b)
	for _, c := range cells {
		if x.Fire(c) != y.Fire(c) {
			return false
		}
	}
	return true
}
