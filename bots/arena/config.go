package arena

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/anmitsu/go-shlex"

	"broadside/bots"
	"broadside/bots/arena/stats"
	"broadside/match"
)

// Format determines the pairings.
type Format string

// The formats.
const (
	// Duel is between two players.
	Duel Format = "duel"
	// RoundRobin lets everyone play everyone in each round.
	RoundRobin Format = "round-robin"
	// Gauntlet lets the first player play all others in each round.
	Gauntlet Format = "gauntlet"
	// Swiss pairs players with similar points.
	Swiss Format = "swiss"
	// Knockout eliminates the loser of each pairing.
	Knockout Format = "knockout"
	// Solo lets each player sink the same fleets without an opponent.
	Solo Format = "solo"
)

// Config configures a tournament. Format, Players and Games are required.
type Config struct {
	Format Format
	// Players has the names of bots or of Externals.
	Players []string
	// Externals has the programs by their names in Players.
	Externals map[string]External
	// Rules are the rules of all games. The zero value means classic.
	Rules match.Rules
	// Games is the number of games per pairing, or per player of a solo. It is at least 1.
	Games int
	// Rounds is the number of rounds, which must be 0 for a knockout. Otherwise, 0 means five in a
	// Swiss tournament and one in other formats.
	Rounds int
	Seed   uint64
	// Concurrency is the number of concurrent games. 0 means one per processor.
	Concurrency int
	// Placement is one of [bots.Placements], or OwnPlacement for each bot's own choice. If it is
	// empty, the arena draws two uniform layouts for each unit and swaps them in the second game.
	Placement string
	// Layouts are the two players' layouts in the first game of each unit, swapped in the second
	// game. nil means a random layout. A solo uses only the first one.
	Layouts [2]match.Layout
	// Starts are the layouts of successive units, from the start again after the last. They replace
	// Layouts.
	Starts [][2]match.Layout
	// SPRT ends each pairing as soon as the test is decided. If it is nil, all games are played.
	SPRT *stats.SPRT

	// Dir is a folder for the records and the report. If it is empty, nothing is written.
	Dir string
	// Resume continues the tournament in Dir.
	Resume bool
	// Mover is one of [bots.Movers], used by all built-in bots. If it is empty, each bot uses its own.
	// In a solo, Mover moves the target fleet, which does not move if Mover is empty.
	Mover string
	// Brief leaves the events out of the records, which are then a hundredth of the size and cannot
	// be replayed.
	Brief bool

	// ConnectTimeout is the time limit for a program to start and connect, MoveTimeout for
	// a shot or a result. 0 means the default.
	ConnectTimeout, MoveTimeout time.Duration
	// TotalTime is a program's time for all its shots and results in a game, plus Increment for each
	// of its shots. 0 means no limit.
	TotalTime, Increment time.Duration
	// hello is the time for directives. 0 means the defaults. Tests set it.
	hello time.Duration

	// Progress is called several times a second from one goroutine. It may be nil.
	Progress func(Progress)
	// ReadFile reads the files named in the bots' names. It may be nil.
	ReadFile func(name string) ([]byte, error)
}

// Defaults of [Config].
const (
	DefaultConnectTimeout = 20 * time.Second
	DefaultMoveTimeout    = 10 * time.Second
)

// OwnPlacement lets each bot place its own fleet.
const OwnPlacement = "own"

// Validate returns an error if c is invalid.
func (c Config) Validate() error {
	c = c.withDefaults()
	if err := c.Rules.Validate(); err != nil {
		return err
	}
	if min(c.ConnectTimeout, c.MoveTimeout, c.TotalTime, c.Increment) < 0 {
		return errors.New("a time limit is negative: choose one greater than 0")
	}
	if c.Games < 1 {
		return fmt.Errorf("%d games: choose 1 or more", c.Games)
	}
	if c.Resume && c.Dir == "" {
		return errors.New("to resume a tournament, name the folder it was written to")
	}
	if c.SPRT != nil {
		if c.Format == Solo {
			return errors.New("a solo has no opponent to test against: leave out the SPRT")
		}
		if err := c.SPRT.Validate(); err != nil {
			return err
		}
	}
	if err := c.checkRounds(); err != nil {
		return err
	}
	if err := c.checkLayouts(); err != nil {
		return err
	}
	if c.Format == Solo && c.Placement == OwnPlacement {
		return fmt.Errorf("a solo places no fleet of a player's own: choose a placement other than %q", c.Placement)
	}
	return c.checkPlayers()
}

func (c Config) withDefaults() Config {
	if c.Rules.Size == 0 {
		c.Rules = match.Classic()
	}
	if c.Concurrency <= 0 {
		c.Concurrency = runtime.GOMAXPROCS(0)
	}
	c.ConnectTimeout = cmp.Or(c.ConnectTimeout, DefaultConnectTimeout)
	c.MoveTimeout = cmp.Or(c.MoveTimeout, DefaultMoveTimeout)
	if c.Format == Swiss {
		c.Rounds = cmp.Or(c.Rounds, 5)
	}
	if c.Format != Knockout {
		c.Rounds = cmp.Or(c.Rounds, 1)
	}
	return c
}

