package lobby

import (
	"errors"
	"net/netip"
	"time"

	"broadside/match"
	"broadside/words"
)

// ChallengePause is how long a player waits before challenging the same person
// again.
const ChallengePause = time.Minute

// Why offers come to nothing, and cannot be made or taken. All are sentences
// for the player, as are those that name somebody.
var (
	ErrOfferGone  = words.Errorf("that offer is gone: choose another")
	ErrOtherOffer = words.Errorf("you have offered another match since")
	ErrSatDown    = words.Errorf("you have begun another match")
	ErrSelf       = words.Errorf("you cannot play against yourself: try the hot seat, two at one terminal")
	ErrHasLeft    = words.Errorf("who you asked for is not here any more: choose another")
	ErrNoRoom     = words.Errorf("there is no room with this code: check it, or open a room of your own")
)

func errNoAnswer(p *Player) error {
	return words.Errorf("no answer came from %s in time", p.Name)
}

// Challenge is what a challenged person gets to see.
type Challenge struct {
	Offer int // for [Lobby.Take] and [Lobby.Decline]
	From  Player
	Rules match.Rules // with its clock
	// Stakes are what the match would be played for.
	Stakes Stakes
	Until  time.Time // when it ends by itself
}

// Challenge asks the person who has an ID and is here for a match. The rules
// must be valid. It may wait for other nodes.
func (l *Lobby) Challenge(p Player, id string, r match.Rules, choice Stakes) (*Ticket, error) {
	l.deal.Lock()
	defer l.deal.Unlock()
	p, err := l.arriveFor(p, choice)
	if err != nil {
		return nil, err
	}
	return l.challenge(p, id, r, choice)
}

// challenge is Challenge by a player who has arrived. Dealing is locked.
func (l *Lobby) challenge(p Player, id string, r match.Rules, choice Stakes) (*Ticket, error) {
	t, err := l.newChallenge(p, id, r, choice)
	if err != nil {
		return nil, err
	}
	if err := l.offer(t); err != nil {
		return nil, err
	}
	return t, nil
}

func (l *Lobby) newChallenge(p Player, id string, r match.Rules, choice Stakes) (*Ticket, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var to *Player
	quiet := false
	for here := range l.people() {
		if here.Player.ID == id {
			to, quiet = &here.Player, quiet || here.Quiet
		}
	}
	switch {
	case to == nil:
		return nil, ErrHasLeft
	case p.ID == id:
		return nil, ErrSelf
	case quiet:
		return nil, words.Errorf("you cannot challenge %s, who does not want to be disturbed", to.Name)
	case l.playing(id):
		return nil, words.Errorf("you cannot challenge %s, who is playing", to.Name)
	case l.challenged(id) != nil && l.challenged(id).player.ID != p.ID:
		return nil, words.Errorf("you cannot challenge %s right now: somebody else does", to.Name)
	}
	if wait := l.wait(p.ID, id); wait > 0 {
		return nil, words.Errorf("you have asked %s before: wait %d seconds before you ask again", to.Name, int((wait+time.Second-1)/time.Second))
	}
	l.pause(p.ID, id, ChallengePause)
	t := l.newTicket(p, r, choice, match.First)
	t.to, t.until = to, time.Now().Add(l.cfg.AnswerTime)
	return t, nil
}

// Take begins the match that somebody has offered to anybody, or to the player.
// It may wait for other nodes.
func (l *Lobby) Take(p Player, offer int) (*Seating, error) {
	l.deal.Lock()
	defer l.deal.Unlock()
	return l.accept(p, ErrOfferGone, func(t *Ticket) bool {
		return t.number == offer && (t.open() || t.to != nil && t.to.ID == p.ID)
	})
}

// accept begins the match of the offer that fits, or returns that there is
// none. Dealing is locked.
func (l *Lobby) accept(p Player, none error, fits func(*Ticket) bool) (*Seating, error) {
	p, err := l.arrive(p)
	if err != nil {
		return nil, err
	}
	t, err := l.find(func(t *Ticket) (bool, error) {
		if !fits(t) {
			return false, nil
		}
		if t.player.ID == p.ID {
			return false, ErrSelf
		}
		return true, nil
	})
	if err != nil {
		return nil, err
	}
	if t == nil {
		return nil, none
	}
	if err := l.mayPlay(p, t.choice); err != nil {
		return nil, err
	}
	s, err := l.meet(t, p)
	if errors.Is(err, errMissed) {
		return nil, none
	}
	return s, err
}

