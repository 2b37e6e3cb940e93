package relay

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"broadside/internal/ratelimit"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/match"
)

// place is the result of a search for an opponent: a match, an open offer, or neither.
type place struct {
	match  *session.Match
	waits  bool  // an offer is open
	yields bool  // the client lets others go first
	err    error // why none of these holds; a sentence for the client's owner
}

// seek looks for a match as the client requested. A client that has kept opponents waiting lets others
// go first.
func (s *series) seek() place {
	return s.seekAs(s.conn.server.waits.isBlamed(s.origin(), time.Now()))
}

func (s *series) seekAs(behind bool) place {
	behind = behind && s.request.vs == versus{}
	own := s.conn.session
	if s.request.resumed != nil && s.tally.games == 0 {
		p := s.placed()
		s.sentRole, s.warned = role(p.match.Side), true
		return p
	}
	p := s.directives.client()
	p.Silent = p.Account == "" && !s.conn.spoken.Load()
	p.Fixed = s.request.fixed()
	p.Returns = s.request.returns
	if p != own.State().Me { // changed by directives
		own.PlayAs(p)
	}
	var err error
	switch w := s.request; {
	case w.vs.bot != "":
		err = own.PlayBot(w.vs.bot, w.rules, w.choice)
	case w.vs.room != "":
		err = own.JoinPrivate(w.vs.room)
	case w.vs.cup != "":
		err = own.SeekTournament(s.conn.ctx, w.vs.cup)
	case w.vs.ladder:
		err = own.JoinLadder(w.rules)
	case w.vs.player != "":
		err = own.PlayNamed(w.vs.player, w.rules, w.choice)
	case behind:
		err = own.SeekBehind(w.rules, w.choice)
	default:
		err = own.Seek(w.rules, w.choice)
	}
	if err != nil {
		return place{err: err}
	}
	state := own.State()
	s.directives.identify(state.Me) // now with its ID and final name
	if p := s.placed(); p.match != nil || !behind || state.Offer != nil {
		return p
	}
	return place{yields: true}
}

// placed returns the session's match or offer after an action that looks for an opponent.
func (s *series) placed() place {
	if m := s.conn.session.State().Match; m != nil && m.ID != s.tally.match {
		return place{match: m}
	}
	return place{waits: true}
}

// await waits for the outcome of the open offer. The error is that of the session or ctx.
func (s *series) await(ctx context.Context) (place, error) {
	for {
		u, err := s.conn.session.Next(ctx)
		if err != nil {
			return place{}, err
		}
		switch u.Kind {
		case session.Seated:
			if p := s.placed(); p.match != nil {
				return p, nil
			}
		case session.OfferChanged:
			return place{err: u.Err}, nil
		}
	}
}

// errRecalled means that the client leaves the lobby because it has sent a directive.
var errRecalled = errors.New("the client has sent a directive")

// awaitFirst is await, but the client can be recalled. See [conn.recall].
func (s *series) awaitFirst(ctx context.Context) (place, error) {
	if s.tally.games > 0 || !s.conn.early {
		return s.await(ctx)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	done := make(chan struct{})
	var watcher sync.WaitGroup
	watcher.Go(func() {
		select {
		case <-s.recalls:
			cancel(errRecalled)
		case <-done:
		}
	})
	p, err := s.await(ctx)
	close(done)
	watcher.Wait()
	if recalled := context.Cause(ctx) == errRecalled; recalled && err != nil {
		return place{}, errRecalled
	} else if recalled {
		s.recalled <- false
	}
	return p, err
}

// withdraw cancels the open offer. If an opponent has already accepted, it returns the match.
func (s *series) withdraw() *session.Match {
	if back, _ := s.conn.session.Cancel(); back {
		return nil
	}
	p, _ := s.await(s.conn.server.ctx)
	return p.match
}

// uncountedPause is how long a client waits before it seeks again, because its other rated matches do not
// count yet.
const uncountedPause = time.Second / 4

// yield seeks again after others had time to go first, or as soon as enough of the client's matches count,
// if p requires that. Otherwise it returns p.
func (s *series) yield(p place) place {
	for {
		switch {
		case errors.Is(p.err, lobby.ErrUncounted):
			if !s.sleep(uncountedPause) {
				return place{}
			}
			p = s.seek()
		case p.yields:
			if !s.sleep(courtesyTime) {
				return place{}
			}
			p = s.seekAs(false)
		default:
			return p
		}
	}
}

// sleep waits for d. It returns false if the client leaves in the meantime.
func (s *series) sleep(d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-s.conn.ctx.Done():
		return false
	}
}

