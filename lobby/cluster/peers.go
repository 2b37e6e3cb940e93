package cluster

import (
	"slices"
	"strings"
	"sync"
	"time"
)

// peers is what a node knows of who lives: itself, and everybody of whom it has
// heard lately.
type peers struct {
	desk *desk
	self string // its ID

	mu     sync.Mutex
	known  map[string]*heard
	status func() []byte
	tell   func([]Peer) // see [Node.HandlePeers]; nil until it is set
	looked time.Time    // when silent was called last
}

// heard is a peer, and when its last heartbeat came.
type heard struct {
	Peer
	at time.Time
}

// newPeers returns the table of a node that starts now.
func newPeers(d *desk, id, name string) *peers {
	now := time.Now()
	return &peers{desk: d, self: id, looked: now,
		known: map[string]*heard{id: {Peer{ID: id, Name: name, Started: now}, now}}}
}

// own returns this node as its next heartbeat tells of it.
func (p *peers) own() Peer {
	p.mu.Lock()
	status := p.status
	p.mu.Unlock()
	var b []byte
	if status != nil {
		b = status() // takes locks of others
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	self := p.known[p.self]
	self.Status = b
	return self.Peer
}

// last returns this node as its last heartbeat told of it.
func (p *peers) last() Peer {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.known[p.self].Peer
}

// setStatus implements [Node.SetStatus].
func (p *peers) setStatus(f func() []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.status = f
}

// beat takes note of a heartbeat. It says whether the peer is new.
func (p *peers) beat(peer Peer) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if peer.ID == p.self {
		return false
	}
	_, known := p.known[peer.ID]
	p.known[peer.ID] = &heard{peer, time.Now()}
	if !known {
		p.changed()
	}
	return !known
}

// bye takes note of a peer that has closed.
func (p *peers) bye(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, known := p.known[id]; known && id != p.self {
		delete(p.known, id)
		p.changed()
	}
}

// silent takes note of peers that have not been heard of for too long. It is
// called every [BeatEvery].
func (p *peers) silent() {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	// Time in which this process was stopped, or had to wait for a processor,
	// does not count: what the others said meanwhile is still to be read.
	late := max(0, now.Sub(p.looked)-BeatEvery)
	p.looked = now
	n := len(p.known)
	for id, h := range p.known {
		h.at = h.at.Add(min(late, now.Sub(h.at)))
		if id != p.self && now.Sub(h.at) >= DeadAfter {
			delete(p.known, id)
		}
	}
	if len(p.known) != n {
		p.changed()
	}
}

// changed has it told who lives. The caller holds mu.
func (p *peers) changed() {
	if tell := p.tell; tell != nil {
		now := p.list()
		p.desk.do(func() { tell(now) })
	}
}

// setTell implements [Node.HandlePeers].
func (p *peers) setTell(f func([]Peer)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tell = f
	p.changed()
}

// all implements [Node.Peers].
func (p *peers) all() []Peer {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.list()
}

// list returns who lives, by ID. The caller holds mu.
func (p *peers) list() []Peer {
	list := make([]Peer, 0, len(p.known))
	for _, h := range p.known {
		list = append(list, h.Peer)
	}
	slices.SortFunc(list, func(a, b Peer) int { return strings.Compare(a.ID, b.ID) })
	return list
}
