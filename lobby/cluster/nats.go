package cluster

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
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

	// maxOut is how many messages may wait to go out; those that come then are
	// lost. maxIn is how many may wait to be sorted.
	maxOut, maxIn = 1 << 13, 1 << 14
)

// writeHeader is the header that says which call wrote an entry, or which node a
// record.
const writeHeader = "Broadside-Write"

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
	_, err := n.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{
		Bucket: n.service, History: 1, Storage: storage, Replicas: replicas, LimitMarkerTTL: markerLife,
	})
	if err != nil {
		return err
	}
	_, err = n.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: n.logStream(), Subjects: []string{n.logSubject(">"), n.service + ".sync.*"},
		Storage: storage, Replicas: replicas, AllowDirect: true, AllowRollup: true, AllowMsgTTL: true,
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

// mark writes a sign of this node to the bucket or to the logs, and returns its
// number: what was written earlier has smaller ones.
func (n *natsNode) mark(ctx context.Context, subject string) (uint64, error) {
	m := nats.NewMsg(subject)
	m.Header.Set(jetstream.MsgRollup, jetstream.MsgRollupSubject)
	m.Header.Set(jetstream.MsgTTLHeader, markerLife.String())
	ack, err := n.js.PublishMsg(ctx, m, jetstream.WithRetryAttempts(0))
	if err != nil {
		return 0, err
	}
	return ack.Sequence, nil
}

// markSubject is where this node marks the bucket.
func (n *natsNode) markSubject() string { return n.entrySubject("sync", n.id) }

// sign finds out whether the bucket and the logs can be written.
func (n *natsNode) sign(ctx context.Context) error {
	if _, err := n.mark(ctx, n.markSubject()); err != nil {
		return err
	}
	if _, err := n.mark(ctx, n.service+".sync."+n.id); err != nil {
		return err
	}
	n.wrote.Store(int64(time.Since(n.began)))
	return nil
}

// signs does that every [BeatEvery], and soon again if it fails, until Close.
func (n *natsNode) signs() {
	wait := BeatEvery
	for was := false; pause(n.ctx, wait) == nil; {
		ctx, cancel := context.WithTimeout(n.ctx, attempt)
		err := n.sign(ctx)
		cancel()
		if wait = BeatEvery; err != nil {
			wait = 50 * time.Millisecond
		}
		cut := n.Healthy() != nil
		switch {
		case n.ctx.Err() != nil:
		case cut && !was:
			n.log.Error("this node is cut off from the others", "err", err)
		case was && !cut:
			n.log.Info("this node is with the others again")
		}
		was = cut
	}
}

// pause waits, unless the context has ended.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// retry calls f with a context for one attempt, until its error is none or one
// of those that a caller can tell apart.
func (n *natsNode) retry(ctx context.Context, f func(ctx context.Context) error) error {
	end := time.Now().Add(patience)
	for wait := 10 * time.Millisecond; ; wait = min(2*wait, 200*time.Millisecond) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := n.Healthy(); err != nil {
			return err
		}
		one, cancel := context.WithTimeout(ctx, attempt)
		err := f(one)
		cancel()
		if err == nil || errors.Is(err, ErrConflict) || errors.Is(err, ErrNotFound) || time.Now().After(end) {
			return err
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return ctx.Err()
		case <-n.ctx.Done():
			return ErrClosed
		}
	}
}

// write publishes a message after the one with the number after, and returns its
// number. If it is uncertain whether an attempt succeeded, or somebody else was
// first, ours looks: it returns the number under which the message is there
// already, or 0, and the last number of the subject.
func (n *natsNode) write(ctx context.Context, m *nats.Msg, after uint64, look bool, ours func(ctx context.Context) (there, last uint64, err error)) (seq uint64, err error) {
	err = n.retry(ctx, func(ctx context.Context) error {
		ack, err := n.js.PublishMsg(ctx, m, jetstream.WithExpectLastSequencePerSubject(after), jetstream.WithRetryAttempts(0))
		if err == nil {
			seq = ack.Sequence
			return nil
		}
		var wrong *jetstream.APIError
		if !errors.As(err, &wrong) || wrong.ErrorCode != wrongSequence && wrong.ErrorCode != stillWriting {
			look = true // from now on it may be there
			return err
		}
		if !look && wrong.ErrorCode == wrongSequence {
			return ErrConflict
		}
		there, last, err := ours(ctx)
		switch {
		case err != nil:
			return err
		case there > 0:
			seq = there
			return nil
		case last != after:
			return ErrConflict
		}
		return errors.New("another change is under way")
	})
	return seq, err
}

