package server

import (
	"context"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"broadside/internal/election"
	"broadside/internal/i18n"
	"broadside/internal/metrics"
	"broadside/internal/session"
	"broadside/internal/store"
	"broadside/lobby"
	"broadside/sshd"
)

// service provides the sessions of this process, from its own lobby or as a node of a
// cluster.
type service struct {
	cfg   Config
	log   *slog.Logger
	meter *metrics.Meter
	host  session.Host
	keys  []sshd.HostKey
	node  *node // nil: a single server
	store *store.Store
	self  store.Node // what does not change
	front atomic.Pointer[frontends]

	registry *registry // nil: a single server
	forward  *election.Forwarder

	mu      sync.Mutex
	current *lobby.Lobby // nil: this node is not active; guarded by mu, like the fields below
	saves   *store.Store // the store of the lobby
	quiet   bool
	most    int
}

// openService opens the store and the host keys. Call [service.start] before opening
// sessions.
func openService(ctx context.Context, cfg Config, meter *metrics.Meter, log *slog.Logger) (*service, error) {
	s := &service{
		cfg: cfg, log: log, meter: meter, quiet: !cfg.GuestTalk, most: cfg.MaxMatches,
		self: store.Node{
			ID: store.NewID(), World: "main", Name: cfg.NodeName, Version: cfg.Version, Public: cfg.Public, Started: time.Now().UTC(),
		},
	}
	if s.self.Name == "" {
		s.self.Name, _ = os.Hostname()
	}
	if folder := OldFolder(cfg.Data); folder != "" {
		log.Warn("only earlier versions used this folder: remove it", "folder", folder)
	}
	if cfg.Store == "" {
		if err := CheckDatabase(cfg.Data); err != nil {
			return nil, err
		}
	}
	var err error
	if cfg.Clustered() {
		err = s.lead(ctx)
	} else {
		s.store, err = store.Open(ctx, store.Config{
			Folder: cfg.Data, URL: cfg.Store, Exclusive: true, Log: log, Wrote: meter.Wrote,
		})
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	if s.keys, err = cfg.OpenHostKeys(ctx, s.store); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// start opens the lobby. After that, the frontends may serve.
func (s *service) start(f *frontends) error {
	host, err := s.openLobby(context.Background(), s.store, f.bans)
	if err == nil {
		s.host = host
	}
	return err
}

// Open implements [session.Host].
func (s *service) Open(ctx context.Context, c session.Client) (session.Session, error) {
	return s.host.Open(ctx, c)
}

// openLobby opens a lobby and makes it the current one until closeLobby.
func (s *service) openLobby(ctx context.Context, db *store.Store, operator session.Operator) (*session.Lobby, error) {
	s.mu.Lock()
	quiet, most := s.quiet, s.most
	s.mu.Unlock()
	cfg := lobby.Config{
		Audit: audits[s.cfg.Audit], MoveTimeout: s.cfg.MoveTimeout, AnswerTime: s.cfg.AnswerTime, BotPace: pace(s.cfg.BotPace),
		Log: s.log, Store: db, QuietGuests: quiet, Ladder: s.cfg.Ladder, LadderPause: s.cfg.LadderPause, MaxMatches: most, Meter: s.meter.Lobby(),
	}
	current, err := lobby.Open(ctx, cfg)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current, s.saves = current, db
	s.applyLocked() // options that changed in the meantime
	return &session.Lobby{Lobby: current, Operator: operator}, nil
}

// closeLobby closes the current lobby, if there is one.
func (s *service) closeLobby() {
	s.mu.Lock()
	current := s.current
	s.current, s.saves = nil, nil
	s.mu.Unlock()
	if current != nil {
		current.Close()
	}
}

// lobby returns the current lobby, or nil if this node is not active.
func (s *service) lobby() *lobby.Lobby {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current
}

// configure applies the options that can change while the server runs.
func (s *service) configure(cfg Config) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.quiet, s.most = !cfg.GuestTalk, cfg.MaxMatches
	s.applyLocked()
}

func (s *service) applyLocked() {
	if s.current != nil {
		s.current.Chat.SetQuietGuests(s.quiet)
		s.current.Matches.SetMax(s.most)
	}
}

// census returns the figures of the current lobby.
func (s *service) census() lobby.Stats {
	if current := s.lobby(); current != nil {
		return current.Stats()
	}
	return lobby.Stats{}
}

// queue returns the number of changes waiting for the database.
func (s *service) queue() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.saves == nil {
		return 0
	}
	return s.saves.Queue()
}

// ready returns nil if people can play, and otherwise the reason.
func (s *service) ready(ctx context.Context) error {
	return s.store.Ping(ctx)
}

// describe returns what this process reports as a node. It does not block.
func (s *service) describe() store.Node {
	n, c := s.self, s.census()
	n.Active, n.People, n.Waiting, n.Matches, n.Spectators = s.lobby() != nil, c.People, c.Waiting, c.Matches, c.Watching
	if f := s.front.Load(); f != nil {
		f.describe(&n)
	}
	return n
}

// part describes this process for metrics.
func (s *service) part() metrics.Node {
	if s.node != nil {
		return s.node.part()
	}
	return metrics.Node{Known: 1, Connected: true, Active: true}
}

// Messages shown to players when the server ends their sessions.
var (
	partingForGood = i18n.NewMessage("the-server-has-been-shut")
	partingToOther = i18n.NewMessage("the-server-is-restarting-reconnect")
)

// drain waits until running matches have ended, ctx ends, or another node has taken over.
// It returns the message with which this process ends its sessions.
func (s *service) drain(ctx context.Context) i18n.Message {
	if s.node != nil {
		return partingToOther
	}
	if current := s.lobby(); current != nil {
		if err := current.Drain(ctx); err != nil {
			s.log.Warn("matches still running at the end of the drain time", "error", err)
		}
	}
	return partingForGood
}

// Close closes the lobby and the store, and leaves the role of the active node.
func (s *service) Close() {
	s.closeLobby()
	if s.store != nil {
		if err := s.store.Close(); err != nil {
			s.log.Error("cannot close the database properly", "error", err)
		}
	}
	if s.node != nil {
		s.node.close()
	}
	if s.registry != nil {
		s.forward.Close()
		s.registry.list.Close()
	}
}
