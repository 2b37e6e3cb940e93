package lobby

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"broadside/bots"
	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/lobby/account"
	"broadside/match"
)

// Errors of offers, as sentences for the player.
var (
	ErrOfferGone  = i18n.Errorf("that offer is no longer open: choose another")
	ErrOtherOffer = i18n.Errorf("you have since offered another match")
	ErrOtherMatch = i18n.Errorf("you have started another match")
	ErrSelf       = i18n.Errorf("you cannot play against yourself: try the hot seat")
	ErrHasLeft    = i18n.Errorf("that player left: choose another")
)

// Offers holds the open offers of all players. Its methods may be called from any
// goroutine. The rules passed to them must be valid.
type Offers struct {
	lobby *Lobby

	// lobby.mu guards the fields below.
	// open is sorted by arrival, but silent programs' offers come last.
	open []*Offer
	// byPlayer holds a player's open offers and challenges to the player, by ID.
	byPlayer map[string][]*Offer
	// pauses holds when a player may challenge the same player again.
	pauses map[challengePair]time.Time
	// waits holds the last waits for any opponent, oldest first.
	waits []recentWait
}

// FindOpponent plays the player who has waited longest for any opponent, or for this player, with
// the same rules and rating mode. If there is none, it opens an offer to any player. Clocks need not
// match: the clock of the open offer applies.
func (ofs *Offers) FindOpponent(p account.Player, r match.Rules, choice RatingMode) (*Offer, error) {
	return ofs.findOpponent(p, r, choice, false)
}

// FindOpponentAfterOthers is [Offers.FindOpponent] for a player who lets others go first. It pairs
// the player only with players who also do so, or who wait for this player. While others wait, it
// returns nil.
func (ofs *Offers) FindOpponentAfterOthers(p account.Player, r match.Rules, choice RatingMode) (*Offer, error) {
	return ofs.findOpponent(p, r, choice, true)
}

func (ofs *Offers) findOpponent(p account.Player, r match.Rules, choice RatingMode, behind bool) (*Offer, error) {
	others := false
	fits := func(p account.Player, o *Offer) (bool, error) {
		same := o.Terms.Rules.IsEquivalent(r) && o.choice == choice
		if same && o.Terms.IsOpenToAnyone && behind && !o.behind {
			others = true
			return false, nil
		}
		return same && (o.Terms.IsOpenToAnyone || o.isFor(p)), nil
	}
	return ofs.acceptOrOffer(p, choice, fits, func(p account.Player) (*Offer, error) {
		if others {
			return nil, nil
		}
		o := ofs.newOfferLocked(p, anyone{}, r, choice)
		o.behind = behind
		ofs.addLocked(o)
		return o, nil
	})
}

// PlayOpponent plays the opponent with a name, ignoring case. It accepts an offer of that player
// that is open to p, or else challenges the person with that name in the lobby. If there is neither,
// it opens an offer to the next player with that name.
func (ofs *Offers) PlayOpponent(p account.Player, name string, r match.Rules, choice RatingMode) (*Offer, error) {
	fits := func(p account.Player, o *Offer) (bool, error) {
		if !strings.EqualFold(o.player.Name, name) || !o.Terms.IsOpenToAnyone && !o.isFor(p) {
			return false, nil
		}
		if !o.Terms.Rules.IsEquivalent(r) {
			return false, i18n.Errorf("%s is waiting with other rules: choose %s", o.player.Name, o.Terms.Rules.Name)
		}
		if o.choice != choice {
			return false, i18n.Errorf("%s wants a %s match: choose the same", o.player.Name, o.choice.Word())
		}
		return true, nil
	}
	return ofs.acceptOrOffer(p, choice, fits, func(p account.Player) (*Offer, error) {
		if strings.EqualFold(p.Name, name) {
			return nil, ErrSelf
		}
		id := ofs.lobby.members.findByNameLocked(name)
		if id != "" {
			return ofs.challengeLocked(p, id, r, choice)
		}
		o := ofs.newOfferLocked(p, named(name), r, choice)
		ofs.addLocked(o)
		return o, nil
	})
}

