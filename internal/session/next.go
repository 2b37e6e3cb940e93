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

// sources are the channels that Next waits for. Those that do not apply are
// nil.
type sources struct {
	seek  <-chan *lobby.Seat
	offer *lobby.Offer
	boxes [2]<-chan struct{}
	table <-chan struct{}
	watch <-chan struct{}
	rest  <-chan time.Time
	chats [chatRooms]<-chan []Line
	match string // that chats[InMatch] belongs to
	turn  <-chan time.Time
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
		select {
		case <-s.rewired:
		case n := <-s.member.Snapshots():
			u = s.snapshot(n)
		case c := <-s.member.Challenges():
			u = s.challenge(c)
		case seat := <-from.seek:
			u = s.settled(from.offer, seat)
		case <-from.boxes[0]:
		case <-from.boxes[1]:
		case <-from.table:
			u = s.tableChanged()
		case <-from.watch:
			s.watched()
		case <-from.rest:
			s.rested()
		case lines, open := <-from.chats[InLobby]:
			u = heard(InLobby, "", lines, open)
		case lines, open := <-from.chats[InMatch]:
			u = heard(InMatch, from.match, lines, open)
		case <-from.turn:
			u = s.myTurn()
		case <-ctx.Done():
			return Update{}, ctx.Err()
		}
		if u.Kind != 0 {
			return u, nil
		}
	}
}

// poll returns an update that is there already, or else what to wait for.
func (s *Local) poll() (Update, sources) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.pending) > 0 {
		u := s.pending[0]
		s.pending = s.pending[1:]
		return u, sources{}
	}
	select {
	case c := <-s.member.Challenges(): // before the many updates of a match
		s.state.Challenge = c
		return Update{Kind: ChallengeChanged}, sources{}
	default:
	}
	from := sources{turn: s.turn}
	for range s.seats { // in turns, in a hot seat
		s.polled = 1 - s.polled
		held := s.seats[s.polled]
		if held == nil || held.over {
			continue
		}
		switch m, err := held.box.Take(); {
		case m != nil:
			return s.playedLocked(held, m), sources{}
		case err != nil:
			return s.lostLocked(held, err), sources{}
		}
		from.boxes[s.polled] = held.box.Ready()
	}
	switch w := s.watch; {
	case w == nil || w.due || w.ended:
	case w.rest != nil:
		from.rest = w.rest
	default:
		u, changed := s.readWatchLocked()
		if u.Kind != 0 {
			return u, sources{}
		}
		from.watch = changed
	}
	if s.seek != nil {
		from.seek, from.offer = s.seek.Seated(), s.seek
	}
	from.table = s.table.Change
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

// snapshot takes in a snapshot of the lobby. The first one is returned at once,
// later ones when it is this session's turn: a change that everybody sees must
// not delay those who have just pressed a key.
func (s *Local) snapshot(n *Snapshot) Update {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.remote {
		now := reported{s.member.Player(), s.member.AccountRevision()}
		if now == s.known {
			return Update{}
		}
		s.known = now
		return Update{Kind: LobbyChanged}
	}
	s.held = n
	if len(s.state.Lobby.People) == 0 {
		return s.myTurnLocked()
	}
	return s.waitTurnLocked()
}

// waitTurnLocked waits for this session's turn, unless it has come.
func (s *Local) waitTurnLocked() Update {
	if s.turn != nil {
		return Update{}
	}
	wait := s.lobby.Pacer.Delay()
	if wait == 0 {
		return s.myTurnLocked()
	}
	s.turn = time.After(wait)
	return Update{}
}

// myTurn returns what has waited for this session's turn.
func (s *Local) myTurn() Update {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.myTurnLocked()
}

func (s *Local) myTurnLocked() Update {
	s.turn = nil
	if s.watch != nil {
		s.watch.due = false // poll reads it
	}
	if s.held == nil {
		return Update{}
	}
	s.state.Lobby, s.held = s.held, nil
	return Update{Kind: LobbyChanged}
}

