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
	// Terms do not change once the offer is open.
	Terms Terms

	lobby *Lobby
	// number identifies the offer for [Offers.Accept].
	number int
	player account.Player
	to     acceptor
	choice RatingMode
	// behind is set for [Offers.FindOpponentAfterOthers].
	behind bool
	// seat has capacity 1. It is closed without a value if the offer ends.
	seat chan *Seat
	// err is written before seat is closed.
	err error

	// lobby.mu guards the fields below.
	// timer lets the offer expire, or sends an alert.
	timer *time.Timer
	wake  live.Signal
	// onEnd is called when the offer leads to a match or ends, unless it is nil.
	onEnd func()
	// closed reports that the offer has led to a match or ended.
	closed bool
}

// Terms describe an offer.
type Terms struct {
	Rules match.Rules
	// RatingMode is the rating mode as far as it is known before there is an opponent.
	RatingMode RatingMode
	Since      time.Time
	// Expires is zero if the offer does not expire.
	Expires time.Time
	// Code is the private match's code, or "".
	Code string
	// Challenged is the challenged player, or nil.
	Challenged *account.Player
	// OnlyName is the name of the only player who can accept the offer, or "".
	OnlyName string
	// IsOpenToAnyone reports that any player can accept the offer.
	IsOpenToAnyone bool
	// UsualWait is how long people have usually waited for any opponent in the last hour. It is 0 if no one has
	// found an opponent, or for other offers.
	UsualWait time.Duration
	// IsTakeover reports that the offer requests a seat in use, whose player can refuse.
	IsTakeover bool
}

// acceptor says who can accept an offer. It is one of the types below. No player can accept an offer
// to a tournament or the ladder, which start the program's next match themselves.
type acceptor any

type (
	// anyone is any player.
	anyone struct{}
	// named is any player with this name, ignoring case.
	named string
	// challenged is this player.
	challenged struct{ p account.Player }
	// codeHolder is any player with this private match's code.
	codeHolder string
	// tournamentMatch is the tournament with this code.
	tournamentMatch string
	// ladderAt is the ladder, for a program with this rating.
	ladderAt float64
	// opponent is the opponent in the last match.
	opponent struct{}
	// seatHolder is the requested seat's player, who may refuse.
	seatHolder struct{}
)

// newOfferLocked returns an offer that is not open yet.
func (ofs *Offers) newOfferLocked(p account.Player, to acceptor, r match.Rules, choice RatingMode) *Offer {
	terms := Terms{Rules: r, RatingMode: offeredRatingMode(p, r, choice), Since: time.Now()}
	switch to := to.(type) {
	case anyone:
		terms.IsOpenToAnyone, terms.UsualWait = true, ofs.usualWaitLocked()
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
	o.timer = o.lobby.scheduleLocked(o.Terms.Expires, func() {
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

// challengedID returns the challenged player's ID, or "" if the offer is no challenge.
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

// AcceptWithBot lets a built-in bot accept the offer if it is still open. If the bot cannot play by
// its rules, AcceptWithBot returns an error and the offer stays open.
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
	if o.timer != nil && o.timer.Stop() {
		o.lobby.work.Done()
	}
	if o.onEnd != nil {
		o.onEnd()
	}
	o.lobby.Offers.removeLocked(o)
}
