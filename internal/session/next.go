package session

import (
	"context"
	"errors"
	"time"

	"broadside/internal/i18n"
	"broadside/lobby"
	"broadside/match"
	"broadside/match/live"
)

// sources are the channels that Next waits for in addition to the lobby's. Channels that
// do not apply are nil.
type sources struct {
	seated <-chan *lobby.Seat
	offer  *lobby.Offer    // the offer that seated belongs to
	seat   <-chan struct{} // signals a change of the seat's state
	watch  <-chan struct{}
	rest   <-chan time.Time // see watch
	chats  [chatRooms]<-chan []Line
	match  string // the match that chats[InMatch] belongs to
	redraw <-chan time.Time
}

// Next implements [Session].
func (s *Local) Next(ctx context.Context) (Update, error) {
	for {
		if err := s.hasEnded(); err != nil {
			return Update{}, err
		}
		u, from := s.poll()
		if hasRemoved(u) {
			return s.reopen(ctx), nil
		}
		if u.Kind != 0 {
			return u, nil
		}
		handle, err := s.wait(ctx, &from)
		if err != nil {
			return Update{}, err
		}
		if u = s.handle(handle); u.Kind != 0 {
			return u, nil
		}
	}
}

// wait waits for one of the sources, and returns a function that handles the received value
// with the lock held, or nil if [Local.poll] handles it. It has a small frame, since each
// session waits here.
func (s *Local) wait(ctx context.Context, from *sources) (handleLocked func() Update, err error) {
	select {
	case <-s.pending.wake:
	case n := <-s.member.Snapshots():
		return func() Update { return s.snapshotLocked(n) }, nil
	case c := <-s.member.Challenges():
		return func() Update {
			s.state.Challenge = c
			return Update{Kind: ChallengeChanged}
		}, nil
	case seat := <-s.member.Seats():
		return func() Update {
			s.sitLocked(seat, [2]int{})
			return Update{}
		}, nil
	case seat := <-from.seated:
		offer := from.offer
		return func() Update { return s.settledLocked(offer, seat) }, nil
	case <-from.seat:
		return s.seatChangedLocked, nil
	case <-from.watch:
		return s.watchChangedLocked, nil
	case <-from.rest:
		return func() Update {
			s.watch.resumeReading()
			return Update{}
		}, nil
	case lines, open := <-from.chats[InLobby]:
		return func() Update { return chatUpdate(InLobby, "", lines, open) }, nil
	case lines, open := <-from.chats[InMatch]:
		id := from.match
		return func() Update { return chatUpdate(InMatch, id, lines, open) }, nil
	case <-from.redraw:
		return s.redrawLocked, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return nil, nil
}

// handle calls f, unless it is nil, with the lock held.
func (s *Local) handle(f func() Update) Update {
	if f == nil {
		return Update{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return f()
}

// poll returns an update that is ready, or the channels to wait for.
func (s *Local) poll() (Update, sources) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if u, ok := s.pending.nextLocked(); ok {
		return u, sources{}
	}
	select {
	case c := <-s.member.Challenges(): // takes precedence over the frequent match updates
		s.state.Challenge = c
		return Update{Kind: ChallengeChanged}, sources{}
	default:
	}
	from := sources{seat: s.seats.state.Change, redraw: s.redraw.timer}
	seat, m, err := s.seats.nextUpdate()
	switch {
	case m != nil:
		return seat.update(m), sources{}
	case err != nil:
		return s.lostLocked(err), sources{}
	}
	if s.watch != nil {
		u := Update{}
		if u, from.watch, from.rest = s.watch.poll(s.client.WatchPace); u.Kind != 0 {
			return u, sources{}
		}
	}
	if s.offer != nil {
		from.seated, from.offer = s.offer.Seated(), s.offer
	}
	for room, place := range s.chats {
		if place != nil {
			from.chats[room] = place.Lines()
		}
	}
	switch {
	case s.state.Match != nil:
		from.match = s.state.Match.ID
	case s.state.Watching != nil:
		from.match = s.state.Watching.ID
	}
	return Update{}, from
}

// redraw delays updates that every session shows until this session's turn, so that a
// change visible to all players does not delay responses to key presses. The session's
// lock guards it.
type redraw struct {
	snapshot *Snapshot        // the delayed snapshot; nil: none
	timer    <-chan time.Time // until the session's turn; nil: no update is delayed
}

// snapshotLocked handles a new lobby snapshot. The first one is returned at once.
func (s *Local) snapshotLocked(n *Snapshot) Update {
	if s.client.Remote {
		now := reported{s.member.Player(), s.member.AccountRevision()}
		if now == s.known {
			return Update{}
		}
		s.known = now
		return Update{Kind: LobbyChanged}
	}
	s.redraw.snapshot = n
	if len(s.state.Lobby.People) == 0 {
		return s.redrawLocked()
	}
	return s.redrawSoonLocked()
}

// redrawSoonLocked starts waiting for the session's turn, or redraws if there is no delay.
func (s *Local) redrawSoonLocked() Update {
	if s.redraw.timer != nil {
		return Update{}
	}
	wait := s.lobby.Pacer.Delay()
	if wait == 0 {
		return s.redrawLocked()
	}
	s.redraw.timer = time.After(wait)
	return Update{}
}

// redrawLocked returns the delayed update.
func (s *Local) redrawLocked() Update {
	n := s.redraw.snapshot
	s.redraw = redraw{}
	if s.watch != nil {
		s.watch.due = false // poll will read the update
	}
	if n == nil {
		return Update{}
	}
	s.state.Lobby = n
	return Update{Kind: LobbyChanged}
}

func (s *Local) seatChangedLocked() Update {
	seat := s.seats.first()
	if seat == nil {
		return Update{}
	}
	s.seats.state, s.seats.code = seat.State(), seat.Code()
	return Update{Kind: SeatChanged}
}

// settledLocked takes the seat that an offer led to, or reports why the offer ended.
func (s *Local) settledLocked(o *lobby.Offer, seat *lobby.Seat) Update {
	switch {
	case s.offer != o:
		if seat != nil { // the player has done something else in the meantime
			seat.Resign()
			seat.Leave()
		}
		return Update{}
	case seat == nil:
		s.offer, s.state.Offer = nil, nil
		return Update{Kind: OfferChanged, Err: o.Err()}
	}
	s.sitLocked(seat, [2]int{})
	return Update{}
}

// hasRemoved reports whether an update shows that this session's player removed the
// opponent.
func hasRemoved(u Update) bool {
	return u.Kind == MatchChanged && u.Match.View.Reason == match.Removed && u.Match.View.Aborter == u.Side
}

// reopen leaves a match whose opponent was removed, and opens a new private match.
func (s *Local) reopen(ctx context.Context) Update {
	s.mu.Lock()
	seat := s.seats.first()
	s.leaveSeatsLocked()
	s.mu.Unlock()
	if seat == nil { // the player has left in the meantime
		return Update{Kind: MatchLost, Err: ErrNoMatch}
	}
	select {
	case <-seat.Match().Done(): // until then the player counts as playing
	case <-ctx.Done():
	}
	err := s.openOffer(seat.Reopen(s.Player()))
	if err == nil {
		err = i18n.Errorf("you-have-removed-x-your", seat.Opponent.Name)
	}
	return Update{Kind: MatchLost, Err: err}
}

// lostLocked gives up the seats of a match whose end has not been shown to the player.
func (s *Local) lostLocked(err error) Update {
	if errors.Is(err, live.ErrReplaced) {
		s.forgetSeatsLocked()
	} else {
		s.leaveSeatsLocked()
	}
	return Update{Kind: MatchLost, Err: err}
}

func chatUpdate(room Room, id string, lines []Line, open bool) Update {
	if !open {
		return Update{}
	}
	return Update{Kind: ChatChanged, ID: id, Room: room, Lines: lines}
}
