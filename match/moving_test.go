package match_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"broadside/match"
	"broadside/match/audit"
)

// movingGames is the number of random games in [TestMovingGames].
var movingGames = 60

// moored is a simple model of a moving fleet. It follows the events and implements the
// rules independently.
type moored struct {
	ships match.Layout
	// hit marks each ship's hit segments.
	hit  [][]bool
	fire []match.Cell
}

func newMooredFleet(l match.Layout) *moored {
	m := &moored{ships: slices.Clone(l)}
	for _, s := range l {
		m.hit = append(m.hit, make([]bool, s.Length))
	}
	return m
}

func shipCells(s match.Ship) (cells []match.Cell) {
	dx, dy := [...]int{0, 1, 0, -1}[s.Heading], [...]int{-1, 0, 1, 0}[s.Heading]
	for i := range s.Length {
		cells = append(cells, match.NewCell(int(s.Stern.X)+i*dx, int(s.Stern.Y)+i*dy))
	}
	return cells
}

func (m *moored) sunk(i int) bool { return !slices.Contains(m.hit[i], false) }

func (m *moored) afloat() (n int) {
	for i := range m.ships {
		if !m.sunk(i) {
			n++
		}
	}
	return n
}

// shoot returns the correct result of a shot.
func (m *moored) shoot(c match.Cell) match.Result {
	m.fire = append(m.fire, c)
	for i, s := range m.ships {
		if n := slices.Index(shipCells(s), c); n >= 0 {
			m.hit[i][n] = true
			switch {
			case !m.sunk(i):
				return match.Hit
			case m.afloat() > 0:
				return match.Sunk
			}
			return match.LastSunk
		}
	}
	return match.Miss
}

// move makes a move, and returns an error if it is illegal.
func (m *moored) move(r match.Rules, move match.Move) error {
	if move == match.Stay {
		return nil
	}
	i := move.ShipIndex()
	s := m.ships[i]
	if m.afloat() <= 2 || m.sunk(i) {
		return errors.New("nothing may move here")
	}
	old := shipCells(s)
	switch move.Kind() {
	case match.Forward:
		s.Stern = old[1]
	case match.Backward:
		dx, dy := old[0].X-old[1].X, old[0].Y-old[1].Y
		s.Stern = match.NewCell(int(old[0].X+dx), int(old[0].Y+dy))
	case match.Clockwise:
		s.Heading = (s.Heading + 1) % 4
	case match.Anticlockwise:
		s.Heading = (s.Heading + 3) % 4
	}
	m.ships[i] = s
	for _, c := range shipCells(s) {
		if c.X < 0 || c.Y < 0 || int(c.X) >= r.Size || int(c.Y) >= r.Size {
			return errors.New("it leaves the board")
		}
		for back := 1; back <= min(3, len(m.fire)); back++ {
			if m.fire[len(m.fire)-back] == c {
				return errors.New("it lies under fire")
			}
		}
		for j, other := range m.ships {
			for _, d := range shipCells(other) {
				dx, dy := max(c.X-d.X, d.X-c.X), max(c.Y-d.Y, d.Y-c.Y)
				near := max(dx, dy) <= 1
				switch r.Contact {
				case match.TouchAny:
					near = dx+dy == 0
				case match.TouchCorners:
					near = dx+dy <= 1
				}
				if j != i && near {
					return errors.New("it is too close to another ship")
				}
			}
		}
	}
	return nil
}

