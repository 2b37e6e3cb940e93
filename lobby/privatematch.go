package lobby

import (
	"broadside/internal/i18n"
	"broadside/lobby/account"
	"broadside/lobby/code"
	"broadside/match"
)

// Errors of private matches, as sentences for the player.
var (
	ErrCodeFormat = i18n.Errorf("a match code has %d letters and digits, such as K3F-97W-QXM", code.PrivateLength)
	ErrNoPrivate  = i18n.Errorf("no private match has this code: check it, or offer your own")
)

// ParseCode returns the code of a private match in normalized form, or [ErrCodeFormat].
func ParseCode(text string) (string, error) {
	c, ok := code.Parse(text, code.PrivateLength)
	if !ok {
		return "", ErrCodeFormat
	}
	return c, nil
}

// OpenPrivateMatch opens an offer for a private match with a new code; see [Terms].
func (ofs *Offers) OpenPrivateMatch(p account.Player, r match.Rules, choice RatingMode) (*Offer, error) {
	return ofs.openOffer(p, choice, func(p account.Player) (*Offer, error) {
		o := ofs.newOfferLocked(p, codeHolder(code.New(code.PrivateLength)), r, choice)
		ofs.addLocked(o)
		return o, nil
	})
}

// FindPrivateMatch returns the offer for the private match with an entered code. It returns
// [ErrCodeFormat], or [ErrNoPrivate] if there is none.
func (ofs *Offers) FindPrivateMatch(text string) (*Offer, error) {
	code, err := ParseCode(text)
	if err != nil {
		return nil, err
	}
	ofs.lobby.mu.Lock()
	defer ofs.lobby.mu.Unlock()
	o := ofs.findLocked(func(o *Offer) bool { return o.to == codeHolder(code) })
	if o == nil {
		return nil, ErrNoPrivate
	}
	return o, nil
}

// JoinPrivateMatch starts the private match with an entered code.
func (ofs *Offers) JoinPrivateMatch(p account.Player, text string) (*Seat, error) {
	code, err := ParseCode(text)
	if err != nil {
		return nil, err
	}
	return ofs.accept(p, ErrNoPrivate, func(_ account.Player, o *Offer) bool { return o.to == codeHolder(code) })
}
