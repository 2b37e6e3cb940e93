// Package server assembles the server from its parts: store, lobby, SSH, relay, website and
// metrics. [Config] holds the options. Commands are in package cli; each part has its own
// package.
//
// A [Server] owns the addresses at which clients connect. With a database of its own, it serves
// them all the time. With a PostgreSQL database, it is a node: it serves them while package
// election says that it is active, and passes them on to the active node at other times. A
// service exists for each such time, and everything that depends on the lobby belongs to it.
package server

import (
	"cmp"
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
	gossh "golang.org/x/crypto/ssh"

	"broadside/bots"
	"broadside/internal/election"
	"broadside/internal/metrics"
	"broadside/internal/store"
	"broadside/match"
	"broadside/match/audit"
)

// Server is the whole server.
type Server struct {
	log   *slog.Logger
	meter *metrics.Meter
	// A node uses store only for what a standby may do.
	store *store.Store
	keys  []gossh.Signer
	// self has the values that do not change.
	self store.Node
	// registry and election are nil if this is not a node.
	registry  *registry
	forwarder *election.Forwarder
	listeners listeners
	// metrics is nil if there are none.
	metrics  net.Listener
	election *election.Election

	// background is the context of the goroutines in work.
	background context.Context
	stop       context.CancelFunc
	work       sync.WaitGroup
	shutdown   sync.Once

	mu sync.Mutex
	// mu guards this and the fields below.
	cfg Config
	// current is nil on a standby.
	current *service
	// stopping is set when no service may start.
	stopping bool
}

// listeners are the addresses at which clients connect.
type listeners struct {
	ssh, relay *election.Listener
	// web is nil if there is no website.
	web *election.Listener
}

// listOpen returns the listeners that exist.
func (l *listeners) listOpen() []*election.Listener {
	if l.web == nil {
		return []*election.Listener{l.ssh, l.relay}
	}
	return []*election.Listener{l.ssh, l.relay, l.web}
}

// New opens the store, the host keys and the listeners, and takes part in the election of the
// active node if there is one. [Server.Run] serves clients; a server that is never run must be
// closed with [Server.Shutdown]. Errors are meant for the operator.
func New(ctx context.Context, cfg Config, log *slog.Logger) (*Server, error) {
	if err := cfg.prepare(); err != nil {
		return nil, err
	}
	cfg = cfg.withDefaults()
	s := &Server{
		log: log, meter: metrics.New(), cfg: cfg, forwarder: election.NewForwarder(log),
		self: store.Node{
			ID: store.NewID(), World: cmp.Or(cfg.World, DefaultWorld), Name: cfg.NodeName, Version: cfg.Version,
			Public: cfg.Public, Started: time.Now().UTC(),
		},
	}
	if s.self.Name == "" {
		s.self.Name, _ = os.Hostname()
	}
	s.background, s.stop = context.WithCancel(context.Background())
	if err := s.open(ctx); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

// open opens the parts in order of their dependencies.
func (s *Server) open(ctx context.Context) (err error) {
	cfg := s.cfg
	folder := FindOldFolder(cfg.Data)
	if folder != "" {
		s.log.Warn("remove this folder, which only earlier versions used", "folder", folder)
	}
	if cfg.Store == "" {
		if err := CheckDatabase(cfg.Data); err != nil {
			return err
		}
	}
	s.store, err = store.Open(ctx, store.Config{
		Folder: cfg.Data, URL: cfg.Store, Exclusive: cfg.Store == "",
		Log: s.log, OnWrite: s.meter.ObserveWrite, OnJournalWrite: s.meter.ObserveJournalWrite,
	})
	if err != nil {
		return err
	}
	if s.keys, err = cfg.OpenHostKeys(ctx, s.store); err != nil {
		return err
	}
	if cfg.Store != "" {
		list, err := store.OpenNodes(cfg.Store)
		if err != nil {
			return err
		}
		s.registry = &registry{nodes: list, host: cfg.NodeAddress, describeNode: s.describeNode, log: s.log}
	}
	if err = s.openListeners(cfg); err != nil {
		return err
	}
	if cfg.Metrics != "" {
		if s.metrics, err = openListener("metrics", cfg.Metrics, "--metrics-listen"); err != nil {
			return err
		}
	}
	if cfg.Store == "" {
		if err = s.start(ctx, s.store); err != nil {
			return err
		}
	} else {
		s.election = election.Start(s.electionConfig())
		s.work.Go(func() { s.registry.run(s.background, s.election, s.forwarder) })
	}
	s.meter.SetSources(metrics.Sources{Snapshot: s.metricsSnapshot, Ready: s.checkReady})
	return nil
}

// Run serves clients until ctx ends or a part fails, and then shuts down. Running matches have
// the drain time to end, or continue on another node.
func (s *Server) Run(ctx context.Context) error {
	if s.metrics != nil {
		s.log.Info("serving metrics", "address", s.metrics.Addr().String())
		s.work.Go(func() {
			if err := s.meter.Serve(s.background, s.metrics, s.config().Profiles, s.log); err != nil {
				s.log.Error("cannot serve metrics", "error", err)
			}
		})
	}
	s.work.Go(func() { notifyWatchdog(s.background, s.log, func() { s.metricsSnapshot() }) })
	notifyManager(s.log, daemon.SdNotifyReady)
	var err error
	if s.election == nil {
		err = s.service().serve(ctx)
	} else {
		err = s.runNode(ctx)
	}
	notifyManager(s.log, daemon.SdNotifyStopping)
	drain := s.config().Drain
	s.log.Info("shutting down", "drain", drain)
	draining, cancel := context.WithTimeout(context.WithoutCancel(ctx), drain)
	defer cancel()
	return errors.Join(err, s.Shutdown(draining))
}

// start opens a service and makes it the current one.
func (s *Server) start(ctx context.Context, db *store.Store) error {
	v, err := s.openService(ctx, db)
	if err != nil {
		return err
	}
	s.mu.Lock()
	if s.stopping {
		s.mu.Unlock()
		v.shutDown(ctx, partingForGood)
		return nil
	}
	defer s.mu.Unlock()
	s.current = v
	// Options may have changed in the meantime.
	v.applyOptions(s.cfg)
	for _, d := range s.listeners.listOpen() {
		d.Open()
	}
	return nil
}

// service returns the current service, or nil if this node is standing by.
func (s *Server) service() *service {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current
}

func (s *Server) config() Config {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cfg
}

// Shutdown refuses new clients, waits until running matches have ended, ctx ends, or
// another node can continue them, closes all connections and stores the remaining changes.
// Further calls have no effect.
func (s *Server) Shutdown(ctx context.Context) (err error) {
	s.shutdown.Do(func() {
		s.mu.Lock()
		s.stopping = true
		current := s.current
		s.mu.Unlock()
		if err := s.forwarder.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
			s.log.Warn("cannot close the listeners", "error", err)
		}
		if current != nil {
			current.closeListeners()
			if s.registry != nil && s.registry.hasStandby() {
				// Matches continue on the other node.
				current.shutDown(endedContext(), partingToOther)
			} else {
				s.waitForMatches(ctx, current)
				current.shutDown(ctx, partingForGood)
			}
		}
		err = s.close()
	})
	return err
}

