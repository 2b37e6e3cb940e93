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

// botConfig holds the flags of the bot command.
type botConfig struct {
	relay  string
	games  int
	seed   uint64
	rules  string
	layout string // file
	place  string // one of bots.Placements; empty: the bot's choice
	course string // file for the log of the games; -: standard output; empty: none
	token  string // of a registered program; empty: none
	vs     string // opponent, as in the directive vs; empty: any
}

// usesSeries reports whether the games are played on one connection, which requires directives
// that other servers may not support.
func (c botConfig) usesSeries() bool { return c.token != "" || c.vs != "" }

// hasUniformFleet reports whether the server draws the bot's fleets, so that its matches are rated.
func (c botConfig) hasUniformFleet(r match.Rules) bool { return c.token != "" && !r.Salvo }

func botCommand() *cobra.Command {
	var cfg botConfig
	c := &cobra.Command{
		Use:   "bot NAME",
		Short: "Let a built-in bot play on a relay",
		Long: "Lets a built-in bot play on any server that supports the line protocol, with a new\n" +
			"connection for each game. With --token or --vs, which require a Broadside server,\n" +
			"it plays a series on one connection. With --token, it plays as a registered program.\n" +
			"The server then draws its fleets, so its matches are rated, except under salvo.",
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
	f.Uint64Var(&cfg.seed, "seed", 0, "random seed for the bot's choices; 0: a new one")
	f.StringVar(&cfg.rules, "rules", "classic", "rules of the relay: "+strings.Join(match.PresetNames(), ", "))
	f.StringVar(&cfg.layout, "layout", "", "layout file for the fleet; by default the bot chooses")
	f.StringVar(&cfg.place, "placement", "", "how the fleet is placed: "+placementList()+"; by default the bot chooses")
	f.StringVar(&cfg.course, "course", "", "write every shot, both boards and the bot's open list to a file, or to "+
		"standard output if it is -; creates the folder")
	f.StringVar(&cfg.token, "token", "", "token of a registered program, from ssh HOST token new NAME; to keep it "+
		"secret, use the variable BROADSIDE_TOKEN")
	f.StringVar(&cfg.vs, "vs", "", "opponent: any, bot NAME, player NAME, room CODE or tournament CODE")
	c.MarkFlagsMutuallyExclusive("layout", "placement")
	addBotList(c)
	completeGameFlags(c)
	completeOpponent(c)
	return c
}

// addBotList adds the list of bots to the help of a command. It reads the list's texts only when
// help is requested, because they would slow down the start of every command.
func addBotList(c *cobra.Command) {
	c.SetHelpFunc(func(c *cobra.Command, args []string) {
		c.Long += "\n\n" + describeBots()
		c.Root().HelpFunc()(c, args)
	})
}

// describeBots returns the list of bots for help texts.
func describeBots() string {
	var about strings.Builder
	about.WriteString("Bots and where they shoot:\n")
	for _, b := range bots.All() {
		fmt.Fprintf(&about, "  %-25s %s\n", b.Syntax(), i18n.English.Text(b.About))
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
	if cfg.hasUniformFleet(rules) && (cfg.layout != "" || cfg.place != "") {
		return usageError{errors.New("with --token, the server draws the fleet: leave out --layout and --placement")}
	}
	// A port alone is the relay's on this computer, as with the server's option.
	cfg.relay = addDefaultPort(config.ExpandPort(cfg.relay), "54321")
	cfg.seed = cmp.Or(cfg.seed, rand.Uint64())
	// Without directives, the opponent's name is unknown, so the bot learns as if it were always the
	// same one. In a tournament, opponents certainly change.
	memory := infer.NewMemory(rules)
	if isTournament(cfg.vs) {
		memory = nil
	}
	create := func(rng *rand.Rand) (bots.Bot, error) {
		return bots.New(name, bots.Config{
			Rules: rules, Rand: rng, Placement: cfg.place, ReadFile: os.ReadFile, Memory: memory,
		})
	}
	if _, err := create(rand.New(rand.NewPCG(1, 1))); err != nil {
		return usageError{err}
	}
	rng := rand.New(rand.NewPCG(cfg.seed, 0))
	var layout match.Layout
	if cfg.layout != "" {
		if layout, err = readLayout(rules, cfg.layout); err != nil {
			return err
		}
	}
	course, closeCourse, err := openCourseFile(cfg.course, out)
	if err != nil {
		return err
	}
	defer func() { failed = errors.Join(failed, closeCourse()) }()
	var last *recordedBot
	begun := 0
	wait := waitNotice{errs: errs, text: bridge.WaitingText(cfg.vs, false)}
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
// total at the end, unless an error has ended the first game.
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
		series := client.Directives{Token: cfg.token, Versus: cfg.vs, Games: cfg.games}
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
			// The opponent left, or the server closed the connection. Continue with the
			// next game, and report the error in the exit status.
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

// readLayout reads the first fleet of a layout file.
func readLayout(rules match.Rules, file string) (match.Layout, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("reading the layout: %w", err)
	}
	layouts, err := layoutfile.Parse(rules, string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return layouts[0], nil
}

// waitNotice prints a notice if a bot waits long for an opponent.
type waitNotice struct {
	errs  io.Writer
	text  string
	again bool        // the bot has waited before
	timer *time.Timer // until the notice; nil while the bot does not wait
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