// Error codes of JetStream: the last message is another one than was expected;
// the same, but the other one may still fail.
const (
	wrongSequence = jetstream.JSErrCodeStreamWrongLastSequence
	stillWriting  = 10164
)

// put changes an entry whose revision is rev, or makes it if rev is 0 or that of
// the mark of one that was deleted.
func (n *natsNode) put(ctx context.Context, doing string, b Bucket, e Entry, rev uint64) (uint64, error) {
	m := nats.NewMsg(n.entrySubject(b, e.Key))
	m.Data = e.Value
	mine := n.id + "-" + strconv.FormatUint(n.writes.Add(1), 36)
	m.Header.Set(writeHeader, mine)
	if e.Gone {
		m.Header.Set("KV-Operation", "DEL")
		m.Header.Set(jetstream.MsgTTLHeader, markerLife.String())
	}
	err := errors.Join(checkBucket(b), checkKey(e.Key), checkData(e.Value))
	if err == nil {
		rev, err = n.write(ctx, m, rev, false, func(ctx context.Context) (there, last uint64, err error) {
			found, err := n.last(ctx, n.bucketStream(), m.Subject)
			switch {
			case errors.Is(err, ErrNotFound):
				return 0, 0, nil
			case err != nil:
				return 0, 0, err
			case found.Header.Get(writeHeader) == mine:
				return found.Sequence, found.Sequence, nil
			}
			return 0, found.Sequence, nil
		})
	}
	if err != nil {
		return 0, fmt.Errorf("%s an entry of %s: %s: %w", doing, b, e.Key, err)
	}
	return rev, nil
}

// stored is a message of a stream.
type stored struct {
	Sequence uint64
	Header   nats.Header
	Data     []byte
}

// entry returns what the message says of the entry with a key.
func (s stored) entry(key string) Entry {
	return Entry{Key: key, Value: s.Data, Rev: s.Sequence, Gone: s.Header.Get("KV-Operation") != "" || s.Header.Get("Nats-Marker-Reason") != ""}
}

// last returns the last message of a subject as the stream's leader knows it, or
// [ErrNotFound].
func (n *natsNode) last(ctx context.Context, stream, subject string) (stored, error) {
	request, err := json.Marshal(map[string]string{"last_by_subj": subject})
	if err != nil {
		return stored{}, err
	}
	m, err := n.conn.RequestWithContext(ctx, "$JS.API.STREAM.MSG.GET."+stream, request)
	if err != nil {
		return stored{}, err
	}
	var answer struct {
		Message struct {
			Seq  uint64 `json:"seq"`
			Hdrs []byte `json:"hdrs"`
			Data []byte `json:"data"`
		} `json:"message"`
		Error *jetstream.APIError `json:"error"`
	}
	if err := json.Unmarshal(m.Data, &answer); err != nil {
		return stored{}, err
	}
	if answer.Error != nil {
		if answer.Error.ErrorCode == jetstream.JSErrCodeMessageNotFound {
			return stored{}, ErrNotFound
		}
		return stored{}, answer.Error
	}
	s := stored{Sequence: answer.Message.Seq, Data: answer.Message.Data}
	if len(answer.Message.Hdrs) > 0 {
		if s.Header, err = nats.DecodeHeadersMsg(answer.Message.Hdrs); err != nil {
			return stored{}, err
		}
	}
	return s, nil
}

// find returns an entry, also one that is gone.
func (n *natsNode) find(ctx context.Context, b Bucket, key string) (Entry, error) {
	var s stored
	err := n.retry(ctx, func(ctx context.Context) (err error) {
		s, err = n.last(ctx, n.bucketStream(), n.entrySubject(b, key))
		return err
	})
	return s.entry(key), err
}

// ID implements [Node].
func (n *natsNode) ID() string { return n.id }

// Create implements [Node].
func (n *natsNode) Create(ctx context.Context, b Bucket, key string, value []byte) (rev uint64, err error) {
	for after := uint64(0); ; {
		rev, err = n.put(ctx, "creating", b, Entry{Key: key, Value: value}, after)
		if !errors.Is(err, ErrConflict) {
			return rev, err
		}
		// What is there may be the mark of an entry that was deleted.
		switch old, lookErr := n.find(ctx, b, key); {
		case errors.Is(lookErr, ErrNotFound):
			after = 0
		case lookErr == nil && old.Gone:
			after = old.Rev
		default:
			return 0, err
		}
	}
}

// Update implements [Node].
func (n *natsNode) Update(ctx context.Context, b Bucket, key string, value []byte, rev uint64) (uint64, error) {
	return n.put(ctx, "updating", b, Entry{Key: key, Value: value}, given(rev))
}

