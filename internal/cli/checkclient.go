package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"broadside/match"
	"broadside/relay/check"
)

// checkConfig is which client is checked, and how.
type checkConfig struct {
	listen  string
	command []string
	rules   string
	seed    uint64
	connect time.Duration
	move    time.Duration
	json    bool
}

func checkClientCommand() *cobra.Command {
	var cfg checkConfig
	c := &cobra.Command{
		Use:   "check-client [--listen ADDRESS] [-- COMMAND ...]",
		Short: "Find out what a client of the line protocol does right and wrong",
		Long: "Plays a client through all situations of the line protocol: both roles, all\n" +
			"results, repeated shots, odd line ends and segmentation, an opponent that\n" +
			"leaves. Without a command it waits for you to start the client, which is to\n" +
			"play as many games as it can, connecting anew for each, or a series. A command\n" +
			"is started with the address in BROADSIDE_RELAY and in place of {addr}, {host}\n" +
			"and {port}, and again when it has ended.\n\n" +
			"The exit code is 0 if nothing has failed, 1 if something has, 2 if the check\n" +
			"itself could not be done.",
		Example: "  broadside check-client --listen :54321\n  broadside check-client -- python3 examples/client.py",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 && c.ArgsLenAtDash() != 0 {
				return fmt.Errorf("%q: write -- before the client's command", args[0])
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			cfg.command = args
			ctx, stop := signal.NotifyContext(c.Context(), syscall.SIGINT, syscall.SIGTERM)
			defer stop()
			return checkClient(ctx, c.OutOrStdout(), c.ErrOrStderr(), cfg)
		},
	}
	f := c.Flags()
	f.StringVar(&cfg.listen, "listen", "127.0.0.1:0", "address for the client to connect to")
	f.StringVar(&cfg.rules, "rules", "classic", "rules to play, unless the client asks for others: "+strings.Join(match.Presets(), ", "))
	f.Uint64Var(&cfg.seed, "seed", 0, "seed for fleets and shots, 0 for a random one")
	f.DurationVar(&cfg.connect, "connect-timeout", 20*time.Second, "time for the client to connect, and again after a game")
	f.DurationVar(&cfg.move, "move-timeout", 10*time.Second, "time for its shots and answers")
	f.BoolVar(&cfg.json, "json", false, "print the report as JSON")
	return c
}

// checkClient checks a client and prints what it has found.
func checkClient(ctx context.Context, out, errs io.Writer, cfg checkConfig) error {
	failed := func(err error) error {
		fmt.Fprintf(errs, "broadside: %v\n", err)
		return exitCode(2)
	}
	rules, err := match.Preset(cfg.rules)
	if err != nil {
		return failed(err)
	}
	if cfg.seed == 0 {
		cfg.seed = rand.Uint64()
	}
	l, err := net.Listen("tcp", cfg.listen)
	if err != nil {
		return failed(fmt.Errorf("listening for the client: %w: choose another address with --listen", err))
	}
	if len(cfg.command) == 0 {
		fmt.Fprintf(errs, "Start the client now. It connects to %s, for as many games as it can play.\n", l.Addr())
	}
	told := func(f check.Finding) { fmt.Fprintln(out, f) }
	if cfg.json {
		told = nil
	}
	report, err := check.Run(ctx, check.Config{
		Listener: l.(*net.TCPListener), Command: cfg.command, Rules: rules, Seed: cfg.seed,
		Connect: cfg.connect, Move: cfg.move, Told: told,
	})
	if err != nil {
		return failed(err)
	}
	if cfg.json {
		text, err := json.MarshalIndent(report, "", "  ")
		if err != nil {
			return failed(err)
		}
		fmt.Fprintf(out, "%s\n", text)
	} else {
		fmt.Fprintf(out, "\n%s\n", report.Summary())
	}
	if !report.Well() {
		return exitCode(1)
	}
	return nil
}
