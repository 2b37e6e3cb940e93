package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"broadside/bots"
	"broadside/bots/infer"
	"broadside/internal/config"
	"broadside/internal/i18n"
	"broadside/match"
	"broadside/match/layoutfile"
	"broadside/relay/bridge"
	"broadside/relay/client"
)

// botConfig holds the flags of the bot command. All texts except relay and rules may be empty.
type botConfig struct {
	relay      string
	games      int
	seed       uint64
	rules      string
	layoutFile string
	placement  string
	// courseFile may be - for standard output.
	courseFile string
	token      string
	// versus is the argument of the directive vs.
	versus string
}

// usesSeries reports whether one connection plays all games. That requires directives, which other
// servers may not support.
func (c botConfig) usesSeries() bool { return c.token != "" || c.versus != "" }

// hasUniformFleet reports whether the server places the bot's fleets, so that its matches are rated.
func (c botConfig) hasUniformFleet(r match.Rules) bool { return c.token != "" && !r.Salvo }

func botCommand() *cobra.Command {
	var cfg botConfig
	c := &cobra.Command{
		Use:   "bot NAME",
		Short: "Let a built-in bot play on a relay",
		Long: "Lets a built-in bot play on any server that supports the line protocol, with a new\n" +
			"connection for each game. With --token or --vs, which require a Broadside server,\n" +
			"it plays a series on one connection. With --token, it plays as a registered program.\n" +
			"The server then places its fleets, so its matches are rated, except under salvo.",
		Example: "  broadside bot prolog --relay localhost:54321 --games 10",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := config.SetFromEnvironment(c.Flags(), os.LookupEnv); err != nil {
				return err
			}
			ctx, stop := cancelOnSignal(c.Context())
			defer stop()
			return playBot(ctx, c.OutOrStdout(), c.ErrOrStderr(), args[0], cfg)
		},
	}
	f := c.Flags()
	f.StringVar(&cfg.relay, "relay", "localhost:54321", "address of the relay")
	f.IntVar(&cfg.games, "games", 1, "number of games")
	f.Uint64Var(&cfg.seed, "seed", 0, "random seed for the bot's choices. 0 means a new one")
	f.StringVar(&cfg.rules, "rules", "classic", "rules of the relay: "+strings.Join(match.PresetNames(), ", "))
	f.StringVar(&cfg.layoutFile, "layout", "", "layout file for the fleet (default: the bot places it)")
	f.StringVar(&cfg.placement, "placement", "", "how the fleet is placed: "+placementList()+" (default: the bot's own way)")
	f.StringVar(&cfg.courseFile, "course", "", "write every shot, both boards and the bot's open list to this file, "+
		"or to standard output if it is -")
	f.StringVar(&cfg.token, "token", "", "token of a registered program, from ssh HOST token new NAME. Use the "+
		"variable BROADSIDE_TOKEN to keep it secret")
	f.StringVar(&cfg.versus, "vs", "", "opponent: any, bot NAME, player NAME, room CODE or tournament CODE")
	c.MarkFlagsMutuallyExclusive("layout", "placement")
	addBotList(c)
	addGameCompletions(c)
	addOpponentCompletion(c)
	return c
}

// addBotList adds the list of bots to a command's help. It reads the texts only when a user asks for help,
// because they would slow down the start of every command.
func addBotList(c *cobra.Command) {
	c.SetHelpFunc(func(c *cobra.Command, args []string) {
		c.Long += "\n\n" + describeBots()
		c.Root().HelpFunc()(c, args)
	})
}

func describeBots() string {
	var about strings.Builder
	about.WriteString("Bots and where they fire:\n")
	for _, b := range bots.All() {
		fmt.Fprintf(&about, "  %-25s %s\n", b.Syntax(), i18n.English.Text(b.Method))
	}
	return about.String()
}

