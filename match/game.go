package match

import (
	"fmt"
	"slices"
	"time"
)

// Side is one of the two sides of a match, or Nobody.
type Side uint8

// The sides.
const (
	// First is the side that joined first.
	First Side = iota
	// Second is the side that joined second. It fires first.
	Second
	// Nobody stands for a spectator, or for the winner of a match that no one won.
	Nobody
)

// Other returns the opposite side.
func (s Side) Other() Side { return s ^ 1 }

// Phase is a game's phase.
type Phase uint8

// The phases, in order.
const (
	// Placing lasts until both fleets are ready.
	Placing Phase = iota
	// Battle is the phase in which the sides fire.
	Battle
	// Over is the phase after the game's end.
	Over
)

// Errors of [Game.Apply]. They do not change the game.
var (
	ErrOver        = NewProblem("the match is over")
	ErrPlacing     = NewProblem("the battle has not started: both fleets must be placed first")
	ErrReady       = NewProblem("your fleet is already placed and cannot be changed now")
	ErrNotYourTurn = NewProblem("it is not your turn")
	ErrUnanswered  = NewProblem("the last shot has no result yet")
	ErrTooMany     = NewProblem("you do not have that many shots this turn")
	ErrRepeated    = NewProblem("you can fire at a cell only once per turn")
	ErrNoShot      = NewProblem("there is no shot for you to answer")
	ErrWrongCell   = NewProblem("the result is for a different cell from the one fired at")
	ErrOffBoard    = NewProblem("that cell is not on the board")
	ErrBadResult   = NewProblem("a result must be 1 (miss), 2 (hit), 3 (sunk) or 4 (last ship sunk)")
	ErrRemoval     = NewProblem("the battle has started: you can no longer remove your opponent")
	ErrCounts      = NewProblem("the match already counts: it can no longer be aborted")
	ErrBadCommand  = NewProblem("unknown command")
)

// Action is the kind of a command.
type Action uint8

// The actions.
const (
	// PlaceFleet places a layout, for which the game computes results.
	PlaceFleet Action = iota + 1
	// KeepFleet keeps the fleet secret. The side reports results itself.
	KeepFleet
	// FireShot fires at one cell or several.
	FireShot
	// AnswerShot gives a shot's result.
	AnswerShot
	// ForfeitGame loses the match, for a reason.
	ForfeitGame
	// VoidGame ends the match without a winner, for a reason.
	VoidGame
	// MoveFleet moves a ship after the enemy's shot, or stays.
	MoveFleet
	// AbortGame ends the match without a winner before it counts.
	AbortGame
)

// Command is a command of a side, or of its clock, to a game. [PlaceCommand], [KeepCommand], [FireCommand],
// [AnswerCommand], [MoveCommand], [AbortCommand], [ForfeitCommand] and [VoidCommand] create commands.
type Command struct {
	Action Action
	Side   Side
	// Cells are the targets of FireShot.
	Cells []Cell
	// Cell is the cell for which AnswerShot gives the result.
	Cell   Cell
	Result Result
	// Auto reports whether the clock acts for the side.
	Auto   bool
	Reason Reason
	Move   Move
	Layout Layout
	// At is the time since the match was created. The events copy it.
	At time.Duration
}

// PlaceCommand places a side's fleet. The layout must not be changed afterwards.
func PlaceCommand(side Side, l Layout) Command {
	return Command{Action: PlaceFleet, Side: side, Layout: l}
}

// KeepCommand makes a side ready that keeps its fleet and reports results itself.
func KeepCommand(side Side) Command { return Command{Action: KeepFleet, Side: side} }

// FireCommand fires at cells of the other side's board. They are all cells of the turn, or the
// next ones.
func FireCommand(side Side, cells ...Cell) Command {
	return Command{Action: FireShot, Side: side, Cells: cells}
}

// AnswerCommand reports the result of the other side's shot at a cell. Only a side that keeps
// its fleet does so, one shot at a time, in the order of the shots.
func AnswerCommand(side Side, c Cell, r Result) Command {
	return Command{Action: AnswerShot, Side: side, Cell: c, Result: r}
}

