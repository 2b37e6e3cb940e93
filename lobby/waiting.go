package lobby

import (
	"slices"
	"time"

	"broadside/lobby/account"
)

// LongWait is how long a player waits for any opponent before the operator's webhook is told and the player is
// offered a bot.
const LongWait = 15 * time.Second

// Limits of the pairings from which the usual wait is computed.
const (
	usualWaitTime  = time.Hour
	maxRecentWaits = 100
)

// meanwhileAbsence returns how long a person may be away from a match against a bot that started while they waited
// for another opponent.
func meanwhileAbsence(p account.Player) time.Duration {
	// Without an account, a visitor could leave many matches behind.
	if p.Account == "" {
		return 15 * time.Minute
	}
	return time.Hour
}

// recentWait is how long a person waited for any opponent.
type recentWait struct {
	at     time.Time
	waited time.Duration
}

// recordWaitLocked records that a waiting player got an opponent.
func (ofs *Offers) recordWaitLocked(o *Offer) {
	if !o.Terms.IsOpenToAnyone {
		return
	}
	waited := time.Since(o.Terms.Since)
	paired := ofs.lobby.cfg.Meter.Paired
	if paired != nil {
		paired(waited)
	}
	if o.player.Kind == account.Person {
		ofs.waits = append(ofs.waits[max(0, len(ofs.waits)-maxRecentWaits+1):], recentWait{time.Now(), waited})
	}
}

// usualWaitLocked returns the median of the last hour's waits, or 0 if there are none.
func (ofs *Offers) usualWaitLocked() time.Duration {
	var all []time.Duration
	for _, w := range ofs.waits {
		if time.Since(w.at) < usualWaitTime {
			all = append(all, w.waited)
		}
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// alertLaterLocked sends an alert if a person still waits for any opponent after LongWait.
func (ofs *Offers) alertLaterLocked(o *Offer) {
	alert := ofs.lobby.cfg.Alert
	if alert == nil || o.player.Kind != account.Person || !o.Terms.IsOpenToAnyone {
		return
	}
	o.timer = ofs.lobby.scheduleLocked(o.Terms.Since.Add(LongWait), func() {
		if !o.closed {
			alert(PlayerWaits)
		}
	})
}

// findKeptLocked returns a person's offer to anyone, which stays open while the person plays a bot. It returns nil
// if there is none, or if the person could not play another match besides the one against the bot.
func (ofs *Offers) findKeptLocked(p account.Player) *Offer {
	ms := &ofs.lobby.Matches
	if p.Kind != account.Person || ms.countRunningLocked(p.ID)+2 > ms.maxPerPlayer {
		return nil
	}
	for _, o := range ofs.byPlayer[p.ID] {
		if o.player.ID == p.ID && o.Terms.IsOpenToAnyone {
			return o
		}
	}
	return nil
}
