package lobby

import (
	"slices"
	"time"

	"broadside/internal/i18n"
	"broadside/match"
)

// ChallengePause is how long a player must wait before challenging the same person again.
const ChallengePause = time.Minute

// Challenge is an offer as shown to the challenged person.
type Challenge struct {
	Offer  int // for [Offers.Accept] and [Offers.Decline]
	From   Player
	Rules  match.Rules // with its clock
	Stakes Stakes
	Until  time.Time // when it expires
}

// attempt is a player's challenge to a person.
type attempt struct{ from, to string }

// Challenge challenges the person with the given ID, who must be in the lobby.
func (os *Offers) Challenge(p Player, id string, r match.Rules, choice Stakes) (*Offer, error) {
	return os.offer(p, choice, func(p Player) (*Offer, error) { return os.challengeLocked(p, id, r, choice) })
}

func (os *Offers) challengeLocked(p Player, id string, r match.Rules, choice Stakes) (*Offer, error) {
	to, err := os.canChallengeLocked(p, id)
	if err != nil {
		return nil, err
	}
	os.pauseLocked(attempt{p.ID, id})
	o := os.newLocked(p, r, choice, match.First)
	o.to, o.until = &to, time.Now().Add(os.lobby.cfg.AnswerTime)
	os.addLocked(o)
	return o, nil
}

// canChallengeLocked returns the person with the given ID, or an error if the player
// cannot challenge them now.
func (os *Offers) canChallengeLocked(p Player, id string) (to Player, err error) {
	sessions := os.lobby.members.byID[id]
	if len(sessions) == 0 {
		return to, ErrHasLeft
	}
	to = sessions[0].player
	other := os.challengeToLocked(id)
	switch {
	case p.ID == id:
		return to, ErrSelf
	case slices.ContainsFunc(sessions, func(m *Member) bool { return m.doNotDisturb }):
		return to, i18n.Errorf("you-cannot-challenge-x-does", to.Name)
	case os.lobby.Matches.playingLocked(id):
		return to, i18n.Errorf("you-cannot-challenge-x-who-is-playing", to.Name)
	case other != nil && other.player.ID != p.ID:
		return to, i18n.Errorf("somebody-else-is-challenging-x", to.Name)
	}
	if wait := time.Until(os.pauses[attempt{p.ID, id}]); wait > 0 {
		return to, i18n.Errorf("you-have-already-challenged-x", to.Name, int((wait+time.Second-1)/time.Second))
	}
	return to, nil
}

// pauseLocked starts the pause after a challenge and removes expired pauses.
func (os *Offers) pauseLocked(a attempt) {
	now := time.Now()
	for other, until := range os.pauses { // there are few
		if !until.After(now) {
			delete(os.pauses, other)
		}
	}
	os.pauses[a] = now.Add(ChallengePause)
}

// Decline declines a challenge to the player. A challenge that has ended is ignored.
func (os *Offers) Decline(p Player, number int) {
	os.lobby.mu.Lock()
	defer os.lobby.mu.Unlock()
	os.endLocked(os.byPlayer[p.ID], func(o *Offer) error {
		if o.number == number && o.to != nil && o.to.ID == p.ID {
			return i18n.Errorf("your-challenge-was-declined-by", o.to.Name)
		}
		return nil
	})
}

// challengeToLocked returns the open challenge to a person, or nil.
func (os *Offers) challengeToLocked(id string) *Offer {
	for _, o := range os.byPlayer[id] {
		if o.to != nil && o.to.ID == id {
			return o
		}
	}
	return nil
}

// notifyLocked sends the current challenge to a person's sessions.
func (os *Offers) notifyLocked(id string) {
	var c *Challenge
	if o := os.challengeToLocked(id); o != nil {
		c = &Challenge{Offer: o.number, From: o.player, Rules: o.rules, Stakes: o.Stakes(), Until: o.until}
	}
	for _, m := range os.lobby.members.byID[id] {
		deliver(m, m.challenges, c)
	}
}
