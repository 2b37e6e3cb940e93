package lobby

import (
	"cmp"
	"context"
	"slices"

	"broadside/internal/store/rating"
	"broadside/lobby/cup"
	"broadside/match"
)

// openCups reads the cups.
func (l *Lobby) openCups(ctx context.Context) (err error) {
	l.Cups, err = cup.Open(ctx, cup.Config{
		Store: l.cfg.Store, Log: l.cfg.Log,
		Begin: l.Matches.beginOfCup, Running: l.isRunning, Release: l.Offers.endOfCup, Changed: l.cupsChanged,
	})
	return err
}

// cupsChanged publishes that a cup has changed.
func (l *Lobby) cupsChanged() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cupRevision++
	l.changedLocked()
}

// isRunning reports whether a match is running.
func (l *Lobby) isRunning(id string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Matches.running[id] != nil
}

// CupEntrant returns the entrant for a player, with the rating under the rules of a cup.
// It waits for the database.
func (l *Lobby) CupEntrant(ctx context.Context, p Player, r match.Rules) cup.Entrant {
	e := cup.Entrant{ID: p.ID, Name: p.Name, Kind: p.Kind, Owner: p.Owner}
	if fixed, ok := rating.OfBot(r.Name, p.Name); ok && p.Kind == Bot {
		e.Rating = fixed.Value
	} else if s, ok := l.Accounts.Standing(ctx, p, r); ok {
		e.Rating = s.Rating.Value
	}
	return e
}

// SeekCup waits for the next match of a program in a cup, see [Offers.Seek]. It replaces
// an earlier wait of the program in the same cup. The error is [cup.ErrOver] if there is none.
func (ofs *Offers) SeekCup(p Player, c *cup.Cup) (*Offer, error) {
	o, err := ofs.offer(p, c.Stakes, func(p Player) (*Offer, error) {
		if ofs.lobby.Cups.IsOver(c.Code) { // before endOfCup, which ends the offer otherwise
			return nil, cup.ErrOver
		}
		ofs.endLocked(ofs.byPlayer[p.ID], func(former *Offer) error {
			if former.to == cupMatch(c.Code) {
				return ErrOtherOffer
			}
			return nil
		})
		o := ofs.newLocked(p, cupMatch(c.Code), c.Rules, c.Stakes)
		ofs.addLocked(o)
		return o, nil
	})
	ofs.lobby.Cups.Wake()
	return o, err
}

// endOfCup ends the waits of a player in a cup, or of all players if id is empty.
func (ofs *Offers) endOfCup(code, id string) {
	ofs.lobby.mu.Lock()
	defer ofs.lobby.mu.Unlock()
	ofs.endLocked(ofs.open, func(o *Offer) error {
		if o.to == cupMatch(code) && (id == "" || o.player.ID == id) {
			return cup.ErrOver
		}
		return nil
	})
}

// beginOfCup begins a match of a cup if both players can play, see [cup.Config].
func (ms *Matches) beginOfCup(_ context.Context, m cup.Pairing, begun func(id string)) (here [2]bool) {
	l := ms.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	players, give, here := presentLocked(l, m)
	if here != [2]bool{true, true} {
		return here
	}
	of := cmp.Or(cupOfferLocked(l, m.Code, players[0].ID), cupOfferLocked(l, m.Code, players[1].ID))
	g, err := ms.startLocked(m.Rules, m.Stakes, ms.stakesLocked(m.Stakes, m.Rules, players), players, of, nil)
	if err != nil {
		if err != ErrClosing {
			l.cfg.Log.Warn("a match of a cup cannot begin", "error", err)
		}
		return here
	}
	begun(g.id)
	for side, give := range give {
		give(g.seats[side])
	}
	return here
}

// presentLocked returns the players of a pair that can play now, and functions that give
// them their seats.
func presentLocked(l *Lobby, m cup.Pairing) (players [2]Player, give [2]func(*Seat), here [2]bool) {
	for side, e := range m.Entrants {
		players[side], give[side] = presentInCupLocked(l, m.Code, e)
		here[side] = give[side] != nil
	}
	return players, give, here
}

// presentInCupLocked returns the player of an entrant and a function that gives the player
// a seat, or nil if the player cannot play now: a person must be in the lobby and not in a
// match, a program must wait for this cup.
func presentInCupLocked(l *Lobby, code string, e cup.Entrant) (Player, func(*Seat)) {
	switch e.Kind {
	case Bot:
		return l.Accounts.Bot(e.Name), func(*Seat) {}
	case Program:
		if o := cupOfferLocked(l, code, e.ID); o != nil {
			return o.player, o.seatLocked
		}
	default:
		if sessions := l.members.byID[e.ID]; len(sessions) > 0 && !l.Matches.playingLocked(e.ID) {
			m := sessions[len(sessions)-1]
			return m.player, func(s *Seat) { deliver(m, m.seats, s) }
		}
	}
	return Player{}, nil
}

// cupOfferLocked returns the offer with which a program waits for its next match in a cup, or nil.
func cupOfferLocked(l *Lobby, code, id string) *Offer {
	at := slices.IndexFunc(l.Offers.byPlayer[id], func(o *Offer) bool { return o.to == cupMatch(code) })
	if at < 0 {
		return nil
	}
	return l.Offers.byPlayer[id][at]
}
