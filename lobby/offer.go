package lobby

import (
	"crypto/rand"
	"encoding/binary"
	"strings"
	"time"

	"broadside/bots"
	"broadside/lobby/account"
	"broadside/lobby/stakes"
	"broadside/match"
	"broadside/match/live"
)

// Offer is a player's offer to play. The player who makes the offer defends; the opponent shoots first.
// A request for a seat in use is also an Offer.
type Offer struct {
	lobby   *Lobby
	number  int // for [Offers.Accept]
	player  account.Player
	to      acceptor
	rules   match.Rules
	choice  Stakes // Rated or Casual
	since   time.Time
	until   time.Time   // see expireLocked; zero: never
	seated  chan *Seat  // capacity 1; closed without a value if the offer ends
	err     error       // written before seated is closed
	behind  bool        // see [Offers.SeekBehind]; constant
	timer   *time.Timer // for until; guarded by lobby.mu, like the fields below
	wake    live.Signal // see Notify
	ended   func()      // called when the offer leads to a match or ends; or nil
	settled bool        // the offer has led to a match or ended
}

// acceptor says who can accept an offer. It is one of the types below.
type acceptor any

type (
	anyone          struct{}                   // any player
	named           string                     // any player with this name, ignoring case
	challenged      struct{ p account.Player } // this person
	codeHolder      string                     // any player with this code of a private match
	tournamentMatch string                     // nobody: the tournament with this code begins a program's next match
	ladderAt        float64                    // nobody: the ladder begins the match of a program with this rating
	opponent        struct{}                   // the opponent of the last match
	seatHolder      struct{}                   // the player of the requested seat, who may refuse
)

// newLocked returns an offer that is not open yet.
func (ofs *Offers) newLocked(p account.Player, to acceptor, r match.Rules, choice Stakes) *Offer {
	return &Offer{
		lobby: ofs.lobby, number: newNumber(), player: p, to: to, rules: r, choice: choice,
		since: time.Now(), seated: make(chan *Seat, 1),
	}
}

// expireLocked calls then after a time, unless the offer has ended.
func (o *Offer) expireLocked(after time.Duration, then func()) {
	o.until = time.Now().Add(after)
	o.timer = o.lobby.at(o.until, func() {
		if !o.settled {
			then()
		}
	})
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
	to, isChallenge := o.to.(challenged)
	switch {
	case isChallenge:
		return stakesOf(o.choice, o.rules, [2]account.Player{o.player, to.p})
	case o.choice != Rated:
		return o.choice
	case o.player.Account == "":
		return stakes.CasualGuest
	case !hasRatings(o.rules):
		return stakes.CasualRules
	}
	return Rated
}

// To returns the challenged person and when the challenge expires. The person is nil if
// the offer is not a challenge.
func (o *Offer) To() (*account.Player, time.Time) {
	if to, ok := o.to.(challenged); ok {
		return &to.p, o.until
	}
	return nil, o.until
}

func (o *Offer) toID() string {
	to, _ := o.to.(challenged)
	return to.p.ID
}

// Code returns the code of a private match, or "" for other offers.
func (o *Offer) Code() string {
	code, _ := o.to.(codeHolder)
	return string(code)
}

// For returns the name of the only player who can accept a named offer; else "".
func (o *Offer) For() string {
	name, _ := o.to.(named)
	return string(name)
}

// TakesOver reports whether the offer requests a seat in use.
func (o *Offer) TakesOver() bool { return o.to == seatHolder{} }

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

func (o *Offer) open() bool { return o.to == anyone{} }

func (o *Offer) waitsFor(p account.Player) bool {
	name, ok := o.to.(named)
	return ok && strings.EqualFold(string(name), p.Name)
}

func (o *Offer) seatLocked(s *Seat) {
	o.settleLocked()
	o.seated <- s
	o.wake.Send()
}

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
	if o.ended != nil {
		o.ended()
	}
	o.lobby.Offers.removeLocked(o)
}
