package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"broadside/bots"
	"broadside/bots/arena"
	"broadside/bots/arena/stats"
	"broadside/internal/config"
	"broadside/match"
)

// arenaFlags holds the flags of arena commands that play tournaments.
type arenaFlags struct {
	cfg         arena.Config
	rules       string
	layoutFiles [2]string
	startsFile  string
	// externals have the form NAME=COMMAND.
	externals           []string
	sprt                string
	records             bool
	json, markdown, csv bool
}

// arenaGC is how much the heap may grow before a garbage collection, in percent. Games use little
// memory and create much garbage.
const arenaGC = 400

func arenaCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "arena",
		Short: "Compare bots in many games",
		Long: "Lets bots play many games and reports which bot is stronger. The same seed\n" +
			"reproduces the same games. docs/arena.md explains the figures.",
		Args: cobra.ArbitraryArgs,
		PersistentPreRun: func(*cobra.Command, []string) {
			if os.Getenv("GOGC") == "" {
				debug.SetGCPercent(arenaGC)
			}
		},
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError{unknownCommand(c, args[0], "choose duel, round-robin, gauntlet, swiss, knockout, solo, "+
					"tournament, watch or replay")}
			}
			return c.Help()
		},
	}
	roundRobin := arenaFormatCommand(arena.RoundRobin, "round-robin A B C…", "Every bot plays every other bot",
		"  broadside arena round-robin easy prolog hard --games 2000")
	roundRobin.Aliases = []string{"roundrobin"}
	c.AddCommand(
		arenaFormatCommand(arena.Duel, "duel A B", "Two bots play each other", "  broadside arena duel hard prolog --games 10000"),
		roundRobin,
		arenaFormatCommand(arena.Gauntlet, "gauntlet A vs B C…", "One bot plays all others",
			"  broadside arena gauntlet hard vs easy prolog"),
		arenaFormatCommand(arena.Swiss, "swiss A B C…", "Bots with similar points play each other",
			"  broadside arena swiss easy medium prolog hard --rounds 3"),
		arenaFormatCommand(arena.Knockout, "knockout A B C…", "Each pairing's loser is out",
			"  broadside arena knockout hard prolog medium easy"),
		arenaFormatCommand(arena.Solo, "solo A…", "Every bot sinks the same random fleets, without an opponent",
			"  broadside arena solo easy prolog hard --games 10000 --json"),
		arenaTournamentCommand(),
		arenaWatchCommand(),
		arenaReplayCommand(),
	)
	return c
}

// arenaFormatCommand returns a command that plays a tournament between the players in its arguments.
func arenaFormatCommand(format arena.Format, use, short, example string) *cobra.Command {
	flags := arenaFlags{cfg: arena.Config{Format: format}}
	c := &cobra.Command{
		Use: use, Short: short, Example: example,
		Long: short + ".",
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			flags.cfg.Players = args
			if format == arena.Gauntlet {
				if len(args) < 3 || args[1] != "vs" {
					return usageError{errors.New("write a gauntlet as A vs B C…, such as gauntlet hard vs easy prolog")}
				}
				flags.cfg.Players = slices.Delete(slices.Clone(args), 1, 2)
			}
			return flags.run(c)
		},
	}
	flags.addFlags(c)
	addBotList(c)
	addGameCompletions(c)
	return c
}

// arenaTournamentCommand returns the command that plays the tournament in a file.
func arenaTournamentCommand() *cobra.Command {
	var flags arenaFlags
	c := &cobra.Command{
		Use:   "tournament FILE",
		Short: "Play the tournament that a file describes",
		Long: "Plays a tournament between built-in bots and programs. The file is in TOML and sets the\n" +
			"flags below by their names. docs/arena.md describes it.",
		Example: "  broadside arena tournament class.toml --out class",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			file := args[0]
			if err := setFlagsFromFile(c.Flags(), file); err != nil {
				return usageError{err}
			}
			if flags.cfg.Dir == "" {
				flags.cfg.Dir = strings.TrimSuffix(file, filepath.Ext(file))
				if flags.cfg.Dir == file {
					return usageError{fmt.Errorf("%s does not end in .toml: choose a folder with --out", file)}
				}
			}
			return flags.run(c)
		},
		ValidArgsFunction: cobra.FixedCompletions([]string{"toml"}, cobra.ShellCompDirectiveFilterFileExt),
	}
	c.Flags().StringVar((*string)(&flags.cfg.Format), "format", string(arena.RoundRobin),
		"duel, round-robin, gauntlet (the first player against the others), swiss, knockout or solo")
	c.Flags().StringArrayVar(&flags.cfg.Players, "players", nil, "a bot, or a program of --external. Repeat the flag for each player")
	flags.addFlags(c)
	return c
}

