package cluster

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	// cutAfter is how long nothing could be written when a node counts as cut
	// off. Choosing another leader takes 1 to 3 s.
	cutAfter = 5 * time.Second

	// attempt is how long one request may take, and patience all attempts
	// together if the caller has more.
	attempt  = time.Second
	patience = 15 * time.Second

	// beatSilence is between two signs of life of a watch, and watchSilence how long
	// there may be none.
	beatSilence  = 500 * time.Millisecond
	watchSilence = 2 * time.Second

	// markerLife is how long it is known of an entry that it was deleted. Whoever
	// missed it compares all.
	markerLife = time.Minute

	// logLife is how long a record is kept if nobody drops its log: who should have
	// may have died. It is longer than anything that is logged goes on.
	logLife = 30 * 24 * time.Hour

	// maxOut is how many messages may wait to go out; those that come then are
	// lost. maxIn is how many may wait to be sorted.
	maxOut, maxIn = 1 << 13, 1 << 14

	// remembered is how long the servers know which changes of entries were made.
	remembered = 2 * patience
)

// authorHeader is the header that says which node wrote a record.
const authorHeader = "Broadside-Author"

// natsNode is a node of a NATS cluster.
//
// Entries are in one JetStream key-value bucket, with the key BUCKET.KEY; one,
// because each has a leader of its own, and who loses a node waits for the last
// of them. Logs are subjects of a stream. Both are in the memory of the servers.
type natsNode struct {
	id      string
	service string
	log     *slog.Logger
	desk    *desk
	peers   *peers
	server  *embedded // nil: it is elsewhere
	conn    *nats.Conn
	js      jetstream.JetStream
	alone   bool // the server has no others: nobody needs to agree
	in      chan *nats.Msg
	out     chan *nats.Msg
	writes  atomic.Uint64 // calls that write
	began   time.Time
	wrote   atomic.Int64 // when something could be written last, after began

	ctx     context.Context // ends with Close
	end     context.CancelFunc
	closing sync.Mutex     // held to start goroutines, and to end ctx
	work    sync.WaitGroup // all goroutines but that of the desk
}

// Join makes this process a node of a cluster, with a NATS server of its own
// unless the config says that it is elsewhere. It returns when the node can be
// used, so of embedded servers that form a cluster, when most of them are there
// and this one knows what they know: wait for it before the next one of them is
// ended. The context is for that time only.
func Join(ctx context.Context, c Config) (Node, error) {
	c, err := c.complete()
	if err != nil {
		return nil, err
	}
	n := &natsNode{
		id: newID(), service: c.Service, log: c.Log,
		in: make(chan *nats.Msg, maxIn), out: make(chan *nats.Msg, maxOut), began: time.Now(),
	}
	n.ctx, n.end = context.WithCancel(context.Background())
	n.desk = newDesk()
	n.peers = newPeers(n.desk, n.id, c.Name)
	if err := n.connect(ctx, c); err != nil {
		n.Close()
		return nil, fmt.Errorf("joining the cluster: %w", err)
	}
	n.start(n.sort)
	n.start(n.sendAll)
	n.start(n.beats)
	if !n.sure() {
		n.start(n.signs)
	}
	return n, nil
}

// start starts a goroutine that ends with ctx, unless it has ended.
func (n *natsNode) start(f func()) {
	n.closing.Lock()
	defer n.closing.Unlock()
	if n.ctx.Err() == nil {
		n.work.Go(f)
	}
}

// sure says whether nothing can come between this node and its entries.
func (n *natsNode) sure() bool { return n.alone && n.server != nil }

