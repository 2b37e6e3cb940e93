package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	charmlog "charm.land/log/v2"
	"github.com/spf13/cobra"

	"broadside/commands"
	"broadside/gate"
	"broadside/lobby"
	"broadside/lobby/store"
	"broadside/match"
	"broadside/relay"
	"broadside/sshd"
	"broadside/tui"
)

// serveConfig is what an operator can set.
type serveConfig struct {
	ssh, relay string // addresses to listen on
	data       string // folder for what must outlast the process
	admins     string // file of operators' public keys; empty: admin_keys in the data folder
	logLevel   string
	logFormat  string
	audit      string
	drain      time.Duration
	hello      time.Duration
	move       time.Duration
	answer     time.Duration
	botPace    time.Duration
	guestTalk  bool
}

func serveCommand() *cobra.Command {
	var cfg serveConfig
	c := &cobra.Command{
		Use:   "serve",
		Short: "Host the game: SSH for people, the relay for programs (the default)",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := environment(c.Flags(), os.LookupEnv); err != nil {
				return err
			}
			ctx, stop := untilSignal(c.Context())
			defer stop()
			return serve(ctx, cfg, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	f := c.Flags()
	f.StringVar(&cfg.ssh, "ssh", ":2222", "address for SSH")
	f.StringVar(&cfg.relay, "relay", ":54321", "address for the relay")
	f.StringVar(&cfg.data, "data", "data", "folder for the host key and the database")
	f.StringVar(&cfg.admins, "admin-keys", "", "file of operators' public keys, as in authorized_keys (default admin_keys in the data folder)")
	f.StringVar(&cfg.logLevel, "log-level", "info", "least level to log: debug, info, warn or error")
	f.StringVar(&cfg.logFormat, "log-format", "text", "how to log: text, json or logfmt")
	f.DurationVar(&cfg.drain, "drain", 30*time.Second, "time for running matches to end on SIGTERM")
	f.DurationVar(&cfg.hello, "relay-hello", 150*time.Millisecond, "how long a program may take to send its directives on connecting")
	f.DurationVar(&cfg.move, "relay-move-timeout", lobby.DefaultMoveTimeout, "time for a program's shot or answer, after which it loses")
	f.StringVar(&cfg.audit, "relay-audit", "flag", "what a program's contradicting answers lead to: flag, forfeit or off")
	f.DurationVar(&cfg.answer, "challenge-timeout", lobby.DefaultAnswerTime, "time for a person to answer a challenge")
	f.DurationVar(&cfg.botPace, "bot-pace", lobby.DefaultBotPace, "a bot's pause before it fires at a person")
	f.BoolVar(&cfg.guestTalk, "guest-talk", true, "whether people without an account may talk")
	return c
}

// untilSignal is ctx until the first SIGINT or SIGTERM. A second one ends the
// process at once.
func untilSignal(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		defer close(done)
		select {
		case <-signals:
			cancel()
		case <-ctx.Done():
			return
		}
		if _, ok := <-signals; ok {
			os.Exit(1)
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel()
		close(signals)
		<-done
	}
}

// serve runs the server until ctx ends, then lets running matches end. Errors
// are sentences for the operator.
func serve(ctx context.Context, cfg serveConfig, out, errs io.Writer) error {
	log, err := newLog(errs, cfg.logLevel, cfg.logFormat)
	if err != nil {
		return err
	}
	audit, err := auditMode(cfg.audit)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(cfg.data, 0o700); err != nil {
		return fmt.Errorf("the data folder cannot be made: %w: choose another with --data", err)
	}

	shelf, err := store.Open(ctx, store.Config{Folder: cfg.data, Log: log})
	if err != nil {
		return err
	}
	defer func() { // last, for what ends below is stored
		if err := shelf.Close(); err != nil {
			log.Error("the database was not closed well", "error", err)
		}
	}()

	hall := lobby.New(lobby.Config{
		Audit: audit, MoveTimeout: cfg.move, AnswerTime: cfg.answer, BotPace: pace(cfg.botPace), Log: log, Store: shelf,
		QuietGuests: !cfg.guestTalk,
	})
	defer hall.Close()
	admins := gate.Admins{File: cmp.Or(cfg.admins, filepath.Join(cfg.data, "admin_keys")), Log: log}
	guard, err := gate.Open(ctx, gate.Config{Store: shelf, Admins: admins, Log: log})
	if err != nil {
		return err
	}
	here := &residents{}
	front, err := sshd.New(sshd.Config{
		HostKeyPath: filepath.Join(cfg.data, "ssh_host_ed25519_key"),
		Log:         log,
		Admission:   guard,
		Commands: append([]sshd.Command{
			{Name: "play", Args: tui.PlayUsage, About: "Play at once, the next who comes or a bot", Check: checkOpening(hall)},
			{Name: "resume", Args: tui.ResumeUsage, About: "Go on with a match that you have left as a guest", Check: checkOpening(hall)},
			{Name: "join", Args: tui.JoinUsage, About: "Join a private room", Check: checkOpening(hall)},
		}, commands.All(commands.Config{
			Store: shelf, Lobby: hall, Log: log, Check: checkOpening(hall),
			Operator: &commands.Operator{Admins: admins, Gate: guard, Lobby: hall, House: here},
		})...),
		App: func(ctx context.Context, who sshd.Visitor) sshd.Screen {
			opening, err := tui.ParseOpening(who.Command)
			if err != nil { // the check has let it pass
				log.Error("a command is not understood", "command", who.Command[0], "error", err)
			}
			return here.receive(who.Conn, tui.New(ctx, tui.Config{
				Lobby: hall, Player: hall.Receive(ctx, who.Name, who.Fingerprint), Fingerprint: who.Fingerprint, Label: who.Name,
				Width: who.Width, Height: who.Height, Opening: opening,
			}))
		},
	})
	if err != nil {
		return err
	}
	wire := relay.New(relay.Config{Lobby: hall, HelloDelay: cfg.hello, Admit: guard.Program, AdmitOwner: guard.Owner, Log: log})
	here.front, here.wire = front, wire // nobody comes in before they serve

	sshListener, err := listen("SSH", cfg.ssh, "--ssh")
	if err != nil {
		return err
	}
	relayListener, err := listen("the relay", cfg.relay, "--relay")
	if err != nil {
		sshListener.Close()
		return err
	}
	doors := make(chan error, 2)
	go func() { doors <- front.Serve(sshListener) }()
	go func() { doors <- wire.Serve(relayListener) }()
	printWelcome(out, sshListener.Addr(), relayListener.Addr(), front.Fingerprint())

	open := 2
	select {
	case <-ctx.Done():
	case err = <-doors: // a door that fails closes the house
		open--
	}
	log.Info("shutting down", "drain", cfg.drain)
	sshListener.Close()
	relayListener.Close()
	shutdown(hall, front, wire, cfg.drain, log)
	for range open {
		if e := <-doors; err == nil {
			err = e
		}
	}
	return err
}

// checkOpening is the check of commands that open a session elsewhere than in
// the lobby.
func checkOpening(hall *lobby.Lobby) func([]string) error {
	return func(words []string) error {
		opening, err := tui.ParseOpening(words)
		if err == nil && opening.Room != "" {
			_, err = hall.Room(opening.Room)
		}
		return err
	}
}

// leaveTime is how long sessions and connections have to end by themselves
// once the matches have.
const leaveTime = 5 * time.Second

// shutdown lets running matches end for the drain time, then ends sessions and
// connections.
func shutdown(hall *lobby.Lobby, front *sshd.Server, wire *relay.Server, drain time.Duration, log *slog.Logger) {
	ctx, cancel := context.WithTimeout(context.Background(), drain)
	defer cancel()
	if err := hall.Drain(ctx); err != nil {
		log.Warn("shutting down without waiting any longer", "error", err)
	}
	ctx, cancel = context.WithTimeout(context.Background(), leaveTime)
	defer cancel()
	if err := errors.Join(front.Shutdown(ctx), wire.Shutdown(ctx)); err != nil {
		log.Warn("connections are cut short", "error", err)
	}
}

func listen(what, address, flag string) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("cannot listen for %s: %w: choose another address with %s", what, err, flag)
	}
	return l, nil
}

