package server

import (
	"context"
	"errors"
	"time"

	"broadside/internal/election"
	"broadside/internal/metrics"
	"broadside/internal/store"
	"broadside/lobby"
)

// runNode serves clients whenever this node is active, until ctx ends, the server shuts down, or a part
// fails.
func (s *Server) runNode(ctx context.Context) error {
	for ctx.Err() == nil {
		state, changed := s.election.State()
		if state.Active != nil {
			if err := s.serveWhileActive(ctx, state.Active); err != nil {
				return err
			}
		}
		if s.isStopping() {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
		}
	}
	return nil
}

// serveWhileActive serves clients until another node is active, ctx ends, or a part fails. If
// the lobby cannot be opened, it leaves the role to another node.
func (s *Server) serveWhileActive(ctx context.Context, a *election.Active) error {
	began := time.Now()
	opening, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(a.Context(), cancel)()
	if err := s.openActiveService(opening, a); err != nil {
		if opening.Err() == nil {
			s.log.Error("cannot become the active node", "error", err)
		}
		a.Resign()
		return nil
	}
	s.log.Info("this node serves players", "took", time.Since(began).Round(time.Millisecond))
	v := s.service()
	// The server shuts down.
	if v == nil {
		return nil
	}
	err := v.serve(opening)
	// Shutdown ends the service.
	if a.Context().Err() == nil || s.isStopping() {
		return err
	}
	s.mu.Lock()
	lost := s.current
	s.current = nil
	s.mu.Unlock()
	if lost == nil {
		return nil
	}
	lost.shutDown(endedContext(), partingToOther)
	return nil
}

// openActiveService opens the store and the active node's lobby.
func (s *Server) openActiveService(ctx context.Context, a *election.Active) error {
	cfg := s.electionConfig()
	db, err := store.Open(ctx, store.Config{
		URL: cfg.DSN, World: cfg.World, Fence: a, Log: s.log, OnWrite: s.meter.ObserveWrite, OnJournalWrite: s.meter.ObserveJournalWrite,
	})
	if err != nil {
		return err
	}
	if err := s.start(ctx, db); err != nil {
		return errors.Join(err, db.Close())
	}
	return nil
}

func (s *Server) electionConfig() election.Config {
	cfg := s.config()
	return election.Config{DSN: cfg.Store, World: cfg.World, NodeID: s.self.ID, Log: s.log}
}

func (s *Server) isStopping() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stopping
}

func (s *Server) waitForMatches(ctx context.Context, v *service) {
	if err := v.lobby.Drain(ctx); err != nil {
		s.log.Warn("matches still running at the end of the drain time", "error", err)
	}
}

// endedContext returns a context that has ended, for a service that must not wait.
func endedContext() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

// errStandby is why a standby is not ready.
var errStandby = errors.New("standing by")

// checkReady returns nil if players can use this server, and otherwise the reason.
func (s *Server) checkReady(ctx context.Context) error {
	s.mu.Lock()
	current, stopping := s.current, s.stopping
	s.mu.Unlock()
	switch {
	case stopping:
		return lobby.ErrClosing
	case current == nil:
		return errStandby
	case s.election != nil:
		state, _ := s.election.State()
		if state.Active == nil || !state.Active.CanAnswer() {
			return store.ErrUnreachable
		}
		return nil
	}
	return current.store.Ping(ctx)
}

// metricsSnapshot returns this server's state.
func (s *Server) metricsSnapshot() metrics.Snapshot {
	m := metrics.Snapshot{Nodes: 1, Connected: true}
	if s.election != nil {
		state, _ := s.election.State()
		m.Nodes, m.Connected, m.Epoch = 1+len(s.registry.peerNodes()), state.Err == nil, state.Epoch
	}
	v := s.service()
	if v == nil {
		return m
	}
	m.Active = true
	m.Connections, m.Sessions = v.ssh.ConnectionCount(), v.ssh.SessionCount()
	m.Programs, m.LinesIn, m.LinesOut = v.relay.Traffic()
	m.Lobby, m.Queue = v.lobby.Stats(), v.store.QueueLength()
	return m
}