func (s *Local) challenge(c *Challenge) Update {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state.Challenge = c
	return Update{Kind: ChallengeChanged}
}

func (s *Local) tableChanged() Update {
	s.mu.Lock()
	defer s.mu.Unlock()
	held := s.seatLocked()
	if held == nil {
		return Update{}
	}
	s.table, s.code = held.State(), held.Code()
	return Update{Kind: SeatChanged}
}

// settled takes in what has become of an offer.
func (s *Local) settled(t *lobby.Offer, seat *lobby.Seat) Update {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.seek != t:
		if seat != nil { // the player has turned to something else meanwhile
			seat.Seat.Resign()
			seat.Leave()
		}
		return Update{}
	case seat == nil:
		s.seek, s.state.Offer = nil, nil
		return Update{Kind: OfferChanged, Err: t.Err()}
	}
	s.sitLocked(seat, [2]int{})
	return Update{}
}

// playedLocked returns an update of a match that is played.
func (s *Local) playedLocked(held *seat, m *live.Update) Update {
	held.over = m.View.Phase == match.Over
	return Update{Kind: MatchChanged, ID: s.state.Match.ID, Match: m, Side: held.Seat.Side()}
}

// hasRemoved reports whether an update shows that this session's player has removed
// the opponent.
func hasRemoved(u Update) bool {
	return u.Kind == MatchChanged && u.Match.View.Reason == match.Removed && u.Match.View.Aborter == u.Side
}

// reopen leaves the match whose other player has been removed, and opens the room
// again.
func (s *Local) reopen(ctx context.Context) Update {
	s.mu.Lock()
	held := s.seatLocked()
	s.leaveSeatsLocked()
	s.mu.Unlock()
	if held == nil { // the player has left meanwhile
		return Update{Kind: MatchLost, Err: ErrNoMatch}
	}
	select {
	case <-held.Seat.Match().Done(): // until then the player counts as playing
	case <-ctx.Done():
	}
	err := s.offer(held.Reopen(s.Player()))
	if err == nil {
		err = i18n.Errorf("you have removed %s: your room is open again", held.Opponent.Name)
	}
	return Update{Kind: MatchLost, Err: err}
}

// lostLocked takes in that no more updates of a seat will come, although the
// match has not been seen to end.
func (s *Local) lostLocked(held *seat, err error) Update {
	if errors.Is(err, live.ErrReplaced) {
		s.forgetSeatsLocked()
	} else {
		s.leaveSeatsLocked()
	}
	return Update{Kind: MatchLost, Err: err}
}

// readWatchLocked reads what has happened in the match that is watched, or
// returns the channel to wait for.
func (s *Local) readWatchLocked() (Update, <-chan struct{}) {
	w, m := s.watch, new(live.Update)
	changed, err := w.Poll(m)
	switch {
	case changed != nil:
		return Update{}, changed
	case err != nil:
		w.ended = true
		return Update{Kind: WatchEnded}, nil
	}
	pace := s.pace
	if !w.counted {
		pace *= 2
	}
	if pace > 0 {
		w.rest = time.After(pace)
	}
	return Update{Kind: WatchChanged, ID: w.ID(), Match: m}, nil
}

// rested lets the next update of the match that is watched be read.
func (s *Local) rested() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.watch != nil {
		s.watch.rest = nil
	}
}

// watched takes in that something has happened in the match that is watched.
// The featured match, which everybody in the lobby sees, waits for this
// session's turn.
func (s *Local) watched() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.watch == nil || s.watch.counted {
		return
	}
	s.watch.due = true
	if u := s.waitTurnLocked(); u.Kind != 0 {
		s.pushLocked(u)
	}
}

func heard(room Room, id string, lines []Line, open bool) Update {
	if !open {
		return Update{}
	}
	return Update{Kind: ChatChanged, ID: id, Room: room, Lines: lines}
}
