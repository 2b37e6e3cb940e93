package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"broadside/internal/config"
	"broadside/match"
	"broadside/relay/check"
)

// checkConfig holds the flags of the check-client command. command is the client's command line.
type checkConfig struct {
	listen         string
	command        []string
	stdio          bool
	rules          string
	seed           uint64
	connectTimeout time.Duration
	moveTimeout    time.Duration
	json           bool
}

func checkClientCommand() *cobra.Command {
	var cfg checkConfig
	c := &cobra.Command{
		Use:   "check-client [-- COMMAND ...]",
		Short: "Test a client of the line protocol",
		Long: "Tests a client in all situations of the line protocol: both roles, all results,\n" +
			"repeated shots, unusual line endings and packets, and an opponent that leaves.\n" +
			"Without a command, it waits for you to start the client, which should play as many\n" +
			"games as it can, with a new connection for each, or a series. With a command, it\n" +
			"starts the client, and starts it again whenever it ends. The client gets the\n" +
			"address in the variable BROADSIDE_RELAY and in place of {addr}, {host} and {port}.\n" +
			"With --stdio, the client plays on standard input and output instead. It may end\n" +
			"after each game, or wait for the next role. Write flags before --.\n\n" +
			"The exit status is 0 if all checks pass, 1 if any fails, and 2 if the test itself\n" +
			"cannot run.",
		Example: "  broadside check-client --listen :54321\n  broadside check-client --stdio -- python3 examples/player.py",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 && c.ArgsLenAtDash() != 0 {
				return fmt.Errorf("unexpected argument %q: write -- before the client's command", args[0])
			}
			if cfg.stdio && len(args) == 0 {
				return errors.New("--stdio needs a command: write -- and the client's command")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			cfg.command = args
			ctx, stop := cancelOnSignal(c.Context())
			defer stop()
			return checkClient(ctx, c.OutOrStdout(), c.ErrOrStderr(), cfg)
		},
	}
	f := c.Flags()
	f.StringVar(&cfg.listen, "listen", "127.0.0.1:0", "listen address for the client")
	f.BoolVar(&cfg.stdio, "stdio", false, "the client plays on standard input and output")
	f.StringVar(&cfg.rules, "rules", "classic", "rules, unless the client requests others: "+
		strings.Join(match.PresetNames(), ", "))
	f.Uint64Var(&cfg.seed, "seed", 0, "random seed for fleets and shots. 0 means a new one")
	f.DurationVar(&cfg.connectTimeout, "connect-timeout", 20*time.Second, "time for the client to connect, also after each game")
	f.DurationVar(&cfg.moveTimeout, "move-timeout", 10*time.Second, "time for the client to fire a shot or send a result")
	f.BoolVar(&cfg.json, "json", false, "print the report as JSON")
	addFlagCompletion(c, "rules", match.PresetNames()...)
	return c
}

// checkClient tests a client and prints the findings.
func checkClient(ctx context.Context, out, errs io.Writer, cfg checkConfig) error {
	failed := func(err error) error {
		printError(errs, err)
		return exitCode(2)
	}
	rules, err := match.Preset(cfg.rules)
	if err != nil {
		return failed(err)
	}
	cfg.seed = cmp.Or(cfg.seed, rand.Uint64())
	l, err := listenForClient(cfg)
	if err != nil {
		return failed(err)
	}
	if len(cfg.command) == 0 {
		fmt.Fprintf(errs, "Start the client now. It must connect to %s and play as many games as it can.\n", l.Addr())
	}
	told := func(f check.Finding) { fmt.Fprintln(out, f) }
	if cfg.json {
		told = nil
	}
	report, err := check.Run(ctx, check.Config{
		Listener: l, Stdio: cfg.stdio, Command: cfg.command, Rules: rules, Seed: cfg.seed,
		Connect: cfg.connectTimeout, Move: cfg.moveTimeout, OnFinding: told,
	})
	if err != nil {
		return failed(err)
	}
	if !cfg.json {
		fmt.Fprintf(out, "\n%s\n", report.Summary())
	} else if err := printJSON(out, report); err != nil {
		return failed(err)
	}
	if !report.HasPassed() {
		return exitCode(1)
	}
	return nil
}

// listenForClient returns the listener for the client, or nil if the client plays on standard input.
func listenForClient(cfg checkConfig) (*net.TCPListener, error) {
	if cfg.stdio {
		return nil, nil
	}
	l, err := net.Listen("tcp", config.ExpandPort(cfg.listen))
	if err != nil {
		return nil, fmt.Errorf("cannot listen for the client: %w: choose another address with --listen", err)
	}
	return l.(*net.TCPListener), nil
}