// Delete implements [Node].
func (n *natsNode) Delete(ctx context.Context, b Bucket, key string, rev uint64) error {
	_, err := n.put(ctx, "deleting", b, Entry{Key: key, Gone: true}, given(rev))
	return err
}

// Get implements [Node].
func (n *natsNode) Get(ctx context.Context, b Bucket, key string) (Entry, error) {
	err := errors.Join(checkBucket(b), checkKey(key))
	if err == nil {
		var e Entry
		if e, err = n.find(ctx, b, key); err == nil && !e.Gone {
			return e, nil
		}
	}
	return Entry{}, fmt.Errorf("getting an entry of %s: %s: %w", b, key, cmp.Or(err, ErrNotFound))
}

// Append implements [Node].
func (n *natsNode) Append(ctx context.Context, log string, after uint64, data []byte) (seq uint64, err error) {
	m := nats.NewMsg(n.logSubject(log))
	m.Data = data
	m.Header.Set(writeHeader, n.id)
	if err = errors.Join(checkKey(log), checkData(data)); err == nil {
		seq, err = n.write(ctx, m, after, true, func(ctx context.Context) (there, last uint64, err error) {
			records, last, err := n.read(ctx, log, after+1)
			if err != nil || len(records) == 0 {
				return 0, last, err
			}
			first := records[0] // the one that is where this one would be
			if first.Header.Get(writeHeader) == n.id && bytes.Equal(first.Data, data) {
				there = first.Sequence
			}
			return there, last, nil
		})
	}
	if err != nil {
		return 0, fmt.Errorf("appending to %s: %w", log, err)
	}
	return seq, nil
}

// Read implements [Node].
func (n *natsNode) Read(ctx context.Context, log string) ([]Record, error) {
	var found []stored
	err := checkKey(log)
	if err == nil {
		err = n.retry(ctx, func(ctx context.Context) (err error) {
			found, _, err = n.read(ctx, log, 1)
			return err
		})
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", log, err)
	}
	list := make([]Record, len(found))
	for i, s := range found {
		list[i] = Record{Seq: s.Sequence, Data: s.Data}
	}
	return list, nil
}

// read returns the records of a log whose numbers are from or greater, and the
// number of the last record of all, 0 if there is none.
func (n *natsNode) read(ctx context.Context, log string, from uint64) (list []stored, to uint64, err error) {
	last, err := n.last(ctx, n.logStream(), n.logSubject(log))
	switch {
	case errors.Is(err, ErrNotFound):
		return nil, 0, nil
	case err != nil:
		return nil, 0, err
	case last.Sequence < from:
		return nil, last.Sequence, nil
	}
	// The last one is what the leader has; the others come from any server, which
	// may not have them all yet.
	const batch = 1000
	for from < last.Sequence {
		records, more, err := n.batch(ctx, log, from, batch)
		if err != nil {
			return nil, 0, err
		}
		for _, r := range records {
			if r.Sequence < last.Sequence {
				list = append(list, r)
			}
			from = r.Sequence + 1
		}
		if !more && from <= last.Sequence {
			return nil, 0, errors.New("the server does not have all records yet")
		}
	}
	return append(list, last), last.Sequence, nil
}

// batch returns some records of a log, from a number on, and whether there are
// more.
func (n *natsNode) batch(ctx context.Context, log string, from uint64, count int) (list []stored, more bool, err error) {
	request, err := json.Marshal(map[string]any{"seq": from, "batch": count, "next_by_subj": n.logSubject(log)})
	if err != nil {
		return nil, false, err
	}
	inbox := n.conn.NewInbox()
	answers, err := n.conn.SubscribeSync(inbox)
	if err != nil {
		return nil, false, err
	}
	defer func() { _ = answers.Unsubscribe() }() // it fails if the connection is closed
	if err := n.conn.PublishRequest("$JS.API.DIRECT.GET."+n.logStream(), inbox, request); err != nil {
		return nil, false, err
	}
	for {
		m, err := answers.NextMsgWithContext(ctx)
		if err != nil {
			return nil, false, err
		}
		switch status := m.Header.Get("Status"); status {
		case "":
			seq, err := strconv.ParseUint(m.Header.Get(jetstream.SequenceHeader), 10, 64)
			if err != nil {
				return nil, false, err
			}
			list = append(list, stored{Sequence: seq, Header: m.Header, Data: m.Data})
		case "204": // the end of the batch
			return list, m.Header.Get("Nats-Num-Pending") != "0", nil
		case "404":
			return nil, false, nil
		default:
			return nil, false, fmt.Errorf("status %s %s", status, m.Header.Get("Description"))
		}
	}
}

