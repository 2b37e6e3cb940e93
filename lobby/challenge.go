package lobby

import (
	"errors"
	"net/netip"
	"time"

	"broadside/internal/i18n"
	"broadside/match"
)

// ChallengePause is how long a player waits before challenging the same person
// again.
const ChallengePause = time.Minute

// Why offers come to nothing, and cannot be made or taken. All are sentences
// for the player, as are those that name somebody.
var (
	ErrOfferGone  = i18n.Errorf("that offer is gone: choose another")
	ErrOtherOffer = i18n.Errorf("you have offered another match since")
	ErrSatDown    = i18n.Errorf("you have begun another match")
	ErrSelf       = i18n.Errorf("you cannot play against yourself: try the hot seat, two at one terminal")
	ErrHasLeft    = i18n.Errorf("who you asked for is not here any more: choose another")
	ErrNoPrivate  = i18n.Errorf("there is no room with this code: check it, or open a room of your own")
)

func errNoAnswer(p *Player) error {
	return i18n.Errorf("no answer came from %s in time", p.Name)
}

// Challenge is what a challenged person gets to see.
type Challenge struct {
	Offer int // for [Lobby.Accept] and [Lobby.Decline]
	From  Player
	Rules match.Rules // with its clock
	// Stakes are what the match would be played for.
	Stakes Stakes
	Until  time.Time // when it ends by itself
}

// Challenge asks the person who has an ID and is here for a match. The rules
// must be valid.
func (l *Lobby) Challenge(p Player, id string, r match.Rules, choice Stakes) (*Offer, error) {
	if err := l.mayPlay(p, choice); err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	p, err := l.admitLocked(p)
	if err != nil {
		return nil, err
	}
	return l.challengeLocked(p, id, r, choice)
}

// challenge is Challenge by a player who has arrived. The lobby is locked.
func (l *Lobby) challengeLocked(p Player, id string, r match.Rules, choice Stakes) (*Offer, error) {
	var to *Player
	quiet := false
	for v := range l.members {
		if v.player.ID == id {
			player := v.player
			to, quiet = &player, quiet || v.quiet
		}
	}
	switch {
	case to == nil:
		return nil, ErrHasLeft
	case p.ID == id:
		return nil, ErrSelf
	case quiet:
		return nil, i18n.Errorf("you cannot challenge %s, who does not want to be disturbed", to.Name)
	case l.playingLocked(id):
		return nil, i18n.Errorf("you cannot challenge %s, who is playing", to.Name)
	case l.challengeToLocked(id) != nil && l.challengeToLocked(id).player.ID != p.ID:
		return nil, i18n.Errorf("you cannot challenge %s right now: somebody else does", to.Name)
	}
	if wait := l.wait(p.ID, id); wait > 0 {
		return nil, i18n.Errorf("you have asked %s before: wait %d seconds before you ask again", to.Name, int((wait+time.Second-1)/time.Second))
	}
	l.pause(p.ID, id, ChallengePause)
	t := l.newOffer(p, r, choice, match.First)
	t.to, t.until = to, time.Now().Add(l.cfg.AnswerTime)
	l.offerLocked(t)
	return t, nil
}

// Take begins the match that somebody has offered to anybody, or to the player.
func (l *Lobby) Accept(p Player, offer int) (*Seat, error) {
	return l.accept(p, ErrOfferGone, func(t *Offer) bool {
		return t.number == offer && (t.open() || t.to != nil && t.to.ID == p.ID)
	})
}

// accept begins the match of the offer that fits, or returns that there is
// none.
func (l *Lobby) accept(p Player, none error, fits func(*Offer) bool) (*Seat, error) {
	p, t, err := l.findFor(p, fits)
	switch {
	case err != nil:
		return nil, err
	case t == nil:
		return nil, none
	}
	if err := l.mayPlay(p, t.choice); err != nil {
		return nil, err
	}
	l.mu.Lock()
	late := t.settled || t.taken
	t.taken = true
	l.mu.Unlock()
	if late {
		return nil, none
	}
	s, err := l.start(t, p)
	if errors.Is(err, errEnded) {
		return nil, none
	}
	return s, err
}

