package lobby

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"broadside/lobby/cluster"
	"broadside/match"
	"broadside/words"
)

// errMissed is why an offer is not taken: somebody else was faster.
var errMissed = errors.New("somebody else has taken the offer")

// ErrCut is the answer to who wants to play while this node has lost touch with
// the others.
var ErrCut = words.Errorf("the servers of this place have lost touch with each other: try again in a few seconds")

// nodeTime bounds how long anybody waits for the other nodes.
const nodeTime = 3 * time.Second

// offered is an offer as all nodes know it.
type offered struct {
	Number int
	Home   string // the node where the player is
	Player Player
	To     *Player `json:",omitempty"`
	Name   string  `json:",omitempty"`
	Code   string  `json:",omitempty"`
	Rules  match.Rules
	Since  time.Time
	Until  time.Time
	Taken  *played `json:",omitempty"` // the match that came of it
	Ended  []byte  `json:",omitempty"` // why nothing will come of it, see [words.Carry]

	rev uint64 // of the entry
}

func offerKey(number int) string { return strconv.Itoa(number) }

func (t *Ticket) offered() offered {
	return offered{Number: t.number, Home: t.home, Player: t.player, To: t.to, Name: t.name, Code: t.code, Rules: t.rules, Since: t.since, Until: t.until}
}

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
// those with the same rules but for the clock.
func gate(r match.Rules, place int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d.%d.%t", r.Size, r.Contact, r.Moving)
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
		key := gate(t.rules, place)
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
			l.part(p.ID, of, ErrSatDown, words.Errorf("your challenge is over: %s has begun another match", p.Name))
		}
	}
}

// part ends the offers of a person for the reason mine, and those to them for
// theirs, but for one, which may be nil.
func (l *Lobby) part(id string, but *Ticket, mine, theirs error) {
	l.withdraw(func(o *Ticket) error {
		switch {
		case o == but:
		case o.player.ID == id && o.here():
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
	l.mu.Unlock()
	if t == nil {
		return
	}
	ctx, cancel := l.waiting()
	defer cancel()
	rev, err := l.node.Create(ctx, cluster.Offers, offerKey(number), encode(t.offered()))
	if errors.Is(err, cluster.ErrConflict) {
		return // it is there
	}
	if err == nil {
		t.rev = rev
		l.mu.Lock()
		if !slices.Contains(l.offers, t) {
			l.list(t)
		}
		l.mu.Unlock()
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
		lobby: l, number: o.Number, player: o.Player, to: o.To, name: o.Name, code: o.Code, rules: o.Rules,
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
		t.seat(g.seatings[match.First])
		if paired := l.cfg.Meter.Paired; paired != nil && t.open() {
			paired(time.Since(t.since))
		}
	case t != nil:
		why, err := words.Carried(o.Ended)
		if err != nil {
			why = ErrOfferGone
		}
		t.fail(why)
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
