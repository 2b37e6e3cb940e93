//go:build slow && linux

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"broadside/bots"
	"broadside/control"
	"broadside/lobby/store"
	"broadside/match"
	"broadside/relay"
)

// machine is a program that plays match after match with whoever comes, each on a
// connection of its own and under another name, and keeps a book of its shots.
type machine struct {
	bots.Bot
	pace  time.Duration
	name  string
	fired []match.Cell
	end   relay.Outcome // once it is over
	over  bool
}

func (m *machine) Fire(chart *match.Chart) match.Cell {
	time.Sleep(m.pace)
	c := m.Bot.Fire(chart)
	m.fired = append(m.fired, c)
	return c
}

// swarm is machines that play at all nodes.
type swarm struct {
	*armada
	ends atomic.Int64 // games that were played to the end
	stop func()
	work sync.WaitGroup

	mu    sync.Mutex
	games []*machine // guarded by mu
}

// machines lets n programs play at each node, until [swarm.end].
func (s *season) machines(n int, pace time.Duration) *swarm {
	w := &swarm{armada: s.armada}
	var ctx context.Context
	ctx, w.stop = context.WithCancel(s.ctx)
	s.t.Cleanup(func() {
		w.stop()
		w.work.Wait()
	})
	for at := range s.Nodes {
		for k := range n {
			w.work.Go(func() {
				rng := rand.New(rand.NewPCG(uint64(at), uint64(k)))
				for i := 0; ctx.Err() == nil; i++ {
					w.play(ctx, fmt.Sprintf("m%d-%d-%d", at, k, i), at, pace, rng)
				}
			})
		}
	}
	until(s.t, "games of programs", func() bool { return w.ends.Load() > 2 })
	return w
}

// play lets a machine play one game at a node.
func (w *swarm) play(ctx context.Context, name string, node int, pace time.Duration, rng *rand.Rand) {
	bot, err := bots.New("hard", bots.Config{Rules: match.Classic(), Rand: rng})
	if err != nil {
		w.t.Error(err)
		w.stop()
		return
	}
	m := &machine{Bot: bot, name: name, pace: pace}
	err = relay.PlaySeries(ctx, relay.Invitation{Address: w.Nodes[node].Relay, Rules: match.Classic(), Name: name},
		func() (relay.Player, error) { return m, nil },
		func(o relay.Outcome) { m.end, m.over = o, true })
	w.mu.Lock()
	w.games = append(w.games, m)
	w.mu.Unlock()
	if m.over {
		w.ends.Add(1)
	}
	if err != nil {
		time.Sleep(100 * time.Millisecond) // it was turned away, or its opponent has gone
	}
}

// playOn waits until programs find each other and play games to the end.
func (w *swarm) playOn(where string) {
	w.t.Helper()
	before := w.ends.Load()
	until(w.t, "games of programs "+where, func() bool { return w.ends.Load() > before+6 })
}

// end has all machines leave, and compares their books with what is stored.
func (w *swarm) end() {
	a := w.armada
	a.t.Helper()
	w.stop()
	w.work.Wait()
	until(a.t, "no match of programs runs", func() bool {
		running, err := a.store.Running(context.Background())
		return err == nil && !slices.ContainsFunc(running, func(r store.Running) bool {
			return slices.ContainsFunc(w.games, func(m *machine) bool { return m.name == r.Seats[0].Name })
		})
	})
	played := map[string][]string{} // IDs of matches
	for mark, more := (store.Mark{}), true; more; {
		page, err := a.store.Matches(context.Background(), mark, 1000)
		if err != nil {
			a.t.Fatal(err)
		}
		for _, m := range page {
			for _, s := range m.Seats {
				played[s.Name] = append(played[s.Name], m.ID)
			}
			mark = m.Mark()
		}
		more = len(page) == 1000
	}
	ends, shots := 0, 0
	for _, m := range w.games {
		var all []store.Match
		for _, id := range played[m.name] {
			rec, err := a.store.Match(context.Background(), id)
			if err != nil {
				a.t.Fatal(err)
			}
			all = append(all, rec)
		}
		if len(all) > 1 { // one that was over before both knew of it is none: they go on looking
			all = slices.DeleteFunc(all, func(rec store.Match) bool {
				return rec.Reason == match.Closed && !slices.ContainsFunc(rec.Events, func(e match.Event) bool { return e.Kind == match.ShotFired })
			})
		}
		if len(all) > 1 || m.over && len(all) != 1 {
			a.t.Errorf("%s is in %d matches", m.name, len(all))
		}
		if len(all) != 1 {
			continue
		}
		rec, side := all[0], match.First
		if rec.Seats[match.Second].Name == m.name {
			side = match.Second
		}
		var stored []match.Cell
		for _, e := range rec.Events {
			if e.Kind == match.ShotFired && e.Side == side {
				stored = append(stored, e.Cell)
			}
		}
		own := m.fired
		if m.end.Reason != "sunk" && len(own) == len(stored)+1 { // it was on its way when all was over
			own = own[:len(stored)]
		}
		if !slices.Equal(own, stored) {
			a.t.Errorf("%s has fired at\n%v\nand match %s says\n%v", m.name, m.fired, rec.ID, stored)
		}
		if m.over {
			ends++
			if m.end.Won != (rec.Winner == side) {
				a.t.Errorf("%s has won: %v, and match %s says %v", m.name, m.end.Won, rec.ID, rec.Winner)
			}
		}
		shots += len(stored)
	}
	a.t.Logf("%d games of programs, %d of them to the end; %d shots are all stored, each once and in order", len(w.games), ends, shots)
}

