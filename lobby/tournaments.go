package lobby

import (
	"cmp"
	"context"
	"slices"

	"broadside/internal/store/rating"
	"broadside/lobby/account"
	"broadside/lobby/tournament"
	"broadside/match"
)

func (l *Lobby) openTournaments(ctx context.Context) (err error) {
	l.Tournaments, err = tournament.Open(ctx, tournament.Config{
		Store: l.cfg.Store, Log: l.cfg.Log, Lobby: (*tournamentLobby)(l), Alert: func() bool { return l.cfg.Alert == nil || l.cfg.Alert(TournamentStarts) },
	})
	if err == nil {
		l.scheduled = l.Tournaments.ListScheduled()
	}
	return err
}

// NewTournamentEntrant returns the entrant for a player, with the rating under a tournament's rules.
// It waits for the database.
func (l *Lobby) NewTournamentEntrant(ctx context.Context, p account.Player, r match.Rules) tournament.Entrant {
	e := tournament.Entrant{ID: p.ID, Name: p.Name, Kind: p.Kind, Owner: p.Owner}
	if fixed, ok := rating.BotRating(r.Name, p.Name); ok && p.Kind == account.Bot {
		e.Rating = fixed.Value
	} else if s, ok := l.Accounts.FindStanding(ctx, p, r); ok {
		e.Rating = s.Rating.Value
	}
	return e
}

// AwaitTournamentMatch opens an offer with which a program waits for its next match in a tournament.
// The offer replaces the program's earlier one for the same tournament. The error is
// [tournament.ErrOver] if the tournament has no more matches.
func (ofs *Offers) AwaitTournamentMatch(p account.Player, c *tournament.Tournament) (*Offer, error) {
	return ofs.openOffer(p, c.RatingMode, func(p account.Player) (*Offer, error) {
		// If the tournament ends after this check, ReleaseOffers ends the offer.
		if ofs.lobby.Tournaments.IsOver(c.Code) {
			return nil, tournament.ErrOver
		}
		ofs.endOffersLocked(ofs.byPlayer[p.ID], func(former *Offer) error {
			if former.to == tournamentMatch(c.Code) {
				return ErrOtherOffer
			}
			return nil
		})
		o := ofs.newOfferLocked(p, tournamentMatch(c.Code), c.Rules, c.RatingMode)
		ofs.addLocked(o)
		return o, nil
	})
}

// tournamentLobby implements [tournament.Lobby].
type tournamentLobby Lobby

func (l *tournamentLobby) NotifyChange() {
	scheduled := l.Tournaments.ListScheduled()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.scheduled = scheduled
	l.tournamentRevision++
	(*Lobby)(l).publishSoonLocked()
}

func (l *tournamentLobby) IsRunning(id string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Matches.running[id] != nil
}

func (l *tournamentLobby) ReleaseOffers(code, id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.Offers.endOffersLocked(l.Offers.open, func(o *Offer) error {
		if o.to == tournamentMatch(code) && (id == "" || o.player.ID == id) {
			return tournament.ErrOver
		}
		return nil
	})
}

func (l *tournamentLobby) StartMatch(p tournament.Pairing) (id string, present [2]bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var players [2]account.Player
	var give [2]func(*Seat)
	for side, e := range p.Entrants {
		players[side], give[side] = l.findEntrantLocked(p.Code, e)
		present[side] = give[side] != nil
	}
	if !present[0] || !present[1] {
		return "", present
	}
	of := cmp.Or(l.findOfferLocked(p.Code, players[0].ID), l.findOfferLocked(p.Code, players[1].ID))
	g, err := l.Matches.startLocked(p.Rules, p.RatingMode, l.Matches.matchRatingModeLocked(p.RatingMode, p.Rules, players), players, of, nil)
	if err != nil {
		if err != ErrClosing {
			l.cfg.Log.Warn("cannot start a tournament match", "error", err)
		}
		return "", present
	}
	for side, give := range give {
		give(g.seats[side])
	}
	return g.id, present
}

// findEntrantLocked returns the player of an entrant and a function that gives the player a seat,
// or nil if the player cannot play now. A program must wait for this tournament. Other players must
// be in the lobby and not in a match.
func (l *tournamentLobby) findEntrantLocked(code string, e tournament.Entrant) (account.Player, func(*Seat)) {
	switch e.Kind {
	case account.Bot:
		return l.Accounts.BotPlayer(e.Name), func(*Seat) {}
	case account.Program:
		o := l.findOfferLocked(code, e.ID)
		if o != nil {
			return o.player, o.giveSeatLocked
		}
	default:
		sessions := l.members.byID[e.ID]
		if len(sessions) > 0 && !l.Matches.isPlayingLocked(e.ID) {
			m := sessions[len(sessions)-1]
			return m.player, func(s *Seat) { deliver(m, m.seats, s) }
		}
	}
	return account.Player{}, nil
}

// findOfferLocked returns the offer with which a program waits for its next match in a tournament, or nil.
func (l *tournamentLobby) findOfferLocked(code, id string) *Offer {
	at := slices.IndexFunc(l.Offers.byPlayer[id], func(o *Offer) bool { return o.to == tournamentMatch(code) })
	if at < 0 {
		return nil
	}
	return l.Offers.byPlayer[id][at]
}
