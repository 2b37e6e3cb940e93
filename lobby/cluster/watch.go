package cluster

import (
	"cmp"
	"slices"
	"sync/atomic"
)

// watch is one call of [Node.Watch]: what has been told, so that nothing is told
// twice, and nothing missed after the line was cut. One goroutine at a time
// feeds it.
type watch struct {
	desk *desk
	f    func(Entry)
	off  atomic.Bool // f is not called anymore

	upto  uint64            // everything up to this revision has been told, or is out of date
	known map[string]uint64 // what there is as far as f knows: revisions by key
}

// newWatch returns a watch that has told nothing.
func newWatch(d *desk, f func(Entry)) *watch {
	return &watch{desk: d, f: f, known: map[string]uint64{}}
}

// change tells of a change. Changes come in the order of their revisions.
func (w *watch) change(e Entry) {
	if e.Rev <= w.upto {
		return
	}
	w.upto = e.Rev
	if _, known := w.known[e.Key]; e.Gone && !known {
		return
	}
	if e.Gone {
		delete(w.known, e.Key)
	} else {
		w.known[e.Key] = e.Rev
	}
	w.tell(e)
}

// all tells what is new in the entries that there were at a revision, among
// them which ones are gone.
func (w *watch) all(entries []Entry, at uint64) {
	there := make(map[string]bool, len(entries))
	for _, e := range entries {
		there[e.Key] = true
	}
	for key, rev := range w.known {
		if !there[key] && rev <= at {
			delete(w.known, key)
			w.tell(Entry{Key: key, Rev: max(at, w.upto), Gone: true})
		}
	}
	slices.SortFunc(entries, func(a, b Entry) int { return cmp.Compare(a.Rev, b.Rev) })
	for _, e := range entries {
		w.change(e)
	}
	w.upto = max(w.upto, at)
}

// tell has f called.
func (w *watch) tell(e Entry) {
	w.desk.do(func() {
		if !w.off.Load() {
			w.f(e)
		}
	})
}
