package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// services are the kinds of clusters on which the tests of this file run: each
// runs a test with nodes of a fresh cluster.
var services = map[string]func(t *testing.T, test func(t *testing.T, nodes []Node)){
	"alone": func(t *testing.T, test func(t *testing.T, nodes []Node)) {
		synctest.Test(t, func(t *testing.T) {
			n := Alone()
			defer n.Close()
			test(t, []Node{n})
		})
	},
	"memory": func(t *testing.T, test func(t *testing.T, nodes []Node)) {
		synctest.Test(t, func(t *testing.T) {
			m := NewMemory()
			nodes := []Node{m.Join("a"), m.Join("b"), m.Join("c")}
			for _, n := range nodes {
				defer n.Close()
			}
			test(t, nodes)
		})
	},
	"embedded": func(t *testing.T, test func(t *testing.T, nodes []Node)) {
		test(t, []Node{join(t, Config{Name: "n"})})
	},
	"three servers": func(t *testing.T, test func(t *testing.T, nodes []Node)) {
		c := Config{URLs: elsewhere(), Service: t.Name()[4:strings.Index(t.Name(), "/")]}
		nodes := make([]Node, 3)
		for i := range nodes {
			c.Name = fmt.Sprint("n", i)
			nodes[i] = join(t, c)
		}
		test(t, nodes)
	},
}

// join adds a node of NATS, in a minute at most.
func join(t testing.TB, c Config) Node {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	n, err := Join(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Close)
	return n
}

// everywhere runs a test on every kind of cluster.
func everywhere(t *testing.T, test func(t *testing.T, nodes []Node)) {
	t.Parallel()
	for _, name := range slices.Sorted(maps.Keys(services)) {
		t.Run(name, func(t *testing.T) { services[name](t, test) })
	}
}

// within waits until something holds.
func within(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("after a minute still not: %s", what)
		}
	}
}

// must fails the test if there is an error.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wants fails the test if the error is another one.
func wants(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("got error %v, want %v", err, want)
	}
}

func TestEntries(t *testing.T) {
	everywhere(t, func(t *testing.T, nodes []Node) {
		ctx, a, b := t.Context(), nodes[0], nodes[len(nodes)-1]
		_, err := a.Get(ctx, Offers, "k")
		wants(t, err, ErrNotFound)
		_, err = a.Update(ctx, Offers, "k", []byte("x"), 1)
		wants(t, err, ErrConflict)
		rev, err := a.Create(ctx, Offers, "k", []byte("one"))
		must(t, err)
		_, err = b.Create(ctx, Offers, "k", []byte("other"))
		wants(t, err, ErrConflict)
		_, err = b.Create(ctx, Matches, "k", []byte("other")) // another bucket
		must(t, err)
		_, err = b.Update(ctx, Offers, "k", []byte("x"), rev+1)
		wants(t, err, ErrConflict)
		second, err := b.Update(ctx, Offers, "k", []byte("two"), rev)
		must(t, err)
		if second <= rev {
			t.Errorf("revision %d after %d", second, rev)
		}
		_, err = a.Update(ctx, Offers, "k", []byte("x"), rev)
		wants(t, err, ErrConflict)
		e, err := a.Get(ctx, Offers, "k")
		must(t, err)
		if e.Key != "k" || string(e.Value) != "two" || e.Rev != second || e.Gone {
			t.Errorf("got %+v, want the second value at %d", e, second)
		}
		wants(t, a.Delete(ctx, Offers, "k", rev), ErrConflict)
		must(t, a.Delete(ctx, Offers, "k", second))
		wants(t, a.Delete(ctx, Offers, "k", second), ErrConflict)
		_, err = b.Get(ctx, Offers, "k")
		wants(t, err, ErrNotFound)
		_, err = a.Update(ctx, Offers, "k", []byte("x"), second)
		wants(t, err, ErrConflict)
		wants(t, a.Delete(ctx, Offers, "never", 0), ErrConflict)
		if _, err = a.Create(ctx, "nowhere", "k", nil); err == nil {
			t.Error("an entry was made in a bucket that there isn't")
		}
		_, err = a.Update(ctx, Offers, "k", []byte("x"), 0)
		wants(t, err, ErrConflict)
		third, err := b.Create(ctx, Offers, "k", nil)
		must(t, err)
		if e, err := a.Get(ctx, Offers, "k"); err != nil || len(e.Value) > 0 || e.Rev != third || third <= second {
			t.Errorf("made anew: %+v, %v, revision %d after %d", e, err, third, second)
		}
		large := bytes.Repeat([]byte("x"), MaxData)
		_, err = a.Create(ctx, Offers, "large", large)
		must(t, err)
		if e, err := b.Get(ctx, Offers, "large"); err != nil || !bytes.Equal(e.Value, large) {
			t.Errorf("a large value came back as %d bytes, %v", len(e.Value), err)
		}
		if _, err = a.Create(ctx, Offers, "larger", append(large, 'x')); err == nil {
			t.Error("a value that is too long was taken")
		}
	})
}

