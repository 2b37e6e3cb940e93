package lobby

import (
	"broadside/internal/i18n"
	"broadside/lobby/code"
	"broadside/match"
)

// Errors of private matches, as sentences for the player.
var (
	ErrCode      = i18n.Errorf("a-match-code-has-n", code.PrivateLength)
	ErrNoPrivate = i18n.Errorf("there-is-no-private-match-with")
	ErrNotHost   = i18n.Errorf("you-can-remove-opponents-only")
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
func (ofs *Offers) OpenPrivate(p Player, r match.Rules, choice Stakes) (*Offer, error) {
	return ofs.offer(p, choice, func(p Player) (*Offer, error) {
		o := ofs.newLocked(p, codeHolder(code.New(code.PrivateLength)), r, choice)
		ofs.addLocked(o)
		return o, nil
	})
}

// Private returns the normalized form of an entered code, and its private match's rules and stakes. It
// returns [ErrCode] or [ErrNoPrivate] if there is none.
func (ofs *Offers) Private(text string) (code string, r match.Rules, at Stakes, err error) {
	code, err = ParseCode(text)
	if err != nil {
		return "", r, at, err
	}
	ofs.lobby.mu.Lock()
	defer ofs.lobby.mu.Unlock()
	o := ofs.findLocked(func(o *Offer) bool { return o.to == codeHolder(code) })
	if o == nil {
		return "", r, at, ErrNoPrivate
	}
	return code, o.rules, o.Stakes(), nil
}

// JoinPrivate starts the private match with an entered code.
func (ofs *Offers) JoinPrivate(p Player, text string) (*Seat, error) {
	code, err := ParseCode(text)
	if err != nil {
		return nil, err
	}
	return ofs.accept(p, ErrNoPrivate, func(_ Player, o *Offer) bool { return o.to == codeHolder(code) })
}

// Hosts reports whether the seat's player hosts this private match and may therefore
// remove the opponent until the battle begins.
func (s *Seat) Hosts() bool { return s.game.private && s.Side() == s.game.host }

// Remove removes the opponent from the player's private match, which ends it without a
// result. It returns [ErrNotHost] to other players. Once the battle has begun, the
// removal is refused in the seat's mailbox with [match.ErrRemoval].
func (s *Seat) Remove() error {
	if !s.Hosts() {
		return ErrNotHost
	}
	s.Seat.Remove()
	return nil
}

// Reopen opens a private match like one that has ended. It has a new code because the
// removed opponent knows the old one.
func (s *Seat) Reopen(p Player) (*Offer, error) {
	return s.game.matches.lobby.Offers.OpenPrivate(p, s.game.rules, s.game.choice)
}
