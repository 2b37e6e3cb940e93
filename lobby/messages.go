package lobby

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"broadside/lobby/cluster"
)

// topic says what a message to another node is about.
type topic byte

const (
	toOwner   topic = iota // of a match: from who follows it
	toFollow               // of a match: from who runs it
	unheardOf              // of a match: nobody runs it here
	ended                  // of a match: its outcome
	joined                 // of a match: somebody has taken a guest's place
	seen                   // of a match: how many watch it at a node
	wished                 // of a match that is over: a side wants a rematch
	rose                   // of a match that is over: a side has left the table
	atTable                // of a match that is over: how it stands with a rematch
	said                   // a line of talk, in a match or in the lobby
	announced
	expelled
	hushed  // somebody wants no challenges, or does again
	sunk    // a daily sea
	renamed // an account, or its keys have changed
	muted   // somebody hears another person otherwise
	parting // the node is about to close: it is nobody's heir
)

// envelope is a message about a match, or about none.
func envelope(what topic, id string, data []byte) []byte {
	b := make([]byte, 0, 2+len(id)+len(data))
	b = append(b, byte(what), byte(len(id)))
	return append(append(b, id...), data...)
}

// parcel is what another node has sent for a match.
type parcel struct {
	from string
	data []byte
}

// join becomes one with the lobbies of the other nodes. It waits until it knows
// what they know.
func (l *Lobby) join(ctx context.Context) error {
	l.outbox.open(l)
	if !l.cfg.Single {
		l.after(youth, func() { // what was left behind by nodes that nobody here has heard of
			l.mu.Lock()
			defer l.mu.Unlock()
			l.sweep()
		})
	}
	l.node.Handle(l.receive)
	l.node.HandlePeers(listen(l, l.toldPeers))
	for _, b := range []struct {
		bucket cluster.Bucket
		told   func(cluster.Entry)
	}{{cluster.Presence, l.toldPresence}, {cluster.Matches, l.toldMatch}, {cluster.Offers, l.toldOffer}, {cluster.Links, l.toldLink}} {
		if err := l.node.Watch(ctx, b.bucket, listen(l, b.told)); err != nil {
			return fmt.Errorf("reading what the other nodes know: %w", err)
		}
	}
	return nil
}

// listen makes of what is called with the lobby locked what a node calls. Once
// the lobby closes it hears nothing any more.
func listen[T any](l *Lobby, told func(T)) func(T) {
	return func(news T) {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.ctx.Err() == nil {
			told(news)
		}
	}
}

// receive takes in a message. The lobby is not locked.
func (l *Lobby) receive(from string, b []byte) {
	if len(b) < 2 || len(b) < 2+int(b[1]) {
		l.cfg.Log.Warn("a message cannot be read", "node", from)
		return
	}
	what, id, data := topic(b[0]), string(b[2:2+b[1]]), b[2+int(b[1]):]
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ctx.Err() != nil {
		return
	}
	g := l.running[id]
	switch what {
	case toOwner:
		g := l.followed(id) // who has not heard how it ended is told
		l.serve(g, parcel{from, data})
		if g == nil {
			l.node.Send(from, envelope(unheardOf, id, nil))
		}
	case toFollow:
		if g := l.followed(id); g != nil && g.match != nil && g.owner == from {
			g.match.Deliver(data)
		}
	case unheardOf:
		// Of one that has an entry the owner may not have heard yet; if it is over,
		// the entry goes.
		if g != nil && g.owner == from && g.match != nil && g.rev == 0 {
			g.stop()
		}
	case said:
		l.hear(g, id, data)
	case seen:
		if g != nil {
			l.count(g, from, data)
		}
	case wished, rose, atTable, ended:
		l.tableMessage(what, from, id, data)
	case joined:
		l.takePlaceOf(g, data)
	default:
		l.receiveNews(what, from, data)
	}
}

// serve hands what another node has sent to the match that runs here. The lobby
// is locked.
func (l *Lobby) serve(g *game, p parcel) {
	switch {
	case g == nil || !l.runs(g):
	case g.match == nil || !g.match.Here(): // it is about to run here
		if len(g.early) < maxEarly {
			g.early = append(g.early, p)
		}
	default:
		id := g.id
		g.match.Serve(p.from, p.data, func(data []byte) { l.node.Send(p.from, envelope(toFollow, id, data)) })
	}
}

// serveEarly hands over what has come before the match ran here. The lobby is
// locked.
func (l *Lobby) serveEarly(g *game) {
	for _, p := range g.early {
		l.serve(g, p)
	}
	g.early = nil
}

// maxEarly is how much is kept for a match that has not begun yet: what is
// dropped is sent again.
const maxEarly = 16

// receiveNews takes in what is about no match. The lobby is locked.
func (l *Lobby) receiveNews(what topic, from string, data []byte) {
	switch what {
	case announced:
		var a Announcement
		if json.Unmarshal(data, &a) == nil && a.At.After(l.said.At) {
			l.said = a
			l.changed()
		}
	case parting:
		l.parting[from] = struct{}{}
	case expelled:
		seats := l.seatsOf(string(data))
		l.work.Go(func() { expel(seats) })
	case muted:
		var m muting
		if json.Unmarshal(data, &m) == nil {
			l.heed(m)
		}
	case sunk:
		l.dailies++
		l.changed()
	case hushed:
		var h quietness
		if json.Unmarshal(data, &h) == nil {
			l.quieten(h)
		}
	case renamed:
		var p Player
		if json.Unmarshal(data, &p) == nil {
			l.rename(p.Account, p.Name)
		}
	}
}

// tell broadcasts what happened. The lobby may be locked.
func (l *Lobby) tell(what topic, id string, v any) {
	l.node.Broadcast(envelope(what, id, encode(v)))
}

// sayAgain is how long somebody waits before they say something again to another
// node, for it may be lost.
const sayAgain = time.Second

// insist calls say now and again and again until it is false. The lobby is locked,
// whenever say is called, too.
func (l *Lobby) insist(say func() bool) {
	if say() {
		l.after(sayAgain, func() {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.insist(say)
		})
	}
}

// after does something later, unless the lobby closes before. It holds no locks.
func (l *Lobby) after(d time.Duration, f func()) {
	l.work.Go(func() {
		t := time.NewTimer(d)
		defer t.Stop()
		select {
		case <-t.C:
			f()
		case <-l.ctx.Done():
		}
	})
}

// spokenLine is a line of talk that was said at another node.
type spokenLine struct {
	At    time.Time
	From  Player
	Text  string
	Aside bool
}

// hear takes in a line that was said at another node, in a match, or in the
// lobby if the ID is empty. The lobby is locked.
func (l *Lobby) hear(g *game, id string, data []byte) {
	var s spokenLine
	if json.Unmarshal(data, &s) != nil {
		return
	}
	room := &l.talk
	if id != "" {
		if g == nil {
			return
		}
		room = &g.talk
	}
	l.add(room, s)
}