// TestNodeIsCutOff takes the node that runs all matches off the network of the
// nodes, while people and programs still reach it. The other two go on; then it
// comes back.
func TestNodeIsCutOff(t *testing.T) {
	if !isolated(t) {
		return
	}
	net := connect(t)
	a := assembleAt(t, net.hosts)
	s := a.begin(5 * time.Minute)

	// Of half of the pairs nobody is at the node any more, and of the others one is.
	pairs, all := s.duel(20, 600*time.Millisecond)
	gone, split := pairs[:10], pairs[10:]
	for _, p := range gone {
		p[1].hangUp()
	}
	moved := time.Now()
	await(t, gone, "play on from elsewhere", func(p pair) bool { return p[1].shotsSince(moved) > 1 })
	// Of some pairs both are there, and some people play its bots.
	more := a.recruit("local", 8, 600*time.Millisecond, s.finish)
	all = append(all, more...)
	var local []pair
	for i := range 2 {
		p := pair{more[2*i], more[2*i+1]}
		local = append(local, p)
		s.work.Go(func() { sailPair(s.ctx, p, [2]int{0, 0}) })
	}
	lonely := more[4:]
	for _, one := range lonely {
		one.yields = true
		s.work.Go(func() { one.sail(s.ctx, 0, "bot easy", nil) })
	}
	await(t, more, "fire", func(s *sailor) bool { return s.shotsSince(time.Time{}) > 0 })
	programs := s.machines(3, 20*time.Millisecond)

	net.cut(0)
	cut := time.Now()
	late := cut.Add(time.Second) // what was on its way has arrived
	var here []*sailor           // at the node
	for _, p := range split {
		here = append(here, p[1])
	}
	for _, p := range local {
		here = append(here, p[0], p[1])
	}
	here = append(here, lonely...)
	await(t, gone, "go on without the node", func(p pair) bool { return len(p.shots(late)) == 2 })
	var took []time.Duration
	for _, p := range gone {
		took = append(took, p.goesOn(late)+late.Sub(cut))
	}
	t.Logf("%d matches whose players are elsewhere go on after: %s", len(gone), spread(took))
	if slowest := slices.Max(took); slowest > *within {
		t.Errorf("that is more than %v", *within)
	}
	programs.playOn("without the node")
	await(t, split, "are told that the other is away", func(p pair) bool { return p[0].aloneSince(cut) })
	elsewhere := func() int { return a.logs[1].count("match goes on here") + a.logs[2].count("match goes on here") }
	until(t, "all matches run elsewhere", func() bool { return elsewhere() >= len(pairs)+len(local)+len(lonely) })
	t.Logf("all run elsewhere after %v", time.Since(cut).Round(time.Millisecond))

	// At the node, nothing happens, and who comes hears why.
	stranger := a.recruit("stranger", 1, 0, s.finish)[0]
	until(t, "a node that knows that it is cut off", func() bool { return a.logs[0].count("this node is cut off") > 0 })
	for _, command := range []string{"play", "room", "bot easy"} {
		if said := stranger.ask(t, 0, command); !strings.Contains(said, "lost touch with each other") {
			t.Errorf("at the node that is cut off, %q is answered with\n%s", command, said)
		}
	}
	for _, s := range here {
		if n := s.shotsSince(late.Add(time.Second)); n > 0 {
			t.Errorf("%s has fired %d times at the node that was cut off", s.name, n)
		}
	}

	net.mend(0)
	mended := time.Now()
	await(t, here, "play on", func(s *sailor) bool { return s.shotsSince(mended) >= 3 })
	took = nil
	for _, s := range here {
		took = append(took, s.firedSince(mended).Sub(mended))
		if s.came != 1 {
			t.Errorf("%s had to come again", s.name)
		}
	}
	t.Logf("%d people at the node go on, once it is back, after: %s", len(here), spread(took))
	if slowest := slices.Max(took); slowest > *within {
		t.Errorf("that is more than %v", *within)
	}
	await(t, all, "play on", func(s *sailor) bool { return s.shotsSince(mended) >= 3 })
	programs.playOn("at all nodes again")
	programs.end()
	a.agree()
	s.end(all)
}

// agree waits until all nodes know each other and the same matches, each of which
// one of them runs.
func (a *armada) agree() {
	a.t.Helper()
	var all [3]control.Report
	defer func() {
		if a.t.Failed() {
			a.t.Logf("they say %+v", all)
		}
	}()
	until(a.t, "nodes that know the same", func() bool {
		for i, node := range a.Nodes {
			all[i] = report(a.t, node.Data)
			leases := 0
			for _, n := range all[i].Nodes {
				leases += n.Leases
			}
			if len(all[i].Nodes) != 3 || all[i].Matches != all[0].Matches || all[i].Matches != leases {
				return false
			}
		}
		return true
	})
}
