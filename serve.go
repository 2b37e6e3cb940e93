package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/signal"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
	"github.com/spf13/cobra"

	"broadside/bots"
	"broadside/commands"
	"broadside/config"
	"broadside/control"
	"broadside/gate"
	"broadside/internal/session"
	"broadside/lobby"
	"broadside/lobby/cluster"
	"broadside/lobby/store"
	"broadside/match"
	"broadside/metrics"
	"broadside/proxy"
	"broadside/relay"
	"broadside/sshd"
	"broadside/tui"
	"broadside/tui/console"
	"broadside/tui/look"
	"broadside/tui/plain"
	"broadside/words"
)

func serveCommand() *cobra.Command {
	var options commandOptions
	var fresh bool
	c := &cobra.Command{
		Use:   "serve",
		Short: "Host the game: SSH for people, the relay for programs (the default)",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			cfg, settings, err := options.load(c.Flags())
			if err != nil {
				return err
			}
			cfg.fresh = fresh
			if os.Getenv("GOGC") == "" {
				debug.SetGCPercent(gcPercent)
			}
			ctx, stop := untilSignal(c.Context())
			defer stop()
			hangups := make(chan os.Signal, 1)
			signal.Notify(hangups, syscall.SIGHUP)
			defer signal.Stop(hangups)
			cfg.reload = &reload{asked: hangups, settings: settings, load: func() (serveConfig, []config.Setting, error) {
				return options.load(c.Flags())
			}}
			return serve(ctx, cfg, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	options.flags(c.Flags())
	c.Flags().BoolVar(&fresh, "fresh-database", false, "put a database aside that is empty or damaged, and start with a new one; it does nothing to a sound one")
	return c
}

// gcPercent is how much garbage may gather before it is collected, in percent of
// what is in use. Keys wait while it is collected, most of all in a crowd; more
// would take more memory than a session is to have: see docs/performance.md.
const gcPercent = 200

// serve runs the server until ctx ends, then lets running matches end. Errors
// are sentences for the operator.
func serve(ctx context.Context, cfg serveConfig, out, errs io.Writer) error {
	log, setLevel, flush, err := newLog(errs, cfg.logLevel, cfg.logFormat)
	if err != nil {
		return err
	}
	defer flush()
	if cfg.fill > 0 {
		if _, err := bots.New(cfg.fillBot, bots.Config{Rules: match.Classic(), Rand: rand.New(rand.NewPCG(1, 1))}); err != nil {
			return fmt.Errorf("--relay-fill-bot: %w", err)
		}
	}
	audit, err := auditMode(cfg.audit)
	if err != nil {
		return err
	}
	shared, err := cfg.cluster()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(cfg.data, 0o700); err != nil {
		return fmt.Errorf("the data folder cannot be made: %w: choose another with --data", err)
	}
	if err := cfg.safeData(); err != nil {
		return err
	}

	name, commit := buildInfo()
	version := strings.TrimSpace(name + " " + commit)
	meter := metrics.New(version)
	shelf, err := store.Open(ctx, store.Config{Folder: cfg.data, URL: cfg.store, Alone: !cfg.clustered(), Fresh: cfg.fresh, Log: log, Wrote: meter.Wrote})
	if err != nil {
		return cfg.adviseStore(err)
	}
	defer func() { // last, for what ends below is stored
		if err := shelf.Close(); err != nil {
			log.Error("the database was not closed well", "error", err)
		}
	}()

	socket, err := openControl(cfg.data, log)
	if err != nil {
		return err
	}
	started := time.Now()
	var view atomic.Pointer[outlook] // once the doors are open
	defer serveControl(socket, func() control.Report {
		if v := view.Load(); v != nil {
			return v.report()
		}
		return starting(shared.Name, version, started)
	}, log)()
	node, err := join(ctx, shared, log)
	if err != nil {
		if ctx.Err() != nil { // somebody has ended it while it waited
			return nil
		}
		return err
	}
	defer node.Close()
	opening, opened := context.WithTimeout(ctx, openTime)
	hall, err := lobby.Open(opening, lobby.Config{
		Audit: audit, MoveTimeout: cfg.move, FirstMoveTimeout: cfg.firstMove, AnswerTime: cfg.answer, BotPace: pace(cfg.botPace), Log: log, Store: shelf,
		QuietGuests: !cfg.guestTalk, MaxMatches: cfg.maxMatches, Meter: meter.Lobby(), Node: node, Single: !cfg.clustered(),
	})
	opened()
	if err != nil {
		return fmt.Errorf("opening the lobby: %w", err)
	}
	defer hall.Close()
	admins := gate.NewAdmins(cfg.adminFile(), log)
	guard, err := gate.Open(ctx, gate.Config{Store: shelf, Admins: admins, Log: log})
	if err != nil {
		return err
	}
	host := &session.Lobby{Lobby: hall}
	wire := relay.New(relay.Config{
		Host: host, HelloDelay: pace(cfg.hello), Admit: guard.Program, AdmitOwner: guard.Owner, Refused: meter.Refused, Log: log,
		Limits: cfg.wire, Fill: time.Duration(cfg.fill) * time.Second, FillBot: cfg.fillBot,
	})
	keys, err := cfg.openHostKeys(ctx, shelf)
	if err != nil {
		return err
	}
	bans := &connections{Gate: guard, relay: wire}
	host.Operator = bans
	var draining atomic.Bool
	all := &outlook{node: node, hall: hall}
	front, err := sshd.New(sshd.Config{
		HostKeys: keys, Limits: cfg.limits,
		Log:       log,
		Admission: guard,
		Notice:    tui.Notice,
		Language: func(ctx context.Context, who sshd.Visitor) words.Language {
			return languageOf(ctx, shelf, who)
		},
		Count: meter.Count,
		Commands: append([]sshd.Command{
			{Name: "play", Args: tui.PlayUsage, About: "Play at once, the next who comes or a bot", Check: checkOpening(host)},
			{Name: "resume", Args: tui.ResumeUsage, About: "Continue a match: your own, or by a resume code", Check: checkOpening(host)},
			{Name: "join", Args: tui.JoinUsage, About: "Join a private room", Check: checkOpening(host)},
			{Name: "plain", About: "Play by sentences and typed commands, for screen readers", Check: checkOpening(host), Plain: true},
		}, commands.All(commands.Config{
			Host: host, Relay: wire, Log: log, Check: checkOpening(host), Operator: &commands.Operator{Admins: admins, Nodes: all.report},
		})...),
		App: func(ctx context.Context, who sshd.Visitor) (sshd.Screen, error) {
			own, err := host.Open(ctx, clientOf(who, tui.WatchPace))
			if err != nil {
				return nil, err
			}
			settings, _ := session.Ask(ctx, own, session.GetSettings{}) // the defaults, if they cannot be read
			return tui.New(ctx, tui.Config{
				Session: own, Settings: settings, Width: who.Width, Height: who.Height, Terminal: look.Read(who.Term, who.Env), Opening: openingOf(who, log),
				Language: words.OfSession(who.Env),
			}), nil
		},
		Lines: func(ctx context.Context, who sshd.Visitor, c *console.Console) int {
			own, err := host.Open(ctx, clientOf(who, plain.WatchPace))
			if err != nil {
				c.Tell(words.Mean("%v", err))
				return 1
			}
			settings, _ := session.Ask(ctx, own, session.GetSettings{})
			return plain.New(ctx, plain.Config{
				Session: own, Opening: openingOf(who, log), Console: c, Settings: settings, Language: who.Language,
			}).Run()
		},
	})
	if err != nil {
		return err
	}
	bans.front = front

	trusted, err := proxy.ParseTrusted(cfg.balancers)
	if err != nil {
		return fmt.Errorf("--proxy-protocol: %w", err)
	}
	handed, err := sockets()
	if err != nil {
		return err
	}
	sshListener, err := listen("SSH", cfg.ssh, "--ssh", handed["ssh"], trusted, log)
	if err != nil {
		return err
	}
	relayListener, err := listen("the relay", cfg.relay, "--relay", handed["relay"], trusted, log)
	if err != nil {
		sshListener.Close()
		return err
	}
	all.status = func() control.Status {
		conns, sessions := front.Traffic()
		programs, _, _ := wire.Traffic()
		census := hall.Census()
		return control.Status{
			Version: version, SSH: sshListener.Addr().String(), HostKey: front.Fingerprint(), Connections: conns, Sessions: sessions,
			Programs: programs, People: census.People, Waiting: census.Waiting, Leases: census.Matches, Spectators: census.Watching,
			Draining: draining.Load(), Trouble: trouble(node),
		}
	}
	node.SetStatus(func() []byte { return all.status().Encode() })
	view.Store(all)
	meter.Watch(metrics.Sources{
		SSH: front.Traffic, Relay: wire.Traffic, Census: hall.Census, Queue: shelf.Queue, Cluster: all.health,
		Ready: func(ctx context.Context) error {
			if draining.Load() {
				return lobby.ErrClosing
			}
			return shelf.Ping(ctx)
		},
	})
	if cfg.clustered() {
		defer followGate(bans, host, log)()
	}
	if cfg.metrics != "" {
		stop, err := serveMetrics(meter, cfg, log)
		if err != nil {
			return errors.Join(err, sshListener.Close(), relayListener.Close())
		}
		defer stop()
	}
	doors := make(chan error, 2)
	go func() { doors <- front.Serve(sshListener) }()
	go func() { doors <- wire.Serve(relayListener) }()
	printWelcome(out, sshListener.Addr(), relayListener.Addr(), front.Fingerprint())

	defer keepWatchdog(log, func() { hall.Census() })()
	tell(log, daemon.SdNotifyReady)

	open := 2
	for running := true; running; {
		select {
		case <-ctx.Done():
			running = false
		case err = <-doors: // a door that fails closes the house
			running = false
			open--
		case <-cfg.reload.signals():
			next, ok := cfg.reload.read(log)
			if !ok {
				continue
			}
			cfg.drain = next.drain
			hall.SetQuietGuests(!next.guestTalk)
			hall.SetMaxMatches(next.maxMatches)
			if err := front.SetLimits(next.limits); err != nil {
				log.Error("the limits stay as they are", "error", err)
			}
			wire.SetLimits(next.wire)
			setLevel(next.logLevel)
		}
	}
	draining.Store(true)
	tell(log, daemon.SdNotifyStopping)
	log.Info("shutting down", "drain", cfg.drain)
	sshListener.Close()
	relayListener.Close()
	shutdown(hall, node, front, wire, cfg.drain, log)
	for range open {
		if e := <-doors; err == nil {
			err = e
		}
	}
	return err
}

// clientOf describes a visitor to the host of sessions.
func clientOf(who sshd.Visitor, watchPace time.Duration) session.Client {
	return session.Client{Name: who.Name, Fingerprint: who.Fingerprint, Addr: who.Addr, Conn: strconv.Itoa(who.Conn), WatchPace: watchPace}
}

// serveMetrics answers at the address for metrics until stop is called.
func serveMetrics(meter *metrics.Meter, cfg serveConfig, log *slog.Logger) (stop func(), err error) {
	l, err := listen("metrics", cfg.metrics, "--metrics-listen", nil, nil, log)
	if err != nil {
		return nil, err
	}
	log.Info("metrics", "address", l.Addr().String())
	ctx, cancel := context.WithCancel(context.Background())
	var work sync.WaitGroup
	work.Go(func() {
		if err := meter.Serve(ctx, l, cfg.profiles, log); err != nil {
			log.Error("there are no metrics any more", "error", err)
		}
	})
	return func() {
		cancel()
		work.Wait()
	}, nil
}

// openTime is how long the lobby may take to learn what the other nodes know.
const openTime = 30 * time.Second

// leaveTime is how long sessions and connections have to end by themselves
// once the matches have.
const leaveTime = 5 * time.Second

// What people read at the end of their sessions.
var (
	partingForGood = words.Mean("The server has been shut down.")
	partingToOther = words.Mean("This server is being restarted. Connect again, and go on where you were.")
)

// shutdown lets running matches end for the drain time, or go on at another
// node, then ends sessions and connections.
func shutdown(hall *lobby.Lobby, node cluster.Node, front *sshd.Server, wire *relay.Server, drain time.Duration, log *slog.Logger) {
	ctx, cancel := context.WithTimeout(context.Background(), drain)
	defer cancel()
	if err := hall.Drain(ctx); err != nil {
		log.Warn("shutting down without waiting any longer", "error", err)
	}
	ctx, cancel = context.WithTimeout(context.Background(), leaveTime)
	defer cancel()
	parting := partingForGood
	if node.Healthy() == nil && len(node.Peers()) > 1 {
		parting = partingToOther
	}
	if err := errors.Join(front.Shutdown(ctx, parting), wire.Shutdown(ctx)); err != nil {
		log.Warn("connections are cut short", "error", err)
	}
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
