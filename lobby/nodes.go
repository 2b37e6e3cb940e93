package lobby

import (
	"slices"
	"time"

	"broadside/lobby/cluster"
	"broadside/match"
)

// The lobby is locked for all that follows, unless it says otherwise.

// lives tells whether a node does.
func (l *Lobby) lives(node string) bool {
	return node == l.node.ID() || slices.ContainsFunc(l.peers, func(p cluster.Peer) bool { return p.ID == node })
}

// youth is for how long a lobby that has just been opened takes every node
// for alive: it may not have heard of all.
const youth = 2 * cluster.DeadAfter

// dead tells whether a node is gone for sure.
func (l *Lobby) dead(node string) bool {
	return !l.lives(node) && time.Since(l.began) >= youth
}

// sweep takes note of nodes that are gone. Their people and offers are kept in
// mind: if such a node was only out of touch, or this one was, they are there
// again when it comes back. What it has left behind is removed later, once it is
// certain that this node is not the one that is out of touch.
func (l *Lobby) sweep() {
	for _, t := range slices.Clone(l.offers) {
		if l.dead(t.home) {
			l.drop(t)
			l.parked = append(l.parked, t)
		}
	}
	if len(l.leftovers()) > 0 {
		l.after(youth, func() {
			if l.touch() {
				l.after(2*cluster.BeatEvery, l.clearAway)
			}
		})
	}
	for _, g := range l.tables {
		for side, home := range g.homes {
			if l.dead(home) || l.dead(g.owner) {
				g.table.rise(match.Side(side))
			}
		}
	}
	l.changed()
}

// clearAway removes the entries of nodes that are gone. The lobby is not locked.
func (l *Lobby) clearAway() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, forget := range l.leftovers() {
		forget()
	}
}

// leftovers are what removes each of the entries of nodes that are gone.
func (l *Lobby) leftovers() (all []func()) {
	for _, t := range l.parked {
		if l.dead(t.home) {
			all = append(all, func() { l.forgetOfferOf(offerKey(t.number), t.home) })
		}
	}
	for key, here := range l.others {
		if l.dead(here.home) {
			all = append(all, func() { l.forgetPresence(key, here.home) })
		}
	}
	return all
}

// welcome takes in again what there was at a node that has come, or come back,
// and tells it what it may have missed.
func (l *Lobby) welcome(node string) {
	for _, t := range slices.Clone(l.parked) {
		if t.home == node {
			l.parked = slices.DeleteFunc(l.parked, func(p *Ticket) bool { return p == t })
			l.list(t)
		}
	}
	if !l.said.At.IsZero() {
		l.node.Send(node, envelope(announced, "", encode(l.said)))
	}
	if l.closing {
		l.node.Send(node, envelope(parting, "", nil))
	}
	for id, g := range l.running {
		if g.watching > 0 {
			l.node.Send(node, envelope(seen, id, encode(g.watching)))
		}
	}
	l.changed()
}

// toldPeers takes in which nodes live.
func (l *Lobby) toldPeers(peers []cluster.Peer) {
	before := l.peers
	l.peers = peers
	for _, p := range before {
		if l.lives(p.ID) {
			continue
		}
		l.cfg.Log.Warn("a node is gone", "node", p.ID, "name", p.Name)
		delete(l.parting, p.ID)
		for _, g := range l.running {
			delete(g.audience, p.ID)
			if !l.runs(g) || g.match == nil {
				continue
			}
			m, lost, at := g.match, g.programsAt(p.ID) > 0, g.sidesAt(p.ID)
			l.work.Go(func() {
				if lost { // a program's connection has ended with its node
					m.Abort()
				}
				m.Gone(p.ID, at...)
			})
		}
	}
	l.sweep()
	for _, p := range peers {
		if p.ID != l.node.ID() && !slices.ContainsFunc(before, func(q cluster.Peer) bool { return p.ID == q.ID }) {
			l.welcome(p.ID)
		}
	}
	for _, g := range l.running {
		back := !slices.ContainsFunc(before, func(p cluster.Peer) bool { return p.ID == g.owner })
		switch {
		case !l.lives(g.owner):
			l.inherit(g, 0)
		case back && g.match != nil && !l.runs(g):
			g.match.Relink() // it may have taken this node for gone
		}
	}
}

func (l *Lobby) isAlive(node string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lives(node)
}
