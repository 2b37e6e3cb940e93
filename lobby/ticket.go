package lobby

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"time"

	"broadside/bots"
	"broadside/internal/i18n"
	"broadside/match"
)

// Offer is a player's wish to play, until it comes true or fails. One that
// waits for somebody to take it is an offer: to anybody, to one person, to who
// goes by a name, or to whoever knows the code of a room. Who offers defends, who takes it shoots
// first.
type Offer struct {
	lobby   *Lobby
	number  int // of the offer
	player  Player
	to      *Player // nil unless only this person can take it
	name    string  // empty unless only who goes by this name can take it
	code    string  // of a room; empty unless only who knows it can take it
	rules   match.Rules
	choice  Stakes // Rated or Casual
	side    match.Side
	since   time.Time
	until   time.Time   // when the offer ends by itself; zero: never
	seated  chan *Seat  // capacity 1; closed without a value on failure
	err     error       // written before seated is closed
	timer   *time.Timer // guarded by lobby.mu: for until
	settled bool        // guarded by lobby.mu: seated, failed or cancelled
	taken   bool        // guarded by lobby.mu: somebody has taken the offer, and the match is about to begin
	takes   *game       // whose seat it asks for by a resume code; else nil
	again   *rematch    // where it asks for a rematch; else nil
}

// newTicket is a wish that nobody knows of yet. The lobby is locked.
func (l *Lobby) newOffer(p Player, r match.Rules, choice Stakes, side match.Side) *Offer {
	return &Offer{
		lobby: l, number: newNumber(), player: p, rules: r, choice: choice, side: side,
		since: time.Now(), seated: make(chan *Seat, 1),
	}
}

// newNumber is the number of an offer. It is random, so a number from before a
// restart does not stand for another offer.
func newNumber() int {
	var b [8]byte
	rand.Read(b[:])
	return int(binary.LittleEndian.Uint64(b[:]) >> 11)
}

// Rules are those of the match that will come of it, with its clock.
func (t *Offer) Rules() match.Rules { return t.rules }

// Stakes returns what the match that comes of it is played for, as far as that
// is known before there is an opponent.
func (t *Offer) Stakes() Stakes {
	switch {
	case t.to != nil:
		return stakesOf(t.choice, t.rules, [2]Player{t.player, *t.to})
	case t.choice != Rated:
		return t.choice
	case t.player.Account == "":
		return CasualGuest
	case !hasScale(t.rules):
		return CasualRules
	}
	return Rated
}

// To is the person who is challenged by it, and until when they may answer;
// nil if it is no challenge.
func (t *Offer) To() (*Player, time.Time) { return t.to, t.until }

// Code is the code of the private room that it is for; empty if there is none.
func (t *Offer) Code() string { return t.code }

// TakesOver reports whether it asks for a seat that another session uses, and
// until when that session's player can refuse.
func (t *Offer) Takeover() (bool, time.Time) { return t.takes != nil, t.until }

// Seated yields the seat once there is an opponent. It is closed instead if
// there will be none; [Offer.Err] then says why.
func (t *Offer) Seated() <-chan *Seat { return t.seated }

// Err is why the wish failed, a sentence for the player. Call it only once
// Seated is closed.
func (t *Offer) Err() error { return t.err }

// Cancel takes the wish back. It returns false if it is too late: the seat
// is there, or the wish has failed.
func (t *Offer) Cancel() bool {
	t.lobby.mu.Lock()
	defer t.lobby.mu.Unlock()
	if t.settled {
		return false
	}
	t.settleLocked()
	if t.again != nil {
		t.again.offers[t.side.Other()] = nil // the player's side in the match before
		t.again.notifyLocked()
	}
	return true
}

