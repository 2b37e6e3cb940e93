package session

import (
	"context"
	"errors"
	"slices"
	"time"

	"broadside/lobby"
	"broadside/match"
	"broadside/match/audit"
)

// Had is what a session had at an active node that is gone. The session that
// follows it at the next one gets it back, as far as possible.
type Previous struct {
	Me            Player
	Quiet         bool       `json:",omitzero"` // the player wants no challenges
	ShowsFeatured bool       `json:",omitzero"` // see [ShowFeatured]
	Match         *Match     `json:",omitzero"` // see [State]
	Over          bool       `json:",omitzero"` // the player has been shown the end of Match
	Seen          [2]int     `json:",omitzero"` // by side, see [MatchUpdate.Seq]
	Code          string     `json:",omitzero"` // of the seat
	Watching      string     `json:",omitzero"` // the match
	Counted       bool       `json:",omitzero"` // as one of its spectators
	Challenge     *Challenge `json:",omitzero"`
	Offer         *Offer     `json:",omitzero"`
	OfferedBy     []byte     `json:",omitzero"` // the action that opened Seek
}

// reported is what LobbyChanged reports to a session without lobby snapshots.
type reported struct {
	me       Player
	revision int
}

// restore brings back what the session had at the former active node, or reports
// what is gone.
func (s *Local) restore(ctx context.Context, h *Previous) {
	if s.member != nil && !s.unlisted {
		s.member.SetDoNotDisturb(h.Quiet)
		s.member.ShowFeatured(h.ShowsFeatured)
	}
	if h.Match != nil {
		s.restoreMatch(ctx, h)
	}
	if h.Watching != "" {
		s.restoreWatch(ctx, h)
	}
	if h.Offer != nil && !s.begun(h.Offer.Since) {
		if err := s.restoreSeek(ctx, h); err != nil {
			s.push(Update{Kind: OfferChanged, Err: err})
		}
	}
}

func (s *Local) push(u Update) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pushLocked(u)
}

func (s *Local) restoreMatch(ctx context.Context, h *Previous) {
	if h.Over {
		s.endPast(h.Match)
		return
	}
	seat, err := s.lobby.Matches.Continue(h.Me, h.Match.ID, h.Match.Side, h.Code)
	if err == nil {
		s.mu.Lock()
		s.sitLocked(seat, h.Seen)
		s.mu.Unlock()
		return
	}
	if errors.Is(err, lobby.ErrLost) && s.HasStore() {
		if u, ended := s.pastEnd(ctx, h); ended {
			s.endPast(h.Match)
			s.push(u)
			return
		}
	}
	s.push(Update{Kind: MatchLost, Err: err})
}

// endPast notes a match that ended at the former active node. There is no rematch.
func (s *Local) endPast(m *Match) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.past, s.state.Match = m, m
}

// pastEnd returns the end of a match that was stored before the player was shown it.
func (s *Local) pastEnd(ctx context.Context, h *Previous) (Update, bool) {
	r, err := s.lobby.Store().Matches.ByID(ctx, h.Match.ID)
	if err != nil {
		return Update{}, false
	}
	var g *match.Game
	for _, mode := range []audit.Mode{audit.Flag, audit.Forfeit, audit.Off} { // the record does not say which
		if g, err = match.Replay(r.Rules, mode, r.Events); err == nil {
			break
		}
	}
	if err != nil {
		return Update{}, false
	}
	m := &MatchUpdate{View: g.View(h.Match.Side), Names: [2]string{r.Seats[0].Name, r.Seats[1].Name}, Missed: h.Seen[h.Match.Side] == 0}
	for _, e := range r.Events {
		if e, visible := e.Visible(h.Match.Side); visible {
			if m.Seq++; m.Seq > h.Seen[h.Match.Side] {
				m.Events = append(m.Events, e)
			}
		}
	}
	return Update{Kind: MatchChanged, ID: r.ID, Side: h.Match.Side, Match: m}, true
}

func (s *Local) restoreWatch(ctx context.Context, h *Previous) {
	var a Action = Preview{h.Watching}
	if h.Counted {
		a = Watch{h.Watching}
	}
	if a.do(ctx, s) == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pushLocked(Update{Kind: WatchEnded})
}

