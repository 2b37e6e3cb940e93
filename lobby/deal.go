package lobby

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"broadside/lobby/cluster"
	"broadside/match"
	"broadside/words"
)

// ErrCut is the answer to who wants to play while this node has lost touch with
// the others.
var ErrCut = words.Errorf("the servers of this place have lost touch with each other: try again in a few seconds")

// nodeTime bounds how long anybody waits for the other nodes.
const nodeTime = 3 * time.Second

// encode is the value of an entry.
func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil { // of what the lobby encodes it cannot fail
		panic(err)
	}
	return b
}

// waiting is a context for what waits for other nodes.
func (l *Lobby) waiting() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(l.ctx), nodeTime)
}

// explainNode is why an entry was not changed, as a sentence for a player;
// errMissed if somebody else has changed it.
func (l *Lobby) explainNode(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, cluster.ErrConflict) {
		return errMissed
	}
	l.cfg.Log.Warn("the other nodes are out of reach", "error", err)
	return ErrCut
}

// All that follows is called with dealing locked and the lobby not.

// offer lets others take a ticket, at all nodes. A person has one offer at a
// time: the newest. An offer to anybody is made only if there is none that the
// player can take instead: else the error is errMissed.
func (l *Lobby) offer(t *Ticket) error {
	if t.player.Kind == Person {
		l.withdraw(func(o *Ticket) error {
			if o.player.ID == t.player.ID {
				return ErrOtherOffer
			}
			return nil
		})
	}
	l.mu.Lock()
	l.mine[t.number] = t
	l.list(t)
	l.mu.Unlock()
	ctx, cancel := l.waiting()
	defer cancel()
	var err error
	if t.rev, err = l.node.Create(ctx, cluster.Offers, offerKey(t.number), encode(t.offered())); err == nil && t.open() {
		if err = l.waitAtGate(ctx, t); err != nil && !l.withdrawn(t, nil) {
			return nil // somebody has taken it already
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case t.settled: // somebody at another node was fast
		return nil
	case err != nil:
		delete(l.mine, t.number)
		l.drop(t)
		if errors.Is(err, errMissed) {
			return err
		}
		l.forgetOffer(offerKey(t.number)) // it may be there all the same
		return l.explainNode(err)
	case !t.until.IsZero():
		l.work.Add(1) // done by the timer, or by who stops it
		t.timer = time.AfterFunc(time.Until(t.until), func() {
			defer l.work.Done()
			l.deal.Lock()
			defer l.deal.Unlock()
			l.withdraw(func(o *Ticket) error {
				if o == t {
					return errNoAnswer(t.to)
				}
				return nil
			})
		})
	}
	return nil
}

// gate is the key of the entry that says which offer waits for anybody, of
// those with the same choice of stakes and the same rules but for the clock.
func gate(choice Stakes, r match.Rules, place int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v.%d.%d.%t", choice, r.Size, r.Contact, r.Moving)
	for _, c := range r.Fleet {
		fmt.Fprintf(&b, ".%d", c.Length)
	}
	fmt.Fprintf(&b, "_%d", place)
	return b.String()
}

// waitAtGate makes an offer the one that waits for anybody. If there is one already
// that the player can take, it is in l.offers afterwards and the error is
// errMissed. So two that could play each other never both wait, which matters:
// who waits has been told that they will defend.
func (l *Lobby) waitAtGate(ctx context.Context, t *Ticket) error {
	// A player does not play themselves: who is here twice waits behind.
	for place := 0; ; {
		key := gate(t.choice, t.rules, place)
		e, err := l.node.Get(ctx, cluster.Gates, key)
		switch {
		case err == nil && string(e.Value) == offerKey(t.number):
			return nil
		case errors.Is(err, cluster.ErrNotFound):
			_, err = l.node.Create(ctx, cluster.Gates, key, []byte(offerKey(t.number)))
		case err == nil:
			first, ok, lookErr := l.look(ctx, string(e.Value))
			switch {
			case lookErr != nil:
				return lookErr
			case ok && first.Player.ID == t.player.ID:
				place++
				continue
			case ok:
				l.mu.Lock()
				there := l.learnOffer(first)
				l.mu.Unlock()
				if there {
					return errMissed
				}
			}
			_, err = l.node.Update(ctx, cluster.Gates, key, []byte(offerKey(t.number)), e.Rev)
		}
		if !errors.Is(err, cluster.ErrConflict) {
			return err
		}
	}
}

// look is an offer that can be taken, by its key.
func (l *Lobby) look(ctx context.Context, key string) (o offered, ok bool, err error) {
	e, err := l.node.Get(ctx, cluster.Offers, key)
	if errors.Is(err, cluster.ErrNotFound) {
		return o, false, nil
	}
	if err != nil {
		return o, false, err
	}
	if err := json.Unmarshal(e.Value, &o); err != nil {
		return o, false, nil
	}
	o.rev = e.Rev
	return o, o.Taken == nil && o.Ended == nil, nil
}

// withdraw ends the offers for which why is not nil, for that reason, and those
// of other nodes, too. One that has been taken at another node stays: its match
// is about to begin here.
func (l *Lobby) withdraw(why func(*Ticket) error) {
	l.mu.Lock()
	var ending []*Ticket
	var reasons []error
	for _, t := range l.offers {
		if err := why(t); err != nil {
			ending, reasons = append(ending, t), append(reasons, err)
		}
	}
	l.mu.Unlock()
	for i, t := range ending {
		if !l.withdrawn(t, reasons[i]) {
			continue
		}
		l.mu.Lock()
		if !t.settled {
			t.fail(reasons[i])
		}
		l.mu.Unlock()
	}
}

// withdrawn takes an offer back, so that nobody can take it any more, and
// returns false if somebody has. The reason is for its player, if they are
// elsewhere.
func (l *Lobby) withdrawn(t *Ticket, why error) bool {
	if t.rev == 0 {
		return true
	}
	ctx, cancel := l.waiting()
	defer cancel()
	key := offerKey(t.number)
	var err error
	if t.here() {
		err = l.node.Delete(ctx, cluster.Offers, key, t.rev)
	} else {
		o := t.offered()
		o.Ended = words.Carry(why)
		_, err = l.node.Update(ctx, cluster.Offers, key, encode(o), t.rev)
	}
	switch {
	case err == nil:
		return true
	case errors.Is(err, cluster.ErrConflict):
		l.mu.Lock()
		l.drop(t)
		l.mu.Unlock()
		return false
	}
	// Whoever takes it nevertheless is told once the nodes are in touch again:
	// see toldMine.
	l.explainNode(err)
	l.forgetOffer(key)
	return true
}

// claim takes an offer for a game, which other nodes can see from then on, so
// that nobody else can; errMissed if somebody has.
func (l *Lobby) claim(t *Ticket, g *game) error {
	ctx, cancel := l.waiting()
	defer cancel()
	if t.here() {
		return l.explainNode(l.node.Delete(ctx, cluster.Offers, offerKey(t.number), t.rev))
	}
	o := t.offered()
	l.mu.Lock()
	p := g.played()
	l.mu.Unlock()
	o.Taken = &p
	_, err := l.node.Update(ctx, cluster.Offers, offerKey(t.number), encode(o), t.rev)
	return l.explainNode(err)
}

// sitDown ends the offers of players who begin a match, and those to them, but
// for the one that it comes of.
func (l *Lobby) sitDown(players [2]Player, of *Ticket) {
	for _, p := range players {
		if p.Kind == Person {
			l.part(p.ID, of, true, ErrSatDown, words.Errorf("your challenge is over: %s has begun another match", p.Name))
		}
	}
}

// part ends the offers of a person, at this node or everywhere, for the reason
// mine, and those to them for theirs, but for one, which may be nil.
func (l *Lobby) part(id string, but *Ticket, everywhere bool, mine, theirs error) {
	l.withdraw(func(o *Ticket) error {
		switch {
		case o == but:
		case o.player.ID == id && (everywhere || o.here()):
			return mine
		case o.to != nil && o.to.ID == id:
			return theirs
		}
		return nil
	})
}

// endOffers ends all offers that were made at this node.
func (l *Lobby) endOffers(why error) {
	l.withdraw(func(o *Ticket) error {
		if o.here() {
			return why
		}
		return nil
	})
}

// renew makes an offer known again that others have taken for one of a dead
// node. If the player could follow somebody else meanwhile, or the nodes are out
// of touch again, it fails instead: they have been told that they defend.
func (l *Lobby) renew(number int) {
	l.deal.Lock()
	defer l.deal.Unlock()
	l.mu.Lock()
	t := l.mine[number]
	switch {
	case t == nil:
	case t.unwanted:
		t.fail(ErrOfferGone)
		t = nil
	case !t.until.IsZero() && !time.Now().Before(t.until):
		t.fail(errNoAnswer(t.to))
		t = nil
	}
	l.mu.Unlock()
	if t == nil {
		return
	}
	ctx, cancel := l.waiting()
	defer cancel()
	rev, err := l.node.Create(ctx, cluster.Offers, offerKey(number), encode(t.offered()))
	if errors.Is(err, cluster.ErrConflict) {
		return // it is there, or what is left of it: see forgetOffer
	}
	if err == nil {
		t.rev = rev
		l.mu.Lock()
		taken := l.mine[number] == nil // by who has seen it at once
		if !taken && !slices.Contains(l.offers, t) {
			l.list(t)
		}
		l.mu.Unlock()
		if taken {
			return
		}
		if t.open() {
			err = l.waitAtGate(ctx, t)
		}
	}
	if err == nil || !l.withdrawn(t, nil) {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !t.settled {
		t.fail(ErrCut)
	}
}