func TestKeys(t *testing.T) {
	everywhere(t, func(t *testing.T, nodes []Node) {
		ctx, n := t.Context(), nodes[0]
		for _, key := range []string{"k", "A.b-C_9", strings.Repeat("k", maxKey)} {
			rev, err := n.Create(ctx, Gates, key, []byte(key))
			must(t, err)
			if e, err := n.Get(ctx, Gates, key); err != nil || string(e.Value) != key {
				t.Errorf("%s: got %+v, %v", key, e, err)
			}
			must(t, n.Delete(ctx, Gates, key, rev))
			seq, err := n.Append(ctx, key, 0, []byte(key))
			must(t, err)
			if list, err := n.Read(ctx, key); err != nil || len(list) != 1 || list[0].Seq != seq {
				t.Errorf("%s: read %v, %v", key, list, err)
			}
		}
		for _, key := range []string{"", ".", ".k", "k.", "k..k", "k k", "k*", "k.>", "ä", "k\n", strings.Repeat("k", maxKey+1)} {
			_, err := n.Create(ctx, Gates, key, nil)
			wants(t, err, ErrKey)
			_, err = n.Update(ctx, Gates, key, nil, 1)
			wants(t, err, ErrKey)
			wants(t, n.Delete(ctx, Gates, key, 1), ErrKey)
			_, err = n.Get(ctx, Gates, key)
			wants(t, err, ErrKey)
			_, err = n.Append(ctx, key, 0, nil)
			wants(t, err, ErrKey)
			_, err = n.Read(ctx, key)
			wants(t, err, ErrKey)
			wants(t, n.Drop(ctx, key), ErrKey)
		}
	})
}

