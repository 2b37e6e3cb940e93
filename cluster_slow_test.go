//go:build slow && linux

package main

import (
	"bytes"
	"context"
	"flag"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"broadside/internal/nodes"
	"broadside/lobby/store"
)

var (
	seeks    = flag.Int("seeks", 4_000, "how many programs look for opponents at once in TestManySeeks")
	seekTime = flag.Duration("seek-time", 3*time.Minute, "how long they may look")
	within   = flag.Duration("within", time.Minute, "how long the nodes may take to go on when one of them is lost; the goal on a quiet machine is 5s")
)

// armada is three nodes under load, and the database that they share.
type armada struct {
	*nodes.Fleet
	t     *testing.T
	store *store.Store
	logs  []*journal
}

// assemble starts the nodes on this machine.
func assemble(t *testing.T, args ...string) *armada {
	t.Helper()
	return assembleAt(t, nil, args...)
}

// assembleAt starts the nodes, one at each host.
func assembleAt(t *testing.T, hosts []nodes.Host, args ...string) *armada {
	t.Helper()
	a := &armada{t: t}
	url := database(t)
	var err error
	if a.store, err = store.Open(t.Context(), store.Config{URL: url}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.store.Close() })
	const many = "50000"
	a.Fleet, err = nodes.New(nodes.Config{
		Program: build(t), Folder: t.TempDir(), Store: url, Count: 3, Hosts: hosts,
		Args: append([]string{
			"--bot-pace", "0s", "--relay-hello", "1m", "--drain", "5s",
			"--relay-max-connections", many, "--relay-max-connections-per-address", many,
		}, args...),
		Log: func(i int) io.Writer {
			a.logs = append(a.logs, new(journal))
			return a.logs[i]
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		a.Close()
		for i, l := range a.logs {
			if t.Failed() {
				t.Logf("%s said last\n%s", a.Nodes[i].Name, l.end())
			}
		}
	})
	if err := a.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return a
}

// journal is all that a node says. Its methods may be called from any goroutine.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer // guarded by mu
}

func (j *journal) Write(b []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(b)
}

// count is how often it has said something.
func (j *journal) count(words string) int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return bytes.Count(j.text.Bytes(), []byte(words))
}

func (j *journal) end() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	b := j.text.Bytes()
	return string(b[max(0, len(b)-4<<10):])
}

// TestOwnerIsKilled kills the node that runs a hundred matches. Half of the people
// lose their connections with it, and come back at another node.
func TestOwnerIsKilled(t *testing.T) {
	a := assemble(t)
	s := a.begin(6 * time.Minute)
	pairs, all := s.duel(100, 500*time.Millisecond)
	killed := time.Now()
	a.Nodes[0].Kill()
	await(t, pairs, "play on without the node", func(p pair) bool { return len(p.shots(killed)) > 0 })
	var took []time.Duration
	for _, p := range pairs {
		took = append(took, p.goesOn(killed))
	}
	t.Logf("%d matches go on after: %s", len(pairs), spread(took))
	if slowest := slices.Max(took); slowest > *within {
		t.Errorf("that is more than %v", *within)
	}
	now := time.Now()
	await(t, pairs, "both play on", func(p pair) bool { return p[0].shotsSince(now) >= 3 && p[1].shotsSince(now) >= 3 })
	s.end(all)
}

// TestOwnerIsPaused stops the node that runs matches until the others have gone
// on with them, and lets it go on then: it has nothing more to say in them.
func TestOwnerIsPaused(t *testing.T) {
	a := assemble(t)
	s := a.begin(5 * time.Minute)
	pairs, all := s.duel(20, 300*time.Millisecond)
	paused := time.Now()
	if err := a.Nodes[0].Pause(); err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(2*time.Second, func() {
		for _, p := range pairs[:len(pairs)/2] {
			p[1].hangUp() // the others wait until the node is back
		}
	})
	await(t, pairs, "go on without the node", func(p pair) bool { return p[0].aloneSince(paused) || len(p.shots(paused)) > 0 })
	elsewhere := func() int { return a.logs[1].count("match goes on here") + a.logs[2].count("match goes on here") }
	until(t, "all matches run elsewhere", func() bool { return elsewhere() >= len(pairs) })
	t.Logf("%d matches run elsewhere after %v", len(pairs), time.Since(paused).Round(time.Millisecond))
	if err := a.Nodes[0].Resume(); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	await(t, pairs, "both play on", func(p pair) bool { return p[0].shotsSince(now) >= 5 && p[1].shotsSince(now) >= 5 })
	until(t, "the node has given up all matches", func() bool { return a.logs[0].count("match runs elsewhere") >= len(pairs) })
	for _, p := range pairs[len(pairs)/2:] {
		if p[1].came != 1 {
			t.Errorf("%s had to come again", p[1].name)
		}
	}
	s.end(all)
}