// Fill lets a built-in bot take the offer, unless somebody has. The bot shoots
// first. The offer stays if the error is that the bot cannot play by its rules.
func (t *Offer) Fill(bot string) error {
	l := t.lobby
	l.mu.Lock()
	_, err := bots.New(bot, bots.Config{Rules: t.rules, Rand: l.newRandLocked()})
	if t.settled || t.taken || err != nil {
		l.mu.Unlock()
		return err
	}
	t.taken = true
	l.mu.Unlock()
	_, err = l.start(t, l.bot(bot))
	if errors.Is(err, errEnded) {
		return nil
	}
	return err
}

// open tells whether anybody can take the offer.
func (t *Offer) open() bool { return t.to == nil && t.code == "" && t.name == "" }

// waitsFor tells whether the offer is to who goes by the player's name.
func (t *Offer) waitsFor(p Player) bool { return t.name != "" && strings.EqualFold(t.name, p.Name) }

// The lobby is locked for all that follows.

// seat and fail settle a offer.
func (t *Offer) seatLocked(s *Seat) {
	t.settleLocked()
	t.seated <- s
}

func (t *Offer) failLocked(err error) {
	t.settleLocked()
	t.err = err
	close(t.seated)
}

func (t *Offer) settleLocked() {
	l := t.lobby
	t.settled = true
	if t.timer != nil && t.timer.Stop() {
		l.work.Done()
	}
	if t.takes != nil {
		t.takes.rematch.takeovers[t.side] = nil
		t.takes.rematch.notifyLocked()
	}
	l.dropLocked(t)
}

// drop takes an offer out of those that can be taken.
func (l *Lobby) dropLocked(t *Offer) {
	before := len(l.offers)
	l.offers = slices.DeleteFunc(l.offers, func(o *Offer) bool { return o == t })
	if len(l.offers) == before {
		return // it was no offer
	}
	if t.to != nil {
		l.notifyLocked(t.to.ID)
	}
	l.changedLocked()
}

// offer lets others take a offer. A person has one offer at a time: the newest.
func (l *Lobby) offerLocked(t *Offer) {
	if t.player.Kind == Person {
		l.withdrawLocked(func(o *Offer) error {
			if o.player.ID == t.player.ID {
				return ErrOtherOffer
			}
			return nil
		})
	}
	l.offers = append(l.offers, t)
	if t.to != nil {
		l.notifyLocked(t.to.ID)
	}
	if !t.until.IsZero() {
		t.timer = l.at(t.until, func() {
			if !t.settled {
				t.failLocked(errNoAnswer(t.to))
			}
		})
	}
	l.changedLocked()
}

// at calls f at a time, with the lobby locked. A caller that stops the timer in time calls
// l.work.Done in its place.
func (l *Lobby) at(when time.Time, f func()) *time.Timer {
	l.work.Add(1)
	return time.AfterFunc(time.Until(when), func() {
		defer l.work.Done()
		l.mu.Lock()
		defer l.mu.Unlock()
		f()
	})
}

// withdraw ends the offers for which why returns an error, for that reason.
func (l *Lobby) withdrawLocked(why func(*Offer) error) {
	for _, t := range slices.Clone(l.offers) {
		if err := why(t); err != nil {
			t.failLocked(err)
		}
	}
}

// sitDown ends the offers of players who begin a match, and those to them, but
// for the one that it comes of.
func (l *Lobby) endOffersOfLocked(players [2]Player, of *Offer) {
	for _, p := range players {
		if p.Kind == Person {
			l.endOffersLocked(p.ID, of, ErrSatDown, i18n.Errorf("your challenge is over: %s has begun another match", p.Name))
		}
	}
}

// part ends the offers of a person for the reason mine, and those to them for
// theirs, but for one, which may be nil.
func (l *Lobby) endOffersLocked(id string, but *Offer, mine, theirs error) {
	l.withdrawLocked(func(o *Offer) error {
		switch {
		case o == but:
		case o.player.ID == id:
			return mine
		case o.to != nil && o.to.ID == id:
			return theirs
		}
		return nil
	})
}
