package lobby

import (
	"broadside/internal/i18n"
	"broadside/lobby/account"
	"broadside/lobby/code"
	"broadside/match"
)

// Errors of private matches, as sentences for the player.
var (
	ErrCode      = i18n.Errorf("a match code has %d letters and digits, such as K3F-97W-QXM", code.PrivateLength)
	ErrNoPrivate = i18n.Errorf("no private match has this code: check it, or offer your own")
)

// ParseCode returns the code of a private match in normalized form, or [ErrCode].
func ParseCode(text string) (string, error) {
	c, ok := code.Parse(text, code.PrivateLength)
	if !ok {
		return "", ErrCode
	}
	return c, nil
}

// OpenPrivate opens a private match with a new code; see [Offer.Code].
func (ofs *Offers) OpenPrivate(p account.Player, r match.Rules, choice Stakes) (*Offer, error) {
	return ofs.offer(p, choice, func(p account.Player) (*Offer, error) {
		o := ofs.newLocked(p, codeHolder(code.New(code.PrivateLength)), r, choice)
		ofs.addLocked(o)
		return o, nil
	})
}

// Private returns the private match with an entered code. It returns [ErrCode], or [ErrNoPrivate] if
// there is none.
func (ofs *Offers) Private(text string) (*Offer, error) {
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

// JoinPrivate starts the private match with an entered code.
func (ofs *Offers) JoinPrivate(p account.Player, text string) (*Seat, error) {
	code, err := ParseCode(text)
	if err != nil {
		return nil, err
	}
	return ofs.accept(p, ErrNoPrivate, func(_ account.Player, o *Offer) bool { return o.to == codeHolder(code) })
}
