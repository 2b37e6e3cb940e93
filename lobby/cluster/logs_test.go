package cluster

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

func TestLog(t *testing.T) {
	everywhere(t, func(t *testing.T, nodes []Node) {
		ctx, a, b := t.Context(), nodes[0], nodes[len(nodes)-1]
		list, err := a.Read(ctx, "m1")
		must(t, err)
		if len(list) > 0 {
			t.Errorf("a log that nobody wrote has %v", list)
		}
		_, err = a.Append(ctx, "m1", 7, []byte("x"))
		wants(t, err, ErrConflict)
		first, err := a.Append(ctx, "m1", 0, []byte("one"))
		must(t, err)
		_, err = a.Append(ctx, "m2", 0, []byte("another"))
		must(t, err)
		_, err = b.Append(ctx, "m1", 0, []byte("x"))
		wants(t, err, ErrConflict)
		second, err := b.Append(ctx, "m1", first, []byte("two"))
		must(t, err)
		again, err := a.Append(ctx, "m1", 0, []byte("one"))
		if err != nil || again != first {
			t.Errorf("the first record again: %d, %v, want %d", again, err, first)
		}
		again, err = b.Append(ctx, "m1", first, []byte("two"))
		if err != nil || again != second {
			t.Errorf("the second record again: %d, %v, want %d", again, err, second)
		}
		_, err = b.Append(ctx, "m1", first, []byte("another"))
		wants(t, err, ErrConflict)
		if a != b {
			_, err = a.Append(ctx, "m1", first, []byte("two"))
			wants(t, err, ErrConflict)
		}
		list, err = a.Read(ctx, "m1")
		must(t, err)
		if got := fmt.Sprint(list); got != fmt.Sprint([]Record{{first, []byte("one")}, {second, []byte("two")}}) {
			t.Errorf("read %s", got)
		}
		must(t, b.Drop(ctx, "m1"))
		must(t, b.Drop(ctx, "m1"))
		if list, err = a.Read(ctx, "m1"); err != nil || len(list) > 0 {
			t.Errorf("a log that was dropped has %v, %v", list, err)
		}
		if list, err = a.Read(ctx, "m2"); err != nil || len(list) != 1 {
			t.Errorf("the other log has %v, %v", list, err)
		}
		_, err = a.Append(ctx, "m1", second, []byte("three"))
		wants(t, err, ErrConflict)
		_, err = a.Append(ctx, "m1", 0, []byte("three"))
		must(t, err)
	})
}

// TestLogRace has goroutines on all nodes write one log: whoever comes second
// is told so, and what was written is a chain.
func TestLogRace(t *testing.T) {
	const goroutines, each = 6, 12
	everywhere(t, func(t *testing.T, nodes []Node) {
		contend(t, nodes, goroutines, each, func(n Node, g int) error {
			list, err := n.Read(t.Context(), "race")
			if err != nil {
				return err
			}
			last := uint64(0)
			if len(list) > 0 {
				last = list[len(list)-1].Seq
			}
			_, err = n.Append(t.Context(), "race", last, fmt.Append(nil, last, " ", g))
			return err
		})
		list, err := nodes[0].Read(t.Context(), "race")
		must(t, err)
		if len(list) != goroutines*each {
			t.Errorf("the log has %d records, want %d", len(list), goroutines*each)
		}
		last := uint64(0)
		for _, r := range list {
			if after, _, _ := strings.Cut(string(r.Data), " "); after != strconv.FormatUint(last, 10) || r.Seq <= last {
				t.Errorf("record %d, written after %s, follows %d", r.Seq, after, last)
			}
			last = r.Seq
		}
	})
}

// TestLogLife sees that a cluster of a former version forgets old records, too,
// once a node has joined.
func TestLogLife(t *testing.T) {
	t.Parallel()
	n := join(t, Config{Name: "a", Service: "life", URLs: elsewhere()}).(*natsNode)
	ctx := t.Context()
	_, err := n.Append(ctx, "m", 0, []byte("begin"))
	must(t, err)
	stream, err := n.js.Stream(ctx, n.logStream())
	must(t, err)
	c := stream.CachedInfo().Config
	c.MaxAge = 0
	_, err = n.js.UpdateStream(ctx, c)
	must(t, err)
	join(t, Config{Name: "b", Service: "life", URLs: elsewhere()})
	stream, err = n.js.Stream(ctx, n.logStream())
	must(t, err)
	if age := stream.CachedInfo().Config.MaxAge; age != logLife {
		t.Errorf("records are kept for %v", age)
	}
	if list, err := n.Read(ctx, "m"); err != nil || len(list) != 1 {
		t.Errorf("the log is %v, %v", list, err)
	}
}
