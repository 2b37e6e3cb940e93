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
	ErrOfferGone  = i18n.Errorf("that-offer-is-gone-choose")
	ErrOtherOffer = i18n.Errorf("you-have-since-offered-another")
	ErrSatDown    = i18n.Errorf("you-have-started-another-match")
	ErrSelf       = i18n.Errorf("you-cannot-play-against-yourself")
	ErrHasLeft    = i18n.Errorf("that-player-has-left")
)

// Offers holds the open offers of all players. Its methods may be called from any
// goroutine. The rules passed to them must be valid.
type Offers struct {
	lobby *Lobby

	// lobby.mu guards the fields below.
	open     []*Offer              // sorted by arrival, but silent programs' offers last
	byPlayer map[string][]*Offer   // the open ones of and to a player, by the player's ID
	pauses   map[attempt]time.Time // when a player may challenge the same person again
}

// Seek plays the player who has waited longest for any opponent, or for this player, with
// the same rules and stakes. If there is none, Seek opens a seek. Clocks need not match:
// the clock of the open offer applies.
func (os *Offers) Seek(p Player, r match.Rules, choice Stakes) (*Offer, error) {
	return os.seek(p, r, choice, false)
}

// SeekBehind is [Offers.Seek] for a player who lets others go first. It pairs the player only with
// players who do so, too, or who wait for this player. The offer is nil if others wait.
func (os *Offers) SeekBehind(p Player, r match.Rules, choice Stakes) (*Offer, error) {
	return os.seek(p, r, choice, true)
}

func (os *Offers) seek(p Player, r match.Rules, choice Stakes, behind bool) (*Offer, error) {
	others := false
	fits := func(p Player, o *Offer) (bool, error) {
		same := o.rules.Same(r) && o.choice == choice
		if same && o.open() && behind && !o.behind {
			others = true
			return false, nil
		}
		return same && (o.open() || o.waitsFor(p)), nil
	}
	return os.acceptOrOffer(p, choice, fits, func(p Player) (*Offer, error) {
		if others {
			return nil, nil
		}
		o := os.newLocked(p, r, choice, match.First)
		o.behind = behind
		os.addLocked(o)
		return o, nil
	})
}

// PlayNamed plays the opponent with a name, ignoring case. It accepts an offer of that
// player if p can, or else challenges the person with that name in the lobby. If there is
// neither, PlayNamed opens an offer for the next player with that name.
func (os *Offers) PlayNamed(p Player, name string, r match.Rules, choice Stakes) (*Offer, error) {
	fits := func(p Player, o *Offer) (bool, error) {
		if !strings.EqualFold(o.player.Name, name) || !o.open() && !o.waitsFor(p) {
			return false, nil
		}
		if !o.rules.Same(r) {
			return false, i18n.Errorf("x-is-waiting-with-other", o.player.Name, o.rules.Name)
		}
		if o.choice != choice {
			return false, i18n.Errorf("x-wants-a-x-match", o.player.Name, o.choice.Word())
		}
		return true, nil
	}
	return os.acceptOrOffer(p, choice, fits, func(p Player) (*Offer, error) {
		if strings.EqualFold(p.Name, name) {
			return nil, ErrSelf
		}
		if id := os.lobby.members.namedLocked(name); id != "" {
			return os.challengeLocked(p, id, r, choice)
		}
		o := os.newLocked(p, r, choice, match.First)
		o.name = name
		os.addLocked(o)
		return o, nil
	})
}

// CanPlayNamed returns an error if [Offers.PlayNamed] cannot lead to a match. A person
// must be in the lobby; a program may arrive later. It waits for the database.
func (os *Offers) CanPlayNamed(ctx context.Context, name string) error {
	l := os.lobby
	if slices.ContainsFunc(bots.All(), func(b bots.Info) bool { return strings.EqualFold(b.Name, name) }) {
		return i18n.Errorf("x-is-a-built-in", name, name)
	}
	if l.IsHere(name) || l.cfg.Store == nil {
		return nil
	}
	switch p, err := l.cfg.Store.Accounts.ByName(ctx, name); {
	case errors.Is(err, store.ErrNotFound):
	case err != nil:
		l.cfg.Log.Error("name cannot be looked up", "error", err)
		return account.ErrStore
	case p.Kind == store.Person:
		return i18n.Errorf("x-is-not-here-try", p.Name)
	}
	return nil
}

// IsHere reports whether a person with a name is in the lobby.
func (l *Lobby) IsHere(name string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.members.namedLocked(name) != ""
}

// acceptOrOffer accepts another player's oldest offer that fits. If there is none, offer
// opens one in the same critical section, so that two compatible players never both wait.
func (os *Offers) acceptOrOffer(p Player, choice Stakes, fits func(Player, *Offer) (bool, error), offer func(Player) (*Offer, error)) (*Offer, error) {
	os.lobby.mu.Lock()
	defer os.lobby.mu.Unlock()
	p, err := os.lobby.admitLocked(p, choice)
	if err != nil {
		return nil, err
	}
	found, err := os.findLocked(func(o *Offer) (bool, error) {
		if o.player.ID == p.ID {
			return false, nil
		}
		return fits(p, o)
	})
	if err != nil {
		return nil, err
	}
	if found == nil {
		return offer(p)
	}
	seat, err := os.startLocked(found, p)
	if err != nil {
		return nil, err
	}
	own := os.newLocked(p, found.rules, found.choice, match.Second)
	own.seatLocked(seat)
	return own, nil
}

