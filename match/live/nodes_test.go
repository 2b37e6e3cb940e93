package live_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"broadside/match"
	"broadside/match/live"
)

var errUncertain = errors.New("nobody knows whether it was written")

// sea is a few nodes with handles of one match, what they write, and the
// unreliable lines between them. It lives in a synctest bubble.
type sea struct {
	t     *testing.T
	rules match.Rules
	seats [2]live.SeatConfig
	rng   *rand.Rand // guarded by mu, as all below
	mu    sync.Mutex
	nodes map[string]*node
	lines map[[2]string]time.Time // when the last parcel on the way arrives
	loss  float64
	delay time.Duration // at most

	owner   string // who may append
	history []match.Event
	marks   [2]uint64
	appends int
	// trouble is called with each thing to append, mu held. It does what it
	// likes, and returns whether to write it and what to answer.
	trouble func(by string, n int) (write bool, err error)
	work    sync.WaitGroup
}

type node struct {
	name   string
	m      *live.Match
	owner  string // as it knows; guarded by sea.mu
	length int    // of the history as its referee knows it; guarded by sea.mu
	ctx    context.Context
	die    context.CancelFunc
	dead   bool // guarded by sea.mu
}

func newSea(t *testing.T, seed uint64, rules match.Rules) *sea {
	s := &sea{
		t: t, rules: rules, seats: [2]live.SeatConfig{person, person}, rng: rand.New(rand.NewPCG(seed, 7)),
		nodes: map[string]*node{}, lines: map[[2]string]time.Time{},
	}
	t.Cleanup(func() {
		s.work.Wait()
		for _, n := range s.nodes {
			n.die()
			<-n.m.Done()
		}
		time.Sleep(time.Minute) // whatever is on the way arrives
	})
	return s
}

func (s *sea) config(n *node) live.Config {
	return live.Config{
		ID: "m", Rules: s.rules, Seats: s.seats, Rand: rand.New(rand.NewPCG(1, 2)), Far: s.far(n),
		Append: func(ctx context.Context, events []match.Event, marks [2]uint64) error {
			return s.append(n, events, marks)
		},
	}
}

func (s *sea) far(n *node) live.Far {
	return live.Far{Send: func(data []byte) {
		s.mu.Lock()
		defer s.mu.Unlock()
		to := n.owner
		s.carry(n.name, to, func(m *live.Match) {
			m.Serve(n.name, data, func(back []byte) {
				s.mu.Lock()
				defer s.mu.Unlock()
				s.carry(to, n.name, func(m *live.Match) { m.Deliver(back) })
			})
		})
	}}
}

// carry makes something arrive later, or never; in order on each line. mu is
// held.
func (s *sea) carry(from, to string, arrive func(*live.Match)) {
	target := s.nodes[to]
	if s.nodes[from].dead || target == nil || s.rng.Float64() < s.loss {
		return
	}
	at := time.Now()
	if s.delay > 0 {
		at = at.Add(time.Duration(s.rng.Int64N(int64(s.delay))))
	}
	line := [2]string{from, to}
	if last := s.lines[line]; !at.After(last) {
		at = last.Add(1)
	}
	s.lines[line] = at
	time.AfterFunc(time.Until(at), func() {
		s.mu.Lock()
		dead, m := target.dead, target.m
		s.mu.Unlock()
		if !dead {
			arrive(m)
		}
	})
}

func (s *sea) append(n *node, events []match.Event, marks [2]uint64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	write, err := true, error(nil)
	if s.trouble != nil {
		s.appends++
		write, err = s.trouble(n.name, s.appends)
	}
	switch {
	case n.dead:
		return errUncertain
	case s.owner != n.name:
		return live.ErrFenced
	case n.length == len(s.history) && write:
		s.history = append(s.history, events...)
		s.marks = marks
	case n.length+len(events) == len(s.history): // it was written before
	}
	if err == nil {
		n.length += len(events)
	}
	return err
}

func (s *sea) node(name string) *node {
	n := &node{name: name, owner: s.owner}
	n.ctx, n.die = context.WithCancel(context.Background())
	return n
}

// start starts the match at a node.
func (s *sea) start(name string) *node {
	s.owner = name
	n := s.node(name)
	s.nodes[name] = n
	m, err := live.Start(n.ctx, s.config(n))
	if err != nil {
		s.t.Fatal(err)
	}
	s.mu.Lock()
	n.m = m
	s.mu.Unlock()
	return n
}

