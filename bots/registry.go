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
	// create receives the text after the colon in the name. It is empty if and only if Takes
	// is.
	create func(c Config, args string) (T, error)
}

// strategies lists the bots, from the weakest to the strongest under classic rules.
var strategies = []entry[shooter]{
	{Info{Name: "easy", Method: "at random", Sketch: "A friendly deckhand who fires wherever the wind blows.", shots: 95.4}, withoutArgument(newEasy)},
	{Info{Name: "gunner", Method: "at random until it hits, then on all sides of its hits",
		Sketch: "Keen but green: fires all around a hit, even where no ship can be.",
		shots:  66.4}, withoutArgument(newGunner)},
	{Info{Name: "prolog", Method: "at random until it hits, then along the ship it has found",
		Sketch: "A logician: aimless until the first hit, relentless along the ship.", IsNovelty: true, shots: 53.6}, withoutArgument(newProlog)},
	{Info{Name: "medium", Method: "at random until it hits, then around its hits", Sketch: "Searches by feel, but never lets go of a ship it has hit.", shots: 53.6}, withoutArgument(newMedium)},
	{Info{Name: "branch", Method: "at points far apart, then in the gaps between them",
		Sketch: "A surveyor who divides the sea into ever smaller squares.", IsNovelty: true, shots: 49.9}, withoutArgument(newBranch)},
	{Info{Name: "grid", Method: "on a grid of your own", Argument: "STEPX,STEPY,OFFSET"}, newGrid},
	{Info{Name: "sequence", Method: "in the order of a file", Argument: "FILE"}, newSequence},
	{Info{Name: "hilbert", Method: "along a curve that fills the board",
		Sketch: "A mathematician who follows one endless curve.", IsNovelty: true, shots: 47.7}, withoutArgument(newHilbert)},
	{Info{Name: "hard", Method: "in a pattern that the smallest ship cannot slip through", Sketch: "A net that no ship slips through, and no mercy after a hit.", shots: 45.5}, withoutArgument(newHard)},
	{Info{Name: "memory", Method: "where it has hit you before, otherwise like hard",
		Sketch: "An old hand who remembers where you hid last time.", shots: 45.5, UsesMemory: true}, withoutArgument(newMemoryHunter)},
	{Info{Name: "sweep", Method: "at every fourth cell, then every second, where a ship fits", Sketch: "A minesweeper: wide strokes first, then the gaps.", shots: 43.9}, withoutArgument(newSweeper)},
	{Info{Name: "commodore", Method: "where a ship is most likely in a sample of the fleets that agree with your results",
		Sketch: "Draws fleets that fit your results, and fires where most lie.", shots: 40.2}, withoutArgument(newCommodore)},
	{Info{Name: "admiral", Method: "where a ship is most likely in all fleets that agree with your results",
		Sketch: "Weighs whole fleets at once, and hides its own well.", shots: 40.1, UsesMemory: true, Placement: "resist", Mover: "evade"}, withoutArgument(newAdmiralOrTracker)},
	{Info{Name: "warship", Method: "in a pattern until it hits, then in a cross around the hit, while its ships drift", Sketch: "A veteran of moving fleets who hunts by the pattern.", NeedsMoving: true}, withoutArgument(newWarship)},
	{Info{Name: "evader", Method: "like hard, and moves its ships out of your line of fire",
		Sketch: "Strikes like hard, and is gone when you fire back.", UsesMemory: true, Mover: "evade", NeedsMoving: true}, withoutArgument(newHard)},
	{Info{Name: "tracker", Method: "where it expects your ships to be by now, and moves its own out of your line of fire",
		Sketch: "Follows your ships' wakes and knows where they are heading.", UsesMemory: true, Mover: "evade", NeedsMoving: true}, withoutArgument(newTrackerBot)},
}

// withoutArgument adapts a constructor that takes no argument and cannot fail.
func withoutArgument[S shooter](make func(Config) S) func(Config, string) (shooter, error) {
	return func(c Config, _ string) (shooter, error) { return make(c), nil }
}

var movers = []entry[mover]{
	{Info{Name: "stay", Method: "it never moves"}, moverWithoutArgument(newStillMover)},
	{Info{Name: "random", Method: "a random ship makes its first legal move, if it has one"}, moverWithoutArgument(newDriftMover)},
	{Info{Name: "forced", Method: "like random, but another ship moves if the first one cannot"}, moverWithoutArgument(newForcedDriftMover)},
	{Info{Name: "evade", Method: "ships leave the cells that the opponent is expected to fire at next"}, moverWithoutArgument(newEvadeMover)},
}

func moverWithoutArgument[M mover](make func(Config) M) func(Config, string) (mover, error) {
	return func(c Config, _ string) (mover, error) { return make(c), nil }
}

