// Package cluster holds what the nodes of one service share: entries that are
// changed by compare-and-set, logs that only one can write at a time, messages,
// and who lives. It knows nothing of the game.
//
// A [Node] is this process among the others. [Join] makes one of a NATS cluster;
// the servers are in the processes of the nodes, or run elsewhere. [Alone] makes
// one that keeps everything in its own memory, and several that share a [Memory]
// are a cluster within one process, for tests.
//
// Nothing here outlasts the last of the servers: what must be kept is not the
// business of this package.
package cluster

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// What callers can tell apart with errors.Is. Each is wrapped with what was
// asked for.
var (
	ErrConflict = errors.New("somebody else was first")
	ErrNotFound = errors.New("not found")
	ErrCut      = errors.New("this node is cut off from the others")
	ErrClosed   = errors.New("the node is closed")
	ErrKey      = errors.New("not a key: it has 1 to 200 characters of A-Z a-z 0-9 _ - and, not first, last or twice, a dot")
)

const (
	// BeatEvery is how often each node tells the others that it lives.
	BeatEvery = time.Second

	// DeadAfter is how long nothing was heard of a peer when it counts as gone.
	DeadAfter = 3 * time.Second

	// MaxData is the greatest length of a value, a record and a message, in
	// bytes.
	MaxData = 512 << 10

	// maxKey is the greatest length of a key, in bytes.
	maxKey = 200
)

// Bucket is one of the places for entries, each with keys of its own.
type Bucket string

// The buckets that there are.
const (
	Offers   Bucket = "offers"
	Matches  Bucket = "matches"
	Presence Bucket = "presence"
	Gates    Bucket = "gates"
	Links    Bucket = "links"
)

// buckets are all of them.
var buckets = []Bucket{Offers, Matches, Presence, Gates, Links}

// entryOf is how errors name an entry. Keys of links are codes that open accounts:
// they must not get into a log.
func entryOf(b Bucket, key string) string {
	if b == Links {
		return " an entry of links"
	}
	return fmt.Sprintf(" an entry of %s: %s", b, key)
}

// Entry is what a bucket has under a key. Its value is shared: nobody may
// change its bytes.
type Entry struct {
	Key   string
	Value []byte
	Rev   uint64 // of this change; later changes of the same bucket have greater ones
	Gone  bool   // it was deleted; Value is empty. Only watchers see such entries
}

// Record is one piece of a log. Its data is shared: nobody may change its bytes.
type Record struct {
	Seq  uint64 // from 1 and rising, but other logs take numbers between
	Data []byte
}

// Peer is a node that lives, as the others see it.
type Peer struct {
	ID      string
	Name    string    // for people; two nodes may have the same
	Started time.Time // by its own clock
	Status  []byte    // of its last heartbeat, see [Node.SetStatus]
}

