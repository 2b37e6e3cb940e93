package arena

import (
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"broadside/bots"
	"broadside/match"
)

// outcome is the result of a game between two sides.
type outcome struct {
	winner  match.Side // Nobody if there is no winner
	reason  match.Reason
	note    string // an error message, or empty
	shots   [2]int32
	rounds  int32
	thought [2]time.Duration // time to choose cells; 0 if not timed
	events  []match.Event    // only if the table keeps them
}

// forfeit reports whether the loser forfeited the game.
func (o *outcome) forfeit() bool { return o.winner != match.Nobody && o.reason != match.FleetSunk }

// table plays games between built-in bots, one after another. It applies the rules of
// match.Game without its views and audits. It must be used from one goroutine.
type table struct {
	rules match.Rules
	limit int          // maximum number of shots per side
	stop  *atomic.Bool // set to stop all games
	keep  bool         // record events
	empty match.Chart

	charts [2]match.Chart
	fleets [2]match.Fleet
	out    outcome
	turn   match.Side

	cells   [match.MaxShips]match.Cell   // buffer for the shots of a turn
	results [match.MaxShips]match.Result // buffer for the results
}

func newTable(r match.Rules, stop *atomic.Bool) *table {
	return &table{rules: r, limit: r.ShotLimit(), stop: stop, empty: match.NewChart(r)}
}

// play plays a game between two bots. It returns false if it was stopped. A bot that panics
// loses. If timed is set, play measures the time to choose cells.
func (t *table) play(players [2]bots.Bot, layouts [2]match.Layout, timed bool) (outcome, bool) {
	t.out = outcome{winner: match.Nobody}
	for side := range t.fleets {
		t.charts[side] = t.empty
		t.fleets[side].Reset(layouts[side])
		if t.keep {
			t.emit(match.Placed(match.Side(side), layouts[side], 0))
		}
	}
	t.turn = match.Second
	if t.keep {
		t.emit(match.Event{Kind: match.BattleBegun, Side: match.Second})
	}
	stopped := t.battle(players, timed)
	if t.keep {
		t.emit(match.Event{Kind: match.GameEnded, Side: t.out.winner, Reason: t.out.reason})
	}
	for side := range t.charts {
		t.out.shots[side] = int32(t.charts[side].Fired)
	}
	return t.out, !stopped
}

func (t *table) emit(e match.Event) { t.out.events = append(t.out.events, e) }

// battle plays from the first shot to the end, and reports whether it was stopped.
func (t *table) battle(players [2]bots.Bot, timed bool) (stopped bool) {
	defer func() {
		if p := recover(); p != nil {
			t.lose(t.turn, match.Resigned, fmt.Sprintf("it failed: %v", p))
		}
	}()
	for !t.stop.Load() {
		side := t.turn
		chart, bot := &t.charts[side], players[side]
		shots := 1
		if t.rules.Salvo {
			shots = t.rules.Shots(t.fleets[side].Afloat(), chart)
		}
		if chart.Fired+shots > t.limit {
			t.out.reason = match.Endless
			return false
		}
		if side == match.Second {
			t.out.rounds++
		}
		var began time.Time
		if timed {
			began = time.Now()
		}
		if t.rules.Moving {
			if err := t.moveFleet(side, bot); err != nil {
				t.lose(side, match.OutOfTurn, fmt.Sprintf("its move is not legal: %v", err))
				return false
			}
		}
		cells, err := t.choose(bot, chart, shots)
		if timed {
			t.out.thought[side] += time.Since(began)
		}
		if err != nil {
			t.lose(side, match.BadCell, err.Error())
			return false
		}
		results := t.volley(bot, chart, &t.fleets[side.Other()], cells)
		if t.keep {
			t.emitVolley(cells, results)
		}
		if results[len(results)-1] == match.LastSunk {
			t.out.winner, t.out.reason = side, match.FleetSunk
			return false
		}
		t.turn = side.Other()
	}
	return true
}