// sitDown sends the client its role and waits for its opponent. It returns nil if there
// will be none, with an error unless the client has left.
func (s *series) sitDown(p place) (*session.Match, error) {
	if p.match != nil {
		s.sendRole(p.match.Side)
		return p.match, nil
	}
	if !p.waits {
		return nil, p.err
	}
	if s.request.vs.chosen() { // it needs no place, and the side is not known yet
		m, err := s.opponent()
		if m != nil {
			s.sendRole(m.Side)
		}
		return m, err
	}
	origin := s.origin()
	switch m, taken := s.acquirePlace(origin); {
	case taken:
		defer s.conn.server.waits.release(origin)
	case m != nil:
		s.sendRole(match.First)
		return m, nil
	default:
		return nil, errPlaces
	}
	s.sendRole(match.First)
	return s.opponent()
}

// sendRole sends the client its role, unless it was sent this role before a recall.
func (s *series) sendRole(side match.Side) {
	m := role(side)
	if s.sentRole != m {
		s.out.send(m)
	}
	s.sentRole = m
}

// opponent waits for an opponent. It returns nil without an error if the client leaves.
func (s *series) opponent() (*session.Match, error) {
	ctx, cancel := s.conn.ctx, func() {}
	if s.fillable() {
		ctx, cancel = context.WithTimeout(s.conn.ctx, s.conn.server.cfg.Fill)
	}
	p, err := s.awaitFirst(ctx)
	cancel()
	if errors.Is(err, errRecalled) {
		m := s.withdraw()
		s.recalled <- m == nil
		if m == nil {
			return nil, err
		}
		return m, nil
	}
	if errors.Is(err, context.DeadlineExceeded) {
		if err := s.conn.session.Fill(s.conn.server.cfg.FillBot); err != nil {
			s.conn.log.Warn("no bot available for a waiting client", "error", err)
		}
		p, err = s.await(s.conn.ctx)
	}
	switch {
	case err == nil:
		return p.match, p.err
	case s.conn.ctx.Err() == nil: // an operator has ended the session
		return nil, err
	}
	return s.withdraw(), nil
}

// placePatience is how long a client waits for one of its origin's waiting places. A
// client that finds an opponent releases its place a moment later.
const placePatience = time.Second

// acquirePlace acquires a waiting place. If there is none, it cancels the client's offer. If an
// opponent has accepted in the meantime, it returns the match.
func (s *series) acquirePlace(origin string) (_ *session.Match, taken bool) {
	for end := time.Now().Add(placePatience); ; {
		if s.conn.server.waits.acquire(origin) {
			return nil, true
		}
		if s.conn.ctx.Err() != nil || !time.Now().Before(end) {
			return s.withdraw(), false
		}
		ctx, cancel := context.WithTimeout(s.conn.ctx, placePatience/50)
		p, err := s.await(ctx)
		cancel()
		if err == nil {
			return p.match, false
		}
	}
}

// fillable reports whether a bot may replace a missing opponent.
func (s *series) fillable() bool {
	w := s.request
	return s.conn.server.cfg.Fill > 0 && w.vs == versus{}
}

const (
	// rematchTime is how long a series waits for its last opponent to accept a rematch.
	rematchTime = 30 * time.Second
	// settleTime is how long messages are ignored after a game that ended early, unless
	// the client sends ready. They may belong to that game.
	settleTime = DefaultHelloDelay
)

// again returns the next match or offer: against the same opponent with the sides
// swapped, as long as the opponent agrees; otherwise as at the start of the series.
func (s *series) again(m *session.Match) place {
	if s.tally.short {
		wait := time.NewTimer(settleTime)
		defer wait.Stop()
		select {
		case <-wait.C:
		case <-s.directives.hasReadied():
		case <-s.conn.ctx.Done():
		}
	}
	if m.Opponent.Kind == account.Bot && s.fillable() || s.request.vs.chosen() { // the bot only filled in for a missing opponent
		s.conn.session.LeaveMatch(false)
		return s.seek()
	}
	err := s.conn.session.Rematch()
	for errors.Is(err, lobby.ErrUncounted) && s.sleep(uncountedPause) {
		err = s.conn.session.Rematch()
	}
	if err != nil {
		return s.seek()
	}
	p := s.placed()
	if p.match != nil {
		return p
	}
	ctx, cancel := context.WithTimeout(s.conn.ctx, rematchTime)
	p, err = s.await(ctx)
	cancel()
	if err != nil {
		s.seat.session.LeaveMatch(false)
		p, _ = s.await(s.conn.server.ctx) // the opponent may have accepted at the last moment
	}
	switch {
	case p.match != nil:
		return p
	case s.conn.ctx.Err() != nil:
		return place{}
	}
	return s.seek()
}

// origin returns the client's owner, or else its network.
func (s *series) origin() string {
	if p := s.directives.client(); p.Account != "" {
		return ownerPrefix + cmp.Or(p.Owner, p.Account)
	}
	where, addr := s.conn.wire.origin()
	if addr.IsValid() {
		return ratelimit.Network(addr).String()
	}
	return where
}

// errPlaces is returned if the client's origin has no waiting place left.
var errPlaces = errors.New("as many programs of yours as may are waiting for an opponent already: play a bot, or let them play each other")