// addFlags adds the flags to a command. In a command with a format, only those that the format uses.
func (f *arenaFlags) addFlags(c *cobra.Command) {
	flags := c.Flags()
	flags.IntVar(&f.cfg.Games, "games", 1000, "games per pairing, or per bot in a solo. With --sprt, this is the maximum")
	flags.Uint64Var(&f.cfg.Seed, "seed", 1, "random seed for layouts and choices")
	flags.StringVar(&f.rules, "rules", "classic",
		"rules: "+strings.Join(match.PresetNames(), ", ")+", or SIZE:SHIPS:CONTACT such as 10:10:none")
	flags.IntVar(&f.cfg.Concurrency, "concurrency", 0, "games played at the same time. 0 means one per processor")
	flags.StringVar(&f.cfg.Placement, "placement", "",
		"how fleets are placed: "+placementList()+", or own for each bot's choice (default: random, with the fleets "+
			"swapped in the second game of a pair)")
	flags.StringVar(&f.cfg.Mover, "mover", "",
		"how fleets move under naval: "+moverList()+" (default: each bot's own way, or not at all in a solo)")
	flags.StringVar(&f.layoutFiles[0], "layout-a", "",
		"layout file for the first bot's fleet in each pair's first game, or for the fleet to sink in a solo")
	flags.StringVar(&f.layoutFiles[1], "layout-b", "",
		"layout file for the second bot's fleet in each pair's first game")
	flags.StringVar(&f.cfg.Dir, "out", "", "folder for the report and the games' records")
	flags.BoolVar(&f.cfg.Resume, "resume", false, "continue the tournament in the --out folder")
	flags.BoolVar(&f.records, "records", true, "record every game's shots in the --out folder, not only its result")
	flags.BoolVar(&f.json, "json", false, "print the report as one JSON object")
	flags.BoolVar(&f.markdown, "markdown", false, "print the tables as Markdown")
	flags.BoolVar(&f.csv, "csv", false, "print the results as CSV, for spreadsheets")
	c.MarkFlagsMutuallyExclusive("json", "markdown", "csv")
	if f.cfg.Format == arena.Solo {
		return
	}
	flags.StringVar(&f.startsFile, "starts", "", "file of start layouts, two lines for each pair of games")
	flags.StringVar(&f.sprt, "sprt", "",
		"end each pairing once a sequential test decides between two rating differences, such as 0,10. "+
			"0,10,0.01,0.01 also sets the probabilities of error (default: 0.05)")
	flags.StringArrayVar(&f.externals, "external", nil,
		"add a program as NAME=stdio:COMMAND, which plays on standard input and output, or as NAME=COMMAND, "+
			"which gets the relay's address in the variable BROADSIDE_RELAY and in place of {addr}")
	flags.DurationVar(&f.cfg.ConnectTimeout, "connect-timeout", arena.DefaultConnectTimeout,
		"time for a program to connect")
	flags.DurationVar(&f.cfg.MoveTimeout, "move-timeout", arena.DefaultMoveTimeout,
		"time for a shot or result of a program")
	flags.DurationVar(&f.cfg.TotalTime, "total-time", 0,
		"a program's time for all its shots and results in a game. 0 means no limit")
	flags.DurationVar(&f.cfg.Increment, "increment", 0, "time added to --total-time for each shot")
	if f.cfg.Format != arena.Duel && f.cfg.Format != arena.Knockout {
		flags.IntVar(&f.cfg.Rounds, "rounds", 0,
			"rounds of a Swiss tournament (default: 5), or how often players meet in a round robin or gauntlet "+
				"(default: 1)")
	}
}

// run plays the tournament that the flags of a command describe.
func (f *arenaFlags) run(c *cobra.Command) error {
	if err := config.SetFromEnvironment(c.Flags(), os.LookupEnv); err != nil {
		return err
	}
	cfg, err := f.arenaConfig()
	if err != nil {
		return usageError{err}
	}
	if err := cfg.Validate(); err != nil {
		return usageError{err}
	}
	ctx, stop := cancelOnSignal(c.Context())
	defer stop()
	return runArena(ctx, cfg, *f, c.OutOrStdout(), c.ErrOrStderr())
}

func placementList() string {
	var names []string
	for _, p := range bots.Placements() {
		names = append(names, p.Syntax())
	}
	return strings.Join(names, ", ")
}