// connect starts or finds the servers, and makes what is missing there.
func (n *natsNode) connect(ctx context.Context, c Config) (err error) {
	options := []nats.Option{
		nats.Name(c.Name),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(100 * time.Millisecond),
		nats.ReconnectJitter(50*time.Millisecond, 50*time.Millisecond),
		nats.ReconnectBufSize(-1), // what can't be sent now is tried again, or lost
		nats.PingInterval(2 * time.Second),
		nats.MaxPingsOutstanding(2),
		nats.FlusherTimeout(5 * time.Second),
		nats.Timeout(attempt),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			n.log.Warn("the cluster's server is not pleased", "err", err)
		}),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if n.ctx.Err() == nil {
				n.log.Warn("the connection to the cluster's server is lost", "err", err)
			}
		}),
	}
	if len(c.URLs) == 0 {
		if n.server, err = startServer(c); err != nil {
			return err
		}
		options = append(options, nats.InProcessServer(n.server))
		if n.server.password != "" {
			options = append(options, nats.UserInfo(user, n.server.password))
		}
	}
	urls := strings.Join(c.URLs, ",")
	for {
		if n.conn, err = nats.Connect(urls, options...); err == nil {
			break
		}
		if pause(ctx, 200*time.Millisecond) != nil {
			return err
		}
	}
	n.alone = n.conn.ConnectedClusterName() == ""
	if n.js, err = jetstream.New(n.conn); err != nil {
		return err
	}
	for {
		if err = n.prepare(ctx); err == nil {
			break
		}
		if pause(ctx, 100*time.Millisecond) != nil {
			return err
		}
	}
	for n.server != nil && !n.server.current(n.bucketStream(), n.logStream()) {
		if err := pause(ctx, 50*time.Millisecond); err != nil {
			return fmt.Errorf("waiting for what the others know: %w", err)
		}
	}
	for _, subject := range []string{n.service + ".to." + n.id + ".*", n.service + ".all.*.*"} {
		if _, err := n.conn.ChanSubscribe(subject, n.in); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, attempt) // it wants a deadline
	defer cancel()
	return n.conn.FlushWithContext(ctx)
}

// prepare makes the bucket and the stream if they are not there, and writes to
// both.
func (n *natsNode) prepare(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, attempt)
	defer cancel()
	replicas, storage := 3, jetstream.MemoryStorage
	if n.alone {
		replicas = 1
	} else if n.server != nil {
		storage = jetstream.FileStorage // so that most of the servers may be gone for a while
	}
	_, err := n.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: n.bucketStream(), Subjects: []string{"$KV." + n.service + ".>"}, MaxMsgsPerSubject: 1,
		Storage: storage, Replicas: replicas, Duplicates: remembered, Discard: jetstream.DiscardNew, DenyDelete: true,
		AllowDirect: true, AllowRollup: true, AllowMsgTTL: true, SubjectDeleteMarkerTTL: markerLife,
	})
	if err != nil {
		return err
	}
	_, err = n.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: n.logStream(), Subjects: []string{n.logSubject(">"), n.service + ".sync.*"},
		Storage: storage, Replicas: replicas, AllowDirect: true, AllowRollup: true, AllowMsgTTL: true, MaxAge: logLife,
	})
	if err != nil {
		return err
	}
	return n.sign(ctx)
}

// bucketStream is the stream of the bucket, as NATS calls it.
func (n *natsNode) bucketStream() string { return "KV_" + n.service }

// logStream is the stream of the logs.
func (n *natsNode) logStream() string { return n.service + "-logs" }

// entrySubject is where an entry is.
func (n *natsNode) entrySubject(b Bucket, key string) string {
	return "$KV." + n.service + "." + string(b) + "." + key
}

// logSubject is where a log is.
func (n *natsNode) logSubject(log string) string { return n.service + ".log." + log }

// Error codes of JetStream: the last message is another one than was expected;
// the same, but the other one may still fail.
const (
	wrongSequence = jetstream.JSErrCodeStreamWrongLastSequence
	stillWriting  = 10164
)

// ID implements [Node].
func (n *natsNode) ID() string { return n.id }

// Healthy implements [Node].
func (n *natsNode) Healthy() error {
	switch {
	case n.ctx.Err() != nil:
		return ErrClosed
	case !n.sure() && time.Since(n.began)-time.Duration(n.wrote.Load()) > cutAfter:
		return ErrCut
	}
	return nil
}

// Close implements [Node].
func (n *natsNode) Close() {
	n.closing.Lock()
	n.end()
	n.closing.Unlock()
	n.work.Wait()
	if n.conn != nil {
		_ = n.conn.FlushTimeout(time.Second) // the good-bye, if anybody is there
		n.conn.Close()
	}
	n.desk.close()
	if n.server != nil {
		n.server.close()
	}
}
