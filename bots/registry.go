package bots

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"broadside/internal/i18n"
	"broadside/match"
)

// entry is a bot, a mover or a placement in the registry.
type entry[T any] struct {
	Info
	// make receives the text after the colon in the name. It is empty if and only if Takes
	// is.
	make func(c Config, args string) (T, error)
}

// strategies lists the bots, from the weakest to the strongest under classic rules.
var strategies = []entry[shooter]{
	{Info{Name: "easy", About: "at-random", Sketch: "sketch-easy", shots: 95.4}, plain(newEasy)},
	{Info{Name: "prolog", About: "at-random-until-it-along",
		Sketch: "sketch-prolog", Novelty: true, shots: 53.6}, plain(newProlog)},
	{Info{Name: "medium", About: "at-random-until-it-around", Sketch: "sketch-medium", shots: 53.6}, plain(newMedium)},
	{Info{Name: "branch", About: "at-points-far-apart-then",
		Sketch: "sketch-branch", Novelty: true, shots: 49.9}, plain(newBranch)},
	{Info{Name: "grid", About: "on-a-grid-of-your", Takes: "STEPX,STEPY,OFFSET"}, newGrid},
	{Info{Name: "sequence", About: "in-the-order-of-a-file", Takes: "FILE"}, newSequence},
	{Info{Name: "hilbert", About: "along-a-curve-that-fills",
		Sketch: "sketch-hilbert", Novelty: true, shots: 47.7}, plain(newHilbert)},
	{Info{Name: "hard", About: "in-a-pattern-that-the", Sketch: "sketch-hard", shots: 45.5}, plain(newHard)},
	{Info{Name: "memory", About: "where-it-has-hit-you",
		Sketch: "sketch-memory", shots: 45.5, Learns: true}, plain(newRemember)},
	{Info{Name: "sweep", About: "every-fourth-cell-then-every", Sketch: "sketch-sweep", shots: 43.9}, plain(newSweep)},
	{Info{Name: "commodore", About: "where-most-of-a-sample",
		Sketch: "sketch-commodore", shots: 40.2}, plain(newCommodore)},
	{Info{Name: "admiral", About: "where-most-of-the-fleets",
		Sketch: "sketch-admiral", shots: 40.1, Learns: true, Placement: "resist", Mover: "evade"}, plain(flagship)},
	{Info{Name: "warship", About: "in-a-pattern-until-it", Sketch: "sketch-warship", Afloat: true}, plain(newWarship)},
	{Info{Name: "evader", About: "as-hard-and-moves-its",
		Sketch: "sketch-evader", Learns: true, Mover: "evade", Afloat: true}, plain(newHard)},
	{Info{Name: "tracker", About: "where-it-believes-your-ships",
		Sketch: "sketch-tracker", Learns: true, Mover: "evade", Afloat: true}, plain(newTracker)},
}

// plain adapts a constructor that takes no argument and cannot fail.
func plain[S shooter](make func(Config) S) func(Config, string) (shooter, error) {
	return func(c Config, _ string) (shooter, error) { return make(c), nil }
}

var movers = []entry[mover]{
	{Info{Name: "stay", About: "it-never-moves"}, plainMover(newStill)},
	{Info{Name: "random", About: "a-random-ship-makes-its"}, plainMover(newDrift)},
	{Info{Name: "forced", About: "as-random-but-another-ship"}, plainMover(newForcedDrift)},
	{Info{Name: "evade", About: "ships-leave-the-cells-where"}, plainMover(newEvade)},
}

func plainMover[M mover](make func(Config) M) func(Config, string) (mover, error) {
	return func(c Config, _ string) (mover, error) { return make(c), nil }
}

var placements = []entry[func() match.Layout]{
	{Info{Name: "uniform", About: "every-legal-layout-is-as"}, whenAsked(placeUniform)},
	{Info{Name: "java", About: "each-ship-where-it-of"}, immediately(placeJava)},
	{Info{Name: "prolog", About: "each-ship-where-it-rows"}, immediately(placeProlog)},
	{Info{Name: "edges", About: "ships-lie-along-the-edges"}, whenAsked(placeEdges)},
	{Info{Name: "sequence", About: "in-the-order-of-from", Takes: "FILE:OFFSET"}, immediately(placeSequence)},
	{Info{Name: "resist", About: "where-ships-are-rarely-looked"}, whenAsked(placeResist)},
}

// whenAsked adapts a placement that cannot fail. The bot places its fleet when it is asked to.
func whenAsked(place func(Config) match.Layout) func(Config, string) (func() match.Layout, error) {
	return func(c Config, _ string) (func() match.Layout, error) {
		return func() match.Layout { return place(c) }, nil
	}
}