func moverList() string {
	var names []string
	for _, m := range bots.Movers() {
		names = append(names, m.Name)
	}
	return strings.Join(names, ", ")
}

// arenaConfig returns the configuration that the flags describe.
func (f *arenaFlags) arenaConfig() (arena.Config, error) {
	cfg := f.cfg
	cfg.Externals, cfg.Brief, cfg.ReadFile = map[string]arena.External{}, !f.records, os.ReadFile
	for _, e := range f.externals {
		name, command, ok := strings.Cut(e, "=")
		if !ok {
			return cfg, fmt.Errorf("--external %q: write NAME=COMMAND", e)
		}
		_, twice := cfg.Externals[name]
		if twice {
			return cfg, fmt.Errorf("--external %q: the name is used twice", e)
		}
		cfg.Externals[name] = arena.ParseExternal(command)
	}
	var err error
	if cfg.Rules, err = parseArenaRules(f.rules); err != nil {
		return cfg, err
	}
	for i, file := range f.layoutFiles {
		if file == "" {
			continue
		}
		if cfg.Layouts[i], err = readLayout(cfg.Rules, file); err != nil {
			return cfg, err
		}
	}
	if f.startsFile != "" {
		if cfg.Starts, err = readStartLayouts(cfg.Rules, f.startsFile); err != nil {
			return cfg, err
		}
	}
	if f.sprt != "" {
		cfg.SPRT, err = parseSPRT(f.sprt)
	}
	return cfg, err
}

// parseSPRT returns a test written as ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA.
func parseSPRT(text string) (*stats.SPRT, error) {
	t := &stats.SPRT{}
	n, err := fmt.Sscanf(text, "%g,%g,%g,%g", &t.Elo0, &t.Elo1, &t.Alpha, &t.Beta)
	if n != 4 && (n != 2 || strings.Count(text, ",") != 1) || n == 4 && err != nil {
		return nil, fmt.Errorf("--sprt %q: write two rating differences, the lower first, such as 0,10", text)
	}
	return t, nil
}

// parseArenaRules returns a preset, or custom rules for a name of the form SIZE:SHIPS:CONTACT.
func parseArenaRules(name string) (match.Rules, error) {
	parts := strings.Split(name, ":")
	if len(parts) != 3 {
		r, err := match.Preset(name)
		if err != nil {
			err = fmt.Errorf("%w, or write SIZE:SHIPS:CONTACT, such as 10:10:none", err)
		}
		return r, err
	}
	size, err1 := strconv.Atoi(parts[0])
	ships, err2 := strconv.Atoi(parts[1])
	var contact match.Contact
	if err1 != nil || err2 != nil {
		return match.Rules{}, fmt.Errorf("--rules %q: write SIZE:SHIPS:CONTACT, such as 10:10:none", name)
	}
	if err := contact.UnmarshalText([]byte(parts[2])); err != nil {
		return match.Rules{}, fmt.Errorf("--rules %q: %w", name, err)
	}
	return match.CustomRules(size, ships, contact)
}

// interrupted is the error of a command that a signal has ended. It holds the number of finished
// games.
type interrupted int

// Error implements error.
func (n interrupted) Error() string { return fmt.Sprintf("interrupted after %d games", int(n)) }

// Unwrap returns the exit code that shells use for SIGINT.
func (interrupted) Unwrap() error { return exitCode(130) }

// runArena plays the tournament and prints the report in the requested format.
func runArena(ctx context.Context, cfg arena.Config, flags arenaFlags, out, errs io.Writer) error {
	width := terminalWidth(errs)
	if width > 0 {
		// The writer reduces colours to those that the terminal supports.
		errs = colorprofile.NewWriter(errs, os.Environ())
	}
	meter := arena.NewMeter(errs, width)
	cfg.Progress = meter.Show
	report, err := arena.Run(ctx, cfg)
	meter.Clear()
	if err != nil {
		return err
	}
	text := []byte(report.Text())
	switch {
	case flags.json:
		text, err = report.JSON()
	case flags.markdown:
		text = []byte(report.Markdown())
	case flags.csv:
		text, err = report.CSV()
	}
	if err != nil {
		return err
	}
	if _, err := out.Write(text); err != nil {
		return fmt.Errorf("print the report: %w", err)
	}
	if ctx.Err() != nil {
		return interrupted(report.Games)
	}
	return nil
}

// terminalWidth returns the terminal's width in cells, or 0 if w is not a terminal.
func terminalWidth(w io.Writer) int {
	if !isTerminal(w) {
		return 0
	}
	width, _, err := term.GetSize(w.(*os.File).Fd())
	if err != nil {
		return 0
	}
	return width
}
