package lobby

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"time"

	"broadside/lobby/cluster"
	"broadside/match"
	"broadside/match/live"
	"broadside/words"
)

// errMissed is why an offer is not taken: somebody else was faster.
var errMissed = errors.New("somebody else has taken the offer")

// offered is an offer as all nodes know it.
type offered struct {
	Number int
	Home   string // the node where the player is
	Player Player
	To     *Player `json:",omitempty"`
	Name   string  `json:",omitempty"`
	Code   string  `json:",omitempty"`
	Rules  match.Rules
	Choice Stakes
	Since  time.Time
	Until  time.Time
	Taken  *played `json:",omitempty"` // the match that came of it
	Ended  []byte  `json:",omitempty"` // why nothing will come of it, see [words.Carry]

	rev uint64 // of the entry
}

func offerKey(number int) string { return strconv.Itoa(number) }

func (t *Ticket) offered() offered {
	return offered{Number: t.number, Home: t.home, Player: t.player, To: t.to, Name: t.name, Code: t.code, Rules: t.rules, Choice: t.choice, Since: t.since, Until: t.until}
}

// What follows is called with the lobby locked: most of it is what other nodes
// tell.

// toldOffer takes in how it stands with an offer.
func (l *Lobby) toldOffer(e cluster.Entry) {
	number, err := strconv.Atoi(e.Key)
	if err != nil {
		return
	}
	var o offered
	if !e.Gone {
		if err := json.Unmarshal(e.Value, &o); err != nil {
			l.cfg.Log.Error("an offer cannot be read", "offer", e.Key, "error", err)
			return
		}
		o.rev = e.Rev
	}
	switch {
	case !e.Gone && o.Home == l.node.ID():
		l.toldMine(o)
	case !e.Gone && o.Taken == nil && o.Ended == nil:
		l.learnOffer(o)
	case l.mine[number] != nil: // unless this node itself has just removed it
		l.work.Go(func() { l.renew(number) })
	default:
		l.parked = slices.DeleteFunc(l.parked, func(t *Ticket) bool { return t.number == number })
		if at := slices.IndexFunc(l.offers, func(t *Ticket) bool { return t.number == number && !t.here() }); at >= 0 {
			l.offers[at].settle()
		}
	}
}

// learnOffer lists an offer of another node, and returns false if it is known to
// have been settled, or its node is gone.
func (l *Lobby) learnOffer(o offered) bool {
	if o.Home == l.node.ID() {
		return l.mine[o.Number] != nil
	}
	same := func(t *Ticket) bool { return t.number == o.Number }
	if slices.ContainsFunc(l.offers, same) {
		return true
	}
	if slices.ContainsFunc(l.parked, same) {
		return false
	}
	t := &Ticket{
		lobby: l, number: o.Number, player: o.Player, to: o.To, name: o.Name, code: o.Code, rules: o.Rules, choice: o.Choice,
		side: match.First, since: o.Since, until: o.Until, home: o.Home, rev: o.rev,
	}
	if l.dead(o.Home) {
		l.parked = append(l.parked, t)
		return false
	}
	l.list(t)
	return true
}

// toldMine takes in what another node has done with an offer of this one.
func (l *Lobby) toldMine(o offered) {
	if o.Taken == nil && o.Ended == nil {
		return // this node's own word
	}
	l.forgetOffer(offerKey(o.Number))
	t := l.mine[o.Number]
	switch {
	case o.Taken != nil:
		g := l.know(o.Taken, 0)
		l.hold(g)
		if !l.lives(g.owner) {
			l.inherit(g, 0)
		}
		if t == nil {
			// Its player has gone, or was told that it came to nothing, while the
			// nodes were out of touch.
			l.work.Go(g.match.Abort)
			return
		}
		delete(l.mine, t.number) // what becomes of its entry concerns it no more
		l.drop(t)
		m := g.match
		l.work.Go(func() { l.seatOnceRuns(t, g, m) })
	case t != nil:
		why, err := words.Carried(o.Ended)
		if err != nil {
			why = ErrOfferGone
		}
		t.fail(why)
	}
}

// seatOnceRuns seats who has made an offer once its match is known to run. Who
// has taken it may not know that they did, and run none: then it is made again.
// The lobby is not locked.
func (l *Lobby) seatOnceRuns(t *Ticket, g *game, m *live.Match) {
	place := m.Watch()
	var u live.Update
	err := place.Recv(l.ctx, &u)
	place.Leave()
	l.mu.Lock()
	unwanted := t.unwanted
	l.mu.Unlock()
	if err == nil && unwanted { // perhaps they have gone
		pass(m.Seat(match.First))
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case t.settled && err == nil: // it was taken back, while the nodes were out of touch
		l.work.Go(m.Abort)
	case t.settled:
	case err == nil:
		t.seat(g.seatings[match.First])
		if paired := l.cfg.Meter.Paired; paired != nil && t.open() {
			paired(time.Since(t.since))
		}
	case l.closing:
		t.fail(ErrClosing)
	default:
		l.mine[t.number] = t
		l.work.Go(func() { l.renew(t.number) })
	}
}

// forgetOffer removes the entry of an offer with which nothing happens any more.
// The lobby need not be locked.
func (l *Lobby) forgetOffer(key string) { l.forgetOfferOf(key, "") }

// forgetOfferOf is forgetOffer, unless a node has come back.
func (l *Lobby) forgetOfferOf(key, home string) {
	l.post(func(ctx context.Context) error {
		if home != "" && l.isAlive(home) {
			return nil
		}
		e, err := l.node.Get(ctx, cluster.Offers, key)
		if err == nil {
			err = l.node.Delete(ctx, cluster.Offers, key, e.Rev)
		}
		if errors.Is(err, cluster.ErrNotFound) || errors.Is(err, cluster.ErrConflict) {
			return nil
		}
		return err
	})
}
