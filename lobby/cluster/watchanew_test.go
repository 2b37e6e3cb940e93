package cluster

import (
	"context"
	"testing"
)

// TestWatchAnew watches from the beginning again and again while an entry
// changes all the time: it is never gone.
func TestWatchAnew(t *testing.T) {
	t.Parallel()
	n := join(t, Config{Name: "a", Service: "anew", URLs: elsewhere()}).(*natsNode)
	ctx, cancel := context.WithCancel(t.Context())
	rev, err := n.Create(ctx, Matches, "m", nil)
	must(t, err)
	changing := make(chan error, 1)
	go func() {
		var err error
		for ctx.Err() == nil && err == nil {
			rev, err = n.Update(ctx, Matches, "m", []byte("x"), rev)
		}
		if ctx.Err() != nil {
			err = nil
		}
		changing <- err
	}()
	w := newWatch(n.desk, func(e Entry) {
		if e.Gone {
			t.Errorf("%+v is told, and it has never been deleted", e)
		}
	})
	for range 30 {
		_, err := n.follow(ctx, Matches, w) // it hears nothing more: the line is cut at once
		must(t, err)
	}
	cancel()
	must(t, <-changing)
}
