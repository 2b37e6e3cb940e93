package cluster

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

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
			if err := n.spare(b, w, there); err != nil {
				stop()
				return nil, err
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

// spare keeps a watch from taking those entries for gone that are not among what
// there was because they have changed since: that is still to be told.
func (n *natsNode) spare(b Bucket, w *watch, there map[string]Entry) error {
	for key := range w.known {
		if _, ok := there[key]; ok {
			continue
		}
		ctx, cancel := context.WithTimeout(n.ctx, attempt)
		last, err := n.last(ctx, n.bucketStream(), n.entrySubject(b, key))
		cancel()
		if errors.Is(err, ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		w.known[key] = last.Sequence
	}
	return nil
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
