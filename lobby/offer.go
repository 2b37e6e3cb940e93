package lobby

import (
	"crypto/rand"
	"encoding/binary"
	"strings"
	"time"

	"broadside/bots"
	"broadside/lobby/account"
	"broadside/lobby/ratingmode"
	"broadside/match"
	"broadside/match/live"
)

// Offer is a player's offer to play. The player who makes the offer defends; the opponent shoots first.
// A request for a seat in use is also an Offer.
type Offer struct {
	Terms Terms // constant once the offer is open

	lobby  *Lobby
	number int // for [Offers.Accept]
	player account.Player
	to     acceptor
	choice RatingMode  // Rated or Casual
	seat   chan *Seat  // capacity 1; closed without a value if the offer ends
	err    error       // written before seated is closed
	behind bool        // see [Offers.FindOpponentAfterOthers]; constant
	timer  *time.Timer // for Terms.Until; guarded by lobby.mu, like the fields below
	wake   live.Signal // see Notify
	ended  func()      // called when the offer leads to a match or ends; or nil
	closed bool        // the offer has led to a match or ended
}

// Terms describe an offer.
type Terms struct {
	Rules      match.Rules // with its clock
	RatingMode RatingMode  // as far as they are known before there is an opponent
	Since      time.Time
	Until      time.Time       // when the offer expires; zero: never
	Code       string          // of a private match; else empty
	To         *account.Player // the challenged person; nil: not a challenge
	For        string          // the name of the only program that can accept it; else empty
	TakesOver  bool            // the offer requests a seat in use, whose player can refuse
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

// newOfferLocked returns an offer that is not open yet.
func (ofs *Offers) newOfferLocked(p account.Player, to acceptor, r match.Rules, choice RatingMode) *Offer {
	terms := Terms{Rules: r, RatingMode: offeredRatingMode(p, r, choice), Since: time.Now()}
	switch to := to.(type) {
	case challenged:
		terms.To, terms.RatingMode = &to.p, actualRatingMode(choice, r, [2]account.Player{p, to.p})
	case named:
		terms.For = string(to)
	case codeHolder:
		terms.Code = string(to)
	case seatHolder:
		terms.TakesOver = true
	}
	return &Offer{Terms: terms, lobby: ofs.lobby, number: newOfferNumber(), player: p, to: to, choice: choice, seat: make(chan *Seat, 1)}
}

// offeredRatingMode returns the rating mode of a player's match against an unknown opponent.
func offeredRatingMode(p account.Player, r match.Rules, choice RatingMode) RatingMode {
	switch {
	case choice != Rated:
		return choice
	case p.Account == "":
		return ratingmode.CasualGuest
	case !hasRatings(r):
		return ratingmode.CasualRules
	}
	return Rated
}

// setExpiryLocked calls then after a time, unless the offer has ended.
func (o *Offer) setExpiryLocked(after time.Duration, then func()) {
	o.Terms.Until = time.Now().Add(after)
	o.timer = o.lobby.scheduleLocked(o.Terms.Until, func() {
		if !o.closed {
			then()
		}
	})
}

// newOfferNumber returns a random offer number, so that a number from before a restart cannot
// match another offer.
func newOfferNumber() int {
	var b [8]byte
	rand.Read(b[:])
	return int(binary.LittleEndian.Uint64(b[:]) >> 11)
}

// challengedID returns the ID of the challenged person, or "".
func (o *Offer) challengedID() string {
	if o.Terms.To == nil {
		return ""
	}
	return o.Terms.To.ID
}

// Seat yields the player's seat once the match has begun. If the offer ends without a
// match, the channel is closed and [Offer.Err] returns the reason.
func (o *Offer) Seat() <-chan *Seat { return o.seat }

// SetWake sends wake at once, and when Seated has something to receive.
func (o *Offer) SetWake(wake live.Signal) {
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
	if o.closed {
		return false
	}
	o.closeLocked()
	return true
}

// AcceptWithBot lets a built-in bot accept the offer if it is still open. If the bot cannot play
// by its rules, Fill returns an error and the offer stays open.
func (o *Offer) AcceptWithBot(bot string) error {
	l := o.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	if o.closed {
		return nil
	}
	if _, err := bots.New(bot, bots.Config{Rules: o.Terms.Rules, Rand: l.newRandLocked()}); err != nil {
		return err
	}
	_, err := l.Offers.startMatchLocked(o, l.Accounts.BotPlayer(bot))
	return err
}

func (o *Offer) isOpenToAnyone() bool { return o.to == anyone{} }

func (o *Offer) isFor(p account.Player) bool {
	return o.Terms.For != "" && strings.EqualFold(o.Terms.For, p.Name)
}

func (o *Offer) giveSeatLocked(s *Seat) {
	o.closeLocked()
	o.seat <- s
	o.wake.Send()
}

func (o *Offer) failLocked(err error) {
	o.closeLocked()
	o.err = err
	close(o.seat)
	o.wake.Send()
}

func (o *Offer) closeLocked() {
	o.closed = true
	if o.timer != nil && o.timer.Stop() {
		o.lobby.work.Done()
	}
	if o.ended != nil {
		o.ended()
	}
	o.lobby.Offers.removeLocked(o)
}
