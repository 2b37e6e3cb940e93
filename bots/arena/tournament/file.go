package tournament

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"broadside/bots/arena"
	"broadside/bots/arena/stats"
	"broadside/internal/sanitize"
	"broadside/match"
	"broadside/match/layoutfile"
)

// Format determines the pairings.
type Format string

// The formats.
const (
	RoundRobin Format = "round-robin" // everyone plays everyone once in each cycle
	Gauntlet   Format = "gauntlet"    // the first player plays all others once in each cycle
	Swiss      Format = "swiss"       // players with similar scores play each other
	Knockout   Format = "knockout"    // the loser of a pairing is out
)

// Formats returns all formats.
func Formats() []Format { return []Format{RoundRobin, Gauntlet, Swiss, Knockout} }

// Plan is a tournament file.
type Plan struct {
	Format Format `toml:"format"` // empty: round robin
	Rules  string `toml:"rules"`  // a preset; empty: classic
	Games  int    `toml:"games"`  // of each pairing; 0: 100
	// Rounds is the number of rounds of a Swiss tournament, or of cycles of a round robin or
	// gauntlet. 0: five rounds, or one cycle. A knockout has as many rounds as it needs.
	Rounds      int       `toml:"rounds"`
	Seed        uint64    `toml:"seed"`
	Concurrency int       `toml:"concurrency"` // games at the same time; 0: one per processor
	Placement   string    `toml:"placement"`   // as in arena.Config
	Starts      string    `toml:"starts"`      // start-layouts file; empty: random fleets
	SPRT        *Test     `toml:"sprt"`
	Limits      Limits    `toml:"limits"`
	Programs    []Program `toml:"program"`

	rules  match.Rules
	starts [][2]match.Layout
}

// Test is a sequential test that ends each pairing. See [stats.SPRT].
type Test struct {
	Elo0  float64 `toml:"elo0"`
	Elo1  float64 `toml:"elo1"`
	Alpha float64 `toml:"alpha"`
	Beta  float64 `toml:"beta"`
}

// Limits are the time limits of programs. 0: those of package arena.
type Limits struct {
	Connect   Duration `toml:"connect"`   // time limit for starting and connecting
	Move      Duration `toml:"move"`      // time limit for a shot or a result
	Total     Duration `toml:"total"`     // time limit for all shots and results in a game
	Increment Duration `toml:"increment"` // added to Total for each shot
}

// Duration is a duration such as "10s".
type Duration time.Duration

// UnmarshalText implements [encoding.TextUnmarshaler].
func (d *Duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	if err == nil && v <= 0 {
		err = fmt.Errorf("%s is not greater than 0", text)
	}
	*d = Duration(v)
	return err
}

// Program is a player of a tournament: a built-in bot, or a program if it has a command.
type Program struct {
	Name    string            `toml:"name"`
	Command string            `toml:"command"` // empty: the built-in bot of that name
	Socket  bool              `toml:"socket"`  // it connects, instead of using standard input and output
	Dir     string            `toml:"dir"`     // its folder; relative to that of the file
	Env     map[string]string `toml:"env"`
	Move    Duration          `toml:"move"` // time for a shot or a result; 0: that of Limits
}

