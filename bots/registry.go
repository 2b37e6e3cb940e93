package bots

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"broadside/internal/i18n"
	"broadside/match"
)

// entry is a bot in the registry.
type entry struct {
	Info
	position int // in listings
	// make receives the text after the colon in the name. It is empty if and only if Takes
	// is.
	make func(c Config, args string) (shooter, error)
}

// registry lists the bots by position. Only init functions change it.
var registry []entry

// register adds a bot to the registry. Each strategy calls it in an init function. The
// position determines its place in listings, from the weakest to the strongest. Only Name
// is required in info.
func register(position int, info Info, make func(c Config, args string) (shooter, error)) {
	if info.About == "" {
		info.About = "in-its-own-way"
	}
	at, _ := slices.BinarySearchFunc(registry, position, func(e entry, p int) int { return e.position - p })
	registry = slices.Insert(registry, at, entry{info, position, make})
}

// plain adapts a constructor that takes no argument and cannot fail.
func plain[S shooter](make func(Config) S) func(Config, string) (shooter, error) {
	return func(c Config, _ string) (shooter, error) { return make(c), nil }
}

// All lists the bots, from the weakest to the strongest under classic rules.
func All() []Info {
	all := make([]Info, 0, len(registry))
	for i := range registry {
		all = append(all, registry[i].Info)
	}
	return all
}

// Offered lists the bots that can be challenged by name alone under the given rules, in the order
// of [All].
func Offered(r match.Rules) []Info {
	offered := make([]Info, 0, len(registry))
	for i := range registry {
		if e := &registry[i]; e.Takes == "" && (r.Moving || !e.Afloat) {
			offered = append(offered, e.Info)
		}
	}
	return offered
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
	entry entry
	name  string // as given to Find
	args  string
}

// Find looks up a bot by name and returns the same errors as [New].
func Find(name string) (Choice, error) {
	strategy, args, _ := strings.Cut(name, ":")
	var names []string
	for _, e := range registry {
		full := e.Name
		if e.Takes != "" {
			full += ":" + e.Takes
		}
		if e.Name != strategy {
			names = append(names, full)
			continue
		}
		if (args == "") != (e.Takes == "") || e.Takes == "" && name != e.Name {
			return Choice{}, i18n.Errorf("there-is-no-bot-called-x-write-x", name, full)
		}
		return Choice{entry: e, name: name, args: args}, nil
	}
	return Choice{}, i18n.Errorf("there-is-no-bot-choose", name, strings.Join(names, ", "))
}

// Info returns the description of the bot.
func (k Choice) Info() Info { return k.entry.Info }

// New creates the bot for one match.
func (k Choice) New(c Config) (Bot, error) {
	if c.Memory != nil && !c.Memory.Rules.Same(c.Rules) {
		return nil, fmt.Errorf("the memory of %s was learned under other rules", k.entry.Name)
	}
	if c.Placement == "" {
		c.Placement = k.entry.Placement
	}
	place, err := findPlacement(c)
	if err != nil {
		return nil, err
	}
	if c.ReadFile != nil && k.args != "" {
		c.ReadFile = readOnce(c.ReadFile)
	}
	s, err := k.entry.make(c, k.args)
	if err != nil {
		return nil, fmt.Errorf("the bot %q: %w", k.name, err)
	}
	mover, err := findMover(cmp.Or(c.Mover, k.entry.Mover, "random"))
	if err != nil {
		return nil, err
	}
	p := &player{shooter: s, place: place, cfg: c}
	switch {
	case c.Rules.Salvo:
		p.shooter = k.salvo(c, s)
	case c.Rules.Moving:
		p.shooter, p.mover = k.moving(c, s)
		if c.Mover != "" || p.mover == nil {
			p.mover = mover(c)
		}
	}
	return p, nil
}

// Renew makes a bot of [Choice.New] ready for another match, as if it were new, and reports
// whether it can: the strategy must support it, and the placement must be uniform. It saves
// the time and memory of a new bot. The random source is still that of the configuration.
func Renew(b Bot) bool {
	p, ok := b.(*player)
	if !ok || p.cfg.Placement != "" || p.mover != nil {
		return false
	}
	s, ok := p.shooter.(renewable)
	if ok {
		s.renew()
	}
	return ok
}

// salvo adapts a strategy to rules with several shots in a turn.
func (k Choice) salvo(c Config, s shooter) shooter {
	if _, ok := s.(rereadsChart); ok {
		return s
	}
	return newSalvo(c, func(rng *rand.Rand) shooter {
		c.Rand = rng
		s, _ := k.entry.make(c, k.args) // has succeeded before
		return s
	})
}

// moving adapts a strategy to rules that let ships move. It also returns the strategy's
// mover, or nil if it has none.
func (k Choice) moving(c Config, s shooter) (shooter, Mover) {
	own, moves := s.(Mover)
	if _, follows := s.(afloat); follows {
		return s, own
	}
	still := c
	still.Rules = anchored(c.Rules)
	again := newAfresh(c, func() shooter {
		s, _ := k.entry.make(still, k.args) // has succeeded before
		return s
	})
	if !moves {
		return again, nil
	}
	return again, again
}

// readOnce returns a reader that reads each file only once.
func readOnce(read func(string) ([]byte, error)) func(string) ([]byte, error) {
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
