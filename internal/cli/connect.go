package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"broadside/internal/config"
	"broadside/internal/sanitize"
	"broadside/match"
	"broadside/relay/bridge"
)

// connectConfig holds the flags of the connect command.
type connectConfig struct {
	ssh bool
	// identityFile is a private key. If it is empty, the SSH client chooses its keys.
	identityFile string
	// program is the registered program to play as over SSH. It may be empty.
	program   string
	tokenFile string
	games     string
	bridge    bridge.Config
}

func connectCommand() *cobra.Command {
	var cfg connectConfig
	c := &cobra.Command{
		Use:   "connect HOST -- COMMAND ...",
		Short: "Let a program on standard input and output play on a server",
		Long: "Connects to a Broadside server and lets a program play that uses the line protocol on\n" +
			"standard input and output. The program may end after each game, and is then started\n" +
			"again, or wait for its role in the next game. After a lost connection or a restart of\n" +
			"the server, connect reconnects with growing pauses. It repeats games that the server\n" +
			"has not decided.\n\n" +
			"Write flags before -- and the program's command after it. HOST may end in :PORT.\n\n" +
			"With --ssh, it runs ssh HOST relay with your SSH client, so that your keys, agents,\n" +
			"aliases and jump hosts work, and nothing is sent in the clear.\n\n" +
			"The exit status is 0 if all games were played, whoever won them, or the tournament is over.",
		Example: "  broadside connect localhost --vs \"bot easy\" --games 10 -- python3 examples/player.py\n" +
			"  broadside connect ann@play.example.org --ssh --program kraken --layout uniform --ladder --games forever " +
			"-- ./kraken",
		Args: func(c *cobra.Command, args []string) error {
			if c.ArgsLenAtDash() != 1 || len(args) < 2 {
				return errors.New("write one server, then --, then the program's command")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := config.SetFromEnvironment(c.Flags(), os.LookupEnv); err != nil {
				return err
			}
			ctx, stop := cancelOnSignal(c.Context())
			defer stop()
			cfg.bridge.Program.Words = args[1:]
			return connectProgram(ctx, c.OutOrStdout(), c.ErrOrStderr(), args[0], cfg)
		},
	}
	f := c.Flags()
	b, series := &cfg.bridge, &cfg.bridge.Series
	f.BoolVar(&cfg.ssh, "ssh", false, "connect with your SSH client. HOST may then be an alias, and the default "+
		"port is that of ssh instead of 54321")
	f.StringVar(&cfg.identityFile, "identity", "", "private key file for --ssh (default: the keys of your SSH client)")
	f.StringVar(&cfg.program, "program", "", "with --ssh, play as this registered program of your account")
	f.StringVar(&cfg.tokenFile, "token-file", "", "file with a registered program's token, from ssh HOST token new NAME. "+
		"Not needed with --ssh")
	f.StringVar(&series.Name, "name", "", "name that others see. A registered program has its own")
	f.StringVar(&series.Versus, "vs", "", "opponent: any, bot NAME, player NAME, room CODE or tournament CODE")
	f.StringVar(&series.Rules, "rules", "", "rules: "+strings.Join(match.PresetNames(), ", "))
	f.StringVar(&series.Layout, "layout", "", "let the server hold the fleet, which rated matches need: uniform for "+
		"a random one, or the ships with ; between them")
	f.StringVar(&series.Pace, "pace", "", "play correspondence matches with this time for each turn: 1d, 3d or 7d")
	f.BoolVar(&series.Ladder, "ladder", false, "be paired on the server's ladder")
	f.StringVar(&cfg.games, "games", "1", "number of games, or forever")
	f.IntVar(&b.Parallel, "parallel", 1, "games at the same time, each with its own process")
	f.DurationVar(&b.Program.Move, "move-timeout", bridge.DefaultMove, "time for the program to fire a shot or send a result")
	f.DurationVar(&b.Program.Hello, "hello-timeout", time.Second,
		"time for a program to send directives, if it does not end them with ready")
	c.MarkFlagsMutuallyExclusive("vs", "ladder")
	c.MarkFlagsMutuallyExclusive("pace", "ladder")
	addConnectCompletions(c)
	return c
}

// connectProgram lets a program play and prints the result, unless an error came before the first one.
func connectProgram(ctx context.Context, out, errs io.Writer, server string, cfg connectConfig) error {
	b := cfg.bridge
	if cfg.games != "forever" {
		n, err := strconv.Atoi(cfg.games)
		if err != nil || n < 1 {
			return usageError{fmt.Errorf("--games %q: choose 1 or more, or forever", cfg.games)}
		}
		b.Series.Games = n
	}
	switch {
	case b.Parallel < 1:
		return usageError{fmt.Errorf("--parallel %d: choose 1 or more", b.Parallel)}
	case b.Parallel > 1 && isTournament(b.Series.Versus):
		return usageError{fmt.Errorf("--parallel %d: a program plays one game of a tournament at a time: choose 1", b.Parallel)}
	}
	if cfg.tokenFile != "" {
		token, err := os.ReadFile(cfg.tokenFile)
		if err != nil {
			return fmt.Errorf("read token: %w", err)
		}
		b.Series.Token = strings.TrimSpace(sanitize.Decode(token))
	}
	var err error
	if b.Dial, err = cfg.newDialer(server, errs); err != nil {
		return err
	}
	b.Notice = func(text string) { fmt.Fprintf(errs, "broadside: %s\n", sanitize.Text(text)) }
	r, failed := bridge.Run(ctx, b)
	if failed != nil && r.Won+r.Lost == 0 && ctx.Err() == nil {
		return failed
	}
	if r.TournamentOver {
		fmt.Fprintln(out, "The tournament is over.")
	}
	player := cmp.Or(b.Series.Name, cfg.program, "The program")
	fmt.Fprintf(out, "End of game. %s won %d times and lost %d times.\n", player, r.Won, r.Lost)
	if ctx.Err() != nil {
		return interrupted(r.Won + r.Lost)
	}
	return failed
}

// isTournament reports whether versus, the argument of the vs directive, is a tournament.
func isTournament(versus string) bool {
	kind, _, _ := strings.Cut(versus, " ")
	// Earlier versions used cup.
	return kind == "tournament" || kind == "cup"
}

// newDialer returns a function that connects to the server. ssh writes its messages to errs.
func (cfg connectConfig) newDialer(server string, errs io.Writer) (
	func(context.Context) (io.ReadWriteCloser, error), error) {
	if !cfg.ssh {
		if strings.Contains(server, "@") || cfg.program != "" || cfg.identityFile != "" {
			return nil, usageError{errors.New("users, --program and --identity are for --ssh")}
		}
		address := addDefaultPort(server, "54321")
		return func(ctx context.Context) (io.ReadWriteCloser, error) {
			nc, err := (&net.Dialer{Timeout: dialTime}).DialContext(ctx, "tcp", address)
			if err != nil {
				return nil, fmt.Errorf("connect to the server: %w", err)
			}
			return nc, nil
		}, nil
	}
	host, port := splitServer(server)
	return bridge.SSH{Host: host, Port: port, Identity: cfg.identityFile, Program: cfg.program, Stderr: errs}.Dial, nil
}

// splitServer returns USER@HOST and the port, which may be empty, of USER@HOST:PORT.
func splitServer(server string) (host, port string) {
	user := strings.LastIndex(server, "@") + 1
	host, port, err := net.SplitHostPort(server[user:])
	if err != nil {
		return server, ""
	}
	return server[:user] + host, port
}

// dialTime limits an attempt to connect.
const dialTime = 30 * time.Second

// addDefaultPort returns host with the port, unless host has one already.
func addDefaultPort(host, port string) string {
	if _, _, err := net.SplitHostPort(host); err == nil {
		return host
	}
	return net.JoinHostPort(strings.Trim(host, "[]"), port)
}
