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
	board match.Set
	limit int          // maximum number of shots per side
	stop  *atomic.Bool // set to stop all games
	keep  bool         // record events
	empty match.Chart

	sides [2]contender
	out   outcome
	turn  match.Side
	cells [match.MaxShips]match.Cell // buffer for the shots of a turn
}

// contender is one side of a game.
type contender struct {
	bot   bots.Bot
	chart match.Chart // of the enemy's board
	fleet match.Fleet
}

func newTable(r match.Rules, stop *atomic.Bool) *table {
	return &table{rules: r, board: r.Board(), limit: r.ShotLimit(), stop: stop, empty: match.NewChart(r)}
}

// stopwatch measures the time that a bot takes to choose cells and moves.
type stopwatch struct {
	bots.Bot
	took *time.Duration
}

// Fire implements [bots.Bot].
func (w stopwatch) Fire(chart *match.Chart) match.Cell {
	began := time.Now()
	cell := w.Bot.Fire(chart)
	*w.took += time.Since(began)
	return cell
}

// Move implements [bots.Bot].
func (w stopwatch) Move(helm match.Helm) match.Move {
	began := time.Now()
	move := w.Bot.Move(helm)
	*w.took += time.Since(began)
	return move
}

// play plays a game between two bots. It returns false if it was stopped. A bot that panics
// loses. If timed is set, play measures the time to choose cells.
func (t *table) play(players [2]bots.Bot, layouts [2]match.Layout, timed bool) (outcome, bool) {
	t.out = outcome{winner: match.Nobody}
	for side := range t.sides {
		s := &t.sides[side]
		s.bot, s.chart = players[side], t.empty
		s.fleet.Reset(layouts[side])
		if t.keep {
			t.emit(match.Placed(match.Side(side), layouts[side], 0))
		}
		if timed {
			s.bot = stopwatch{s.bot, &t.out.thought[side]}
		}
	}
	t.turn = match.Second
	if t.keep {
		t.emit(match.Event{Kind: match.BattleBegun, Side: match.Second})
	}
	stopped := t.battle()
	if t.keep {
		t.emit(match.Event{Kind: match.GameEnded, Side: t.out.winner, Reason: t.out.reason})
	}
	for side := range t.sides {
		t.out.shots[side] = int32(t.sides[side].chart.Fired)
	}
	return t.out, !stopped
}

func (t *table) emit(e match.Event) { t.out.events = append(t.out.events, e) }

// battle plays from the first shot to the end, and reports whether it was stopped.
func (t *table) battle() (stopped bool) {
	defer func() {
		if p := recover(); p != nil {
			t.lose(t.turn, match.Resigned, fmt.Sprintf("it failed: %v", p))
		}
	}()
	us, enemy := &t.sides[t.turn], &t.sides[t.turn.Other()]
	for !t.stop.Load() {
		side := t.turn
		shots := 1
		if t.rules.Salvo {
			shots = t.rules.Shots(us.fleet.Afloat(), &us.chart)
		}
		if us.chart.Fired+shots > t.limit {
			t.out.reason = match.Endless
			return false
		}
		if side == match.Second {
			t.out.rounds++
		}
		if t.rules.Moving {
			if err := t.moveFleet(side); err != nil {
				t.lose(side, match.OutOfTurn, fmt.Sprintf("its move is not legal: %v", err))
				return false
			}
		}
		last, err := t.fire(us, &enemy.fleet, shots)
		if err != nil {
			t.lose(side, match.BadCell, err.Error())
			return false
		}
		if last == match.LastSunk {
			t.out.winner, t.out.reason = side, match.FleetSunk
			return false
		}
		t.turn = side.Other()
		us, enemy = enemy, us
	}
	return true
}

// fire lets a side fire the shots of a turn at a fleet until the fleet is sunk. It returns the
// last result, or an error for an illegal cell.
func (t *table) fire(us *contender, fleet *match.Fleet, shots int) (match.Result, error) {
	if shots > 1 {
		return t.volley(us, fleet, shots)
	}
	cell := us.bot.Fire(&us.chart)
	if !t.board.Has(cell) {
		return 0, badCell(cell)
	}
	r := fleet.Shoot(cell)
	us.chart.Record(cell, r)
	if t.keep {
		t.emitShot(cell)
		t.emitResult(cell, r)
	}
	return r, nil
}

// volley is fire for several shots.
func (t *table) volley(us *contender, fleet *match.Fleet, shots int) (last match.Result, err error) {
	cells := us.chart.Volley(t.cells[:0], shots, us.bot.Fire)
	for i, cell := range cells {
		if !t.board.Has(cell) || slices.Contains(cells[:i], cell) {
			return 0, badCell(cell)
		}
	}
	var results [match.MaxShips]match.Result
	fired := 0
	for ; fired < len(cells) && last != match.LastSunk; fired++ {
		last = fleet.Shoot(cells[fired])
		us.chart.Record(cells[fired], last)
		results[fired] = last
	}
	if t.keep {
		for _, cell := range cells {
			t.emitShot(cell)
		}
		for i, cell := range cells[:fired] {
			t.emitResult(cell, results[i])
		}
	}
	return last, nil
}

func badCell(cell match.Cell) error { return fmt.Errorf("it fired at %v", cell) }

func (t *table) emitShot(cell match.Cell) {
	t.emit(match.Event{Kind: match.ShotFired, Side: t.turn, Cell: cell})
}

func (t *table) emitResult(cell match.Cell, r match.Result) {
	t.emit(match.Event{Kind: match.ShotAnswered, Side: t.turn.Other(), Cell: cell, Result: r})
}

// moveFleet lets a side's bot move its fleet, if the rules allow it now.
func (t *table) moveFleet(side match.Side) error {
	fleet, fire := &t.sides[side].fleet, t.sides[side.Other()].chart.Log
	if len(fire) == 0 || fleet.Afloat() <= match.LastShips {
		return nil
	}
	helm := fleet.Helm(t.rules, fire)
	move := t.sides[side].bot.Move(helm)
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