var placements = []entry[func() match.Layout]{
	{Info{Name: "uniform", Method: "every legal layout is as likely as any other"}, placeLater(placeUniform)},
	{Info{Name: "java", Method: "each ship at the first of many random positions where it fits, like the original Java client"}, placeNow(placeJava)},
	{Info{Name: "prolog", Method: "rows and columns in random order, each ship where it first fits, like the original Prolog player"}, placeNow(placeProlog)},
	{Info{Name: "edges", Method: "ships lie along the edges of the board where possible"}, placeLater(placeEdges)},
	{Info{Name: "sequence", Method: "in the order of a file, starting at a given entry", Argument: "FILE:OFFSET"}, placeNow(placeSequence)},
	{Info{Name: "resist", Method: "where players rarely look, and where this opponent looks late"}, placeLater(placeResist)},
}

// placeLater adapts a placement that cannot fail. The bot places its fleet when it is asked to.
func placeLater(place func(Config) match.Layout) func(Config, string) (func() match.Layout, error) {
	return func(c Config, _ string) (func() match.Layout, error) {
		return func() match.Layout { return place(c) }, nil
	}
}

// placeNow adapts a placement that can fail. The bot's constructor places the fleet.
func placeNow(
	place func(c Config, args string) (match.Layout, error),
) func(Config, string) (func() match.Layout, error) {
	return func(c Config, args string) (func() match.Layout, error) {
		layout, err := place(c, args)
		return func() match.Layout { return layout }, err
	}
}

// findEntry splits a name at the first colon, and looks up its entry. It returns false if there is none, or if
// there is an argument but the entry takes none, or the reverse.
func findEntry[T any](entries []entry[T], name string) (found entry[T], args string, ok bool) {
	name, args, colon := strings.Cut(name, ":")
	for _, e := range entries {
		if e.Name == name {
			return e, args, colon == (e.Argument != "") && colon == (args != "")
		}
	}
	return found, "", false
}

func listInfos[T any](entries []entry[T]) []Info {
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
func All() []Info { return listInfos(strategies) }

// Movers lists the available movers. Any bot can use any of them.
func Movers() []Info { return listInfos(movers) }

// Placements lists the available placements. Any bot can use any of them.
func Placements() []Info { return listInfos(placements) }

// Opponents lists the bots that can be challenged by name alone under the given rules, in the order
// of [All].
func Opponents(r match.Rules) []Info {
	return slices.DeleteFunc(All(), func(i Info) bool { return i.Argument != "" || i.NeedsMoving && !r.Moving })
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
	// name is the name given to Find.
	name string
	args string
}

// Find looks up a bot by name and returns the same errors as [New].
func Find(name string) (Choice, error) {
	e, args, ok := findEntry(strategies, name)
	switch {
	case ok:
		return Choice{entry: e, name: name, args: args}, nil
	case e.Name != "":
		return Choice{}, i18n.Errorf("unknown bot %q: write %s", name, e.Syntax())
	}
	return Choice{}, i18n.Errorf("unknown bot %q: choose one of %s", name, listNames(strategies))
}

// Info returns the bot's description.
func (k Choice) Info() Info { return k.entry.Info }

// New creates the bot for one match.
func (k Choice) New(c Config) (Bot, error) {
	if c.Memory != nil && !c.Memory.Rules.IsEquivalent(c.Rules) {
		return nil, fmt.Errorf("the memory of %s was learned under other rules", k.entry.Name)
	}
	c.Placement = cmp.Or(c.Placement, k.entry.Placement, "uniform")
	place, err := newPlacement(c)
	if err != nil {
		return nil, err
	}
	moving, args, ok := findEntry(movers, cmp.Or(c.Mover, k.entry.Mover, "random"))
	if !ok {
		return nil, fmt.Errorf("there is no mover called %q: choose one of %s", c.Mover, listNames(movers))
	}
	s, err := k.entry.create(c, k.args)
	if err != nil {
		return nil, fmt.Errorf("the bot %q: %w", k.name, err)
	}
	p := &player{shooter: s, mover: stillMover{}, place: place, cfg: c}
	if !c.Rules.Moving {
		return p, nil
	}
	_, follows := s.(*trackerBot)
	if !follows {
		p.shooter = newFixedAdapter(c, func(fixed Config) (shooter, error) { return k.entry.create(fixed, k.args) })
	}
	_, moves := s.(mover)
	if moves && c.Mover == "" {
		p.mover = p.shooter.(mover)
	} else {
		p.mover, err = moving.create(c, args)
	}
	return p, err
}

func newPlacement(c Config) (func() match.Layout, error) {
	p, args, ok := findEntry(placements, c.Placement)
	if !ok {
		return nil, fmt.Errorf("there is no placement called %q: choose one of %s", c.Placement, listNames(placements))
	}
	return p.create(c, args)
}