// choose asks a bot for the cells of a turn. The result is valid until the next turn. It
// returns an error for an illegal cell.
func (t *table) choose(bot bots.Bot, chart *match.Chart, shots int) ([]match.Cell, error) {
	cells := t.cells[:1]
	if shots == 1 { // the common case; avoids allocating a closure
		cells[0] = bot.Fire(chart)
	} else {
		cells = chart.Volley(cells[:0], shots, bot.Fire)
	}
	for i, cell := range cells {
		if !t.rules.Contains(cell) || slices.Contains(cells[:i], cell) {
			return nil, fmt.Errorf("it fired at %v", cell)
		}
	}
	return cells, nil
}

// volley fires at the chosen cells until the fleet is sunk, and passes the results to the
// bot. The returned slice is valid until the next turn.
func (t *table) volley(bot bots.Bot, chart *match.Chart, fleet *match.Fleet, cells []match.Cell) []match.Result {
	results := t.results[:0]
	for _, cell := range cells {
		r := fleet.Shoot(cell)
		chart.Record(cell, r)
		results = append(results, r)
		if r == match.LastSunk {
			break
		}
	}
	for i, r := range results {
		bot.Observe(cells[i], r)
	}
	return results
}

// emitVolley records the events of a turn.
func (t *table) emitVolley(cells []match.Cell, results []match.Result) {
	for _, cell := range cells {
		t.emit(match.Event{Kind: match.ShotFired, Side: t.turn, Cell: cell})
	}
	for i, r := range results {
		t.emit(match.Event{Kind: match.ShotAnswered, Side: t.turn.Other(), Cell: cells[i], Result: r})
	}
}

// moveFleet lets a bot move its fleet, if the rules allow it now.
func (t *table) moveFleet(side match.Side, bot bots.Bot) error {
	fleet, fire := &t.fleets[side], t.charts[side.Other()].Log
	mover, moves := bot.(bots.Mover)
	if !moves || len(fire) == 0 || fleet.Afloat() <= match.LastShips {
		return nil
	}
	helm := fleet.Helm(t.rules, fire)
	move := mover.Move(helm)
	if err := fleet.Sail(helm, move); err != nil {
		return err
	}
	if t.keep {
		t.emit(match.Event{Kind: match.FleetMoved, Side: side, Move: move})
	}
	return nil
}

func (t *table) lose(side match.Side, why match.Reason, note string) {
	t.out.winner, t.out.reason, t.out.note = side.Other(), why, note
}

// search is the result of a solo game.
type search struct {
	shots   int32
	failed  string // why it did not finish; otherwise empty
	thought time.Duration
	cells   []match.Cell // the shots, if the table keeps them
}

// sink lets a bot sink a fleet. If mover is not nil, it moves the fleet. sink returns false
// if it was stopped.
func (t *table) sink(bot bots.Bot, layout match.Layout, mover bots.Bot, timed bool) (s search, ok bool) {
	chart, fleet := &t.charts[match.First], &t.fleets[match.Second]
	*chart = t.empty
	fleet.Reset(layout)
	defer func() {
		if p := recover(); p != nil {
			s.failed, ok = fmt.Sprintf("it failed: %v", p), true
		}
		s.shots = int32(chart.Fired)
	}()
	for !t.stop.Load() {
		if mover != nil {
			if err := t.moveFleet(match.Second, mover); err != nil {
				s.failed = fmt.Sprintf("a move of the fleet is not legal: %v", err)
				return s, true
			}
		}
		var began time.Time
		if timed {
			began = time.Now()
		}
		shots := t.rules.Shots(len(layout), chart)
		cells, err := t.choose(bot, chart, shots)
		if timed {
			s.thought += time.Since(began)
		}
		switch {
		case err != nil:
			s.failed = err.Error()
			return s, true
		case chart.Fired+shots > t.limit:
			s.failed = "it comes to no end"
			return s, true
		}
		results := t.volley(bot, chart, fleet, cells)
		if t.keep {
			s.cells = append(s.cells, cells[:len(results)]...)
		}
		if results[len(results)-1] == match.LastSunk {
			return s, true
		}
	}
	return s, false
}
