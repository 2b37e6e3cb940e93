package bots

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"

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
	// Where it is nil, bots that need a file are refused: that is for all
	// doors through which strangers name bots.
	ReadFile func(name string) ([]byte, error)
}

// Info is what people should know of a strategy before they choose it.
type Info struct {
	Name  string
	About i18n.Text // how it plays, in words that go on after "it shoots"
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

type entry struct {
	Info
	// make gets what followed the colon of the name. It is empty if and only
	// if Takes is.
	make func(c Config, args string) (shooter, error)
}

// entries lists the bots from the weakest to the strongest. It never changes.
var entries = sync.OnceValue(func() []entry {
	return []entry{
		{Info{Name: "easy", About: "at random"}, plain(newEasy)},
		{Info{Name: "prolog", About: "at random until it hits, then along the ship it has found"}, plain(newProlog)},
		{Info{Name: "medium", About: "at random until it hits, then around its hits"}, plain(newMedium)},
		{Info{Name: "branch", About: "at points far apart, then in the gaps between them"}, plain(newBranch)},
		{Info{Name: "grid", About: "on a grid of your own", Takes: "STEPX,STEPY,OFFSET"}, newGrid},
		{Info{Name: "sequence", About: "in the order of a file", Takes: "FILE"}, newSequence},
		{Info{Name: "hilbert", About: "along a curve that fills the board"}, plain(newHilbert)},
		{Info{Name: "hard", About: "in a pattern that the smallest ship cannot slip through"}, plain(newHard)},
		{Info{Name: "memory", About: "where it has hit you before, else as hard", Learns: true}, plain(newRemember)},
		{Info{Name: "sweep", About: "every fourth cell, then every second, where a ship has room"}, plain(newSweep)},
		{Info{Name: "commodore", About: "where its count of the places that ships can still lie at is highest"}, plain(newCommodore)},
		{Info{Name: "admiral", About: "where most of the fleets that agree with your answers have a ship", Learns: true, Placement: "resist", Mover: "evade"}, plain(flagship)},
		{Info{Name: "warship", About: "in a pattern until it hits, then in a cross around the hit; its ships drift", Afloat: true}, plain(newWarship)},
		{Info{Name: "evader", About: "as hard, and moves its ships out of your way", Mover: "evade", Learns: true, Afloat: true}, plain(newHard)},
		{Info{Name: "tracker", About: "where it believes your ships to be by now, and moves its own out of your way", Mover: "evade", Learns: true, Afloat: true}, plain(newTracker)},
	}
})

// plain makes strategies that take nothing and cannot fail.
func plain[S shooter](make func(Config) S) func(Config, string) (shooter, error) {
	return func(c Config, _ string) (shooter, error) { return make(c), nil }
}

// All lists the bots, from the weakest to the strongest.
func All() []Info {
	all := make([]Info, 0, len(entries()))
	for i := range entries() {
		all = append(all, entries()[i].Info)
	}
	return all
}

// Offered lists the bots that can be challenged by their bare name under the
// given rules, from the weakest to the strongest.
func Offered(r match.Rules) []Info {
	offered := make([]Info, 0, len(entries()))
	for i := range entries() {
		if e := &entries()[i]; e.Takes == "" && (r.Moving || !e.Afloat) {
			offered = append(offered, e.Info)
		}
	}
	return offered
}

// New makes a bot for one match. Its name is one of [All], with a colon and
// what that strategy takes after it where it takes something. The error is a
// sentence for the person who chose.
func New(name string, c Config) (Bot, error) {
	k, err := Find(name)
	if err != nil {
		return nil, err
	}
	return k.New(c)
}

// Choice is a bot found by its name, of which any number can be made.
type Choice struct {
	entry entry
	name  string // as it was asked for
	args  string
}

// Find looks up a bot by the name that [New] takes. Its errors are the same.
func Find(name string) (Choice, error) {
	strategy, args, _ := strings.Cut(name, ":")
	var names []string
	for _, e := range entries() {
		full := e.Name
		if e.Takes != "" {
			full += ":" + e.Takes
		}
		if e.Name != strategy {
			names = append(names, full)
			continue
		}
		if (args == "") != (e.Takes == "") || e.Takes == "" && name != e.Name {
			return Choice{}, i18n.Errorf("there is no bot called %q: write %s", name, full)
		}
		return Choice{entry: e, name: name, args: args}, nil
	}
	return Choice{}, i18n.Errorf("there is no bot called %q: choose one of %s", name, strings.Join(names, ", "))
}

// Info is what people should know of the bot.
func (k Choice) Info() Info { return k.entry.Info }

// New makes the bot for one match.
func (k Choice) New(c Config) (Bot, error) {
	if c.Memory != nil && !c.Memory.Rules.Same(c.Rules) {
		return nil, fmt.Errorf("what %s remembers of its opponent was learned under other rules", k.entry.Name)
	}
	if c.Placement == "" {
		c.Placement = k.entry.Placement
	}
	place, err := findPlacement(c)
	if err != nil {
		return nil, err
	}
	if c.ReadFile != nil {
		c.ReadFile = once(c.ReadFile)
	}
	s, err := k.entry.make(c, k.args)
	if err != nil {
		return nil, fmt.Errorf("the bot %q: %w", k.name, err)
	}
	if _, ok := s.(recalls); c.Rules.Salvo && !ok {
		s = newSalvo(c, func(rng *rand.Rand) shooter {
			again := c
			again.Rand = rng
			s, _ := k.entry.make(again, k.args) // it was made before
			return s
		})
	}
	if !c.Rules.Moving {
		return &player{shooter: s, place: place, cfg: c}, nil
	}
	own, moves := s.(Mover)
	if _, follows := s.(afloat); !follows {
		still := c
		still.Rules = anchored(c.Rules)
		again := newAfresh(c, func() shooter {
			s, _ := k.entry.make(still, k.args) // it was made before
			return s
		})
		own, s = again, again
	}
	if c.Mover == "" && moves {
		return &player{shooter: s, mover: own, place: place, cfg: c}, nil
	}
	mover, err := findMover(cmp.Or(c.Mover, k.entry.Mover, "random"))
	if err != nil {
		return nil, err
	}
	return &player{shooter: s, mover: mover(c), place: place, cfg: c}, nil
}

// afloat is a strategy that knows that ships move.
type afloat interface{ afloat() }

// once reads each file once.
func once(read func(string) ([]byte, error)) func(string) ([]byte, error) {
	texts := map[string][]byte{}
	return func(name string) ([]byte, error) {
		if text, ok := texts[name]; ok {
			return text, nil
		}
		text, err := read(name)
		if err == nil {
			texts[name] = text
		}
		return text, err
	}
}

// base is what all strategies share.
type base struct {
	rules match.Rules
	rng   *rand.Rand
}

// openCells is the cells worth a shot. Answers that are not true can leave
// none: then it is the cells not shot at, or at last the whole board, for a
// side must fire even so.
func openCells(chart *match.Chart) match.Set {
	if open := chart.Open(); !open.Empty() {
		return open
	}
	return untried(chart)
}

// untried is the cells not shot at; the whole board if there are none.
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
