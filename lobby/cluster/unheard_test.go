package cluster

import (
	"io"
	"net"
	"net/url"
	"sync"
	"testing"
)

// mute passes connections on to a server, whose words it keeps back while it is
// muted.
type mute struct {
	net.Listener
	mu    sync.Mutex
	wake  sync.Cond
	muted bool // guarded by mu
	ended bool // guarded by mu
}

// listen starts one between a server and whoever connects to its address.
func listen(t *testing.T, server string) *mute {
	t.Helper()
	m := new(mute)
	m.wake.L = &m.mu
	var err error
	m.Listener, err = net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	var work sync.WaitGroup
	work.Go(func() {
		for {
			client, err := m.Accept()
			if err != nil {
				return
			}
			up, err := net.Dial("tcp", server)
			if err != nil {
				client.Close()
				continue
			}
			work.Go(func() { io.Copy(up, client); up.Close() })
			work.Go(func() { io.Copy(muted{m, client}, up); client.Close() })
		}
	})
	t.Cleanup(func() {
		m.Close()
		m.set(&m.ended, true)
		work.Wait()
	})
	return m
}

// set sets a field, and says so.
func (m *mute) set(field *bool, value bool) {
	m.mu.Lock()
	*field = value
	m.mu.Unlock()
	m.wake.Broadcast()
}

// muted is the way to a client.
type muted struct {
	mute   *mute
	client io.Writer
}

func (w muted) Write(b []byte) (int, error) {
	w.mute.mu.Lock()
	for w.mute.muted && !w.mute.ended {
		w.mute.wake.Wait()
	}
	w.mute.mu.Unlock()
	return w.client.Write(b)
}

// TestUnheardAnswer has a node make or change an entry and not hear of it, until
// another has changed and deleted that: it was done, once.
func TestUnheardAnswer(t *testing.T) {
	t.Parallel()
	servers := elsewhere()
	u, err := url.Parse(servers[0])
	must(t, err)
	line := listen(t, u.Host)
	u.Host = line.Addr().String()
	a := join(t, Config{Name: "a", Service: "unheard", URLs: []string{u.String()}})
	b := join(t, Config{Name: "b", Service: "unheard", URLs: servers})
	ctx := t.Context()
	rev, err := b.Create(ctx, Offers, "updated", nil)
	must(t, err)
	for _, c := range []struct {
		key string
		do  func() (uint64, error)
	}{
		{"created", func() (uint64, error) { return a.Create(ctx, Offers, "created", []byte("one")) }},
		{"updated", func() (uint64, error) { return a.Update(ctx, Offers, "updated", []byte("one"), rev) }},
	} {
		t.Run(c.key, func(t *testing.T) {
			line.set(&line.muted, true)
			defer line.set(&line.muted, false)
			var said uint64
			done := make(chan error, 1)
			go func() {
				var err error
				said, err = c.do()
				done <- err
			}()
			var e Entry
			within(t, "it is done", func() bool {
				e, err = b.Get(ctx, Offers, c.key)
				return err == nil && string(e.Value) == "one"
			})
			last, err := b.Update(ctx, Offers, c.key, []byte("two"), e.Rev)
			must(t, err)
			must(t, b.Delete(ctx, Offers, c.key, last))
			must(t, pause(ctx, 3*attempt/2)) // so that one attempt has failed
			line.set(&line.muted, false)
			must(t, <-done)
			if said != e.Rev {
				t.Errorf("it was done as %d, and the node says %d", e.Rev, said)
			}
			_, err = b.Get(ctx, Offers, c.key)
			wants(t, err, ErrNotFound)
		})
	}
}