// Node is this process among the nodes of the service. Methods may be called
// from any goroutine.
//
// Methods with a context and an error wait for the cluster, up to the end of
// the context. While the node is cut off from the others (see Healthy) they
// fail soon with [ErrCut], those that wait already as well; after Close, with
// [ErrClosed]. Unless the error is [ErrConflict], [ErrNotFound] or [ErrKey] a
// change that failed may have happened all the same, or may happen still.
//
// Functions that are handed in (to Watch, Handle, HandlePeers) are called one at
// a time, all by one goroutine of the node. They must not wait long, and must
// not call Close or a method with a context.
//
// Values, records and messages are up to [MaxData] bytes long. They belong to
// the node once they are handed in: the caller must not change them anymore.
type Node interface {
	// ID is of this run of the process: 10 characters a-z and 0-9, by chance. A
	// process that was restarted is another node.
	ID() string

	// Create makes an entry and returns its revision. It is [ErrConflict] if
	// there is one with that key. A key has 1 to 200 characters A-Z, a-z, 0-9,
	// "_" or "-", with single dots between them, else it is [ErrKey].
	Create(ctx context.Context, b Bucket, key string, value []byte) (rev uint64, err error)

	// Update changes an entry whose revision is rev, and returns the new one. It
	// is [ErrConflict] if the entry has changed since, or is gone.
	Update(ctx context.Context, b Bucket, key string, value []byte, rev uint64) (uint64, error)

	// Delete removes an entry whose revision is rev. It is [ErrConflict] if the
	// entry has changed since, or is gone.
	Delete(ctx context.Context, b Bucket, key string, rev uint64) error

	// Get returns an entry, or [ErrNotFound].
	Get(ctx context.Context, b Bucket, key string) (Entry, error)

	// Watch calls f for every entry that there is, and then for every change, in
	// the order of revisions, until Close. It returns when f was told everything
	// that there was at the time of the call. Whoever is slow, or was cut off,
	// may miss changes of an entry that has changed again since: the newest is
	// never missed, nor that the entry is gone. Nothing is told twice. After an error f is
	// not called anymore.
	Watch(ctx context.Context, b Bucket, f func(Entry)) error

	// Append adds a record to a log, after the one with the number after (0: the
	// log is empty), and returns its number. It is [ErrConflict] if that is not
	// the last one: somebody else writes this log. If it is uncertain whether an
	// Append succeeded, the same node may try it again with the same record: it
	// is not added twice. What names a log is like a key. Records that nobody
	// drops are kept for a month.
	Append(ctx context.Context, log string, after uint64, data []byte) (uint64, error)

	// Read returns all records of a log, oldest first; none if nobody has
	// written it.
	Read(ctx context.Context, log string) ([]Record, error)

	// Drop forgets a log and all its records.
	Drop(ctx context.Context, log string) error

	// Send sends a message to a node, which may be this one. It never waits. A
	// message arrives once or not at all, and messages from one node to another
	// in the order in which they were sent, whether by Send or by Broadcast.
	Send(node string, data []byte)

	// Broadcast sends a message to all other nodes, like Send.
	Broadcast(data []byte)

	// Handle says who is told of messages. It is called once; what came before
	// is kept until then.
	Handle(f func(from string, data []byte))

	// Peers returns the nodes that live as far as this one knows, itself
	// included, ordered by ID. The slice belongs to the caller.
	Peers() []Peer

	// HandlePeers says who is told which nodes live: at once, and whenever one
	// came or went. A node that has not been heard of for [DeadAfter] is gone; one
	// that is closed is gone at once. One that was only slow, or cut off, comes
	// back under its ID. It is called once. The slice belongs to f.
	HandlePeers(f func([]Peer))

	// SetStatus says what goes out with every heartbeat of this node, from the
	// next one on, at most [MaxData] bytes. f is called every [BeatEvery] by a
	// goroutine of the node; it must not wait.
	SetStatus(f func() []byte)

	// Healthy returns nil, or [ErrCut] while this node can't change entries and
	// logs, [ErrClosed] after Close. It never waits.
	Healthy() error

	// Close leaves the others and waits for all goroutines of the node. A
	// function that was handed in and runs is waited for; none is called
	// afterwards.
	Close()
}

// newID returns the ID of a new node.
func newID() string { return strings.ToLower(rand.Text()[:10]) }

// given returns the revision that a caller gave for one that there should be: 0
// is none, while to a bucket it means that there is no entry.
func given(rev uint64) uint64 {
	if rev == 0 {
		return math.MaxInt64
	}
	return rev
}

// checkKey returns [ErrKey] for what is no key.
func checkKey(key string) error {
	wrong := key == "" || len(key) > maxKey || key[0] == '.' || key[len(key)-1] == '.' || strings.Contains(key, "..")
	for _, c := range []byte(key) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_', c == '-', c == '.':
		default:
			wrong = true
		}
	}
	if wrong {
		return fmt.Errorf("%.50q: %w", key, ErrKey)
	}
	return nil
}

// checkBucket returns an error for what is no bucket.
func checkBucket(b Bucket) error {
	if !slices.Contains(buckets, b) {
		return fmt.Errorf("there is no bucket %q", b)
	}
	return nil
}

// checkData returns an error for data that is too long.
func checkData(data []byte) error {
	if len(data) > MaxData {
		return fmt.Errorf("%d bytes are more than %d", len(data), MaxData)
	}
	return nil
}
