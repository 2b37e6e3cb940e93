package cli

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
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
	"github.com/spf13/cobra"

	"broadside/bots"
	"broadside/internal/config"
	"broadside/internal/control"
	"broadside/internal/metrics"
	"broadside/match"
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
	if err := cfg.check(); err != nil {
		return err
	}
	name, commit := buildInfo()
	version := strings.TrimSpace(name + " " + commit)
	meter := metrics.New(version)
	svc, err := openService(ctx, cfg, version, meter, log)
	if err != nil {
		return err
	}
	defer svc.Close() // last, so that everything that ends below is stored
	socket, err := openControl(cfg.data, log)
	if err != nil {
		return err
	}
	defer serveControl(socket, svc.report, log)()
	f, err := newFrontends(ctx, svc)
	if err != nil {
		return err
	}
	if err := f.listen(); err != nil {
		return err
	}
	if err := svc.start(f); err != nil {
		return errors.Join(err, f.closeListeners())
	}
	svc.setStatus(func() control.Status { return f.status(version) })
	meter.Watch(metrics.Sources{
		SSH: f.front.Traffic, Relay: f.wire.Traffic, Census: svc.census, Queue: svc.queue, Node: svc.part, Ready: f.ready,
	})
	if cfg.clustered() {
		defer followGate(f.bans, log)()
	}
	if cfg.metrics != "" {
		stop, err := serveMetrics(meter, cfg, log)
		if err != nil {
			return errors.Join(err, f.closeListeners())
		}
		defer stop()
	}
	done := make(chan error, 2)
	go func() { done <- f.front.Serve(f.ssh) }()
	go func() { done <- f.wire.Serve(f.relay) }()
	printWelcome(out, f.ssh.Addr(), f.relay.Addr(), f.front.Fingerprint())

	defer keepWatchdog(log, func() { svc.census() })()
	tell(log, daemon.SdNotifyReady)

	open := 2
	for running := true; running; {
		select {
		case <-ctx.Done():
			running = false
		case err = <-done: // if one of them fails, the server stops
			running = false
			open--
		case <-cfg.reload.signals():
			if next, ok := cfg.reload.read(log); ok {
				cfg.drain = next.drain
				svc.configure(next)
				f.configure(next)
				setLevel(next.logLevel)
			}
		}
	}
	tell(log, daemon.SdNotifyStopping)
	log.Info("shutting down", "drain", cfg.drain)
	f.shutdown(cfg.drain)
	for range open {
		if e := <-done; err == nil {
			err = e
		}
	}
	return err
}

// check checks what can be checked before anything is opened, and creates the data
// folder.
func (c *serveConfig) check() error {
	if c.fill > 0 {
		if _, err := bots.New(c.fillBot, bots.Config{Rules: match.Classic(), Rand: rand.New(rand.NewPCG(1, 1))}); err != nil {
			return fmt.Errorf("--relay-fill-bot: %w", err)
		}
	}
	if err := c.checkCluster(); err != nil {
		return err
	}
	if err := os.MkdirAll(c.data, 0o700); err != nil {
		return fmt.Errorf("the data folder cannot be made: %w: choose another with --data", err)
	}
	return c.safeData()
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

// audits are the values of the option relay-audit.
var audits = map[string]match.AuditMode{"flag": match.AuditFlag, "forfeit": match.AuditForfeit, "off": match.AuditOff}

// pace is the lobby's value for a pause of d: there, 0 asks for the default.
func pace(d time.Duration) time.Duration {
	if d <= 0 {
		return -1
	}
	return d
}
