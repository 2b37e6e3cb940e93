package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

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
// already, or 0, and the last number of the subject. Without ours the servers
// must know the message by its ID.
func (n *natsNode) write(ctx context.Context, m *nats.Msg, after uint64, ours func(ctx context.Context) (there, last uint64, err error)) (seq uint64, err error) {
	err = n.retry(ctx, func(ctx context.Context) error {
		ack, err := n.js.PublishMsg(ctx, m, jetstream.WithExpectLastSequencePerSubject(after), jetstream.WithRetryAttempts(0))
		if err == nil {
			seq = ack.Sequence
			return nil
		}
		var wrong *jetstream.APIError
		if !errors.As(err, &wrong) || wrong.ErrorCode != wrongSequence && wrong.ErrorCode != stillWriting {
			return err
		}
		if ours == nil {
			if wrong.ErrorCode == wrongSequence {
				return ErrConflict
			}
			return err
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

// put changes an entry whose revision is rev, or makes it if rev is 0 or that of
// the mark of one that was deleted. However often it has to try, it does so once,
// and finds out that it did, even if the entry has changed again since: the
// servers remember the ID of each change for longer than anybody tries.
func (n *natsNode) put(ctx context.Context, doing string, b Bucket, e Entry, rev uint64) (uint64, error) {
	m := nats.NewMsg(n.entrySubject(b, e.Key))
	m.Data = e.Value
	m.Header.Set(jetstream.MsgIDHeader, n.id+"-"+strconv.FormatUint(n.writes.Add(1), 36))
	if e.Gone {
		m.Header.Set("KV-Operation", "DEL")
		m.Header.Set(jetstream.MsgTTLHeader, markerLife.String())
	}
	err := errors.Join(checkBucket(b), checkKey(e.Key), checkData(e.Value))
	if err == nil {
		rev, err = n.write(ctx, m, rev, nil)
	}
	if err != nil {
		return 0, fmt.Errorf("%s%s: %w", doing, entryOf(b, e.Key), err)
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
	return Entry{}, fmt.Errorf("getting%s: %w", entryOf(b, key), cmp.Or(err, ErrNotFound))
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
