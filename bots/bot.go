package bots

import (
	"math/rand/v2"

	"broadside/bots/infer"
	"broadside/internal/i18n"
	"broadside/match"
)

// Bot plays one match. Its methods must be called from one goroutine at a time. They don't
// block and use no clock, network or file. The same seed and calls give the same results.
type Bot interface {
	// Place returns the bot's layout, which is legal. It is called once, before all other
	// methods.
	Place() match.Layout
	// Fire returns the next cell to fire at. It is called once for each shot and does not
	// change the chart, whose Log has all results so far. If a turn has several shots, the
	// chart's Shots include the cells chosen earlier in the turn; see [match.Chart.AppendTargets].
	// The cell is worth a shot, see [match.Chart.OpenCells], or at least has not been fired at.
	// Only false results can lead to a chart without such a cell.
	Fire(chart *match.Chart) match.Cell
	// Move returns the fleet's move after the opponent's shot: a legal move, or [match.Stay].
	// It is called only under rules that let ships move, when the side may move, at most
	// once per turn and before Fire.
	Move(status match.FleetStatus) match.Move
}

// Lister is a [Bot] that can list the cells it intends to fire at next.
type Lister interface {
	// OpenList returns the cells around the bot's hits that it intends to fire at next, in
	// the strategy's order if it has one, otherwise row by row. It returns false if the
	// strategy has no such list.
	OpenList(chart *match.Chart) (cells []match.Cell, ok bool)
}

// Config configures a bot.
type Config struct {
	// Rules are the match's rules, which must be valid.
	Rules match.Rules
	// Rand is the source of the bot's choices. After [New] it belongs to the bot.
	Rand *rand.Rand

	// Placement is one of [Placements], followed by a colon and its argument if it takes
	// one. Empty leaves the choice to the strategy.
	Placement string
	// Mover is one of [Movers], for rules that let ships move. Empty leaves the choice to
	// the strategy.
	Mover string
	// Memory records the opponent's earlier games. It may be nil. The bot only reads it,
	// and it must not change while the bot plays.
	Memory *infer.Memory
	// ReadFile reads a file named in a bot's name. Only [New] calls it. If it is nil, bots
	// that need a file are refused. It must be nil if the name comes from a client.
	ReadFile func(name string) ([]byte, error)
}

// Info describes a strategy, a mover or a placement to players.
type Info struct {
	Name string
	// Method is how it plays. A strategy's method completes the sentence "it fires …".
	Method i18n.Key
	// Argument is the argument that must follow the name and a colon, such as
	// "STEPX,STEPY,OFFSET" in "grid:STEPX,STEPY,OFFSET"; empty if there is none.
	Argument string

	// Sketch is a sentence for players who choose an opponent. Only strategies without an
	// argument have one.
	Sketch i18n.Key
	// IsNovelty reports whether the strategy is remarkable for its method rather than as an
	// opponent.
	IsNovelty bool
	// shots is the mean number of shots that the strategy needs to sink a fleet under classic
	// rules, from the table in docs/bots.md; 0 if it is unknown.
	shots float64
	// UsesMemory reports whether the strategy uses [Config.Memory].
	UsesMemory bool
	// Placement is the strategy's own placement; empty for uniform.
	Placement string
	// Mover is the strategy's own mover; empty for random.
	Mover string
	// NeedsMoving reports whether the strategy is only for rules that let ships move.
	NeedsMoving bool
}

// Syntax returns the name, with a colon and the argument if it takes one.
func (i Info) Syntax() string {
	if i.Argument == "" {
		return i.Name
	}
	return i.Name + ":" + i.Argument
}

// MeanShots returns the mean number of shots that the bot needs to sink a fleet under rules. 0 means
// that it is unknown.
func (i Info) MeanShots(r match.Rules) float64 {
	if !r.IsEquivalent(match.Classic()) {
		return 0
	}
	return i.shots
}

// shooter is a strategy: the part of a [Bot] that chooses cells.
type shooter interface {
	Fire(chart *match.Chart) match.Cell
}

// mover moves a fleet, as a [Bot] does.
type mover interface {
	Move(status match.FleetStatus) match.Move
}

// player combines a strategy with a placement and a mover.
type player struct {
	shooter
	mover
	place func() match.Layout
	cfg   Config
}

func (p *player) Place() match.Layout { return p.place() }

// OpenList implements [Lister].
func (p *player) OpenList(chart *match.Chart) ([]match.Cell, bool) {
	if l, ok := p.shooter.(Lister); ok {
		return l.OpenList(chart)
	}
	return nil, false
}

// base has the fields that all strategies share.
type base struct {
	rules match.Rules
	rng   *rand.Rand
	// logRead is the number of shots of the chart's log that newShots has returned.
	logRead int
}

// newShots returns the shots that the chart's log has gained since the last call.
func (b *base) newShots(chart *match.Chart) []match.Shot {
	shots := chart.Log[b.logRead:]
	b.logRead = len(chart.Log)
	return shots
}

// openCells returns the cells worth a shot. If false results leave none, it returns the
// cells not fired at, or the whole board if there are none, because a side must fire.
func openCells(chart *match.Chart) match.Set {
	open := chart.OpenCells()
	if !open.IsEmpty() {
		return open
	}
	return untriedCells(chart)
}

// untriedCells returns the cells not fired at, or the whole board if there are none.
func untriedCells(chart *match.Chart) match.Set {
	board := chart.Rules.Cells()
	left := board.Minus(chart.Shots)
	if !left.IsEmpty() {
		return left
	}
	return board
}

// pickRandom returns a random cell of a non-empty set.
func (b *base) pickRandom(cells match.Set) match.Cell { return cells.Nth(b.rng.IntN(cells.Len())) }

// cellIndex returns a cell's index in tables that list the board row by row.
func (b *base) cellIndex(c match.Cell) int { return int(c.Y)*b.rules.Size + int(c.X) }
