package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Append implements [Node].
func (n *natsNode) Append(ctx context.Context, log string, after uint64, data []byte) (seq uint64, err error) {
	m := nats.NewMsg(n.logSubject(log))
	m.Data = data
	m.Header.Set(authorHeader, n.id)
	if err = errors.Join(checkKey(log), checkData(data)); err == nil {
		seq, err = n.write(ctx, m, after, func(ctx context.Context) (there, last uint64, err error) {
			records, last, err := n.read(ctx, log, after+1)
			if err != nil || len(records) == 0 {
				return 0, last, err
			}
			first := records[0] // the one that is where this one would be
			if first.Header.Get(authorHeader) == n.id && bytes.Equal(first.Data, data) {
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