// check compares a side's view and its enemy's chart with the model.
func (m *moored) check(t *testing.T, g *match.Game, side match.Side) {
	t.Helper()
	v := g.View(side)
	if err := v.Rules.CheckLayout(v.Fleets[side]); err != nil {
		t.Fatalf("the fleet lies against the rules: %v", err)
	}
	if !slices.Equal(v.Fleets[side], m.ships) {
		t.Fatalf("the fleet lies at %v, not at %v", v.Fleets[side], m.ships)
	}
	board := map[match.Cell]match.SquareState{}
	for i, s := range m.ships {
		for n, c := range shipCells(s) {
			board[c] = match.Hull
			if m.hit[i][n] {
				board[c] = match.HullHit
			}
			if m.sunk(i) {
				board[c] = match.HullSunk
			}
			if v.Damage[side].IsHit(i, n) != m.hit[i][n] {
				t.Fatalf("ship %d, segment %d: hit is %v", i, n, !m.hit[i][n])
			}
		}
	}
	chart := v.Charts[side.Other()]
	own := v.Board(side)
	open := chart.OpenCells()
	sunk := len(m.ships) - m.afloat()
	lengths := map[int]int{}
	for i, s := range m.ships {
		if !m.sunk(i) {
			lengths[s.Length]++
		}
	}
	for c := range v.Rules.Cells().All() {
		want := board[c]
		if _, ship := board[c]; !ship && slices.Contains(m.fire, c) {
			want = match.SeaMiss
		}
		got := own.Square(c).State
		if got == match.SeaDeduced {
			got = match.Sea
		}
		if got != want {
			t.Fatalf("the own board shows %v as %v, not %v", c, got, want)
		}
		last := -1
		for i, f := range m.fire {
			if f == c {
				last = len(m.fire) - 1 - i
			}
		}
		if chart.ShotAge(c) != last {
			t.Fatalf("%v was shot at %d shots ago, not %d", c, last, chart.ShotAge(c))
		}
		switch mark := chart.Mark(c); {
		case mark == match.Wrecked && want != match.HullSunk:
			t.Fatalf("%v is no wreck", c)
		case mark == match.Deduced && want != match.Sea && want != match.SeaMiss:
			t.Fatalf("%v was deduced to be water: %+v", c, m.ships)
		case mark == match.Unknown && last >= 0:
			t.Fatalf("%v is unknown although it was shot at", c)
		}
		if want == match.Hull && !open.Has(c) {
			t.Fatalf("an unhit part of a ship at %v is not worth a shot", c)
		}
	}
	if chart.SunkShips > sunk {
		t.Fatalf("the chart says that %d ships are sunk, of %d", chart.SunkShips, sunk)
	}
	for length, n := range chart.Afloat {
		if int(n) < lengths[length] {
			t.Fatalf("the chart says that %d ships of length %d are afloat, of %d", n, length, lengths[length])
		}
	}
}

// movingRules returns naval for half of the games, and other rules for the rest.
func movingRules(t *testing.T, rng *rand.Rand) match.Rules {
	rules := match.Naval()
	if rng.IntN(2) == 0 {
		var err error
		if rules, err = match.CustomRules(6+rng.IntN(4), 3+rng.IntN(2), contacts[rng.IntN(3)]); err != nil {
			t.Fatal(err)
		}
		rules.Moving = true
	}
	return rules
}

// randomMove returns a random move, of which about half are legal.
func randomMove(h match.FleetStatus, rng *rand.Rand) match.Move {
	if legal := h.LegalMoves(); len(legal) > 0 && rng.IntN(2) == 0 {
		return legal[rng.IntN(len(legal))]
	}
	return match.Move(rng.IntN(1 + match.MoveKinds*len(h.Layout)))
}

// movingShot chases hits, so that ships sink, or fires at random, including at wrecks.
func movingShot(chart *match.Chart, rng *rand.Rand) match.Cell {
	if rng.IntN(10) == 0 {
		return match.NewCell(rng.IntN(chart.Rules.Size), rng.IntN(chart.Rules.Size))
	}
	return chaseShot(chart, rng)
}