// ReadFile reads a tournament file. Relative names in it are relative to its folder.
func ReadFile(name string) (*Plan, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	folder, err := filepath.Abs(filepath.Dir(name))
	if err != nil {
		return nil, err
	}
	p, err := parse(text, folder)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

// parse parses a tournament file in a folder and sets defaults. Package arena validates the
// rest.
func parse(text []byte, folder string) (*Plan, error) {
	p := &Plan{
		Format: RoundRobin, Rules: match.Classic().Name, Games: 100,
		Limits: Limits{Total: Duration(2 * time.Minute), Increment: Duration(2 * time.Second)},
	}
	d := toml.NewDecoder(strings.NewReader(sanitize.Decode(text))).DisallowUnknownFields()
	if err := d.Decode(p); err != nil {
		return nil, explain(err)
	}
	if err := p.validate(); err != nil {
		return nil, err
	}
	var err error
	if p.rules, err = match.Preset(p.Rules); err != nil {
		return nil, err
	}
	for i := range p.Programs {
		q := &p.Programs[i]
		if slices.ContainsFunc(p.Programs[:i], func(other Program) bool { return other.Name == q.Name }) {
			return nil, fmt.Errorf("%s takes part twice: list each player once", q.Name)
		}
		if q.Command != "" && !filepath.IsAbs(q.Dir) {
			q.Dir = filepath.Join(folder, q.Dir)
		}
	}
	if p.Starts == "" {
		return p, nil
	}
	if !filepath.IsAbs(p.Starts) {
		p.Starts = filepath.Join(folder, p.Starts)
	}
	p.starts, err = readStarts(p.rules, p.Starts)
	return p, err
}

// validate returns an error if the format, the number of players or the number of rounds is
// invalid. It sets the default number of rounds.
func (p *Plan) validate() error {
	if p.Format == "roundrobin" { // the earlier spelling
		p.Format = RoundRobin
	}
	switch {
	case !slices.Contains(Formats(), p.Format):
		return fmt.Errorf("there is no format %q: choose one of %v", p.Format, Formats())
	case len(p.Programs) < 2:
		return errors.New("a tournament needs two players: add [[program]]")
	case len(p.Programs) > maxPlayers:
		return fmt.Errorf("a tournament can have %d players, not %d", maxPlayers, len(p.Programs))
	case p.Rounds < 0 || p.Rounds > maxRounds:
		return fmt.Errorf("%d rounds: choose 1 to %d", p.Rounds, maxRounds)
	case p.Format == Knockout && p.Rounds > 0:
		return errors.New("a knockout has as many rounds as it needs: leave them out")
	case p.Rounds == 0 && p.Format == Swiss:
		p.Rounds = 5
	case p.Rounds == 0:
		p.Rounds = 1
	}
	return nil
}

// Limits on a tournament.
const (
	maxPlayers = 100
	maxRounds  = 1000 // or cycles
)

// explain returns an error of the decoder in one line.
func explain(err error) error {
	var missing *toml.StrictMissingError
	var wrong *toml.DecodeError
	switch {
	case errors.As(err, &missing) && len(missing.Errors) > 0:
		line, _ := missing.Errors[0].Position()
		return fmt.Errorf("line %d: there is no key %s", line, strings.Join(missing.Errors[0].Key(), "."))
	case errors.As(err, &wrong):
		line, _ := wrong.Position()
		return fmt.Errorf("line %d: %w", line, err)
	}
	return err
}

// readStarts reads a start-layouts file: one fleet in each line, written as in a layout file
// with ; between the ships. Two lines are a pair. Blank lines and text after a # are ignored.
func readStarts(r match.Rules, name string) (all [][2]match.Layout, err error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("reading the start layouts: %w", err)
	}
	var fleets []match.Layout
	number := 0
	for line := range strings.Lines(sanitize.Decode(text)) {
		number++
		if line, _, _ = strings.Cut(line, "#"); strings.TrimSpace(line) == "" {
			continue
		}
		parsed, err := layoutfile.Parse(r, strings.ReplaceAll(line, ";", "\n"))
		if err == nil && len(parsed) > 1 {
			err = errors.New("there are two fleets: write one per line")
		}
		if err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", name, number, withoutLine(err))
		}
		fleets = append(fleets, parsed[0])
	}
	if len(fleets) == 0 || len(fleets)%2 != 0 {
		return nil, fmt.Errorf("%s has %d fleets: write two for each pair of games", name, len(fleets))
	}
	for pair := range slices.Chunk(fleets, 2) {
		all = append(all, [2]match.Layout(pair))
	}
	return all, nil
}

// withoutLine removes the line number within a fleet, which is always on one line of the file.
func withoutLine(err error) error {
	if line := (*layoutfile.LineError)(nil); errors.As(err, &line) {
		return line.Err
	}
	return err
}

// settings is everything that a tournament's games depend on, as stored in its folder.
type settings struct {
	Format    Format            `json:"format"`
	Rules     string            `json:"rules"`
	Games     int               `json:"games"`
	Rounds    int               `json:"rounds"`
	Seed      uint64            `json:"seed"`
	Placement string            `json:"placement,omitempty"`
	Starts    [][2]match.Layout `json:"starts,omitempty"`
	SPRT      *Test             `json:"sprt,omitempty"`
	Players   []string          `json:"players"`
	Programs  map[string]string `json:"programs,omitempty"` // commands by name
}

func (p *Plan) settings() settings {
	s := settings{
		Format: p.Format, Rules: p.Rules, Games: p.Games, Rounds: p.Rounds, Seed: p.Seed, Placement: p.Placement,
		Starts: p.starts, SPRT: p.SPRT, Programs: map[string]string{},
	}
	cfg := p.config()
	s.Players = cfg.Players
	for name, e := range cfg.Externals {
		s.Programs[name] = e.String()
	}
	return s
}

// config returns the arena's configuration without pairings.
func (p *Plan) config() arena.Config {
	cfg := arena.Config{
		Mode: arena.Pairs, Rules: p.rules, Games: p.Games, Concurrency: p.Concurrency, Placement: p.Placement, Starts: p.starts,
		Externals: map[string]arena.External{}, ReadFile: os.ReadFile,
		ConnectTimeout: time.Duration(p.Limits.Connect), MoveTimeout: time.Duration(p.Limits.Move),
		TotalTime: time.Duration(p.Limits.Total), Increment: time.Duration(p.Limits.Increment),
	}
	if t := p.SPRT; t != nil {
		cfg.SPRT = &stats.SPRT{Elo0: t.Elo0, Elo1: t.Elo1, Alpha: t.Alpha, Beta: t.Beta}
	}
	for _, q := range p.Programs {
		cfg.Players = append(cfg.Players, q.Name)
		if q.Command == "" {
			continue
		}
		e := arena.External{Command: q.Command, Stdio: !q.Socket, Dir: q.Dir, Move: time.Duration(q.Move)}
		for name, value := range q.Env {
			e.Env = append(e.Env, name+"="+value)
		}
		slices.Sort(e.Env)
		cfg.Externals[q.Name] = e
	}
	return cfg
}