// Drop implements [Node].
func (n *natsNode) Drop(ctx context.Context, log string) error {
	err := checkKey(log)
	if err == nil {
		var request []byte
		if request, err = json.Marshal(map[string]string{"filter": n.logSubject(log)}); err == nil {
			err = n.retry(ctx, func(ctx context.Context) error {
				return n.ask(ctx, "$JS.API.STREAM.PURGE."+n.logStream(), request)
			})
		}
	}
	if err != nil {
		return fmt.Errorf("dropping %s: %w", log, err)
	}
	return nil
}

// ask makes a request of the JetStream API whose answer tells of errors only.
func (n *natsNode) ask(ctx context.Context, subject string, request []byte) error {
	m, err := n.conn.RequestWithContext(ctx, subject, request)
	if err != nil {
		return err
	}
	var answer struct {
		Error *jetstream.APIError `json:"error"`
	}
	if err := json.Unmarshal(m.Data, &answer); err != nil {
		return err
	}
	if answer.Error != nil {
		return answer.Error
	}
	return nil
}

// Watch implements [Node].
func (n *natsNode) Watch(ctx context.Context, b Bucket, f func(Entry)) error {
	w := newWatch(n.desk, f)
	err := checkBucket(b)
	if err == nil {
		var follow func() error
		if err = n.retry(ctx, func(ctx context.Context) (err error) {
			follow, err = n.follow(ctx, b, w)
			return err
		}); err == nil {
			n.start(func() { n.keepWatching(b, w, follow) })
			told := make(chan struct{})
			n.desk.do(func() { close(told) })
			select {
			case <-told:
				return nil
			case <-ctx.Done():
				err = ctx.Err()
			case <-n.ctx.Done():
				err = ErrClosed
			}
		}
	}
	w.off.Store(true)
	return fmt.Errorf("watching %s: %w", b, err)
}

// keepWatching follows a bucket, from the beginning whenever the line is cut,
// until Close.
func (n *natsNode) keepWatching(b Bucket, w *watch, follow func() error) {
	for {
		err := follow()
		if n.ctx.Err() != nil || w.off.Load() {
			return
		}
		n.log.Debug("watching anew", "bucket", b, "err", err)
		for {
			ctx, cancel := context.WithTimeout(n.ctx, attempt)
			follow, err = n.follow(ctx, b, w)
			cancel()
			if err == nil {
				break
			}
			if pause(n.ctx, 100*time.Millisecond) != nil {
				return
			}
		}
	}
}

// follow tells a watch all that there is in a bucket, and returns a function that
// tells it of changes until something is missed. It must be called.
func (n *natsNode) follow(ctx context.Context, b Bucket, w *watch) (func() error, error) {
	// All entries were told when the mark is: it is newer than they are.
	mark, err := n.mark(ctx, n.markSubject())
	if err != nil {
		return nil, err
	}
	inbox := n.conn.NewInbox()
	sub, err := n.conn.SubscribeSync(inbox)
	if err != nil {
		return nil, err
	}
	stop := func() { _ = sub.Unsubscribe() } // it fails if the connection is closed
	if err := sub.SetPendingLimits(-1, -1); err != nil {
		stop()
		return nil, err
	}
	_, err = n.js.CreatePushConsumer(ctx, n.bucketStream(), jetstream.ConsumerConfig{
		DeliverSubject:    inbox,
		DeliverPolicy:     jetstream.DeliverLastPerSubjectPolicy,
		AckPolicy:         jetstream.AckNonePolicy,
		FilterSubjects:    []string{n.entrySubject(b, ">"), n.markSubject()},
		IdleHeartbeat:     beatSilence,
		InactiveThreshold: 10 * time.Second,
		MemoryStorage:     true,
		Replicas:          1,
	})
	if err != nil {
		stop()
		return nil, err
	}
	line := &line{node: n, sub: sub, prefix: n.entrySubject(b, "")}
	there := map[string]Entry{}
	for {
		e, seq, err := line.next(ctx)
		if err != nil {
			stop()
			return nil, err
		}
		if e.Gone {
			delete(there, e.Key)
		} else if e.Key != "" {
			there[e.Key] = e
		}
		if seq >= mark {
			list := make([]Entry, 0, len(there))
			for _, e := range there {
				list = append(list, e)
			}
			w.all(list, seq)
			break
		}
	}
	return func() error {
		defer stop()
		for {
			e, _, err := line.next(n.ctx)
			if err != nil {
				return err
			}
			if w.off.Load() {
				return nil
			}
			if e.Key != "" {
				w.change(e)
			}
		}
	}, nil
}

