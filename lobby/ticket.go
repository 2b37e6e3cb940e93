package lobby

import (
	"cmp"
	"crypto/rand"
	"encoding/binary"
	"errors"
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
	choice  Stakes // Rated or Casual
	side    match.Side
	since   time.Time
	until   time.Time     // when the offer ends by itself; zero: never
	seated  chan *Seating // capacity 1; closed without a value on failure
	err     error         // written before seated is closed
	timer   *time.Timer   // guarded by lobby.mu: for until
	settled bool          // guarded by lobby.mu: seated, failed or cancelled
	takes   *game         // whose seat it asks for by a resume code; else nil
	// unwanted is guarded by lobby.mu: it was to be taken back when somebody had
	// taken it. It is not made again.
	unwanted bool

	home string // the node where the player is
	rev  uint64 // guarded by lobby.deal: of the offer's entry; 0 if it has none
}

// newTicket is a wish that nobody knows of yet. The lobby is locked.
func (l *Lobby) newTicket(p Player, r match.Rules, choice Stakes, side match.Side) *Ticket {
	return &Ticket{
		lobby: l, number: newNumber(), player: p, rules: r, choice: choice, side: side,
		since: time.Now(), seated: make(chan *Seating, 1), home: l.node.ID(),
	}
}

// newNumber is the number of an offer, which no other has at any node.
func newNumber() int {
	var b [8]byte
	rand.Read(b[:])
	return int(binary.LittleEndian.Uint64(b[:]) >> 11)
}

// Side is the side that the player will have: who waits first defends.
func (t *Ticket) Side() match.Side { return t.side }

// Player is the player as the lobby knows it.
func (t *Ticket) Player() Player { return t.player }

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
// is there or on its way, or the wish has failed. It may wait for other nodes.
func (t *Ticket) Cancel() bool {
	l := t.lobby
	l.deal.Lock()
	defer l.deal.Unlock()
	l.mu.Lock()
	settled := t.settled
	l.mu.Unlock()
	back := !settled && l.withdrawn(t, nil)
	l.mu.Lock()
	defer l.mu.Unlock()
	if !back || t.settled {
		t.unwanted = true
		return false
	}
	t.settle()
	return true
}

// Fill lets a built-in bot take the offer, unless somebody has. The bot shoots
// first. An error leaves the offer as it was. It may wait for other nodes.
func (t *Ticket) Fill(bot string) error {
	l := t.lobby
	l.deal.Lock()
	defer l.deal.Unlock()
	l.mu.Lock()
	settled := t.settled
	_, err := bots.New(bot, bots.Config{Rules: t.rules, Rand: l.newRand()})
	l.mu.Unlock()
	if settled || err != nil {
		return err
	}
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

// here tells whether the player is at this node.
func (t *Ticket) here() bool { return t.home == t.lobby.node.ID() }

// The lobby is locked for all that follows.

// seat and fail settle a ticket.
func (t *Ticket) seat(s *Seating) {
	t.settle()
	t.seated <- s
}

func (t *Ticket) fail(err error) {
	t.settle()
	if t.here() {
		t.err = err
		close(t.seated)
	}
}

func (t *Ticket) settle() {
	l := t.lobby
	t.settled = true
	delete(l.mine, t.number)
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

// list puts an offer among those that can be taken, in order of arrival.
func (l *Lobby) list(t *Ticket) {
	at, _ := slices.BinarySearchFunc(l.offers, t, func(a, b *Ticket) int {
		return cmp.Or(a.since.Compare(b.since), -1) // behind those that came with it
	})
	l.offers = slices.Insert(l.offers, at, t)
	if t.to != nil {
		l.call(t.to.ID)
	}
	l.changed()
}