// TestRollingRestart restarts one node after the other while people play each
// other and bots.
func TestRollingRestart(t *testing.T) {
	a := assemble(t)
	s := a.begin(6 * time.Minute)
	const n = 15
	all := a.recruit("sailor", 3*n, 400*time.Millisecond, s.finish)
	var played atomic.Int64
	for i := range n {
		p, lonely := pair{all[3*i], all[3*i+1]}, all[3*i+2]
		s.work.Go(func() {
			for !s.over() {
				sailPair(s.ctx, p, [2]int{i % 3, i / 3 % 3})
				played.Add(1)
			}
		})
		s.work.Go(func() {
			lonely.yields, lonely.pace = true, 100*time.Millisecond
			for !s.over() {
				lonely.sail(s.ctx, i%3, "bot "+[]string{"easy", "medium", "hard"}[i%3], nil)
				played.Add(1)
			}
		})
	}
	fired := func(moment time.Time) func(*sailor) bool {
		return func(s *sailor) bool { return s.shotsSince(moment) > 0 }
	}
	await(t, all, "fire", fired(time.Time{}))
	for _, node := range a.Nodes {
		began := time.Now()
		if err := node.Stop(); err != nil {
			t.Errorf("%s ends with: %v", node.Name, err)
		}
		stopped := time.Now()
		await(t, all, "play on without "+node.Name, fired(stopped))
		if err := node.Restart(s.ctx, 3); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s has ended in %v, and is back after %v", node.Name, stopped.Sub(began).Round(time.Millisecond), time.Since(began).Round(time.Millisecond))
		await(t, all, "play on with "+node.Name, fired(time.Now()))
	}
	s.end(all)
	sessions := 0
	for _, each := range all {
		sessions += each.came
	}
	t.Logf("%d matches of %d people in %d sessions", played.Load(), len(all), sessions)
}

// stopwatch takes the time from a shot that is typed until the opponent reads of
// it. Its methods may be called from any goroutine; one that is nil does nothing.
type stopwatch struct {
	mu    sync.Mutex
	typed map[string]time.Time // guarded by mu, as all
	took  []time.Duration
}

func (w *stopwatch) fires(name, cell string) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.typed == nil {
		w.typed = map[string]time.Time{}
	}
	w.typed[name+" "+cell] = time.Now()
}

func (w *stopwatch) hears(name, cell string) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if at, ok := w.typed[name+" "+cell]; ok {
		w.took = append(w.took, time.Since(at))
	}
}

// TestShotLatency measures how long a shot takes from the line that one person
// types to the line that the other reads, by SSH both: at one node, and at two.
func TestShotLatency(t *testing.T) {
	a := assemble(t, "--log-level", "warn")
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	for _, c := range []struct {
		where string
		at    [2]int
	}{{"within a node", [2]int{0, 0}}, {"across nodes", [2]int{0, 1}}} {
		finish, w := make(chan struct{}), &stopwatch{}
		var work sync.WaitGroup
		all := a.recruit(strings.Fields(c.where)[0], 16, 20*time.Millisecond, finish)
		for i := 0; i < len(all); i += 2 {
			all[i].watch, all[i+1].watch = w, w
			work.Go(func() { sailPair(ctx, pair{all[i], all[i+1]}, c.at) })
		}
		work.Wait() // they play to the end
		t.Logf("a shot %s, %d of them: %s", c.where, len(w.took), spread(w.took))
		a.check(all)
	}
}