// playBot creates the bot for each game, plays, and prints the result.
func playBot(ctx context.Context, out, errs io.Writer, name string, cfg botConfig) (failed error) {
	if cfg.games < 1 {
		return usageError{fmt.Errorf("--games %d: choose 1 or more", cfg.games)}
	}
	rules, err := match.Preset(cfg.rules)
	if err != nil {
		return usageError{err}
	}
	if cfg.hasUniformFleet(rules) && (cfg.layoutFile != "" || cfg.placement != "") {
		return usageError{errors.New("with --token, the server places the fleet: leave out --layout and --placement")}
	}
	// A number is a port of this computer, as in the server's option.
	cfg.relay = addDefaultPort(config.ExpandPort(cfg.relay), "54321")
	cfg.seed = cmp.Or(cfg.seed, rand.Uint64())
	// Without directives, the opponent's name is unknown, so the bot learns as if it were always the
	// same one. In a tournament, opponents certainly change.
	memory := infer.NewMemory(rules)
	if isTournament(cfg.versus) {
		memory = nil
	}
	create := func(rng *rand.Rand) (bots.Bot, error) {
		return bots.New(name, bots.Config{
			Rules: rules, Rand: rng, Placement: cfg.placement, ReadFile: os.ReadFile, Memory: memory,
		})
	}
	if _, err := create(rand.New(rand.NewPCG(1, 1))); err != nil {
		return usageError{err}
	}
	rng := rand.New(rand.NewPCG(cfg.seed, 0))
	var layout match.Layout
	if cfg.layoutFile != "" {
		if layout, err = readLayout(rules, cfg.layoutFile); err != nil {
			return err
		}
	}
	course, closeCourse, err := openCourseFile(cfg.courseFile, out)
	if err != nil {
		return err
	}
	defer func() { failed = errors.Join(failed, closeCourse()) }()
	var last *recordedBot
	begun := 0
	wait := waitNotice{errs: errs, text: bridge.WaitingText(cfg.versus, false)}
	defer wait.stop()
	next := func() (client.Player, error) {
		if last != nil && memory != nil {
			memory.Learn(last.observedOpponent())
		}
		bot, err := create(rng)
		if err != nil {
			return nil, err
		}
		begun++
		last = newRecordedBot(bot, rules, layout, begun, course, wait.stop)
		return last, nil
	}
	return playGames(ctx, out, errs, name, rules, cfg, &wait, next)
}

// playGames plays games with the players that next returns. It prints a line for each game, and the
// total at the end, unless an error ended the first game.
func playGames(ctx context.Context, out, errs io.Writer, name string, rules match.Rules, cfg botConfig,
	wait *waitNotice, next func() (client.Player, error)) (failed error) {
	won, lost := 0, 0
	count := func(o client.Outcome) {
		wait.stop()
		verdict := "lost"
		if o.Won {
			verdict = "won"
			won++
		} else {
			lost++
		}
		reason := ""
		if o.Reason != "" && o.Reason != match.FleetSunk.String() {
			reason = " (" + o.Reason + ")"
		}
		fmt.Fprintf(out, "%s %s game %d%s. Shots fired: %d.\n", name, verdict, won+lost, reason, o.Shots)
		wait.start()
	}
	if cfg.usesSeries() {
		wait.start()
		series := client.Directives{Token: cfg.token, Versus: cfg.versus, Games: cfg.games}
		if cfg.hasUniformFleet(rules) {
			series.Layout = "uniform"
		}
		failed = client.PlaySeries(ctx, cfg.relay, rules, series, next, count)
	} else {
		failed = playSingly(ctx, errs, cfg, rules, wait, next, count)
	}
	wait.stop()
	if failed != nil && won+lost == 0 && ctx.Err() == nil {
		return failed
	}
	fmt.Fprintf(out, "End of game. %s won %d times and lost %d times.\n", name, won, lost)
	if ctx.Err() != nil {
		return interrupted(won + lost)
	}
	return failed
}

// playSingly plays each game on a new connection. It returns the reason why games ended early.
func playSingly(ctx context.Context, errs io.Writer, cfg botConfig, rules match.Rules, wait *waitNotice,
	next func() (client.Player, error), count func(client.Outcome)) (failed error) {
	for range cfg.games {
		player, err := next()
		if err != nil {
			return err
		}
		wait.start()
		outcome, err := client.Play(ctx, cfg.relay, rules, player)
		wait.stop()
		if errors.Is(err, client.ErrBroken) {
			// The opponent left, or the server closed the connection. The next game may still work.
			fmt.Fprintf(errs, "broadside: %v\n", err)
			failed = fmt.Errorf("some games did not end properly, most recently: %w", err)
			continue
		}
		if err != nil {
			return err
		}
		count(outcome)
	}
	return failed
}

// readLayout reads a layout file's first fleet.
func readLayout(rules match.Rules, file string) (match.Layout, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read layout: %w", err)
	}
	layouts, err := layoutfile.Parse(rules, string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return layouts[0], nil
}

// waitNotice prints a notice if a bot waits long for an opponent.
type waitNotice struct {
	errs io.Writer
	text string
	// again is set if the bot has waited before.
	again bool
	// timer prints the notice. It is nil while the bot does not wait.
	timer *time.Timer
}

// start is called when the bot starts to wait. It does nothing if the bot waits already.
func (w *waitNotice) start() {
	if w.timer != nil {
		return
	}
	delay := bridge.FirstNotice
	if w.again {
		delay = bridge.NextNotice
	}
	w.again = true
	w.timer = time.AfterFunc(delay, func() { fmt.Fprintf(w.errs, "broadside: %s\n", w.text) })
}

// stop is called when the bot no longer waits. It does nothing if the bot does not wait.
func (w *waitNotice) stop() {
	if w.timer != nil {
		w.timer.Stop()
		w.timer = nil
	}
}
