package lobby

import (
	"slices"
	"time"

	"broadside/internal/i18n"
	"broadside/lobby/account"
	"broadside/match"
)

// ChallengePause is how long a player must wait before challenging the same person again.
const ChallengePause = time.Minute

// Challenge is an offer as shown to the challenged player.
type Challenge struct {
	// Offer is the number for [Offers.Accept] and [Offers.Decline].
	Offer int
	From  account.Player
	// Rules include the turn clock.
	Rules      match.Rules
	RatingMode RatingMode
	Expires    time.Time
}

type challengePair struct{ from, to string }

// Challenge challenges the player with an ID, who must be in the lobby.
func (ofs *Offers) Challenge(p account.Player, id string, r match.Rules, choice RatingMode) (*Offer, error) {
	return ofs.openOffer(p, choice, func(p account.Player) (*Offer, error) { return ofs.challengeLocked(p, id, r, choice) })
}

func (ofs *Offers) challengeLocked(p account.Player, id string, r match.Rules, choice RatingMode) (*Offer, error) {
	to, err := ofs.findChallengeableLocked(p, id)
	if err != nil {
		return nil, err
	}
	ofs.startPauseLocked(challengePair{p.ID, id})
	o := ofs.newOfferLocked(p, challenged{to}, r, choice)
	o.setExpiryLocked(ofs.lobby.cfg.AnswerTime, func() { o.failLocked(i18n.Errorf("no answer from %s in time", to.Name)) })
	ofs.addLocked(o)
	return o, nil
}

// findChallengeableLocked returns the player with an ID, or an error if p cannot challenge them
// now.
func (ofs *Offers) findChallengeableLocked(p account.Player, id string) (to account.Player, err error) {
	sessions := ofs.lobby.members.byID[id]
	if len(sessions) == 0 {
		return to, ErrHasLeft
	}
	to = sessions[0].player
	other := ofs.findChallengeLocked(id)
	switch {
	case p.ID == id:
		return to, ErrSelf
	case slices.ContainsFunc(sessions, func(m *Member) bool { return m.doNotDisturb }):
		return to, i18n.Errorf("you cannot challenge %s, who is not accepting challenges", to.Name)
	case ofs.lobby.Matches.isPlayingLocked(id):
		return to, i18n.Errorf("you cannot challenge %s, who is playing", to.Name)
	case other != nil && other.player.ID != p.ID:
		return to, i18n.Errorf("another player is challenging %s: try again in a minute", to.Name)
	}
	return to, ofs.checkPauseLocked(p, to)
}

// checkPauseLocked returns an error if p must wait before the next challenge or offer to another player.
func (ofs *Offers) checkPauseLocked(p, to account.Player) error {
	wait := time.Until(ofs.pauses[challengePair{p.ID, to.ID}])
	if wait > 0 {
		return i18n.Errorf("you have already challenged %s: wait %d second before you try again||you have already challenged %s: wait %d seconds before you try again", to.Name, int((wait+time.Second-1)/time.Second))
	}
	return nil
}

func (ofs *Offers) startPauseLocked(a challengePair) {
	now := time.Now()
	// There are only few pauses.
	for other, until := range ofs.pauses {
		if !until.After(now) {
			delete(ofs.pauses, other)
		}
	}
	ofs.pauses[a] = now.Add(ChallengePause)
}

// Decline declines a challenge to the player by its offer's number. It ignores a challenge that
// has ended.
func (ofs *Offers) Decline(p account.Player, number int) {
	ofs.lobby.mu.Lock()
	defer ofs.lobby.mu.Unlock()
	ofs.endOffersLocked(ofs.byPlayer[p.ID], func(o *Offer) error {
		if o.number == number && o.challengedID() == p.ID {
			return i18n.Errorf("your challenge was declined by %s", o.Terms.Challenged.Name)
		}
		return nil
	})
}

func (ofs *Offers) findChallengeLocked(id string) *Offer {
	for _, o := range ofs.byPlayer[id] {
		if o.challengedID() == id {
			return o
		}
	}
	return nil
}

func (ofs *Offers) sendChallengeLocked(id string) {
	var c *Challenge
	o := ofs.findChallengeLocked(id)
	if o != nil {
		c = &Challenge{Offer: o.number, From: o.player, Rules: o.Terms.Rules, RatingMode: o.Terms.RatingMode, Expires: o.Terms.Expires}
	}
	for _, m := range ofs.lobby.members.byID[id] {
		deliver(m, m.challenges, c)
	}
}