// begun takes the seat of a match that began after a time, without the player being
// told, if there is one.
func (s *Local) begun(after time.Time) bool {
	s.mu.Lock()
	playing := s.state.Match != nil && s.state.Match != s.past
	s.mu.Unlock()
	if playing {
		return true
	}
	seat := s.lobby.Matches.BegunAfter(s.Player(), after)
	return seat != nil && s.take(seat, nil) == nil
}

// challengeTime is how long a challenged player may take to reach the new active
// node.
const challengeTime = 3 * time.Second

// restoreSeek opens the player's offer again.
func (s *Local) restoreSeek(ctx context.Context, h *Previous) error {
	a, err := DecodeAction(h.OfferedBy)
	room, isRoom := a.(OpenPrivate)
	if h.Offer.Code != "" {
		if !isRoom { // opened again, after the opponent was removed
			room = OpenPrivate{h.Offer.Rules, h.Offer.Stakes}
		}
		if !offered(room.Rules) {
			return errRange
		}
		return s.offer(s.lobby.Offers.ReopenPrivate(s.Player(), room.Rules, room.Stakes, h.Offer.Code))
	}
	if _, again := a.(Rematch); err != nil || again || h.Offer.TakesOver {
		return lobby.ErrGone
	}
	for end := time.Now().Add(challengeTime); ; {
		err := a.do(ctx, s)
		if !errors.Is(err, lobby.ErrHasLeft) || time.Now().After(end) {
			return err
		}
		select {
		case <-time.After(challengeTime / 30):
		case <-ctx.Done():
			return err
		}
	}
}

// untoldTime is how long before an action is repeated its match can have begun.
const untoldTime = 10 * time.Second

// HasDone reports whether the former active node has carried out an action without
// the player being told. seen is what the player had seen of the match then, by
// side, see [MatchUpdate.Seq].
func (s *Local) HasDone(ctx context.Context, a Action, seen [2]int) bool {
	switch a := a.(type) {
	case Place:
		return s.hasHappened(ctx, a.Side, seen, match.FleetPlaced)
	case Fire:
		return s.hasShot(ctx, a.Side, seen, match.ShotFired, a.Cell)
	case Move:
		return s.hasHappened(ctx, a.Side, seen, match.FleetMoved)
	case Answer:
		return s.hasShot(ctx, match.First, seen, match.ShotAnswered, a.Cell)
	case KeepFleet:
		return s.hasHappened(ctx, match.First, seen, match.FleetKept)
	case Commit:
		return s.hasHappened(ctx, match.First, seen, match.FleetCommitted)
	case Reveal:
		return s.hasHappened(ctx, match.First, seen, match.FleetRevealed, match.RevealFailed)
	case Seek, PlayBot, SendChallenge, Accept, OpenPrivate, JoinPrivate, ResumeSeat, Rematch, PlayNamed:
		return s.begun(time.Now().Add(-untoldTime))
	}
	return false
}

// hasShot reports whether a side has fired or answered a shot at a cell that the player
// had not seen. Of a turn with several shots, some may have been saved and others not.
func (s *Local) hasShot(ctx context.Context, side match.Side, seen [2]int, kind match.Kind, cell match.Cell) bool {
	held := s.seatOf(side)
	if held == nil {
		return false
	}
	side = held.Seat.Side()
	return slices.ContainsFunc(held.Seat.Since(ctx, seen[side]), func(e match.Event) bool {
		return e.Kind == kind && e.Side == side && e.Cell == cell
	})
}

// hasHappened reports whether a side has caused an event of one of some kinds that
// the player had not seen.
func (s *Local) hasHappened(ctx context.Context, side match.Side, seen [2]int, kinds ...match.Kind) bool {
	held := s.seatOf(side)
	if held == nil {
		return false
	}
	side = held.Seat.Side()
	for _, e := range held.Seat.Since(ctx, seen[side]) {
		for _, k := range kinds {
			if e.Kind == k && e.Side == side {
				return true
			}
		}
	}
	return false
}
