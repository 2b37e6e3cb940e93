package lobby

import (
	"slices"
	"strings"
	"time"

	"broadside/bots"
	"broadside/match"
)

// Ticket is a player's wish to play, until it comes true or fails. One that
// waits for somebody to take it is an offer: to anybody, to one person, to who
// goes by a name, or to whoever knows the code of a room. Who offers defends, who takes it shoots
// first.
type Ticket struct {
	lobby   *Lobby
	number  int // of the offer, in this lobby
	player  Player
	to      *Player // nil unless only this person can take it
	name    string  // empty unless only who goes by this name can take it
	code    string  // of a room; empty unless only who knows it can take it
	rules   match.Rules
	side    match.Side
	since   time.Time
	until   time.Time     // when the offer ends by itself; zero: never
	seated  chan *Seating // capacity 1; closed without a value on failure
	err     error         // written before seated is closed
	timer   *time.Timer   // guarded by lobby.mu: for until
	settled bool          // guarded by lobby.mu: seated, failed or cancelled
}

// newTicket is a wish that nobody knows of yet. The lobby is locked.
func (l *Lobby) newTicket(p Player, r match.Rules, side match.Side) *Ticket {
	l.counter++
	return &Ticket{
		lobby: l, number: l.counter, player: p, rules: r, side: side,
		since: time.Now(), seated: make(chan *Seating, 1),
	}
}

// Side is the side that the player will have: who waits first defends.
func (t *Ticket) Side() match.Side { return t.side }

// Player is the player as the lobby knows it.
func (t *Ticket) Player() Player { return t.player }

// Rules are those of the match that will come of it, with its clock.
func (t *Ticket) Rules() match.Rules { return t.rules }

// To is the person who is challenged by it, and until when they may answer;
// nil if it is no challenge.
func (t *Ticket) To() (*Player, time.Time) { return t.to, t.until }

// Code is the code of the private room that it is for; empty if there is none.
func (t *Ticket) Code() string { return t.code }

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
	return true
}

// Fill lets a built-in bot take the offer, unless somebody has. The bot shoots
// first. An error leaves the offer as it was.
func (t *Ticket) Fill(bot string) error {
	l := t.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	if t.settled {
		return nil
	}
	if _, err := bots.New(bot, bots.Config{Rules: t.rules, Rand: l.newRand()}); err != nil {
		return err
	}
	_, err := l.meet(t, l.bot(bot))
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
		l.endOffers(func(o *Ticket) error {
			if o.player.ID == t.player.ID {
				return ErrOtherOffer
			}
			return nil
		})
	}
	l.offers = append(l.offers, t)
	if !t.until.IsZero() {
		l.work.Add(1) // done by the timer, or by who stops it
		t.timer = time.AfterFunc(time.Until(t.until), func() {
			defer l.work.Done()
			l.mu.Lock()
			defer l.mu.Unlock()
			if !t.settled {
				t.fail(errNoAnswer(t.to))
			}
		})
	}
	if t.to != nil {
		l.call(t.to.ID)
	}
	l.changed()
}

// meet begins the match between who made an offer and who takes it, and
// returns the seating of the latter.
func (l *Lobby) meet(t *Ticket, p Player) (*Seating, error) {
	// Out of the list first: who sits down has no offers left.
	l.offers = slices.DeleteFunc(l.offers, func(o *Ticket) bool { return o == t })
	g, err := l.start(t.rules, [2]Player{t.player, p})
	if err != nil {
		t.fail(err)
	} else {
		t.seat(g.seatings[match.First])
		if paired := l.cfg.Meter.Paired; paired != nil && t.open() {
			paired(time.Since(t.since))
		}
	}
	if t.to != nil {
		l.call(t.to.ID)
	}
	l.changed()
	if err != nil {
		return nil, err
	}
	return g.seatings[match.Second], nil
}

// endOffers fails those offers for which why is not nil, for that reason.
func (l *Lobby) endOffers(why func(*Ticket) error) {
	for _, o := range slices.Clone(l.offers) {
		if err := why(o); err != nil {
			o.fail(err)
		}
	}
}