// immediately adapts a placement that can fail. The bot's constructor places the fleet.
func immediately(
	place func(c Config, args string) (match.Layout, error),
) func(Config, string) (func() match.Layout, error) {
	return func(c Config, args string) (func() match.Layout, error) {
		layout, err := place(c, args)
		return func() match.Layout { return layout }, err
	}
}

// find splits a name at the first colon, and looks up its entry. It returns false if there is none, or if
// there is an argument but the entry takes none, or the reverse.
func find[T any](entries []entry[T], name string) (found entry[T], args string, ok bool) {
	name, args, colon := strings.Cut(name, ":")
	for _, e := range entries {
		if e.Name == name {
			return e, args, colon == (e.Takes != "") && colon == (args != "")
		}
	}
	return found, "", false
}

// describe returns the descriptions of entries.
func describe[T any](entries []entry[T]) []Info {
	var infos []Info
	for _, e := range entries {
		infos = append(infos, e.Info)
	}
	return infos
}

// listNames lists entries for an error message.
func listNames[T any](entries []entry[T]) string {
	var names []string
	for _, e := range entries {
		names = append(names, e.Syntax())
	}
	return strings.Join(names, ", ")
}

// All lists the bots, from the weakest to the strongest under classic rules.
func All() []Info { return describe(strategies) }

// Movers lists the available movers. Any bot can use any of them.
func Movers() []Info { return describe(movers) }

// Placements lists the available placements. Any bot can use any of them.
func Placements() []Info { return describe(placements) }

// Offered lists the bots that can be challenged by name alone under the given rules, in the order
// of [All].
func Offered(r match.Rules) []Info {
	return slices.DeleteFunc(All(), func(i Info) bool { return i.Takes != "" || i.Afloat && !r.Moving })
}

// New creates a bot for one match. The name is one of [All], followed by a colon and an
// argument if the strategy takes one. Errors can be shown to players.
func New(name string, c Config) (Bot, error) {
	k, err := Find(name)
	if err != nil {
		return nil, err
	}
	return k.New(c)
}

// Choice is a bot found by name. It can create any number of bots.
type Choice struct {
	entry entry[shooter]
	name  string // as given to Find
	args  string
}

// Find looks up a bot by name and returns the same errors as [New].
func Find(name string) (Choice, error) {
	e, args, ok := find(strategies, name)
	switch {
	case ok:
		return Choice{entry: e, name: name, args: args}, nil
	case e.Name != "":
		return Choice{}, i18n.Errorf("there-is-no-bot-called-x-write-x", name, e.Syntax())
	}
	return Choice{}, i18n.Errorf("there-is-no-bot-choose", name, listNames(strategies))
}

// Info returns the description of the bot.
func (k Choice) Info() Info { return k.entry.Info }

// New creates the bot for one match.
func (k Choice) New(c Config) (Bot, error) {
	if c.Memory != nil && !c.Memory.Rules.Same(c.Rules) {
		return nil, fmt.Errorf("the memory of %s was learned under other rules", k.entry.Name)
	}
	c.Placement = cmp.Or(c.Placement, k.entry.Placement, "uniform")
	place, err := newPlacement(c)
	if err != nil {
		return nil, err
	}
	moving, args, ok := find(movers, cmp.Or(c.Mover, k.entry.Mover, "random"))
	if !ok {
		return nil, fmt.Errorf("there is no mover called %q: choose one of %s", c.Mover, listNames(movers))
	}
	s, err := k.entry.make(c, k.args)
	if err != nil {
		return nil, fmt.Errorf("the bot %q: %w", k.name, err)
	}
	p := &player{shooter: s, mover: still{}, place: place, cfg: c}
	if !c.Rules.Moving {
		return p, nil
	}
	if _, follows := s.(*tracker); !follows {
		p.shooter = newAfresh(c, func(fixed Config) (shooter, error) { return k.entry.make(fixed, k.args) })
	}
	if _, moves := s.(mover); moves && c.Mover == "" {
		p.mover = p.shooter.(mover)
	} else {
		p.mover, err = moving.make(c, args)
	}
	return p, err
}

// newPlacement returns the placement that a configuration names.
func newPlacement(c Config) (func() match.Layout, error) {
	p, args, ok := find(placements, c.Placement)
	if !ok {
		return nil, fmt.Errorf("there is no placement called %q: choose one of %s", c.Placement, listNames(placements))
	}
	return p.make(c, args)
}
