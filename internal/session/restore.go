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

// Previous is what a session had at the former active node. The session that follows it
// at the next one restores it as far as possible.
type Previous struct {
	Me            Player
	DoNotDisturb  bool       `json:",omitzero"` // nobody may challenge the player
	ShowsFeatured bool       `json:",omitzero"` // see [ShowFeatured]
	Match         *Match     `json:",omitzero"` // see [State]
	Over          bool       `json:",omitzero"` // the player has been shown the end of Match
	Seen          [2]int     `json:",omitzero"` // by side, see [MatchUpdate.Seq]
	Code          string     `json:",omitzero"` // of the seat
	Watching      string     `json:",omitzero"` // the ID of the match
	Counted       bool       `json:",omitzero"` // as a counted spectator
	Challenge     *Challenge `json:",omitzero"`
	Offer         *Offer     `json:",omitzero"`
	OfferedBy     []byte     `json:",omitzero"` // the action that opened Offer
}

// reported is what LobbyChanged reports to a session without lobby snapshots.
type reported struct {
	me       Player
	revision int
}

// restorer restores a session from what it had at the former active node. What is lost
// is reported with updates.
type restorer struct {
	*Local
	had *Previous
}

func (r restorer) restore(ctx context.Context) {
	h := r.had
	if r.member != nil && !r.client.Unlisted {
		r.member.SetDoNotDisturb(h.DoNotDisturb)
		r.member.ShowFeatured(h.ShowsFeatured)
	}
	if h.Match != nil {
		r.restoreMatch(ctx)
	}
	if h.Watching != "" {
		r.restoreWatch(ctx)
	}
	if h.Offer != nil && !r.takeBegun(h.Offer.Since) {
		if err := r.restoreOffer(ctx); err != nil {
			r.report(Update{Kind: OfferChanged, Err: err})
		}
	}
}

// report makes Next return an update.
func (r restorer) report(u Update) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pending.addLocked(u)
}

func (r restorer) restoreMatch(ctx context.Context) {
	h := r.had
	if h.Over {
		r.setPast()
		return
	}
	seat, err := r.lobby.Matches.Continue(h.Me, h.Match.ID, h.Match.Side, h.Code)
	if err == nil {
		r.mu.Lock()
		r.sitLocked(seat, h.Seen)
		r.mu.Unlock()
		return
	}
	if errors.Is(err, lobby.ErrLost) && r.HasStore() {
		if u, ended := r.pastEnd(ctx); ended {
			r.setPast()
			r.report(u)
			return
		}
	}
	r.report(Update{Kind: MatchLost, Err: err})
}

// setPast sets a match that ended at the former active node. A rematch is not possible.
func (r restorer) setPast() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.past, r.state.Match = r.had.Match, r.had.Match
}

// pastEnd returns the end of a match that was stored before the player was shown it.
func (r restorer) pastEnd(ctx context.Context) (Update, bool) {
	side, seen := r.had.Match.Side, r.had.Seen[r.had.Match.Side]
	record, err := r.lobby.Store().Matches.ByID(ctx, r.had.Match.ID)
	if err != nil {
		return Update{}, false
	}
	var g *match.Game
	for _, mode := range []audit.Mode{audit.Flag, audit.Forfeit, audit.Off} { // the record does not say which
		if g, err = match.Replay(record.Rules, mode, record.Events); err == nil {
			break
		}
	}
	if err != nil {
		return Update{}, false
	}
	m := &MatchUpdate{View: g.View(side), Names: [2]string{record.Seats[0].Name, record.Seats[1].Name}, Missed: seen == 0}
	for _, e := range record.Events {
		if e, visible := e.Visible(side); visible {
			if m.Seq++; m.Seq > seen {
				m.Events = append(m.Events, e)
			}
		}
	}
	return Update{Kind: MatchChanged, ID: record.ID, Side: side, Match: m}, true
}

func (r restorer) restoreWatch(ctx context.Context) {
	var a Action = Preview{r.had.Watching}
	if r.had.Counted {
		a = Watch{r.had.Watching}
	}
	if a.do(ctx, r.Local) != nil {
		r.report(Update{Kind: WatchEnded})
	}
}

// challengeTime is how long a challenged player may take to reach the new active
// node.
const challengeTime = 3 * time.Second

// restoreOffer opens the player's offer again.
func (r restorer) restoreOffer(ctx context.Context) error {
	former := r.had.Offer
	a, err := DecodeAction(r.had.OfferedBy)
	if former.Code != "" {
		private, ok := a.(OpenPrivate)
		if !ok { // it was opened again after the opponent had been removed
			private = OpenPrivate{former.Rules, former.Stakes}
		}
		if !offered(private.Rules) {
			return errRange
		}
		return r.openOffer(r.lobby.Offers.ReopenPrivate(r.Player(), private.Rules, private.Stakes, former.Code))
	}
	if _, rematch := a.(Rematch); err != nil || rematch || former.TakesOver {
		return lobby.ErrGone
	}
	for end := time.Now().Add(challengeTime); ; {
		err := a.do(ctx, r.Local)
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

// takeBegun takes the seat of a match that began after a time, of which the player does
// not know yet. It reports whether the player plays a match.
func (s *Local) takeBegun(after time.Time) bool {
	s.mu.Lock()
	playing := s.state.Match != nil && s.state.Match != s.past
	s.mu.Unlock()
	if playing {
		return true
	}
	seat := s.lobby.Matches.BegunAfter(s.Player(), after)
	return seat != nil && s.takeSeat(seat, nil) == nil
}

// unreportedTime is how long before an action is repeated its match can have begun.
const unreportedTime = 10 * time.Second

// HasDone reports whether the former active node has carried out an action without
// telling the player. seen is what the player had seen of the match then, by side, see
// [MatchUpdate.Seq].
func (s *Local) HasDone(ctx context.Context, a Action, seen [2]int) bool {
	side, is := match.First, func(match.Event) bool { return false }
	switch a := a.(type) {
	case Place:
		side, is = a.Side, ofKind(match.FleetPlaced)
	case Fire:
		side, is = a.Side, isShot(match.ShotFired, a.Cell)
	case Move:
		side, is = a.Side, ofKind(match.FleetMoved)
	case Answer:
		is = isShot(match.ShotAnswered, a.Cell)
	case KeepFleet:
		is = ofKind(match.FleetKept)
	case Commit:
		is = ofKind(match.FleetCommitted)
	case Reveal:
		is = ofKind(match.FleetRevealed, match.RevealFailed)
	case Seek, PlayBot, SendChallenge, Accept, OpenPrivate, JoinPrivate, ResumeSeat, Rematch, PlayNamed:
		return s.takeBegun(time.Now().Add(-unreportedTime))
	}
	seat := s.seatOf(side)
	if seat == nil {
		return false
	}
	side = seat.Side()
	return slices.ContainsFunc(seat.Since(ctx, seen[side]), func(e match.Event) bool { return e.Side == side && is(e) })
}

// ofKind returns what reports whether an event is of one of some kinds.
func ofKind(kinds ...match.Kind) func(match.Event) bool {
	return func(e match.Event) bool { return slices.Contains(kinds, e.Kind) }
}

// isShot returns what reports whether an event is a shot at a cell, or its answer. Of a
// turn with several shots, some may have been saved and others not.
func isShot(kind match.Kind, cell match.Cell) func(match.Event) bool {
	return func(e match.Event) bool { return e.Kind == kind && e.Cell == cell }
}
