package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"broadside/bots"
	"broadside/internal/config"
	"broadside/match"
	"broadside/match/layoutfile"
	"broadside/relay"
)

// botConfig is how a built-in bot plays on a relay.
type botConfig struct {
	relay  string
	games  int
	seed   uint64
	rules  string
	layout string // file
	place  string // one of bots.Placements; empty: the bot's own choice
	course string // file for the course of the games, - for the console, or empty
	token  string // of a registered program; empty: none
	vs     string // whom to play, as the directive names it; empty: any
}

// series reports whether the games are played on one connection, with
// directives, which other servers need not know.
func (c botConfig) series() bool { return c.token != "" || c.vs != "" }

func botCommand() *cobra.Command {
	var cfg botConfig
	c := &cobra.Command{
		Use:   "bot NAME",
		Short: "Let a built-in bot play on a relay, ours or another's",
		Long: "Lets a built-in bot play on any server that speaks the line protocol.\n" +
			"It connects anew for each game. With --token or --vs, which only our servers know,\n" +
			"it plays a series on one connection. With --token it plays as a registered program\n" +
			"and commits to its fleets, so its matches are rated.\n\n" + aboutBots(),
		Example: "  broadside bot prolog --relay localhost:54321 --games 10",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := config.Environment(c.Flags(), os.LookupEnv); err != nil {
				return err
			}
			ctx, stop := signal.NotifyContext(c.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			return playBot(ctx, c.OutOrStdout(), c.ErrOrStderr(), args[0], cfg)
		},
	}
	f := c.Flags()
	f.StringVar(&cfg.relay, "relay", "localhost:54321", "address of the relay")
	f.IntVar(&cfg.games, "games", 1, "games to play")
	f.Uint64Var(&cfg.seed, "seed", 0, "seed for the bot's choices, 0 for a random one")
	f.StringVar(&cfg.rules, "rules", "classic", "rules that the relay plays: "+strings.Join(match.Presets(), ", "))
	f.StringVar(&cfg.layout, "layout", "", "layout file to place the fleet from, instead of the bot's own choice")
	f.StringVar(&cfg.place, "placement", "", "how the fleet is placed: "+placements()+"; the bot's own choice if not given")
	f.StringVar(&cfg.course, "course", "", "file to write the course of the games to, or - for the console: every shot, both boards and the bot's open list; its folder is created")
	f.StringVar(&cfg.token, "token", "", "token of a registered program, from ssh HOST token new NAME; better in the environment, as BROADSIDE_TOKEN")
	f.StringVar(&cfg.vs, "vs", "", "whom to play: any, bot NAME, player NAME or room CODE")
	c.MarkFlagsMutuallyExclusive("layout", "placement")
	return c
}

// aboutBots lists the bots for a help text.
func aboutBots() string {
	var about strings.Builder
	about.WriteString("The bots, and where they shoot:\n")
	for _, b := range bots.All() {
		name := b.Name
		if b.Takes != "" {
			name += ":" + b.Takes
		}
		fmt.Fprintf(&about, "  %-25s %s\n", name, b.About)
	}
	return about.String()
}

// playBot plays the games and prints how they went.
func playBot(ctx context.Context, out, errs io.Writer, name string, cfg botConfig) (failed error) {
	if cfg.games < 1 {
		return fmt.Errorf("--games %d: choose 1 or more", cfg.games)
	}
	rules, err := match.Preset(cfg.rules)
	if err != nil {
		return err
	}
	if cfg.seed == 0 {
		cfg.seed = rand.Uint64()
	}
	if _, err := bots.Find(name); err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(cfg.seed, 0))
	var layout match.Layout
	if cfg.layout != "" {
		if layout, err = readLayout(rules, cfg.layout); err != nil {
			return err
		}
	}
	course, closeCourse, err := openCourse(cfg.course, out)
	if err != nil {
		return err
	}
	defer func() { failed = errors.Join(failed, closeCourse()) }()
	won, lost, begun := 0, 0, 0
	next := func() (relay.Player, error) {
		bot, err := bots.New(name, bots.Config{Rules: rules, Rand: rng, Placement: cfg.place, ReadFile: os.ReadFile})
		if err != nil {
			return nil, err
		}
		begun++
		return newSeated(bot, rules, layout, begun, course), nil
	}
	count := func(o relay.Outcome) {
		if o.Won {
			won++
		} else {
			lost++
		}
	}
	single := cfg.games
	if cfg.series() {
		single = 0
		failed = relay.PlaySeries(ctx, relay.Invitation{
			Address: cfg.relay, Rules: rules, Token: cfg.token, Versus: cfg.vs, Games: cfg.games,
		}, next, count)
	}
	for range single {
		player, err := next()
		if err != nil {
			return err
		}
		outcome, err := relay.Play(ctx, cfg.relay, rules, player)
		if errors.Is(err, relay.ErrBroken) {
			// The opponent has gone, or we were turned out. The next game may
			// go better, so this is for the log, and for the exit code.
			fmt.Fprintf(errs, "broadside: %v\n", err)
			failed = fmt.Errorf("not every game came to its end, the last one because %w", err)
			continue
		}
		if err != nil {
			failed = err
			break
		}
		count(outcome)
	}
	var refused *net.OpError
	if ctx.Err() == nil && errors.As(failed, &refused) && refused.Op == "dial" && won+lost == 0 {
		return failed // no game has begun, so there is nothing to sum up
	}
	fmt.Fprintf(out, "End of game. %s won %d times and lost %d times.\n", name, won, lost)
	if ctx.Err() != nil {
		return interrupted(won + lost)
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