// CheckOpponent returns an error if [Offers.PlayOpponent] cannot lead to a match. A person must be
// in the lobby, and a program may arrive later. It waits for the database.
func (ofs *Offers) CheckOpponent(ctx context.Context, name string) error {
	l := ofs.lobby
	if slices.ContainsFunc(bots.All(), func(b bots.Info) bool { return strings.EqualFold(b.Name, name) }) {
		return i18n.Errorf("%s is a built-in bot: send vs bot %s", name, name)
	}
	if l.IsInLobby(name) || l.cfg.Store == nil {
		return nil
	}
	p, err := l.cfg.Store.Accounts.FindByName(ctx, name)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		l.cfg.Log.Error("cannot look up a name", "error", err)
		return account.ErrStore
	}
	if p.Kind == store.Person {
		return i18n.Errorf("%s is not online: try again later, or play another opponent", p.Name)
	}
	return nil
}

// IsInLobby reports whether a person with a name is in the lobby.
func (l *Lobby) IsInLobby(name string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.members.findByNameLocked(name) != ""
}

// acceptOrOffer accepts another player's oldest offer that fits. If there is none, it calls offer in
// the same critical section, so that two compatible players never both wait.
func (ofs *Offers) acceptOrOffer(
	p account.Player, choice RatingMode, fits func(account.Player, *Offer) (bool, error), offer func(account.Player) (*Offer, error),
) (*Offer, error) {
	ofs.lobby.mu.Lock()
	defer ofs.lobby.mu.Unlock()
	p, err := ofs.lobby.identifyForMatchLocked(p, choice)
	if err != nil {
		return nil, err
	}
	for _, o := range ofs.open {
		if o.player.ID == p.ID {
			continue
		}
		ok, err := fits(p, o)
		if err != nil {
			return nil, err
		}
		if ok {
			return ofs.acceptLocked(o, p)
		}
	}
	return offer(p)
}

// acceptLocked accepts an open offer, and returns an offer of p that has led to the match.
func (ofs *Offers) acceptLocked(o *Offer, p account.Player) (*Offer, error) {
	seat, err := ofs.startMatchLocked(o, p)
	if err != nil {
		return nil, err
	}
	accepted := ofs.newOfferLocked(p, anyone{}, o.Terms.Rules, o.choice)
	accepted.giveSeatLocked(seat)
	return accepted, nil
}

func (ofs *Offers) findLocked(fits func(*Offer) bool) *Offer {
	i := slices.IndexFunc(ofs.open, fits)
	if i >= 0 {
		return ofs.open[i]
	}
	return nil
}

// startMatchLocked starts the match between an open offer's player and p, and returns p's seat.
func (ofs *Offers) startMatchLocked(o *Offer, p account.Player) (*Seat, error) {
	l, players := ofs.lobby, [2]account.Player{o.player, p}
	at := l.Matches.matchRatingModeLocked(o.choice, o.Terms.Rules, players)
	g, err := l.Matches.startLocked(o.Terms.Rules, o.choice, at, players, o, nil)
	if err != nil {
		o.failLocked(err)
		return nil, err
	}
	o.giveSeatLocked(g.seats[match.First])
	ofs.recordWaitLocked(o)
	return g.seats[match.Second], nil
}

// Accept accepts an open offer, or a challenge to the player, and starts the match.
func (ofs *Offers) Accept(p account.Player, number int) (*Seat, error) {
	return ofs.accept(p, ErrOfferGone, func(p account.Player, o *Offer) bool {
		return o.number == number && (o.Terms.IsOpenToAnyone || o.challengedID() == p.ID)
	})
}