// findLocked returns the oldest open offer that fits, or nil.
func (os *Offers) findLocked(fits func(*Offer) (bool, error)) (*Offer, error) {
	for _, o := range os.open {
		ok, err := fits(o)
		if err != nil {
			return nil, err
		}
		if ok {
			return o, nil
		}
	}
	return nil, nil
}

// startLocked begins the match between an open offer's player and p, and returns p's seat.
func (os *Offers) startLocked(o *Offer, p Player) (*Seat, error) {
	l, players := os.lobby, [2]Player{o.player, p}
	at := l.Matches.stakesLocked(o.choice, o.rules, players)
	g, err := l.Matches.startLocked(o.rules, o.choice, at, players, o, nil)
	if err != nil {
		o.failLocked(err)
		return nil, err
	}
	o.seatLocked(g.seats[match.First])
	if paired := l.cfg.Meter.Paired; paired != nil && o.open() {
		paired(time.Since(o.since))
	}
	return g.seats[match.Second], nil
}

// Accept accepts an open offer, or a challenge to the player, and begins the match.
func (os *Offers) Accept(p Player, number int) (*Seat, error) {
	return os.accept(p, ErrOfferGone, func(p Player, o *Offer) bool {
		return o.number == number && (o.open() || o.to != nil && o.to.ID == p.ID)
	})
}

// accept begins the match of the offer that fits. It returns the error none if there is
// no such offer.
func (os *Offers) accept(p Player, none error, fits func(Player, *Offer) bool) (*Seat, error) {
	os.lobby.mu.Lock()
	defer os.lobby.mu.Unlock()
	p, err := os.lobby.admitLocked(p, Casual)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(os.open, func(o *Offer) bool { return fits(p, o) })
	if i < 0 {
		return nil, none
	}
	o := os.open[i]
	if o.player.ID == p.ID {
		return nil, ErrSelf
	}
	if err := os.lobby.Matches.checkAbortsLocked(p, o.choice); err != nil {
		return nil, err
	}
	return os.startLocked(o, p)
}

// offer calls open with the lobby locked, unless the player may not play.
func (os *Offers) offer(p Player, choice Stakes, open func(Player) (*Offer, error)) (*Offer, error) {
	os.lobby.mu.Lock()
	defer os.lobby.mu.Unlock()
	p, err := os.lobby.admitLocked(p, choice)
	if err != nil {
		return nil, err
	}
	return open(p)
}

// addLocked opens an offer. A person's earlier offer is replaced.
func (os *Offers) addLocked(o *Offer) {
	if o.player.Kind == Person {
		os.endLocked(os.byPlayer[o.player.ID], func(former *Offer) error {
			if former.player.ID == o.player.ID {
				return ErrOtherOffer
			}
			return nil
		})
	}
	at := len(os.open)
	for !o.player.Silent && at > 0 && os.open[at-1].player.Silent {
		at--
	}
	os.open = slices.Insert(os.open, at, o)
	os.byPlayer[o.player.ID] = append(os.byPlayer[o.player.ID], o)
	if o.to != nil {
		os.byPlayer[o.to.ID] = append(os.byPlayer[o.to.ID], o)
		os.notifyLocked(o.to.ID)
	}
	if !o.until.IsZero() {
		o.timer = os.lobby.at(o.until, func() {
			if !o.settled {
				o.failLocked(i18n.Errorf("no-answer-from-x-in", o.to.Name))
			}
		})
	}
	os.lobby.changedLocked()
}

// removeLocked removes an offer from the open ones.
func (os *Offers) removeLocked(o *Offer) {
	at := slices.Index(os.open, o)
	if at < 0 {
		return
	}
	os.open = slices.Delete(os.open, at, at+1)
	removeFrom(os.byPlayer, o.player.ID, o)
	if o.to != nil {
		removeFrom(os.byPlayer, o.to.ID, o)
		os.notifyLocked(o.to.ID)
	}
	os.lobby.changedLocked()
}

// endLocked ends those of some open offers for which why returns an error, with that
// error.
func (os *Offers) endLocked(some []*Offer, why func(*Offer) error) {
	for _, o := range slices.Clone(some) {
		if err := why(o); err != nil {
			o.failLocked(err)
		}
	}
}

// endOfPlayerLocked ends a player's offers with the error own, and challenges to the
// player with the other error. It keeps the offer except, which may be nil.
func (os *Offers) endOfPlayerLocked(id string, except *Offer, own, others error) {
	os.endLocked(os.byPlayer[id], func(o *Offer) error {
		switch {
		case o == except:
			return nil
		case o.player.ID == id:
			return own
		}
		return others
	})
}

// endOfSeatedLocked ends the offers of the players of a new match and challenges to them,
// except the offer that led to the match.
func (os *Offers) endOfSeatedLocked(players [2]Player, of *Offer) {
	for _, p := range players {
		if p.Kind == Person {
			os.endOfPlayerLocked(p.ID, of, ErrSatDown, i18n.Errorf("your-challenge-is-over-x", p.Name))
		}
	}
}

// waitingLocked returns the players waiting for any opponent.
func (os *Offers) waitingLocked() (all []Waiting) {
	for _, o := range os.open {
		if o.open() {
			all = append(all, Waiting{Offer: o.number, Player: o.player, Rules: o.rules, Stakes: o.Stakes()})
		}
	}
	return all
}
