package lobby

import (
	"crypto/rand"
	"encoding/binary"
	"strings"
	"time"

	"broadside/bots"
	"broadside/lobby/fairness"
	"broadside/lobby/stakes"
	"broadside/match"
	"broadside/match/live"
)

// Offer is a player's offer to play: a seek (to any player), a challenge (to one person),
// a private match (to any player with its code), a named offer (to the next player with a
// name), or a rematch offer. The player who makes the offer defends; the opponent shoots
// first. A request for a seat in use is also an Offer.
type Offer struct {
	lobby   *Lobby
	number  int // for [Offers.Accept]
	player  Player
	to      *Player // the challenged person; nil if the offer is not a challenge
	name    string  // of the only player who can accept the offer; empty unless it is a named offer
	code    string  // empty unless the offer is for a private match
	cup     string  // the code of the cup whose next match a program waits for; else empty
	ladder  float64 // the player's rating if the offer is for the next match on the ladder; otherwise 0
	rules   match.Rules
	choice  Stakes // Rated or Casual
	side    match.Side
	since   time.Time
	until   time.Time   // when it expires; zero: never
	seated  chan *Seat  // capacity 1; closed without a value if the offer ends
	err     error       // written before seated is closed
	timer   *time.Timer // for until; guarded by lobby.mu, like the fields below
	wake    live.Signal // see Notify
	behind  bool        // see [Offers.SeekBehind]; constant
	settled bool        // the offer has led to a match or ended
	takes   *game       // the match whose seat is requested, or nil
	again   *rematch    // the match to be repeated, or nil
}

// newLocked returns an offer that is not open yet.
func (os *Offers) newLocked(p Player, r match.Rules, choice Stakes, side match.Side) *Offer {
	return &Offer{
		lobby: os.lobby, number: newNumber(), player: p, rules: r, choice: choice, side: side,
		since: time.Now(), seated: make(chan *Seat, 1),
	}
}

// newNumber returns a random offer number, so that a number from before a restart cannot
// match another offer.
func newNumber() int {
	var b [8]byte
	rand.Read(b[:])
	return int(binary.LittleEndian.Uint64(b[:]) >> 11)
}

// Rules returns the rules of the match, with its clock.
func (o *Offer) Rules() match.Rules { return o.rules }

// Stakes returns the stakes of the match as far as they are known before there is an
// opponent.
func (o *Offer) Stakes() Stakes {
	switch {
	case o.to != nil:
		return fairness.Stakes(o.choice, o.rules, [2]Player{o.player, *o.to})
	case o.choice != Rated:
		return o.choice
	case o.player.Account == "":
		return stakes.CasualGuest
	case !fairness.HasRatings(o.rules):
		return stakes.CasualRules
	}
	return Rated
}

// To returns the challenged person and when the challenge expires. The person is nil if
// the offer is not a challenge.
func (o *Offer) To() (*Player, time.Time) { return o.to, o.until }

// Code returns the code of a private match, or "" for other offers.
func (o *Offer) Code() string { return o.code }

// For returns the name of the only player who can accept a named offer; else "".
func (o *Offer) For() string { return o.name }

// TakesOver reports whether the offer requests a seat in use.
func (o *Offer) TakesOver() bool { return o.takes != nil }

// Seated yields the player's seat once the match has begun. If the offer ends without a
// match, the channel is closed and [Offer.Err] returns the reason.
func (o *Offer) Seated() <-chan *Seat { return o.seated }

// Notify sends wake at once, and when Seated has something to receive.
func (o *Offer) Notify(wake live.Signal) {
	o.lobby.mu.Lock()
	defer o.lobby.mu.Unlock()
	o.wake = wake
	wake.Send()
}

// Err returns why the offer ended, as a sentence for the player. Call it only after the
// channel of Seated has been closed.
func (o *Offer) Err() error { return o.err }

// Cancel withdraws the offer. It returns false if the match has begun or the offer has
// already ended.
func (o *Offer) Cancel() bool {
	o.lobby.mu.Lock()
	defer o.lobby.mu.Unlock()
	if o.settled {
		return false
	}
	o.settleLocked()
	if o.again != nil {
		o.again.offers[o.side.Other()] = nil // the player's side in the earlier match
		o.again.changedLocked()
	}
	return true
}

// Fill lets a built-in bot accept the offer if it is still open. If the bot cannot play
// by its rules, Fill returns an error and the offer stays open.
func (o *Offer) Fill(bot string) error {
	l := o.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	if o.settled {
		return nil
	}
	if _, err := bots.New(bot, bots.Config{Rules: o.rules, Rand: l.newRandLocked()}); err != nil {
		return err
	}
	_, err := l.Offers.startLocked(o, l.Accounts.Bot(bot))
	return err
}

// open reports whether any player can accept the offer.
func (o *Offer) open() bool {
	return o.to == nil && o.code == "" && o.name == "" && o.cup == "" && o.ladder == 0
}

// waitsFor reports whether this is a named offer for p.
func (o *Offer) waitsFor(p Player) bool { return o.name != "" && strings.EqualFold(o.name, p.Name) }

// seatLocked ends the offer with a seat in a match.
func (o *Offer) seatLocked(s *Seat) {
	o.settleLocked()
	o.seated <- s
	o.wake.Send()
}

// failLocked ends the offer without a match.
func (o *Offer) failLocked(err error) {
	o.settleLocked()
	o.err = err
	close(o.seated)
	o.wake.Send()
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