// line is what a watch is fed from.
type line struct {
	node   *natsNode
	sub    *nats.Subscription
	prefix string // of the subjects of the bucket
	seq    uint64 // of the last message, among those of this line
}

// next returns the next entry and its revision, or one without a key for a mark.
// It is an error if something was missed, or if nothing is heard anymore.
func (l *line) next(ctx context.Context) (Entry, uint64, error) {
	for {
		ctx, cancel := context.WithTimeout(ctx, watchSilence)
		m, err := l.sub.NextMsgWithContext(ctx)
		cancel()
		if err != nil {
			return Entry{}, 0, err
		}
		if m.Header.Get("Status") != "" { // a sign of life
			if last := m.Header.Get("Nats-Last-Consumer"); last != strconv.FormatUint(l.seq, 10) {
				return Entry{}, 0, fmt.Errorf("message %s was missed", last)
			}
			continue
		}
		about, err := m.Metadata()
		if err != nil {
			return Entry{}, 0, err
		}
		if l.seq++; about.Sequence.Consumer != l.seq {
			return Entry{}, 0, fmt.Errorf("message %d was missed", l.seq)
		}
		seq := about.Sequence.Stream
		key, found := strings.CutPrefix(m.Subject, l.prefix)
		if !found {
			return Entry{}, seq, nil
		}
		return stored{seq, m.Header, m.Data}.entry(key), seq, nil
	}
}

// sort takes in what the others say, until Close.
func (n *natsNode) sort() {
	for {
		select {
		case m := <-n.in:
			n.take(m)
		case <-n.ctx.Done():
			return
		}
	}
}

// take takes in a message: SERVICE.to.ID.FROM, or SERVICE.all.FROM.KIND.
func (n *natsNode) take(m *nats.Msg) {
	part := strings.Split(m.Subject, ".")
	if part[1] == "to" {
		n.desk.receive(part[3], m.Data)
		return
	}
	from, kind := part[2], part[3]
	switch {
	case from == n.id:
	case kind == "message":
		n.desk.receive(from, m.Data)
	case kind == "beat":
		var p Peer
		if json.Unmarshal(m.Data, &p) == nil && p.ID == from && n.peers.beat(p) {
			n.say("all."+n.id+".beat", n.beat(n.peers.last())) // so that it knows this one at once
		}
	case kind == "bye":
		n.peers.bye(from)
	}
}

// beat returns a heartbeat.
func (n *natsNode) beat(p Peer) []byte {
	data, err := json.Marshal(p)
	if err != nil {
		n.log.Error("a heartbeat can't be written", "err", err)
	}
	return data
}

// beats tells the others that this node lives, until Close.
func (n *natsNode) beats() {
	t := time.NewTicker(BeatEvery)
	defer t.Stop()
	for {
		n.say("all."+n.id+".beat", n.beat(n.peers.own()))
		select {
		case <-t.C:
			n.peers.silent()
		case <-n.ctx.Done():
			return
		}
	}
}

// say has something sent. It never waits.
func (n *natsNode) say(subject string, data []byte) {
	if len(data) > 2*MaxData {
		n.log.Error("a message is too long", "bytes", len(data))
		return
	}
	select {
	case n.out <- &nats.Msg{Subject: n.service + "." + subject, Data: data}:
	default: // the server does not read: it is lost
	}
}

// sendAll sends what is to be said, until Close.
func (n *natsNode) sendAll() {
	for {
		select {
		case m := <-n.out:
			_ = n.conn.PublishMsg(m) // it is lost if there is no connection
		case <-n.ctx.Done():
			_ = n.conn.Publish(n.service+".all."+n.id+".bye", nil)
			return
		}
	}
}

// Send implements [Node].
func (n *natsNode) Send(node string, data []byte) {
	if checkKey(node) == nil && !strings.Contains(node, ".") {
		n.say("to."+node+"."+n.id, data)
	}
}

// Broadcast implements [Node].
func (n *natsNode) Broadcast(data []byte) { n.say("all."+n.id+".message", data) }

// Handle implements [Node].
func (n *natsNode) Handle(f func(from string, data []byte)) { n.desk.setHandle(f) }

// Peers implements [Node].
func (n *natsNode) Peers() []Peer { return n.peers.all() }

// HandlePeers implements [Node].
func (n *natsNode) HandlePeers(f func([]Peer)) { n.peers.setTell(f) }

// SetStatus implements [Node].
func (n *natsNode) SetStatus(f func() []byte) { n.peers.setStatus(f) }

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
