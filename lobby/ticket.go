package lobby

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"time"

	"broadside/bots"
	"broadside/match"
	"broadside/words"
)

// Ticket is a player's wish to play, until it comes true or fails. One that
// waits for somebody to take it is an offer: to anybody, to one person, to who
// goes by a name, or to whoever knows the code of a room. Who offers defends, who takes it shoots
// first.
type Ticket struct {
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
	until   time.Time     // when the offer ends by itself; zero: never
	seated  chan *Seating // capacity 1; closed without a value on failure
	err     error         // written before seated is closed
	timer   *time.Timer   // guarded by lobby.mu: for until
	settled bool          // guarded by lobby.mu: seated, failed or cancelled
	taken   bool          // guarded by lobby.mu: somebody has taken the offer, and the match is about to begin
	takes   *game         // whose seat it asks for by a resume code; else nil
	again   *table        // where it asks for a rematch; else nil
}

// newTicket is a wish that nobody knows of yet. The lobby is locked.
func (l *Lobby) newTicket(p Player, r match.Rules, choice Stakes, side match.Side) *Ticket {
	return &Ticket{
		lobby: l, number: newNumber(), player: p, rules: r, choice: choice, side: side,
		since: time.Now(), seated: make(chan *Seating, 1),
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
func (t *Ticket) Rules() match.Rules { return t.rules }

// Stakes returns what the match that comes of it is played for, as far as that
// is known before there is an opponent.
func (t *Ticket) Stakes() Stakes {
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
func (t *Ticket) To() (*Player, time.Time) { return t.to, t.until }

// Code is the code of the private room that it is for; empty if there is none.
func (t *Ticket) Code() string { return t.code }

// TakesOver reports whether it asks for a seat that another session uses, and
// until when that session's player can refuse.
func (t *Ticket) TakesOver() (bool, time.Time) { return t.takes != nil, t.until }

// Seated yields the seating once there is an opponent. It is closed instead if
// there will be none; [Ticket.Err] then says why.
func (t *Ticket) Seated() <-chan *Seating { return t.seated }

// Err is why the wish failed, a sentence for the player. Call it only once
// Seated is closed.
func (t *Ticket) Err() error { return t.err }

// Cancel takes the wish back. It returns false if it is too late: the seating
// is there, or the wish has failed.
func (t *Ticket) Cancel() bool {
	t.lobby.mu.Lock()
	defer t.lobby.mu.Unlock()
	if t.settled {
		return false
	}
	t.settle()
	if t.again != nil {
		t.again.wishes[t.side.Other()] = nil // the player's side in the match before
		t.again.tell()
	}
	return true
}

// Fill lets a built-in bot take the offer, unless somebody has. The bot shoots
// first. The offer stays if the error is that the bot cannot play by its rules.
func (t *Ticket) Fill(bot string) error {
	l := t.lobby
	l.mu.Lock()
	_, err := bots.New(bot, bots.Config{Rules: t.rules, Rand: l.newRand()})
	if t.settled || t.taken || err != nil {
		l.mu.Unlock()
		return err
	}
	t.taken = true
	l.mu.Unlock()
	_, err = l.meet(t, l.bot(bot))
	if errors.Is(err, errMissed) {
		return nil
	}
	return err
}

// open tells whether anybody can take the offer.
func (t *Ticket) open() bool { return t.to == nil && t.code == "" && t.name == "" }

// waitsFor tells whether the offer is to who goes by the player's name.
func (t *Ticket) waitsFor(p Player) bool { return t.name != "" && strings.EqualFold(t.name, p.Name) }

// The lobby is locked for all that follows.

// seat and fail settle a ticket.
func (t *Ticket) seat(s *Seating) {
	t.settle()
	t.seated <- s
}

func (t *Ticket) fail(err error) {
	t.settle()
	t.err = err
	close(t.seated)
}

func (t *Ticket) settle() {
	l := t.lobby
	t.settled = true
	if t.timer != nil && t.timer.Stop() {
		l.work.Done()
	}
	if t.takes != nil {
		t.takes.table.takeovers[t.side] = nil
		t.takes.table.tell()
	}
	l.drop(t)
}

// drop takes an offer out of those that can be taken.
func (l *Lobby) drop(t *Ticket) {
	before := len(l.offers)
	l.offers = slices.DeleteFunc(l.offers, func(o *Ticket) bool { return o == t })
	if len(l.offers) == before {
		return // it was no offer
	}
	if t.to != nil {
		l.call(t.to.ID)
	}
	l.changed()
}

// offer lets others take a ticket. A person has one offer at a time: the newest.
func (l *Lobby) offer(t *Ticket) {
	if t.player.Kind == Person {
		l.withdraw(func(o *Ticket) error {
			if o.player.ID == t.player.ID {
				return ErrOtherOffer
			}
			return nil
		})
	}
	l.offers = append(l.offers, t)
	if t.to != nil {
		l.call(t.to.ID)
	}
	if !t.until.IsZero() {
		t.timer = l.at(t.until, func() {
			if !t.settled {
				t.fail(errNoAnswer(t.to))
			}
		})
	}
	l.changed()
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
func (l *Lobby) withdraw(why func(*Ticket) error) {
	for _, t := range slices.Clone(l.offers) {
		if err := why(t); err != nil {
			t.fail(err)
		}
	}
}

// sitDown ends the offers of players who begin a match, and those to them, but
// for the one that it comes of.
func (l *Lobby) sitDown(players [2]Player, of *Ticket) {
	for _, p := range players {
		if p.Kind == Person {
			l.part(p.ID, of, ErrSatDown, words.Errorf("your challenge is over: %s has begun another match", p.Name))
		}
	}
}

// part ends the offers of a person for the reason mine, and those to them for
// theirs, but for one, which may be nil.
func (l *Lobby) part(id string, but *Ticket, mine, theirs error) {
	l.withdraw(func(o *Ticket) error {
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