// MoveCommand moves a ship of a side whose fleet the game holds, after the other side's shot and
// before its own. A side can move once per turn, and Stay is a move, too. Firing without moving
// counts as Stay.
func MoveCommand(side Side, m Move) Command { return Command{Action: MoveFleet, Side: side, Move: m} }

// ForfeitCommand makes a side lose, in any phase, for the given reason.
func ForfeitCommand(side Side, why Reason) Command {
	return Command{Action: ForfeitGame, Side: side, Reason: why}
}

// AbortCommand ends the match without a winner on behalf of a side, before it counts (see
// [Game.AlreadyCounts]). The reason is [Resigned], [Left] or [Removed].
func AbortCommand(side Side, why Reason) Command {
	return Command{Action: AbortGame, Side: side, Reason: why}
}

// VoidCommand ends the match without a winner, in any phase, as [Closed] or [Endless].
func VoidCommand(why Reason) Command { return Command{Action: VoidGame, Side: Nobody, Reason: why} }

// Auditor checks the results given by a side that keeps its fleet.
type Auditor interface {
	// Add records a result and reports whether all results so far can be true.
	Add(cell Cell, r Result) bool
}

// AuditMode defines how the results of a side that keeps its fleet are checked, and the
// consequence of a contradiction. Package audit has the modes.
type AuditMode interface {
	// NewAuditor returns nil for rules that it does not check.
	NewAuditor(r Rules) Auditor
	// MustForfeit reports whether a contradiction makes the side lose. Otherwise the match
	// continues and is marked as disputed.
	MustForfeit() bool
}

// ShotLimit returns the maximum number of shots of a side. The match ends as [Endless] when a
// side fires another one. This limits matches that no one can win, such as when a side
// always answers with a miss.
func (r Rules) ShotLimit() int { return 10 * r.Size * r.Size }

// Game is the state machine of one match. [Game.Apply] and [Game.ApplyEvents] change it. Its
// events are its complete history.
type Game struct {
	rules Rules
	mode  AuditMode
	phase Phase
	// turn is the current turn of the Battle.
	turn Turn
	// turns counts the turns in which each side has fired.
	turns [2]int
	ready [2]bool
	// fleets is nil for a side that keeps its fleet.
	fleets [2]*Fleet
	// charts[s] is what side s knows of the other board.
	charts [2]Chart
	// last has the shots of each side's last turn.
	last [2][]Shot
	// audits check the sides that keep their fleets.
	audits   [2]Auditor
	disputed [2]bool

	winner Side
	reason Reason
	// aborter is the side that aborted the match or removed the other side.
	aborter Side
	events  []Event
	// whole is the number of events without the [Game.IncompleteEvents].
	whole int
}

// NewGame returns a new game. The rules must be valid.
func NewGame(r Rules, mode AuditMode) *Game {
	chart := NewChart(r)
	return &Game{rules: r, mode: mode, charts: [2]Chart{chart, chart}, winner: Nobody}
}

// Rules returns the game's rules.
func (g *Game) Rules() Rules { return g.rules }

// Phase returns the game's phase.
func (g *Game) Phase() Phase { return g.phase }

// IsReady reports whether a side has placed its fleet or is ready with one that it keeps.
func (g *Game) IsReady(side Side) bool { return g.ready[side] }

// ActingSide returns the side whose command the game waits for in Battle. That side fires, or
// must give a result. In other phases ActingSide returns Nobody.
func (g *Game) ActingSide() Side {
	if g.phase != Battle {
		return Nobody
	}
	return g.turn.actingSide()
}

// Turn returns the battle's turn. It must not be changed.
func (g *Game) Turn() Turn { return g.turn }

// IncompleteEvents returns how many of the newest events belong to a turn whose shots or results
// are incomplete. A complete set is published as one, so until then only the side itself may see
// these events.
func (g *Game) IncompleteEvents() int { return len(g.events) - g.whole }