// TestMovingGames checks that random games agree with a simple model after every event.
func TestMovingGames(t *testing.T) {
	moved, refused, decided := 0, 0, 0
	for seed := range movingGames {
		rng := newRand(uint64(seed))
		rules := movingRules(t, rng)
		g := match.NewGame(rules, audit.Flag)
		var truth [2]*moored
		now := time.Duration(0)
		apply := func(c match.Command) error {
			now += time.Duration(rng.IntN(3)) * time.Millisecond
			c.At = now
			_, err := g.Apply(c)
			return err
		}
		for side := match.First; side <= match.Second; side++ {
			l := rules.RandomLayout(rng)
			truth[side] = newMooredFleet(l)
			if err := apply(match.PlaceCommand(side, l)); err != nil {
				t.Fatal(err)
			}
		}
		checkEvery := 1
		if seed >= 10 {
			// A full comparison is slow.
			checkEvery = 9
		}
		for step := 0; g.Phase() != match.Over; step++ {
			side := g.ActingSide()
			v := g.View(side)
			may := len(truth[side].fire) > 0 && truth[side].afloat() > 2
			if v.CanMove != may {
				t.Fatalf("seed %d: the side may move: %v", seed, v.CanMove)
			}
			if rng.IntN(4) > 0 {
				move := randomMove(v.FleetStatus(side), rng)
				trial := *truth[side]
				trial.ships = slices.Clone(trial.ships)
				wrong := trial.move(rules, move)
				if !may {
					wrong = match.ErrMoved
				}
				err := apply(match.MoveCommand(side, move))
				if (err == nil) != (wrong == nil) {
					t.Fatalf("seed %d: move %v of %v: %v, but it is %v", seed, move, v.Fleets[side], err, wrong)
				}
				if err == nil {
					*truth[side] = trial
					if move != match.Stay {
						moved++
					}
					if g.View(side).CanMove || apply(match.MoveCommand(side, match.Stay)) == nil {
						t.Fatalf("seed %d: a second move", seed)
					}
				} else {
					refused++
				}
				if step%checkEvery == 0 {
					truth[side].check(t, g, side)
				}
			}
			cell := movingShot(&v.Charts[side], rng)
			want := truth[side.Other()].shoot(cell)
			if err := apply(match.FireCommand(side, cell)); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if got := g.View(side); got.Phase == match.Battle && got.LastShot(side).Result != want {
				t.Fatalf("seed %d: %v was answered with %v, not %v", seed, cell, got.LastShot(side).Result, want)
			}
			if g.View(match.Nobody).Reason == match.Endless {
				break
			}
			if step%checkEvery == 0 {
				truth[side.Other()].check(t, g, side.Other())
			}
		}
		if v := g.View(match.Nobody); v.Winner != match.Nobody {
			decided++
			if v.Took != now || v.RoundCount() != v.Charts[match.Second].Fired || truth[v.Winner.Other()].afloat() != 0 {
				t.Fatalf("seed %d: the result is %v after %d rounds", seed, v.Took, v.RoundCount())
			}
		}
		checkRebuilt(t, g)
	}
	t.Logf("%d moves, %d refused, %d games of %d won", moved, refused, decided, movingGames)
	if moved < 20*movingGames || refused < 10*movingGames || decided < movingGames*9/10 {
		t.Errorf("too little has happened")
	}
}

// checkRebuilt checks that a game can be rebuilt from its encoded events.
func checkRebuilt(t *testing.T, g *match.Game) {
	t.Helper()
	data, err := match.EncodeEvents(g.Rules(), g.Events())
	if err != nil {
		t.Fatal(err)
	}
	rules, events, err := match.DecodeEvents(data)
	if err != nil {
		t.Fatal(err)
	}
	again, err := match.Replay(rules, audit.Flag, events)
	if err != nil {
		t.Fatal(err)
	}
	checkSameGame(t, g, again)
	for i, e := range events {
		if e.Kind == match.FleetMoved && e.Move != match.Stay {
			forged := slices.Clone(events)
			forged[i].Move = match.NewMove(12, match.Forward)
			if _, err := match.Replay(rules, audit.Flag, forged); !errors.Is(err, match.ErrHistory) {
				t.Fatalf("a move of a ship that there is not: got %v, want %v", err, match.ErrHistory)
			}
			return
		}
	}
}

// course is a fleet's sequence of moves between shots.
type course struct {
	start match.Layout
	// moves has the move before each of the side's shots.
	moves []match.Move
	now   *moored
}

