// Package server assembles the server from its parts: store, lobby or cluster node, SSH,
// relay and metrics. [Config] holds the options. Commands are in package cli; each part
// has its own package.
package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"os"
	"sync"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
	"golang.org/x/sync/errgroup"

	"broadside/bots"
	"broadside/internal/metrics"
	"broadside/match"
	"broadside/match/audit"
)

// Server is the whole server: the service that provides sessions, the frontends and metrics.
type Server struct {
	log       *slog.Logger
	meter     *metrics.Meter
	service   *service
	frontends *frontends
	metrics   net.Listener // nil: no metrics

	background context.Context // of the goroutines in work
	stop       context.CancelFunc
	work       sync.WaitGroup
	shutdown   sync.Once

	mu    sync.Mutex
	drain time.Duration // guarded by mu
}

// New opens the store, the host keys, the lobby or the connection to the cluster, and the
// listeners. [Server.Run] serves clients; a server that is never run must be closed with
// [Server.Shutdown]. Errors are meant for the operator.
func New(ctx context.Context, cfg Config, log *slog.Logger) (*Server, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	s := &Server{log: log, meter: metrics.New(), drain: cfg.Drain}
	s.background, s.stop = context.WithCancel(context.Background())
	if err := s.open(ctx, cfg); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

// open opens the parts in order of their dependencies.
func (s *Server) open(ctx context.Context, cfg Config) (err error) {
	if s.service, err = openService(ctx, cfg, s.meter, s.log); err != nil {
		return err
	}
	if s.frontends, err = newFrontends(ctx, s.service); err != nil {
		return err
	}
	if err = s.frontends.listen(); err != nil {
		return err
	}
	if cfg.Metrics != "" {
		if s.metrics, err = listen("metrics", cfg.Metrics, "--metrics-listen", nil, nil, s.log); err != nil {
			return err
		}
	}
	if err = s.service.start(s.frontends); err != nil {
		return err
	}
	s.service.front.Store(s.frontends)
	s.meter.Watch(metrics.Sources{
		SSH: s.frontends.front.Traffic, Relay: s.frontends.wire.Traffic,
		Census: s.service.census, Queue: s.service.queue, Node: s.service.part, Ready: s.frontends.ready,
	})
	return nil
}

// Run serves clients until ctx ends or a frontend fails, and then shuts down. Running
// matches have the drain time to end, or continue on another node.
func (s *Server) Run(ctx context.Context) error {
	if s.service.cfg.Clustered() {
		s.work.Go(func() { followBans(s.background, s.frontends.bans, s.log) })
	}
	if s.metrics != nil {
		s.log.Info("serving metrics", "address", s.metrics.Addr().String())
		s.work.Go(func() {
			if err := s.meter.Serve(s.background, s.metrics, s.service.cfg.Profiles, s.log); err != nil {
				s.log.Error("serving metrics failed", "error", err)
			}
		})
	}
	serving, failed := errgroup.WithContext(ctx)
	serving.Go(func() error { return s.frontends.front.Serve(s.frontends.ssh) })
	serving.Go(func() error { return s.frontends.wire.Serve(s.frontends.relay) })
	if site := s.frontends.site; site != nil {
		s.log.Info("serving the website", "address", s.frontends.web.Addr().String())
		serving.Go(func() error { return site.Serve(s.frontends.web) })
	}
	s.work.Go(func() { keepWatchdog(s.background, s.log, func() { s.service.census() }) })
	notify(s.log, daemon.SdNotifyReady)

	<-failed.Done()
	notify(s.log, daemon.SdNotifyStopping)
	s.mu.Lock()
	drain := s.drain
	s.mu.Unlock()
	s.log.Info("shutting down", "drain", drain)
	draining, cancel := context.WithTimeout(context.WithoutCancel(ctx), drain)
	defer cancel()
	return errors.Join(s.Shutdown(draining), serving.Wait())
}

// Shutdown refuses new clients, waits until running matches have ended, ctx ends, or
// another node has taken over, closes all connections and stores the remaining changes.
// Further calls have no effect.
func (s *Server) Shutdown(ctx context.Context) (err error) {
	s.shutdown.Do(func() {
		s.frontends.shutdown(ctx)
		err = s.close()
	})
	return err
}

// close closes the open parts in reverse order.
func (s *Server) close() error {
	var err error
	if s.frontends != nil {
		err = s.frontends.closeListeners()
	}
	s.stop()
	s.work.Wait()
	if s.metrics != nil { // still open if the server never ran
		err = errors.Join(err, s.metrics.Close())
	}
	if s.service != nil {
		s.service.Close() // last, so that all results are stored
	}
	if errors.Is(err, net.ErrClosed) {
		err = nil
	}
	return err
}

// Configure applies the options that can change while the server runs.
func (s *Server) Configure(cfg Config) {
	s.mu.Lock()
	s.drain = cfg.Drain
	s.mu.Unlock()
	s.service.configure(cfg)
	s.frontends.configure(cfg)
}

// SSHAddr returns the address at which people connect.
func (s *Server) SSHAddr() net.Addr { return s.frontends.ssh.Addr() }

// RelayAddr returns the address at which programs connect.
func (s *Server) RelayAddr() net.Addr { return s.frontends.relay.Addr() }

// WebAddr returns the address of the website, or nil if there is none.
func (s *Server) WebAddr() net.Addr {
	if s.frontends.web == nil {
		return nil
	}
	return s.frontends.web.Addr()
}

// Fingerprint returns the SHA-256 fingerprint of the preferred host key.
func (s *Server) Fingerprint() string { return s.frontends.front.Fingerprint() }

// check validates the options and creates the data folder.
func (c *Config) check() error {
	if c.RelayFill > 0 {
		if _, err := bots.New(c.RelayFillBot, bots.Config{Rules: match.Classic(), Rand: rand.New(rand.NewPCG(1, 1))}); err != nil {
			return fmt.Errorf("--relay-fill-bot: %w", err)
		}
	}
	if err := c.CheckCluster(); err != nil {
		return err
	}
	if err := os.MkdirAll(c.Data, 0o700); err != nil {
		return fmt.Errorf("cannot create the data folder: %w: choose another one with --data", err)
	}
	return c.safeData()
}

// audits are the values of the option relay-audit.
var audits = map[string]audit.Mode{"flag": audit.Flag, "forfeit": audit.Forfeit, "off": audit.Off}

// pace converts an option for a pause to the form used by lobby and relay, where 0 means
// the default and a negative value means no pause.
func pace(d time.Duration) time.Duration {
	if d <= 0 {
		return -1
	}
	return d
}