// CountingShots is how many shots both sides must have fired before a match counts.
const CountingShots = 3

// AlreadyCounts reports whether the match counts. From then on, a side that resigns or leaves
// loses. Until then either side may abort the match.
func (g *Game) AlreadyCounts() bool { return alreadyCounts(&g.charts) }

func alreadyCounts(charts *[2]Chart) bool {
	return min(charts[First].Fired, charts[Second].Fired) >= CountingShots
}

// ShotsFired returns how many shots a side has fired.
func (g *Game) ShotsFired(side Side) int { return g.charts[side].Fired }

// Chart returns a side's knowledge of the other board.
func (g *Game) Chart(side Side) Chart {
	chart := g.charts[side]
	// The game appends to its own log.
	chart.Log = slices.Clip(chart.Log)
	return chart
}

// Events returns all events. The caller must not change them.
func (g *Game) Events() []Event { return g.events }

// Apply carries out a command and returns the resulting events, which are the newest of
// [Game.Events]. If it returns an error, the game has not changed.
func (g *Game) Apply(c Command) ([]Event, error) {
	if g.phase == Over {
		return nil, ErrOver
	}
	before := len(g.events)
	if err := g.apply(&c); err != nil {
		return nil, err
	}
	if g.phase != Battle || !g.turn.isPartial() {
		g.whole = len(g.events)
	}
	return slices.Clip(g.events[before:]), nil
}

func (g *Game) apply(c *Command) error {
	if c.Action == VoidGame {
		if c.Reason != Closed && c.Reason != Endless {
			return ErrBadCommand
		}
		g.endGame(Nobody, c.Reason, c.At)
		return nil
	}
	if c.Side > Second {
		return ErrBadCommand
	}
	switch c.Action {
	case PlaceFleet, KeepFleet:
		return g.prepareFleet(c)
	case FireShot:
		return g.fire(c)
	case AnswerShot:
		return g.recordAnswer(c)
	case MoveFleet:
		return g.moveFleet(c)
	case AbortGame:
		return g.abort(c)
	case ForfeitGame:
		if !c.Reason.canForfeit() {
			return ErrBadCommand
		}
		g.endGame(c.Side.Other(), c.Reason, c.At)
		return nil
	}
	return ErrBadCommand
}

func (g *Game) abort(c *Command) error {
	switch {
	case c.Reason == Removed && (c.Side != First || g.phase != Placing):
		return ErrRemoval
	case c.Reason != Resigned && c.Reason != Left && c.Reason != Removed:
		return ErrBadCommand
	case g.AlreadyCounts():
		return ErrCounts
	}
	why := Aborted
	if c.Reason == Removed {
		why = Removed
	}
	g.aborter = c.Side
	g.emit(Event{Kind: GameAborted, Side: c.Side, Reason: c.Reason, At: c.At})
	g.endGame(Nobody, why, c.At)
	return nil
}

func (g *Game) prepareFleet(c *Command) error {
	if g.phase != Placing || g.ready[c.Side] {
		return ErrReady
	}
	if c.Action == PlaceFleet {
		if err := g.rules.CheckLayout(c.Layout); err != nil {
			return fmt.Errorf("illegal layout: %w", err)
		}
		g.fleets[c.Side] = NewFleet(c.Layout)
		g.emit(NewPlacedEvent(c.Side, c.Layout, c.At))
	} else {
		g.audits[c.Side] = g.mode.NewAuditor(g.rules)
		g.emit(Event{Kind: FleetKept, Side: c.Side, At: c.At})
	}
	g.ready[c.Side] = true
	if g.ready[First] && g.ready[Second] {
		g.startBattle(c.At)
	}
	return nil
}

func (g *Game) startBattle(at time.Duration) {
	g.phase = Battle
	g.startTurn(Second)
	// A shot has two events. This is enough for a match in which each side fires at half of the cells.
	g.events = slices.Grow(g.events, min(2*g.rules.Size*g.rules.Size, 500))
	g.emit(Event{Kind: BattleStarted, Side: Second, At: at})
}

