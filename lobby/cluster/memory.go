package cluster

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// Alone returns the only node of a cluster that keeps everything in memory, and
// knows no network.
func Alone() Node { return NewMemory().Join("alone") }

// Memory is a cluster within one process and without a network: what its nodes
// share is in it. It is for tests: nodes can be cut off from the others, and
// time may be that of [testing/synctest].
type Memory struct {
	mu      sync.Mutex
	rev     uint64 // of the last change of any bucket or log
	buckets map[Bucket]map[string]Entry
	logs    map[string][]logged
	nodes   map[string]*memoryNode // by ID, those that are not closed
}

// logged is a record, and which node added it.
type logged struct {
	Record
	by string
}

// NewMemory returns a cluster without nodes.
func NewMemory() *Memory {
	m := &Memory{buckets: map[Bucket]map[string]Entry{}, logs: map[string][]logged{}, nodes: map[string]*memoryNode{}}
	for _, b := range buckets {
		m.buckets[b] = map[string]Entry{}
	}
	return m
}

// Join adds a node.
func (m *Memory) Join(name string) Node {
	n := &memoryNode{memory: m, id: newID(), desk: newDesk(), gone: make(chan struct{})}
	n.peers = newPeers(n.desk, n.id, name)
	m.mu.Lock()
	m.nodes[n.id] = n
	m.mu.Unlock()
	n.beat()
	for _, other := range m.others(n) {
		n.peers.beat(other.peers.last())
	}
	n.work.Go(func() {
		beats := time.NewTicker(BeatEvery)
		defer beats.Stop()
		for {
			select {
			case <-beats.C:
				n.beat()
				n.peers.silent()
			case <-n.gone:
				return
			}
		}
	})
	return n
}

// Cut cuts a node off from all others, until Mend. To its peers it looks like
// one that was killed if it is closed then, or like one that was stopped for a
// while.
func (m *Memory) Cut(id string) { m.setCut(id, true) }

// Mend joins a node to the others again. Its watches are told what they missed.
func (m *Memory) Mend(id string) { m.setCut(id, false) }

// setCut cuts a node off, or joins it again.
func (m *Memory) setCut(id string, cut bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := m.nodes[id]
	if n == nil {
		return
	}
	n.cut = cut
	if !cut {
		for b, watches := range n.watches {
			for _, w := range watches {
				w.all(slices.Collect(maps.Values(m.buckets[b])), m.rev)
			}
		}
	}
}

// others returns the nodes that hear this one, itself not included.
func (m *Memory) others(n *memoryNode) []*memoryNode {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n.cut {
		return nil
	}
	return slices.DeleteFunc(slices.Collect(maps.Values(m.nodes)), func(o *memoryNode) bool { return o == n || o.cut })
}

// change makes a change of an entry and tells those who watch. The caller holds
// mu.
func (m *Memory) change(b Bucket, e Entry) uint64 {
	m.rev++
	e.Rev = m.rev
	if e.Gone {
		delete(m.buckets[b], e.Key)
	} else {
		m.buckets[b][e.Key] = e
	}
	for _, n := range m.nodes {
		if !n.cut {
			for _, w := range n.watches[b] {
				w.change(e)
			}
		}
	}
	return e.Rev
}

// memoryNode is a node of a [Memory].
type memoryNode struct {
	memory *Memory
	id     string
	desk   *desk
	peers  *peers
	work   sync.WaitGroup // the heartbeats
	gone   chan struct{}  // closed by Close

	// Guarded by memory.mu.
	cut     bool
	closed  bool
	watches map[Bucket][]*watch
}

// beat tells the others that this node lives.
func (n *memoryNode) beat() {
	own := n.peers.own()
	for _, other := range n.memory.others(n) {
		other.peers.beat(own)
	}
}