// look returns the player, completed, and the offer that fits, or nil.
func (l *Lobby) findFor(p Player, fits func(*Offer) bool) (Player, *Offer, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p, err := l.admitLocked(p)
	if err != nil {
		return p, nil, err
	}
	t, err := l.findLocked(func(t *Offer) (bool, error) {
		if fits(t) && t.player.ID == p.ID {
			return false, ErrSelf
		}
		return fits(t), nil
	})
	return p, t, err
}

// Decline turns a challenge of the player down. One that is gone is left alone.
func (l *Lobby) Decline(p Player, offer int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.withdrawLocked(func(t *Offer) error {
		if t.number == offer && t.to != nil && t.to.ID == p.ID {
			return i18n.Errorf("your challenge was declined by %s", t.to.Name)
		}
		return nil
	})
}

// OpenRoom offers a match to whoever knows the code, [Offer.Code]. The rules
// must be valid.
func (l *Lobby) OpenPrivate(p Player, r match.Rules, choice Stakes) (*Offer, error) {
	return l.openPrivate(p, r, choice, newCode(CodeLength))
}

func (l *Lobby) openPrivate(p Player, r match.Rules, choice Stakes, code string) (*Offer, error) {
	if err := l.mayPlay(p, choice); err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	p, err := l.admitLocked(p)
	if err != nil {
		return nil, err
	}
	t := l.newOffer(p, r, choice, match.First)
	t.code = code
	l.offerLocked(t)
	return t, nil
}

// Room returns what is played in the room with a code, as it was typed by
// somebody at an address, and what for as far as that is known before somebody
// enters. The error is [ErrCode], [ErrNoRoom] or that of too many guesses.
func (l *Lobby) Private(from netip.Addr, text string) (match.Rules, Stakes, error) {
	code, err := ParseCode(text)
	if err != nil {
		return match.Rules{}, Rated, err
	}
	end, err := l.guesses.Try(from)
	if err != nil {
		return match.Rules{}, Rated, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.privateLocked(code)
	if end(t != nil); t == nil {
		return match.Rules{}, Rated, ErrNoPrivate
	}
	return t.rules, t.Stakes(), nil
}

// Join begins the match in the room with a code, as it was typed by a player at
// an address.
func (l *Lobby) JoinPrivate(from netip.Addr, p Player, text string) (*Seat, error) {
	code, err := ParseCode(text)
	if err != nil {
		return nil, err
	}
	end, err := l.guesses.Try(from)
	if err != nil {
		return nil, err
	}
	s, err := l.accept(p, ErrNoPrivate, func(t *Offer) bool { return t.code == code })
	end(!errors.Is(err, ErrNoPrivate))
	return s, err
}

// All that follows needs the lobby to be locked.

func (l *Lobby) privateLocked(code string) *Offer {
	for _, t := range l.offers {
		if t.code == code {
			return t
		}
	}
	return nil
}

// challenged is the offer to one person; nil if there is none.
func (l *Lobby) challengeToLocked(id string) *Offer {
	for _, t := range l.offers {
		if t.to != nil && t.to.ID == id {
			return t
		}
	}
	return nil
}

// call tells a person how it stands with a challenge.
func (l *Lobby) notifyLocked(id string) {
	var c *Challenge
	if t := l.challengeToLocked(id); t != nil {
		c = &Challenge{Offer: t.number, From: t.player, Rules: t.rules, Stakes: t.Stakes(), Until: t.until}
	}
	for v := range l.members {
		if v.player.ID == id {
			replace(v.calls, c)
		}
	}
}

// asking is who must not challenge whom for a while.
type asking struct{ who, whom string }

// pause keeps a player from asking for a while.
func (l *Lobby) pause(who, whom string, d time.Duration) {
	now := time.Now()
	for a, until := range l.pauses { // there are few: none outlasts a minute
		if !until.After(now) {
			delete(l.pauses, a)
		}
	}
	l.pauses[asking{who, whom}] = now.Add(d)
}

// wait is how long a player must not ask yet.
func (l *Lobby) wait(who, whom string) time.Duration {
	return max(0, time.Until(l.pauses[asking{who, whom}]))
}

// playing tells whether a player sits in a running match.
func (l *Lobby) playingLocked(id string) bool {
	for _, g := range l.running {
		if g.players[0].ID == id || g.players[1].ID == id {
			return true
		}
	}
	return false
}
