package lobby

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"strings"
	"time"

	"broadside/bots"
	"broadside/lobby/stakes"
	"broadside/match"
)

// Offer is a player's offer to play: a seek (to any player), a challenge (to one
// person), a private match (to any player with its code), a named offer (to the next
// player with a name), or a rematch offer. The player of an offer defends, the opponent
// shoots first. A request for a seat that is in use is an Offer as well.
type Offer struct {
	lobby   *Lobby
	number  int // for [Offers.Accept]
	player  Player
	to      *Player // the challenged person; nil: no challenge
	name    string  // of the only player who can accept it; empty: not a named offer
	code    string  // empty: no private match
	rules   match.Rules
	choice  Stakes // Rated or Casual
	side    match.Side
	since   time.Time
	until   time.Time   // when it expires; zero: never
	seated  chan *Seat  // capacity 1; closed without a value if the offer ends
	err     error       // written before seated is closed
	timer   *time.Timer // for until; guarded by lobby.mu, as all below
	settled bool        // it has led to a match or ended
	taken   bool        // it is about to lead to a match
	takes   *game       // whose seat is requested; else nil
	again   *rematch    // of the match to repeat; else nil
}

// newLocked returns an offer that nobody can accept yet.
func (os *Offers) newLocked(p Player, r match.Rules, choice Stakes, side match.Side) *Offer {
	return &Offer{
		lobby: os.lobby, number: newNumber(), player: p, rules: r, choice: choice, side: side,
		since: time.Now(), seated: make(chan *Seat, 1),
	}
}

// newNumber returns a random number, so that a number from before a restart does not
// mean another offer.
func newNumber() int {
	var b [8]byte
	rand.Read(b[:])
	return int(binary.LittleEndian.Uint64(b[:]) >> 11)
}

// Rules returns the rules of the match, with its clock.
func (o *Offer) Rules() match.Rules { return o.rules }

// Stakes returns the stakes of the match, as far as they are known without an opponent.
func (o *Offer) Stakes() Stakes {
	switch {
	case o.to != nil:
		return stakesOf(o.choice, o.rules, [2]Player{o.player, *o.to})
	case o.choice != Rated:
		return o.choice
	case o.player.Account == "":
		return stakes.CasualGuest
	case !hasRatings(o.rules):
		return stakes.CasualRules
	}
	return Rated
}

// To returns the challenged person and when the challenge expires; nil if the offer is
// not a challenge.
func (o *Offer) To() (*Player, time.Time) { return o.to, o.until }

// Code returns the code of the private match; empty if the offer is none.
func (o *Offer) Code() string { return o.code }

// Takeover reports whether a seat in use is requested, and until when its player can
// refuse.
func (o *Offer) Takeover() (bool, time.Time) { return o.takes != nil, o.until }

// Seated yields the player's seat once the match has begun. If the offer ends without a
// match, the channel is closed, and [Offer.Err] says why.
func (o *Offer) Seated() <-chan *Seat { return o.seated }

// Err returns why the offer has ended, as a sentence for the player. Call it only after
// Seated has been closed.
func (o *Offer) Err() error { return o.err }

// Cancel withdraws the offer. It returns false if the match has begun or the offer has
// ended.
func (o *Offer) Cancel() bool {
	o.lobby.mu.Lock()
	defer o.lobby.mu.Unlock()
	if o.settled {
		return false
	}
	o.settleLocked()
	if o.again != nil {
		o.again.offers[o.side.Other()] = nil // the player's side in the match to repeat
		o.again.changedLocked()
	}
	return true
}

// Fill lets a built-in bot accept the offer, unless an opponent has. If the bot cannot
// play by its rules, the offer stays open and the error says why.
func (o *Offer) Fill(bot string) error {
	l := o.lobby
	l.mu.Lock()
	_, err := bots.New(bot, bots.Config{Rules: o.rules, Rand: l.newRandLocked()})
	if o.settled || o.taken || err != nil {
		l.mu.Unlock()
		return err
	}
	o.taken = true
	l.mu.Unlock()
	_, err = l.Offers.start(o, l.Accounts.Bot(bot))
	if errors.Is(err, errEnded) {
		return nil
	}
	return err
}

// open reports whether any player can accept the offer.
func (o *Offer) open() bool { return o.to == nil && o.code == "" && o.name == "" }

// waitsFor reports whether the offer is for players with p's name.
func (o *Offer) waitsFor(p Player) bool { return o.name != "" && strings.EqualFold(o.name, p.Name) }

// seatLocked ends the offer with a seat in a match.
func (o *Offer) seatLocked(s *Seat) {
	o.settleLocked()
	o.seated <- s
}

// failLocked ends the offer without a match.
func (o *Offer) failLocked(err error) {
	o.settleLocked()
	o.err = err
	close(o.seated)
}

func (o *Offer) settleLocked() {
	o.settled = true
	if o.timer != nil && o.timer.Stop() {
		o.lobby.work.Done()
	}
	if o.takes != nil {
		o.takes.rematch.takeovers[o.side] = nil
		o.takes.rematch.changedLocked()
	}
	o.lobby.Offers.removeLocked(o)
}