// with calls f under the lock of the memory, unless the node can't use it. Its
// error is wrapped with doing, what is done to what.
func (n *memoryNode) with(ctx context.Context, doing, key string, data []byte, f func(m *Memory) error) error {
	err := ctx.Err()
	if err == nil {
		err = checkKey(key)
	}
	if err == nil {
		err = checkData(data)
	}
	if err == nil {
		n.memory.mu.Lock()
		defer n.memory.mu.Unlock()
		if err = n.healthy(); err == nil {
			err = f(n.memory)
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	return nil
}

// healthy is Healthy for whoever holds the lock of the memory.
func (n *memoryNode) healthy() error {
	switch {
	case n.closed:
		return ErrClosed
	case n.cut:
		return ErrCut
	}
	return nil
}

// ID implements [Node].
func (n *memoryNode) ID() string { return n.id }

// Create implements [Node].
func (n *memoryNode) Create(ctx context.Context, b Bucket, key string, value []byte) (rev uint64, err error) {
	return n.put(ctx, "creating", b, Entry{Key: key, Value: value}, 0)
}

// Update implements [Node].
func (n *memoryNode) Update(ctx context.Context, b Bucket, key string, value []byte, rev uint64) (uint64, error) {
	return n.put(ctx, "updating", b, Entry{Key: key, Value: value}, given(rev))
}

// Delete implements [Node].
func (n *memoryNode) Delete(ctx context.Context, b Bucket, key string, rev uint64) error {
	_, err := n.put(ctx, "deleting", b, Entry{Key: key, Gone: true}, given(rev))
	return err
}

// put changes an entry whose revision is rev, or makes it if rev is 0.
func (n *memoryNode) put(ctx context.Context, doing string, b Bucket, e Entry, rev uint64) (now uint64, err error) {
	err = n.with(ctx, doing+entryOf(b, e.Key), e.Key, e.Value, func(m *Memory) error {
		if err := checkBucket(b); err != nil {
			return err
		}
		if m.buckets[b][e.Key].Rev != rev {
			return ErrConflict
		}
		now = m.change(b, e)
		return nil
	})
	return now, err
}

// Get implements [Node].
func (n *memoryNode) Get(ctx context.Context, b Bucket, key string) (e Entry, err error) {
	err = n.with(ctx, "getting"+entryOf(b, key), key, nil, func(m *Memory) error {
		found := false
		if e, found = m.buckets[b][key]; !found {
			return ErrNotFound
		}
		return nil
	})
	return e, err
}

// Watch implements [Node].
func (n *memoryNode) Watch(ctx context.Context, b Bucket, f func(Entry)) error {
	w, told := newWatch(n.desk, f), make(chan struct{})
	err := n.with(ctx, "watching "+string(b), string(b), nil, func(m *Memory) error {
		if err := checkBucket(b); err != nil {
			return err
		}
		if n.watches == nil {
			n.watches = map[Bucket][]*watch{}
		}
		n.watches[b] = append(n.watches[b], w)
		w.all(slices.Collect(maps.Values(m.buckets[b])), m.rev)
		n.desk.do(func() { close(told) })
		return nil
	})
	if err != nil {
		return err
	}
	select {
	case <-told:
		return nil
	case <-ctx.Done():
		err = ctx.Err()
	case <-n.gone:
		err = ErrClosed
	}
	w.off.Store(true)
	return fmt.Errorf("watching %s: %w", b, err)
}

// Append implements [Node].
func (n *memoryNode) Append(ctx context.Context, log string, after uint64, data []byte) (seq uint64, err error) {
	err = n.with(ctx, "appending to "+log, log, data, func(m *Memory) error {
		records := m.logs[log]
		last := uint64(0)
		if len(records) > 0 {
			last = records[len(records)-1].Seq
		}
		if last == after {
			m.rev++
			seq = m.rev
			m.logs[log] = append(records, logged{Record{seq, data}, n.id})
			return nil
		}
		for _, r := range records {
			if r.Seq > after { // the first one: is it this one?
				if r.by == n.id && bytes.Equal(r.Data, data) {
					seq = r.Seq
					return nil
				}
				break
			}
		}
		return ErrConflict
	})
	return seq, err
}

// Read implements [Node].
func (n *memoryNode) Read(ctx context.Context, log string) (list []Record, err error) {
	err = n.with(ctx, "reading "+log, log, nil, func(m *Memory) error {
		for _, r := range m.logs[log] {
			list = append(list, r.Record)
		}
		return nil
	})
	return list, err
}

// Drop implements [Node].
func (n *memoryNode) Drop(ctx context.Context, log string) error {
	return n.with(ctx, "dropping "+log, log, nil, func(m *Memory) error {
		delete(m.logs, log)
		return nil
	})
}

// Send implements [Node].
func (n *memoryNode) Send(node string, data []byte) {
	if node == n.id {
		n.desk.receive(n.id, data)
		return
	}
	for _, other := range n.memory.others(n) {
		if other.id == node {
			other.desk.receive(n.id, data)
		}
	}
}

// Broadcast implements [Node].
func (n *memoryNode) Broadcast(data []byte) {
	for _, other := range n.memory.others(n) {
		other.desk.receive(n.id, data)
	}
}

// Handle implements [Node].
func (n *memoryNode) Handle(f func(from string, data []byte)) { n.desk.setHandle(f) }

// Peers implements [Node].
func (n *memoryNode) Peers() []Peer { return n.peers.all() }

// HandlePeers implements [Node].
func (n *memoryNode) HandlePeers(f func([]Peer)) { n.peers.setTell(f) }

// SetStatus implements [Node].
func (n *memoryNode) SetStatus(f func() []byte) { n.peers.setStatus(f) }

// Healthy implements [Node].
func (n *memoryNode) Healthy() error {
	n.memory.mu.Lock()
	defer n.memory.mu.Unlock()
	return n.healthy()
}

// Close implements [Node].
func (n *memoryNode) Close() {
	m := n.memory
	m.mu.Lock()
	if !n.closed {
		n.closed = true
		close(n.gone)
		delete(m.nodes, n.id)
	}
	m.mu.Unlock()
	n.work.Wait()
	n.desk.close()
	for _, other := range m.others(n) {
		other.peers.bye(n.id)
	}
}
