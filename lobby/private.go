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
func (os *Offers) OpenPrivate(p Player, r match.Rules, choice Stakes) (*Offer, error) {
	return os.offer(p, choice, func(p Player) (*Offer, error) {
		o := os.newLocked(p, r, choice, match.First)
		o.code = code.New(code.PrivateLength)
		os.addLocked(o)
		return o, nil
	})
}

// Private returns the normalized form of an entered code, and its private match's rules and stakes. It
// returns [ErrCode] or [ErrNoPrivate] if there is none.
func (os *Offers) Private(text string) (code string, r match.Rules, at Stakes, err error) {
	code, err = ParseCode(text)
	if err != nil {
		return "", r, at, err
	}
	os.lobby.mu.Lock()
	defer os.lobby.mu.Unlock()
	o, _ := os.findLocked(func(o *Offer) (bool, error) { return o.code == code, nil })
	if o == nil {
		return "", r, at, ErrNoPrivate
	}
	return code, o.rules, o.Stakes(), nil
}

// JoinPrivate starts the private match with an entered code.
func (os *Offers) JoinPrivate(p Player, text string) (*Seat, error) {
	code, err := ParseCode(text)
	if err != nil {
		return nil, err
	}
	return os.accept(p, ErrNoPrivate, func(_ Player, o *Offer) bool { return o.code == code })
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
