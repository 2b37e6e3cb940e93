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

// Previous is the state that a session had on the former active node. Its successor on
// the next active node restores as much of it as possible.
type Previous struct {
	Me            Player
	DoNotDisturb  bool       `json:",omitzero"` // the player refuses challenges
	ShowsFeatured bool       `json:",omitzero"` // see [ShowFeatured]
	Match         *Match     `json:",omitzero"` // see [State]
	Over          bool       `json:",omitzero"` // the player has seen the end of Match
	Seen          [2]int     `json:",omitzero"` // by side; see [MatchUpdate.Seq]
	Code          string     `json:",omitzero"` // of the seat
	Watching      string     `json:",omitzero"` // ID of the watched match
	Counted       bool       `json:",omitzero"` // the spectator is counted
	Challenge     *Challenge `json:",omitzero"`
	Offer         *Offer     `json:",omitzero"`
	OfferedBy     []byte     `json:",omitzero"` // encoded action that opened Offer
	// Unconfirmed means that the next action may have been carried out by the former active
	// node. It is the value of Seen when the action was sent.
	Unconfirmed *[2]int `json:",omitzero"`
}

// reported is what LobbyChanged reports to a session without lobby snapshots.
type reported struct {
	me       Player
	revision int
}

// restorer restores a session from its state on the former active node. It reports losses
// as updates.
type restorer struct {
	*Local
	had *Previous
}

func (r restorer) restore(ctx context.Context) {
	h := r.had
	r.repeats = h.Unconfirmed
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
	if h.Match == nil && h.Offer == nil && r.member != nil && !r.client.Unlisted {
		r.joinStarted(time.Now().Add(-givenTime)) // a match of a cup
	}
	if h.Offer != nil && !r.joinStarted(h.Offer.Since) {
		if err := r.restoreOffer(ctx); err != nil {
			r.report(Update{Kind: OfferChanged, Err: err})
		}
	}
}

// report makes Poll return an update.
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
	if errors.Is(err, lobby.ErrLost) && r.lobby.Store() != nil {
		if u, ended := r.pastEnd(ctx); ended {
			r.setPast()
			r.report(u)
			return
		}
	}
	r.report(Update{Kind: MatchLost, Err: err})
}

// setPast sets a match that ended on the former active node. It cannot have a rematch.
func (r restorer) setPast() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.past, r.state.Match = r.had.Match, r.had.Match
}

// pastEnd returns the end of a match that was stored before the player saw its end.
func (r restorer) pastEnd(ctx context.Context) (Update, bool) {
	side, seen := r.had.Match.Side, r.had.Seen[r.had.Match.Side]
	record, err := r.lobby.Store().Matches.ByID(ctx, r.had.Match.ID)
	if err != nil {
		return Update{}, false
	}
	var g *match.Game
	for _, mode := range []audit.Mode{audit.Flag, audit.Forfeit, audit.Off} { // not part of the record
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

// challengeTime is how long to wait for a challenged player to reach the new active node.
const challengeTime = 3 * time.Second

// restoreOffer reopens the player's offer.
func (r restorer) restoreOffer(ctx context.Context) error {
	former := r.had.Offer
	a, _, err := decodeMessage(r.had.OfferedBy)
	if former.Code != "" {
		private, ok := a.(OpenPrivate)
		if !ok { // opened after the opponent was removed
			private = OpenPrivate{former.Rules, former.Stakes}
		}
		if !offered(private.Rules) {
			return errRange
		}
		return r.openOffer(r.lobby.Offers.ReopenPrivate(r.Player(), private.Rules, private.Stakes, former.Code))
	}
	offer, is := a.(Action)
	if _, rematch := a.(Rematch); err != nil || !is || rematch || former.TakesOver {
		return lobby.ErrGone
	}
	for end := time.Now().Add(challengeTime); ; {
		err := offer.do(ctx, r.Local)
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

// joinStarted takes the player's seat in a match that began after a time and has not been
// shown to the player. It reports whether the player is in a match.
func (s *Local) joinStarted(after time.Time) bool {
	s.mu.Lock()
	playing := s.state.Match != nil && s.state.Match != s.past
	s.mu.Unlock()
	if playing {
		return true
	}
	seat := s.lobby.Matches.BegunAfter(s.Player(), after)
	return seat != nil && s.takeSeat(seat, nil) == nil
}

// givenTime limits the age of a match that a restored session joins although the player did
// not ask for it, such as a match of a cup.
const givenTime = time.Minute

// unreportedTime limits the age of a match that an unconfirmed action may have begun.
const unreportedTime = 10 * time.Second

// hasDone reports whether the former active node carried out an action without confirming
// it.
func (s *Local) hasDone(ctx context.Context, a Action) bool {
	s.mu.Lock()
	repeats := s.repeats
	s.repeats = nil
	s.mu.Unlock()
	if repeats == nil {
		return false
	}
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
	case Seek, PlayBot, QuickGame, SendChallenge, Accept, OpenPrivate, JoinPrivate, ResumeSeat, Rematch, PlayNamed, SeekCup, JoinLadder:
		return s.joinStarted(time.Now().Add(-unreportedTime))
	}
	seat := s.seatOf(side)
	if seat == nil {
		return false
	}
	side = seat.Side()
	return slices.ContainsFunc(seat.Since(ctx, repeats[side]), func(e match.Event) bool { return e.Side == side && is(e) })
}

// ofKind returns a function that reports whether an event is of one of the kinds.
func ofKind(kinds ...match.Kind) func(match.Event) bool {
	return func(e match.Event) bool { return slices.Contains(kinds, e.Kind) }
}

// isShot returns a function that reports whether an event is a shot at a cell, or its
// answer. Some shots of a turn may have been saved and others not.
func isShot(kind match.Kind, cell match.Cell) func(match.Event) bool {
	return func(e match.Event) bool { return e.Kind == kind && e.Cell == cell }
}
