package bots

import (
	"math/rand/v2"

	"broadside/bots/infer"
	"broadside/internal/i18n"
	"broadside/match"
)

// Bot plays one match. Its methods are called from one goroutine at a time.
// They never wait and look at no clock, network or file, and for the same seed
// and the same calls they always answer the same.
type Bot interface {
	// Place is the bot's layout, a legal one. It is called once, first.
	Place() match.Layout
	// Fire returns the cell to shoot at next. It is called once for each shot
	// and must not change the chart. Where a turn has several shots, the cells of
	// those before are in the chart's Shots, see [match.Chart.Volley]. The cell is worth a shot, see [match.Chart.Open], or
	// at least not shot at before, as long as there is such a cell: only an opponent whose answers are not true can
	// bring a bot to where there is none.
	Fire(chart *match.Chart) match.Cell
	// Told tells the answer to a shot of the bot's side, after it was entered
	// into the chart, with the others of its turn, and before the next Fire. It is called once for each
	// shot, also for one that the clock fired in the bot's place.
	Told(cell match.Cell, r match.Result)
}

// Lister is a [Bot] that can tell which cells it means to shoot at next.
type Lister interface {
	// OpenList returns the cells around its hits that the bot means to shoot at
	// next: in order where the strategy has one, else by row. It returns false
	// for a strategy that keeps no such list.
	OpenList(chart *match.Chart) (cells []match.Cell, ok bool)
}

// Config is what a bot is made from.
type Config struct {
	Rules match.Rules // those of the match; they must be valid
	Rand  *rand.Rand  // all the bot's choices come from it; the bot's own from then on

	// Placement is one of [Placements], with a colon and what it takes after it
	// where it takes something. Empty leaves the choice to the strategy.
	Placement string
	// Mover is one of [Movers], for rules where ships move. Empty leaves the
	// choice to the strategy.
	Mover string
	// Memory is what is known of the opponent from earlier games; nil if
	// nothing is. The bot only reads it, and nobody may change it while the
	// bot plays.
	Memory *infer.Memory
	// ReadFile opens a file that a bot's name speaks of. Only [New] calls it.
	// Where it is nil, bots that need a file are refused. It must be nil where
	// strangers name bots.
	ReadFile func(name string) ([]byte, error)
}

// Info is what people should know of a strategy before they choose it.
type Info struct {
	Name  string
	About i18n.Key // how it plays, in words that go on after "it shoots"
	// Takes is what has to follow the name and a colon, as "STEPX,STEPY,OFFSET"
	// in "grid:STEPX,STEPY,OFFSET"; empty for a strategy that takes nothing.
	Takes string
	// Learns tells that it plays by what [Config.Memory] holds.
	Learns bool
	// Placement is the one of [Placements] that it chooses by itself; empty
	// for uniform.
	Placement string
	// Mover is the one of [Movers] that it chooses by itself; empty for random.
	Mover string
	// Afloat tells that it is made for rules where ships move, and offered under
	// no others.
	Afloat bool
}

// shooter is the part of a [Bot] that differs from strategy to strategy.
type shooter interface {
	Fire(chart *match.Chart) match.Cell
	Told(cell match.Cell, r match.Result)
}

// player joins a strategy and the ways its fleet is placed and moved.
type player struct {
	shooter
	mover Mover // nil where ships do not move
	place func(Config) match.Layout
	cfg   Config
}

func (p *player) Place() match.Layout { return p.place(p.cfg) }

// Move implements [Mover].
func (p *player) Move(helm match.Helm) match.Move {
	if p.mover == nil {
		return match.Stay
	}
	return p.mover.Move(helm)
}

// OpenList implements [Lister].
func (p *player) OpenList(chart *match.Chart) ([]match.Cell, bool) {
	if l, ok := p.shooter.(Lister); ok {
		return l.OpenList(chart)
	}
	return nil, false
}

// afloat is a strategy that knows that ships move.
type afloat interface{ afloat() }

// base is what all strategies share.
type base struct {
	rules match.Rules
	rng   *rand.Rand
}

// openCells returns the cells worth a shot. Answers that are not true can leave
// none: then it is the cells not shot at, or at last the whole board, for a
// side must fire even so.
func openCells(chart *match.Chart) match.Set {
	if open := chart.Open(); !open.Empty() {
		return open
	}
	return untried(chart)
}

// untried returns the cells not shot at; the whole board if there are none.
func untried(chart *match.Chart) match.Set {
	board := chart.Rules.Board()
	if left := board.Minus(chart.Shots); !left.Empty() {
		return left
	}
	return board
}

// pick draws one cell of a set that is not empty.
func (b *base) pick(cells match.Set) match.Cell { return cells.Nth(b.rng.IntN(cells.Len())) }

// number returns the number of a cell in tables that list cells row by row.
func (b *base) number(c match.Cell) int { return int(c.Y)*b.rules.Size + int(c.X) }