// checkLayouts returns an error if the layouts or starts are invalid.
func (c Config) checkLayouts() error {
	for i, l := range c.Layouts {
		if l == nil {
			continue
		}
		if err := c.Rules.CheckLayout(l); err != nil {
			return fmt.Errorf("layout %c: %w", 'a'+i, err)
		}
		if c.Placement != "" {
			return errors.New("choose either layouts or a placement, not both")
		}
		if i == 1 && c.Format == Solo {
			return errors.New("a solo uses one layout: specify only the first")
		}
	}
	for i, pair := range c.Starts {
		for _, l := range pair {
			if err := c.Rules.CheckLayout(l); err != nil {
				return fmt.Errorf("start %d: %w", i+1, err)
			}
		}
	}
	if len(c.Starts) > 0 && (c.Placement != "" || c.Layouts[0] != nil || c.Layouts[1] != nil || c.Format == Solo) {
		return errors.New("starts are for matches without a placement or other layouts")
	}
	return nil
}

// playerLimits returns the minimum and maximum number of players of a format.
func (f Format) playerLimits() (least, most int, err error) {
	switch f {
	case Duel:
		return 2, 2, nil
	case RoundRobin, Gauntlet, Swiss, Knockout:
		return 2, 100, nil
	case Solo:
		return 1, 100, nil
	}
	return 0, 0, fmt.Errorf("unknown format %q: choose %s, %s, %s, %s, %s or %s", string(f), Duel, RoundRobin, Gauntlet, Swiss, Knockout, Solo)
}

// maxRounds is the maximum number of rounds.
const maxRounds = 1000

// checkRounds returns an error if the number of rounds is invalid.
func (c Config) checkRounds() error {
	switch {
	case c.Rounds < 0 || c.Rounds > maxRounds:
		return fmt.Errorf("%d rounds: choose 1 to %d", c.Rounds, maxRounds)
	case c.Rounds > 1 && (c.Format == Duel || c.Format == Solo):
		return fmt.Errorf("a %s has one round: leave the rounds out", c.Format)
	case c.Rounds > 0 && c.Format == Knockout:
		return errors.New("a knockout has as many rounds as it needs: leave the rounds out")
	}
	return nil
}

func (c Config) checkPlayers() error {
	least, most, err := c.Format.playerLimits()
	if err != nil {
		return err
	}
	n := len(c.Players)
	if n < least || n > most {
		if least == most {
			return fmt.Errorf("a %s takes %d players, not %d", c.Format, least, n)
		}
		return fmt.Errorf("a %s takes %d to %d players, not %d", c.Format, least, most, n)
	}
	for name, e := range c.Externals {
		if err := e.validate(name); err != nil {
			return err
		}
		if !slices.Contains(c.Players, name) {
			return fmt.Errorf("the program %s takes no part: name it among the players", name)
		}
	}
	for i, name := range c.Players {
		if c.Format != Duel && slices.Contains(c.Players[:i], name) {
			return fmt.Errorf("%s takes part twice: list each player once", name)
		}
		_, external := c.Externals[name]
		if external {
			if c.Format == Solo {
				return fmt.Errorf("%s is a program, and programs need an opponent: a solo accepts only built-in bots", name)
			}
			continue
		}
		bot, err := bots.Find(name)
		if err != nil {
			return err
		}
		if _, err := bot.New(c.botConfig(rand.New(rand.NewPCG(1, 1)))); err != nil {
			return err
		}
		if bot.Info().UsesMemory && c.Format != Solo && c.Brief && c.Dir != "" {
			return fmt.Errorf("%s: a bot resumes what it has learned from whole records only: add --records", name)
		}
	}
	return nil
}

// botConfig returns a bot's configuration with rng as its random source.
func (c Config) botConfig(rng *rand.Rand) bots.Config {
	b := bots.Config{Rules: c.Rules, Rand: rng, ReadFile: c.ReadFile}
	b.Mover = c.Mover
	if c.Placement != OwnPlacement {
		b.Placement = c.Placement
	}
	return b
}

// External is a program that takes part in a tournament.
type External struct {
	// Command is split into words as a shell does, but run without a shell.
	Command string
	// Stdio means that the program plays on standard input and output. Otherwise it connects
	// to the address in the variable BROADSIDE_RELAY, which also replaces {addr}.
	Stdio bool
}

// validate returns an error if the command, or name as the program's name, is invalid.
func (e External) validate(name string) error {
	if _, err := splitCommand(e.Command); err != nil {
		return fmt.Errorf("the command of %s: %w", name, err)
	}
	if strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r == 0x7f }) || name == "" {
		return fmt.Errorf("invalid program name %q: use letters and digits", name)
	}
	if slices.ContainsFunc(bots.All(), func(b bots.Info) bool { return b.Name == name }) {
		return fmt.Errorf("%s is a built-in bot: give the program another name", name)
	}
	return nil
}

// stdioPrefix marks the command of a program that plays on standard input and output.
const stdioPrefix = "stdio:"

// ParseExternal returns a program given as COMMAND, or as stdio:COMMAND if it plays on
// standard input and output.
func ParseExternal(text string) External {
	command, isStdio := strings.CutPrefix(text, stdioPrefix)
	return External{Command: command, Stdio: isStdio}
}

// String returns the text from which [ParseExternal] returns the program.
func (e External) String() string {
	if e.Stdio {
		return stdioPrefix + e.Command
	}
	return e.Command
}

// splitCommand splits a command as a shell does.
func splitCommand(command string) ([]string, error) {
	split, err := shlex.Split(command, true)
	if err != nil {
		return nil, fmt.Errorf("split the command %q into words: %w", command, err)
	}
	if len(split) == 0 {
		return nil, errors.New("the command is empty")
	}
	return split, nil
}