// follow makes a handle at another node.
func (s *sea) follow(name string) *node {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.node(name)
	s.nodes[name] = n
	n.m = live.Follow(n.ctx, "m", s.far(n))
	return n
}

// takeOver makes a node the owner, as its lobby would.
func (s *sea) takeOver(n *node) {
	s.mu.Lock()
	former := s.nodes[s.owner]
	s.owner = n.name
	n.length = len(s.history)
	cfg := s.config(n)
	cfg.History = slices.Clone(s.history)
	marks := s.marks
	s.mu.Unlock()
	if err := n.m.TakeOver(cfg, marks); err != nil && !(errors.Is(err, live.ErrEnded) && over(cfg.History)) {
		s.t.Errorf("%s does not take the match over: %v", n.name, err)
	}
	s.mu.Lock()
	others := []*node{}
	for _, o := range s.nodes {
		if o.owner = n.name; o != n && !o.dead {
			others = append(others, o)
		}
	}
	gone := former.dead
	s.mu.Unlock()
	if gone {
		n.m.Gone(former.name)
	}
	for _, o := range others {
		o.m.Relink()
	}
}

func over(events []match.Event) bool {
	return len(events) > 0 && events[len(events)-1].Kind == match.GameEnded
}

// events waits until everything is quiet and returns what has happened.
func (s *sea) events() []match.Event {
	time.Sleep(20 * time.Second)
	synctest.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.history)
}

// player plays a seat by a list of cells, and remembers what it is told.
type player struct {
	side    match.Side
	cells   []match.Cell
	fired   int
	told    []match.Event
	last    live.Update
	missed  int
	refused []error
	err     error
}

// play plays to the end. Where it may move, it gives a move and a shot at once.
func (p *player) play(ctx context.Context, seat *live.Seat, layout match.Layout) {
	box := seat.Attach()
	seat.Place(layout)
	for {
		var u live.Update
		if p.err = box.Recv(ctx, &u); p.err != nil {
			return
		}
		p.hear(u)
		// Its own shots are known from what it was told, not from what it did.
		if v := &u.View; v.Phase == match.Battle && v.Turn == p.side && v.Charts[p.side].Fired == p.fired {
			if v.MayMove {
				helm := v.Helm(p.side)
				if moves := helm.Moves(); len(moves) > 0 {
					seat.Sail(moves[p.fired%len(moves)])
				}
			}
			seat.Fire(p.cells[p.fired])
			p.fired++
		}
	}
}

func (p *player) hear(u live.Update) {
	if u.Missed {
		p.missed++
	}
	p.told = append(p.told, u.Events...)
	if u.Refused != nil {
		p.refused = append(p.refused, u.Refused)
	}
	p.last = u
}

// visible is what a viewer may see of events.
func visible(events []match.Event, viewer match.Side) []match.Event {
	var seen []match.Event
	for _, e := range events {
		if e, ok := e.Visible(viewer); ok {
			seen = append(seen, e)
		}
	}
	return seen
}

// changedMatches is the number of matches that TestOwnersChange plays.
var changedMatches = uint64(18)

// TestOwnersChange plays random matches between players on two nodes, which
// write and lose the match in every way, on lines that lose and delay parcels.
// Every shot counts once.
func TestOwnersChange(t *testing.T) {
	total := 0
	for seed := range changedMatches {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { total += ownersChange(t, seed) })
		})
	}
	if total < int(changedMatches) {
		t.Errorf("only %d changes", total)
	}
}