// Decline turns a challenge of the player down. One that is gone is left alone.
// It may wait for other nodes.
func (l *Lobby) Decline(p Player, offer int) {
	l.deal.Lock()
	defer l.deal.Unlock()
	l.withdraw(func(t *Ticket) error {
		if t.number == offer && t.to != nil && t.to.ID == p.ID {
			return words.Errorf("your challenge was declined by %s", t.to.Name)
		}
		return nil
	})
}

// OpenRoom offers a match to whoever knows the code, [Ticket.Code]. The rules
// must be valid. It may wait for other nodes.
func (l *Lobby) OpenRoom(p Player, r match.Rules, choice Stakes) (*Ticket, error) {
	l.deal.Lock()
	defer l.deal.Unlock()
	p, err := l.arriveFor(p, choice)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	t := l.newTicket(p, r, choice, match.First)
	t.code = newCode(CodeLength)
	l.mu.Unlock()
	if err := l.offer(t); err != nil {
		return nil, err
	}
	return t, nil
}

// hearTime is how long it may take at most until this node hears of a room that
// was opened at another one.
const hearTime = time.Second

// hearOf waits until there is a room with a code, for hearTime at most: whoever has
// opened it may be faster with the code than their node with the news.
func (l *Lobby) hearOf(code string) {
	if l.cfg.Single {
		return
	}
	there := func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		return l.room(code) != nil
	}
	for end := time.Now().Add(hearTime); !there() && time.Now().Before(end); {
		select {
		case <-time.After(hearTime / 20):
		case <-l.ctx.Done():
			return
		}
	}
}

// Room returns what is played in the room with a code, as it was typed by
// somebody at an address, and what for as far as that is known before somebody
// enters. The error is [ErrCode], [ErrNoRoom] or that of too many guesses. It may
// wait for other nodes.
func (l *Lobby) Room(from netip.Addr, text string) (match.Rules, Stakes, error) {
	code, err := ParseCode(text)
	if err != nil {
		return match.Rules{}, Rated, err
	}
	end, err := l.guesses.Try(from)
	if err != nil {
		return match.Rules{}, Rated, err
	}
	l.hearOf(code)
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.room(code)
	if end(t != nil); t == nil {
		return match.Rules{}, Rated, ErrNoRoom
	}
	return t.rules, t.Stakes(), nil
}

// Join begins the match in the room with a code, as it was typed by a player at
// an address. It may wait for other nodes.
func (l *Lobby) Join(from netip.Addr, p Player, text string) (*Seating, error) {
	code, err := ParseCode(text)
	if err != nil {
		return nil, err
	}
	end, err := l.guesses.Try(from)
	if err != nil {
		return nil, err
	}
	l.hearOf(code)
	l.deal.Lock()
	defer l.deal.Unlock()
	s, err := l.accept(p, ErrNoRoom, func(t *Ticket) bool { return t.code == code })
	end(!errors.Is(err, ErrNoRoom))
	return s, err
}

// All that follows needs the lobby to be locked.

func (l *Lobby) room(code string) *Ticket {
	for _, t := range l.offers {
		if t.code == code {
			return t
		}
	}
	return nil
}

// challenged is the offer to one person; nil if there is none.
func (l *Lobby) challenged(id string) *Ticket {
	for _, t := range l.offers {
		if t.to != nil && t.to.ID == id {
			return t
		}
	}
	return nil
}

// call tells a person how it stands with a challenge.
func (l *Lobby) call(id string) {
	var c *Challenge
	if t := l.challenged(id); t != nil {
		c = &Challenge{Offer: t.number, From: t.player, Rules: t.rules, Stakes: t.Stakes(), Until: t.until}
	}
	for v := range l.visits {
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
func (l *Lobby) playing(id string) bool {
	for _, g := range l.running {
		if g.players[0].ID == id || g.players[1].ID == id {
			return true
		}
	}
	return false
}
