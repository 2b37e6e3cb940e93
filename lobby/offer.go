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

// Offer is a player's offer to play. The player's opponent fires first. A request for a seat in use
// is also an Offer.
type Offer struct {
	Terms Terms // constant once the offer is open

	lobby  *Lobby
	number int // for [Offers.Accept]
	player account.Player
	to     acceptor
	choice RatingMode
	behind bool       // see [Offers.FindOpponentAfterOthers]
	seat   chan *Seat // capacity 1, and closed without a value if the offer ends
	err    error      // written before seat is closed

	// lobby.mu guards the fields below.
	expiry *time.Timer
	wake   live.Signal
	onEnd  func() // called when the offer leads to a match or ends, unless it is nil
	closed bool   // the offer has led to a match or ended
}

// Terms describe an offer.
type Terms struct {
	Rules      match.Rules
	RatingMode RatingMode // as far as it is known before there is an opponent
	Since      time.Time
	Expires    time.Time       // zero if the offer does not expire
	Code       string          // the private match's code, or ""
	Challenged *account.Player // the challenged person, or nil
	OnlyName   string          // the name of the only player who can accept the offer, or ""
	// IsTakeover reports that the offer requests a seat in use, whose player can refuse.
	IsTakeover bool
}

// acceptor says who can accept an offer. It is one of the types below. No player can accept an offer
// to a tournament or the ladder, which start the program's next match themselves.
type acceptor any

type (
	anyone          struct{}                   // any player
	named           string                     // any player with this name, ignoring case
	challenged      struct{ p account.Player } // this person
	codeHolder      string                     // any player with this code of a private match
	tournamentMatch string                     // the tournament with this code
	ladderAt        float64                    // the ladder, for a program with this rating
	opponent        struct{}                   // the opponent of the last match
	seatHolder      struct{}                   // the player of the requested seat, who may refuse
)

// newOfferLocked returns an offer that is not open yet.
func (ofs *Offers) newOfferLocked(p account.Player, to acceptor, r match.Rules, choice RatingMode) *Offer {
	terms := Terms{Rules: r, RatingMode: offeredRatingMode(p, r, choice), Since: time.Now()}
	switch to := to.(type) {
	case challenged:
		terms.Challenged, terms.RatingMode = &to.p, actualRatingMode(choice, r, [2]account.Player{p, to.p})
	case named:
		terms.OnlyName = string(to)
	case codeHolder:
		terms.Code = string(to)
	case seatHolder:
		terms.IsTakeover = true
	}
	return &Offer{Terms: terms, lobby: ofs.lobby, number: newOfferNumber(), player: p, to: to, choice: choice, seat: make(chan *Seat, 1)}
}

// offeredRatingMode returns the rating mode of a match against an opponent who is not known yet.
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

// setExpiryLocked lets the offer expire after a time, which calls expire unless the offer has been
// closed.
func (o *Offer) setExpiryLocked(after time.Duration, expire func()) {
	o.Terms.Expires = time.Now().Add(after)
	o.expiry = o.lobby.scheduleLocked(o.Terms.Expires, func() {
		if !o.closed {
			expire()
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

// challengedID returns the ID of the challenged person, or "" if the offer is no challenge.
func (o *Offer) challengedID() string {
	if o.Terms.Challenged == nil {
		return ""
	}
	return o.Terms.Challenged.ID
}

// Seat yields the player's seat once the match has started. If the offer ends without a
// match, the channel is closed and [Offer.Err] returns the reason.
func (o *Offer) Seat() <-chan *Seat { return o.seat }

// SetWake sends wake immediately, and when the channel of Seat has something to receive.
func (o *Offer) SetWake(wake live.Signal) {
	o.lobby.mu.Lock()
	defer o.lobby.mu.Unlock()
	o.wake = wake
	wake.Send()
}

// Err returns why the offer ended, as a sentence for the player. Call it only after the
// channel of Seat has been closed.
func (o *Offer) Err() error { return o.err }

// Cancel withdraws the offer. It returns false if the match has started or the offer has
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
	return o.Terms.OnlyName != "" && strings.EqualFold(o.Terms.OnlyName, p.Name)
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
	if o.expiry != nil && o.expiry.Stop() {
		o.lobby.work.Done()
	}
	if o.onEnd != nil {
		o.onEnd()
	}
	o.lobby.Offers.removeLocked(o)
}