// accept accepts the offer that fits, and starts the match. It returns the error none if there is no
// such offer.
func (ofs *Offers) accept(p account.Player, none error, fits func(account.Player, *Offer) bool) (*Seat, error) {
	ofs.lobby.mu.Lock()
	defer ofs.lobby.mu.Unlock()
	p, err := ofs.lobby.identifyForMatchLocked(p, Casual)
	if err != nil {
		return nil, err
	}
	o := ofs.findLocked(func(o *Offer) bool { return fits(p, o) })
	if o == nil {
		return nil, none
	}
	if o.player.ID == p.ID {
		return nil, ErrSelf
	}
	if err := ofs.lobby.Matches.checkAbortsLocked(p, o.choice); err != nil {
		return nil, err
	}
	return ofs.startMatchLocked(o, p)
}

// openOffer calls open with the lobby locked and the identified player, or returns an error if the
// player may not play.
func (ofs *Offers) openOffer(p account.Player, choice RatingMode, open func(account.Player) (*Offer, error)) (*Offer, error) {
	ofs.lobby.mu.Lock()
	defer ofs.lobby.mu.Unlock()
	p, err := ofs.lobby.identifyForMatchLocked(p, choice)
	if err != nil {
		return nil, err
	}
	return open(p)
}

// addLocked opens an offer. It ends a person's earlier offer.
func (ofs *Offers) addLocked(o *Offer) {
	if o.player.Kind == account.Person {
		ofs.endOffersLocked(ofs.byPlayer[o.player.ID], func(former *Offer) error {
			if former.player.ID == o.player.ID {
				return ErrOtherOffer
			}
			return nil
		})
	}
	at := len(ofs.open)
	for !o.player.Silent && at > 0 && ofs.open[at-1].player.Silent {
		at--
	}
	ofs.open = slices.Insert(ofs.open, at, o)
	ofs.alertLaterLocked(o)
	ofs.byPlayer[o.player.ID] = append(ofs.byPlayer[o.player.ID], o)
	id := o.challengedID()
	if id != "" {
		ofs.byPlayer[id] = append(ofs.byPlayer[id], o)
		ofs.sendChallengeLocked(id)
	}
	ofs.lobby.publishSoonLocked()
}

func (ofs *Offers) removeLocked(o *Offer) {
	at := slices.Index(ofs.open, o)
	if at < 0 {
		return
	}
	ofs.open = slices.Delete(ofs.open, at, at+1)
	removeFrom(ofs.byPlayer, o.player.ID, o)
	id := o.challengedID()
	if id != "" {
		removeFrom(ofs.byPlayer, id, o)
		ofs.sendChallengeLocked(id)
	}
	ofs.lobby.publishSoonLocked()
}

// endOffersLocked ends those of some open offers for which why returns an error, with that
// error.
func (ofs *Offers) endOffersLocked(some []*Offer, why func(*Offer) error) {
	for _, o := range slices.Clone(some) {
		if err := why(o); err != nil {
			o.failLocked(err)
		}
	}
}

// endPlayerOffersLocked ends a player's offers with the error ofOffers, and challenges to the player
// with the error ofChallenges. It keeps the offer except, which may be nil.
func (ofs *Offers) endPlayerOffersLocked(id string, except *Offer, ofOffers, ofChallenges error) {
	ofs.endOffersLocked(ofs.byPlayer[id], func(o *Offer) error {
		switch {
		case o == except:
			return nil
		case o.player.ID == id:
			return ofOffers
		}
		return ofChallenges
	})
}

// endOffersOfPlayersLocked ends the offers of a new match's players and challenges to them, except
// the offer that led to the match.
func (ofs *Offers) endOffersOfPlayersLocked(players [2]account.Player, offer *Offer) {
	for _, p := range players {
		if p.Kind == account.Person {
			ofs.endPlayerOffersLocked(p.ID, offer, ErrOtherMatch, i18n.Errorf("your challenge has ended: %s has started another match", p.Name))
		}
	}
}

func (ofs *Offers) listWaitingLocked() (all []WaitingPlayer) {
	for _, o := range ofs.open {
		if o.Terms.IsOpenToAnyone {
			all = append(all, WaitingPlayer{Offer: o.number, Player: o.player, Rules: o.Terms.Rules, RatingMode: o.Terms.RatingMode})
		}
	}
	return all
}