// close closes the open parts in reverse order.
func (s *Server) close() error {
	err := s.forwarder.Close()
	s.stop()
	s.work.Wait()
	// The listener is still open if the server never ran.
	if s.metrics != nil {
		err = errors.Join(err, s.metrics.Close())
	}
	if s.election != nil {
		s.election.Close()
	}
	if s.registry != nil {
		err = errors.Join(err, s.registry.nodes.Close())
	}
	// The store is closed last, so that all results are stored.
	if s.store != nil {
		e := s.store.Close()
		if e != nil {
			s.log.Error("cannot close the database properly", "error", e)
		}
	}
	if errors.Is(err, net.ErrClosed) {
		err = nil
	}
	return err
}

// Configure applies the options that can change while the server runs.
func (s *Server) Configure(cfg Config) {
	cfg = cfg.withDefaults()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cfg = cfg
	s.listeners.ssh.SetLimits(cfg.Limits.MaxConns, cfg.Limits.MaxConnsPerAddr)
	s.listeners.relay.SetLimits(cfg.RelayLimits.MaxConns, cfg.RelayLimits.MaxConnsPerAddr)
	if s.listeners.web != nil {
		s.listeners.web.SetLimits(cfg.WebLimits.MaxConns, cfg.WebLimits.MaxConnsPerAddr)
	}
	if s.current != nil {
		s.current.applyOptions(cfg)
	}
}

// SSHAddr returns the address for SSH.
func (s *Server) SSHAddr() net.Addr { return s.listeners.ssh.Addr() }

// RelayAddr returns the relay's address.
func (s *Server) RelayAddr() net.Addr { return s.listeners.relay.Addr() }

// WebAddr returns the website's address, or nil if there is none.
func (s *Server) WebAddr() net.Addr {
	if s.listeners.web == nil {
		return nil
	}
	return s.listeners.web.Addr()
}

// Fingerprint returns the preferred host key's SHA-256 fingerprint.
func (s *Server) Fingerprint() string { return gossh.FingerprintSHA256(s.keys[0].PublicKey()) }

// prepare checks the options and creates the data folder.
func (c *Config) prepare() error {
	if c.RelayFill > 0 {
		bot := bots.Config{Rules: match.Classic(), Rand: rand.New(rand.NewPCG(1, 1))}
		if _, err := bots.New(c.RelayFillBot, bot); err != nil {
			return fmt.Errorf("--relay-fill-bot: %w", err)
		}
	}
	if err := c.CheckNodeOptions(); err != nil {
		return err
	}
	if err := os.MkdirAll(c.Data, 0o700); err != nil {
		return fmt.Errorf("cannot create the data folder: %w: choose another one with --data", err)
	}
	return c.checkData()
}

// audits are the values of the relay-audit option.
var audits = map[string]audit.Mode{"flag": audit.Flag, "forfeit": audit.Forfeit, "off": audit.Off}

// encodePause converts a pause for package lobby or relay, where 0 means the default and a negative value
// means no pause.
func encodePause(d time.Duration) time.Duration {
	if d <= 0 {
		return -1
	}
	return d
}