func (g *Game) fire(c *Command) error {
	t := &g.turn
	switch {
	case g.phase == Placing:
		return ErrPlacing
	case t.Side != c.Side:
		return ErrNotYourTurn
	case t.IsPending():
		return ErrUnanswered
	}
	if err := t.checkTargets(&g.rules, c.Cells); err != nil {
		return err
	}
	if g.charts[c.Side].Fired+len(t.Targets)+len(c.Cells) > g.rules.ShotLimit() {
		g.endGame(Nobody, Endless, c.At)
		return nil
	}
	t.CanMove = false
	for _, cell := range c.Cells {
		t.Targets = append(t.Targets, cell)
		g.emit(Event{Kind: ShotFired, Side: c.Side, Cell: cell, Auto: c.Auto, At: c.At})
	}
	target := c.Side.Other()
	fleet := g.fleets[target]
	if fleet != nil && t.IsPending() {
		for _, cell := range t.Targets {
			if g.recordResult(target, fleet.Fire(cell), c.At) {
				break
			}
		}
	}
	return nil
}

// moveFleet carries out a MoveFleet command.
func (g *Game) moveFleet(c *Command) error {
	switch {
	case !g.rules.Moving:
		return ErrNoMoves
	case g.phase == Placing:
		return ErrPlacing
	case !g.CanMove(c.Side):
		return ErrMoved
	}
	if err := g.fleets[c.Side].ApplyMove(g.FleetStatus(c.Side), c.Move); err != nil {
		return err
	}
	g.turn.CanMove = false
	g.emit(Event{Kind: FleetMoved, Side: c.Side, Move: c.Move, Auto: c.Auto, At: c.At})
	if g.turn.Shots == 0 {
		g.startTurn(c.Side.Other())
	}
	return nil
}

// FleetStatus returns what a side knows when it moves. The game must hold the side's fleet.
func (g *Game) FleetStatus(side Side) FleetStatus {
	return g.fleets[side].Status(g.rules, g.Chart(side.Other()).Log)
}

// CanMove reports whether a side may move its fleet now.
func (g *Game) CanMove(side Side) bool {
	return g.turn.CanMove && g.turn.Side == side && g.phase == Battle
}

func (g *Game) recordAnswer(c *Command) error {
	t := &g.turn
	switch {
	case g.phase == Placing:
		return ErrPlacing
	case !t.IsPending() || t.Side == c.Side:
		return ErrNoShot
	case c.Cell != t.Targets[len(t.Answers)]:
		return ErrWrongCell
	case !c.Result.IsValid():
		return ErrBadResult
	}
	g.recordResult(c.Side, c.Result, c.At)
	return nil
}

// recordResult adds a side's result for the next shot of the turn. After the last result it ends
// the turn and returns true. Shots after the one that sinks the last ship get no result.
func (g *Game) recordResult(side Side, r Result, at time.Duration) (last bool) {
	t := &g.turn
	cell := t.Targets[len(t.Answers)]
	t.Answers = append(t.Answers, r)
	g.emit(Event{Kind: ShotAnswered, Side: side, Cell: cell, Result: r, At: at})
	caught := false
	a := g.audits[side]
	if a != nil && !g.disputed[side] && !a.Add(cell, r) {
		g.disputed[side] = true
		caught = g.mode.MustForfeit()
		g.emit(Event{Kind: AnswersDisputed, Side: side, At: at})
	}
	if len(t.Answers) < t.Shots && r != LastSunk && !caught {
		return false
	}
	g.recordTurn()
	switch {
	case caught:
		g.endGame(t.Side, Contradiction, at)
	case r == LastSunk:
		g.endGame(t.Side, FleetSunk, at)
	default:
		g.startTurn(side)
	}
	return true
}

func (g *Game) endGame(winner Side, why Reason, at time.Duration) {
	g.phase, g.winner, g.reason = Over, winner, why
	g.emit(Event{Kind: GameEnded, Side: winner, Reason: why, At: at})
}

func (g *Game) emit(e Event) { g.events = append(g.events, e) }