// contend has goroutines on all nodes try the same until each has done it as
// often as it should: somebody else may always be first.
func contend(t *testing.T, nodes []Node, goroutines, each int, try func(n Node, g int) error) {
	t.Helper()
	var all sync.WaitGroup
	for g := range goroutines {
		n := nodes[g%len(nodes)]
		all.Go(func() {
			for done := 0; done < each; {
				switch err := try(n, g); {
				case err == nil:
					done++
				case !errors.Is(err, ErrConflict):
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
}

// TestCompareAndSet has goroutines on all nodes count together.
func TestCompareAndSet(t *testing.T) {
	const goroutines, each = 8, 40
	everywhere(t, func(t *testing.T, nodes []Node) {
		contend(t, nodes, goroutines, each, func(n Node, _ int) error { return increment(t.Context(), n) })
		if e, err := nodes[0].Get(t.Context(), Links, "count"); err != nil || string(e.Value) != strconv.Itoa(goroutines*each) {
			t.Errorf("counted %s, %v, want %d", e.Value, err, goroutines*each)
		}
	})
}

// increment adds one to a number, or makes it 1.
func increment(ctx context.Context, n Node) error {
	e, err := n.Get(ctx, Links, "count")
	if errors.Is(err, ErrNotFound) {
		_, err = n.Create(ctx, Links, "count", []byte("1"))
		return err
	}
	if err != nil {
		return err
	}
	count, err := strconv.Atoi(string(e.Value))
	if err != nil {
		return err
	}
	_, err = n.Update(ctx, Links, "count", fmt.Append(nil, count+1), e.Rev)
	return err
}

// watched is what a watch was told.
type watched struct {
	mu   sync.Mutex
	told []Entry
}

// tell takes note of an entry.
func (w *watched) tell(e Entry) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.told = append(w.told, e)
}

// list returns what was told until now.
func (w *watched) list() []Entry {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.told)
}

// now returns what there is as far as was told: values by key.
func (w *watched) now() map[string]string {
	there := map[string]string{}
	for _, e := range w.list() {
		if e.Gone {
			delete(there, e.Key)
		} else {
			there[e.Key] = string(e.Value)
		}
	}
	return there
}

func TestWatch(t *testing.T) {
	everywhere(t, func(t *testing.T, nodes []Node) {
		ctx, a := t.Context(), nodes[0]
		rev, err := a.Create(ctx, Presence, "b", []byte("1"))
		must(t, err)
		_, err = a.Create(ctx, Presence, "a", []byte("2"))
		must(t, err)
		gone, err := a.Create(ctx, Presence, "gone", nil)
		must(t, err)
		must(t, a.Delete(ctx, Presence, "gone", gone))
		_, err = a.Create(ctx, Gates, "elsewhere", nil)
		must(t, err)
		told := make([]watched, len(nodes))
		for i, n := range nodes {
			must(t, n.Watch(ctx, Presence, told[i].tell))
			if now := told[i].now(); !maps.Equal(now, map[string]string{"a": "2", "b": "1"}) {
				t.Errorf("node %d: Watch returned when it had told %v", i, now)
			}
		}
		heard := func(count int) {
			t.Helper()
			for i := range told {
				within(t, "the change is told", func() bool { return len(told[i].list()) == count })
			}
		}
		rev, err = a.Update(ctx, Presence, "b", []byte("3"), rev)
		must(t, err)
		heard(3)
		must(t, a.Delete(ctx, Presence, "b", rev))
		heard(4)
		_, err = a.Create(ctx, Presence, "b", []byte("4"))
		must(t, err)
		heard(5)
		for i := range told {
			var said []string
			for _, e := range told[i].list() {
				said = append(said, fmt.Sprintf("%s=%s%v", e.Key, e.Value, e.Gone))
			}
			if s := strings.Join(said, " "); s != "b=1false a=2false b=3false b=true b=4false" {
				t.Errorf("node %d was told %s", i, s)
			}
		}
	})
}

// TestWatchWhileAllWrite has goroutines on all nodes change entries at random
// while watches begin.
func TestWatchWhileAllWrite(t *testing.T) {
	const goroutines, each, keys = 6, 60, 5
	everywhere(t, func(t *testing.T, nodes []Node) {
		var all sync.WaitGroup
		for g := range goroutines {
			n := nodes[g%len(nodes)]
			all.Go(func() {
				for i := range each {
					key := strconv.Itoa((g + i*i) % keys)
					e, err := n.Get(t.Context(), Offers, key)
					switch {
					case errors.Is(err, ErrNotFound):
						_, err = n.Create(t.Context(), Offers, key, fmt.Append(nil, g, i))
					case err == nil && i%3 == 0:
						err = n.Delete(t.Context(), Offers, key, e.Rev)
					case err == nil:
						_, err = n.Update(t.Context(), Offers, key, fmt.Append(nil, g, i), e.Rev)
					}
					if err != nil && !errors.Is(err, ErrConflict) {
						t.Error(err)
						return
					}
				}
			})
		}
		told := make([]watched, 2*len(nodes))
		for i := range told {
			must(t, nodes[i%len(nodes)].Watch(t.Context(), Offers, told[i].tell))
		}
		all.Wait()
		_, err := nodes[0].Create(t.Context(), Offers, "end", nil)
		must(t, err)
		want := map[string]string{"end": ""}
		for key := range keys {
			if e, err := nodes[0].Get(t.Context(), Offers, strconv.Itoa(key)); err == nil {
				want[e.Key] = string(e.Value)
			} else {
				wants(t, err, ErrNotFound)
			}
		}
		for i := range told {
			within(t, "the end is told", func() bool { _, ok := told[i].now()["end"]; return ok })
			if now := told[i].now(); !maps.Equal(now, want) {
				t.Errorf("watch %d has %v, want %v", i, now, want)
			}
			last := uint64(0)
			for _, e := range told[i].list() {
				if e.Rev <= last {
					t.Errorf("watch %d: revision %d after %d", i, e.Rev, last)
				}
				last = e.Rev
			}
		}
	})
}

// TestErrors sees what methods say when the context has ended, and when the node
// is closed.
func TestErrors(t *testing.T) {
	everywhere(t, func(t *testing.T, nodes []Node) {
		n := nodes[0]
		all := func(ctx context.Context, want error) {
			t.Helper()
			_, err := n.Create(ctx, Offers, "k", nil)
			wants(t, err, want)
			_, err = n.Update(ctx, Offers, "k", nil, 1)
			wants(t, err, want)
			wants(t, n.Delete(ctx, Offers, "k", 1), want)
			_, err = n.Get(ctx, Offers, "k")
			wants(t, err, want)
			wants(t, n.Watch(ctx, Offers, func(Entry) { t.Error("told") }), want)
			_, err = n.Append(ctx, "k", 0, nil)
			wants(t, err, want)
			_, err = n.Read(ctx, "k")
			wants(t, err, want)
			wants(t, n.Drop(ctx, "k"), want)
			_, created := n.Create(ctx, Links, "secret", nil)
			_, updated := n.Update(ctx, Links, "secret", nil, 1)
			_, gotten := n.Get(ctx, Links, "secret")
			for _, err := range []error{created, updated, gotten, n.Delete(ctx, Links, "secret", 1)} {
				if wants(t, err, want); strings.Contains(fmt.Sprint(err), "secret") {
					t.Errorf("a code is in the error: %v", err)
				}
			}
		}
		must(t, n.Healthy())
		ended, end := context.WithCancel(t.Context())
		end()
		all(ended, context.Canceled)
		n.Handle(func(string, []byte) { t.Error("a message after Close") })
		n.Close()
		n.Close()
		all(t.Context(), ErrClosed)
		wants(t, n.Healthy(), ErrClosed)
		n.Send(n.ID(), nil)
		n.Broadcast(nil)
	})
}