// printWelcome tells how to connect.
func printWelcome(out io.Writer, ssh, relay net.Addr, fingerprint string) {
	host, port := reach(ssh)
	fmt.Fprintf(out, "Broadside is open.\n\n")
	fmt.Fprintf(out, "  play       ssh -t -p %s %s\n", port, host)
	host, port = reach(relay)
	fmt.Fprintf(out, "  programs   %s\n", net.JoinHostPort(host, port))
	fmt.Fprintf(out, "  host key   %s\n\n", fingerprint)
}

// reach is how somebody on this machine reaches an address listened on.
func reach(a net.Addr) (host, port string) {
	host, port, err := net.SplitHostPort(a.String())
	if err != nil {
		return a.String(), ""
	}
	if ip := net.ParseIP(host); ip == nil || ip.IsUnspecified() {
		host = "localhost"
	}
	return host, port
}

func newLog(w io.Writer, level, format string) (*slog.Logger, error) {
	l, err := charmlog.ParseLevel(level)
	if err != nil {
		return nil, fmt.Errorf("--log-level %q: choose debug, info, warn or error", level)
	}
	options := charmlog.Options{Level: l, ReportTimestamp: true, TimeFormat: time.RFC3339}
	switch format {
	case "text":
		options.Formatter = charmlog.TextFormatter
	case "json":
		options.Formatter = charmlog.JSONFormatter
	case "logfmt":
		options.Formatter = charmlog.LogfmtFormatter
	default:
		return nil, fmt.Errorf("--log-format %q: choose text, json or logfmt", format)
	}
	return slog.New(charmlog.NewWithOptions(w, options)), nil
}

func auditMode(name string) (match.AuditMode, error) {
	switch name {
	case "flag":
		return match.AuditFlag, nil
	case "forfeit":
		return match.AuditForfeit, nil
	case "off":
		return match.AuditOff, nil
	}
	return 0, fmt.Errorf("--relay-audit %q: choose flag, forfeit or off", name)
}

// pace is the lobby's value for a pause of d: there, 0 asks for the default.
func pace(d time.Duration) time.Duration {
	if d <= 0 {
		return -1
	}
	return d
}