func ownersChange(t *testing.T, seed uint64) int {
	rules := match.Classic()
	if seed%2 == 1 {
		rules = match.Naval()
	}
	s := newSea(t, seed, rules)
	s.loss, s.delay = []float64{0, 0.1, 0.3}[seed%3], []time.Duration{0, 300 * time.Millisecond, 2 * time.Second}[seed/3%3]
	for i := range s.seats {
		s.seats[i].Grace = time.Hour
	}
	s.start("owner")
	a, b := s.follow("a"), s.follow("b")
	changes, changing := 0, false
	s.trouble = func(by string, n int) (bool, error) {
		if changing || by != s.owner || s.rng.IntN(4) > 0 {
			return true, nil
		}
		changing = true
		changes++
		how := s.rng.IntN(6)
		former := s.nodes[by]
		if how < 2 && (former == a || former == b) {
			how += 2 // who plays lives
		}
		write, err := true, error(nil)
		switch how {
		case 0: // dies before it has written
			former.dead, write, err = true, false, errUncertain
		case 1: // dies after that, and nobody was told
			former.dead, err = true, errUncertain
		case 2: // is cut off before
			write, err = false, errUncertain
		case 3: // is cut off after
			err = errUncertain
		case 4: // is fenced
			s.owner, write, err = "nobody", false, live.ErrFenced
			s.nodes["nobody"] = former
		case 5: // yields
		}
		names := []string{"a", "b", fmt.Sprint("extra", changes)}
		next := names[s.rng.IntN(3)]
		if next == by {
			next = names[2]
		}
		pause := time.Duration(s.rng.Int64N(int64(3 * time.Second)))
		s.work.Go(func() {
			if former.dead {
				former.die()
			}
			if how == 5 {
				former.m.Yield()
				if former.m.Here() && !over(s.events()) {
					t.Error("it runs here after it was yielded")
				}
			}
			time.Sleep(pause)
			to := a
			switch next {
			case "b":
				to = b
			case "a":
			default:
				to = s.follow(next)
			}
			s.takeOver(to)
			s.mu.Lock()
			delete(s.nodes, "nobody")
			changing = false
			s.mu.Unlock()
		})
		return write, err
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Hour)
	defer cancel()
	players := [2]*player{}
	var playing, watching sync.WaitGroup
	layouts := [2]match.Layout{}
	rng := rand.New(rand.NewPCG(seed, 8))
	for side, n := range []*node{a, b} {
		p := &player{side: match.Side(side)}
		board := rules.Board()
		for c := range board.All() {
			p.cells = append(p.cells, c)
		}
		rng.Shuffle(len(p.cells), func(i, j int) { p.cells[i], p.cells[j] = p.cells[j], p.cells[i] })
		for range 3 { // where ships move, a shot at each cell may not do
			p.cells = append(p.cells, p.cells...)
		}
		layouts[side] = rules.RandomLayout(rng)
		players[side] = p
		playing.Go(func() { p.play(ctx, n.m.Seat(p.side), layouts[side]) })
	}
	spectator := &player{side: match.Nobody}
	place := a.m.Watch()
	watching.Go(func() {
		for {
			var u live.Update
			if spectator.err = place.Recv(ctx, &u); spectator.err != nil {
				return
			}
			spectator.hear(u)
		}
	})
	playing.Wait()
	watching.Wait()
	s.work.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trouble = nil
	g, err := match.Replay(rules, match.AuditFlag, s.history)
	if err != nil {
		t.Fatal(err)
	}
	if g.Phase() != match.Over {
		t.Fatalf("the match has not ended after %d events and %d changes: %v, %v", len(s.history), changes, players[0].err, players[1].err)
	}
	var fired [2][]match.Cell
	for _, e := range s.history {
		if e.Kind == match.ShotFired {
			fired[e.Side] = append(fired[e.Side], e.Cell)
		}
	}
	for _, p := range []*player{players[0], players[1], spectator} {
		if !errors.Is(p.err, live.ErrEnded) {
			t.Errorf("side %v is told %v at last", p.side, p.err)
		}
		if want := g.View(p.side); !reflect.DeepEqual(p.last.View, want) {
			t.Errorf("side %v sees at last\n%+v\nnot\n%+v", p.side, p.last.View, want)
		}
		if p.side == match.Nobody {
			continue
		}
		if len(p.refused) > 0 {
			t.Errorf("side %v was refused %v", p.side, p.refused)
		}
		if got := fired[p.side]; len(got) > p.fired || len(got) < p.fired-1 || !slices.Equal(got, p.cells[:len(got)]) {
			t.Errorf("side %v fired %v, and %v counted", p.side, p.cells[:p.fired], got)
		}
		all := visible(s.history, p.side)
		if p.missed > 1 { // some are told by the view alone, as nobody was told of them before
			continue
		}
		if len(p.told) > len(all) || !slices.EqualFunc(p.told, all[len(all)-len(p.told):], func(x, y match.Event) bool { return reflect.DeepEqual(x, y) }) {
			t.Errorf("side %v was told %d events other than the last of %d", p.side, len(p.told), len(all))
		}
	}
	return changes
}