// TestMovesDoNotLeak checks that the second side and spectators see the same in two games with equal
// shots and results. The first side's fleets start elsewhere and move differently or not at all.
func TestMovesDoNotLeak(t *testing.T) {
	compared := 0
	for seed := range uint64(16) {
		rng := newRand(seed)
		rules := fleetOf(6, contacts[seed%3], 3, 2, 2)
		rules.Moving = true
		own := rules.RandomLayout(rng)
		var all []*course
		for range 400 {
			l := rules.RandomLayout(rng)
			all = append(all, &course{start: l, now: newMooredFleet(l)})
		}
		var shots []match.Cell
		for len(all) > 1 && len(shots) < 30 {
			shot := match.NewCell(rng.IntN(6), rng.IntN(6))
			shots = append(shots, shot)
			want := match.Result(0)
			left := all[:0]
			for _, c := range all {
				r := c.now.shoot(shot)
				if want == 0 {
					// The first variant is the unchanged game.
					want = r
				}
				if r != want || r == match.LastSunk {
					continue
				}
				move := match.Stay
				if c.now.afloat() > 2 && rng.IntN(3) > 0 {
					h := match.FleetStatus{Rules: rules, Layout: c.now.ships}
					for i, hit := range c.now.hit {
						for n, yes := range hit {
							if yes {
								h.Damage[i] |= 1 << n
							}
						}
					}
					for _, f := range c.now.fire {
						h.EnemyShots = append(h.EnemyShots, match.Shot{Cell: f})
					}
					if legal := h.LegalMoves(); len(legal) > 0 {
						move = legal[rng.IntN(len(legal))]
					}
				}
				if err := c.now.move(rules, move); err != nil {
					t.Fatal(err)
				}
				c.moves = append(c.moves, move)
				left = append(left, c)
			}
			all = left
			if len(all) < 2 {
				break
			}
			if len(shots)%4 != 0 {
				// Each comparison plays the games from the start.
				continue
			}
			twin := all[1+rng.IntN(len(all)-1)]
			a, b := playMoving(t, rules, all[0], own, shots), playMoving(t, rules, twin, own, shots)
			for i := range a {
				if !reflect.DeepEqual(a[i], b[i]) {
					t.Fatalf("seed %d: after command %d of the second side, it can tell %+v from %+v:\n%+v\n%+v", seed, i, all[0], twin, a[i], b[i])
				}
			}
			compared++
		}
	}
	t.Logf("%d pairs of games compared", compared)
	if compared < 40 {
		t.Errorf("only %d pairs of games were compared", compared)
	}
}

// playMoving plays a game in which the first side follows a course, and lists what the
// second side and spectators see after each of its commands.
func playMoving(t *testing.T, rules match.Rules, c *course, own match.Layout, shots []match.Cell) (seen []string) {
	g := match.NewGame(rules, audit.Flag)
	apply := func(c match.Command) {
		if _, err := g.Apply(c); err != nil {
			t.Fatal(err)
		}
	}
	look := func() {
		for _, viewer := range []match.Side{match.Second, match.Nobody} {
			var told []match.Event
			for _, e := range g.Events() {
				if e, ok := e.RedactFor(viewer); ok {
					told = append(told, e)
				}
			}
			events, err := match.EncodeEvents(rules, told)
			if err != nil {
				t.Fatal(err)
			}
			seen = append(seen, fmt.Sprintf("%+v %s", g.View(viewer), events))
		}
	}
	apply(match.PlaceCommand(match.First, c.start))
	apply(match.PlaceCommand(match.Second, own))
	for i, shot := range shots {
		if i > 0 {
			// The second side does not move.
			apply(match.MoveCommand(match.Second, match.Stay))
		}
		apply(match.FireCommand(match.Second, shot))
		look()
		if m := c.moves[i]; m != match.Stay {
			apply(match.MoveCommand(match.First, m))
			if g.View(match.Second).CanMove {
				t.Fatal("the other side is asked to move")
			}
			n := len(seen)
			look()
			if !slices.Equal(seen[n-2:n], seen[n:]) {
				t.Fatalf("a move is seen at once:\n%s\n%s", seen[n-2:n], seen[n:])
			}
			seen = seen[:n]
		}
		apply(match.FireCommand(match.First, match.NewCell(5, 5)))
		look()
	}
	return seen
}

func TestMoveText(t *testing.T) {
	for n := range 41 {
		m := match.Move(n)
		if back, err := match.ParseMove(m.String()); err != nil || back != m {
			t.Errorf("%v came back as %v, %v", m, back, err)
		}
	}
	for _, bad := range []string{"", "F", "3", "3X", "0F", "11F", "-1F", "F3", "3f", "--"} {
		if m, err := match.ParseMove(bad); err == nil {
			t.Errorf("%q was read as %v", bad, m)
		}
	}
}
