package web

import (
	"bytes"
	"context"
	"net"
	"sync"
	"time"

	"broadside/internal/web/feed"
)

// audiences are the viewers of all streams. One goroutine writes to all viewers of a stream, so
// that a viewer needs no goroutine, and a thousand of them never wait in front of a player.
type audiences struct {
	ctx     context.Context // ends when the server shuts down
	work    *sync.WaitGroup
	mu      sync.Mutex
	streams map[source]*audience // guarded by mu
}

// audience is the viewers of one stream.
type audience struct {
	src     source
	joined  chan struct{} // capacity 1: joining has changed
	joining []*viewer     // guarded by audiences.mu
	viewers []*viewer     // used by the goroutine of the audience only
}

// viewer is a client that reads a stream. An audience writes to it or, while it is new or slow, a
// separate goroutine.
type viewer struct {
	conn net.Conn
	from uint64 // position in the stream
	done func() // called in the end
}

func (v *viewer) close() {
	v.conn.Close()
	v.done()
}

// admit sends data to a viewer and everything that the stream has for it, in a new goroutine,
// and then adds it to the audience.
func (as *audiences) admit(src source, v *viewer, data ...[]byte) {
	as.work.Go(func() {
		defer context.AfterFunc(as.ctx, func() { v.conn.Close() })()
		for ok := write(v.conn, data...); ok; ok = write(v.conn, data...) {
			n := src.Read(v.from)
			switch {
			case n.Missed: // begin again with the current state
				var first []byte
				first, v.from = src.Join("")
				data = [][]byte{first}
			case len(n.Chunks) > 0:
				data, v.from = n.Chunks, n.Position
			case n.Ended || as.ctx.Err() != nil:
				v.close()
				return
			default:
				as.add(src, v)
				return
			}
		}
		v.close()
	})
}

// add adds a viewer to the audience of a stream.
func (as *audiences) add(src source, v *viewer) {
	as.mu.Lock()
	defer as.mu.Unlock()
	a := as.streams[src]
	if a == nil {
		a = &audience{src: src, joined: make(chan struct{}, 1)}
		as.streams[src] = a
		as.work.Go(func() { as.serve(a) })
	}
	a.joining = append(a.joining, v)
	select {
	case a.joined <- struct{}{}:
	default:
	}
}

// welcome adds the viewers that have joined. It returns false, and forgets the audience, if
// there are no viewers.
func (as *audiences) welcome(a *audience) bool {
	as.mu.Lock()
	defer as.mu.Unlock()
	a.viewers = append(a.viewers, a.joining...)
	a.joining = nil
	if len(a.viewers) == 0 {
		delete(as.streams, a.src)
	}
	return len(a.viewers) > 0
}

// pause is the time between a change and writing it to an audience. It lets the change reach the
// players first and joins changes that belong together.
const pause = 3 * time.Millisecond

// serve writes a stream to its audience until the stream ends, there are no viewers, or the
// server shuts down.
func (as *audiences) serve(a *audience) {
	beat := time.NewTicker(beatTime)
	defer beat.Stop()
	for as.welcome(a) {
		n := as.send(a)
		if n.Ended || as.ctx.Err() != nil {
			for _, v := range a.viewers {
				v.close()
			}
			a.viewers = nil
			continue // the last viewers may have just joined
		}
		if n.Changed == nil {
			continue // there is more to send
		}
		select {
		case <-n.Changed:
			time.Sleep(pause)
			beat.Reset(beatTime)
		case <-beat.C:
			as.each(a, func(v *viewer) bool { return as.try(a, v, []byte(":\n\n")) })
		case <-a.joined:
		case <-as.ctx.Done():
		}
	}
}

// send sends each viewer of an audience its next chunks of the stream. It returns those of
// the first viewer.
func (as *audiences) send(a *audience) feed.Next {
	from := a.viewers[0].from
	shared := a.src.Read(from)
	data := bytes.Join(shared.Chunks, nil)
	as.each(a, func(v *viewer) bool {
		n, b := shared, data
		if v.from != from {
			n = a.src.Read(v.from)
			b = bytes.Join(n.Chunks, nil)
		}
		if n.Missed {
			as.admit(a.src, v)
			return false
		}
		v.from = n.Position
		return len(b) == 0 || as.try(a, v, b)
	})
	return shared
}

// each calls keep for each viewer and removes those for which it returns false.
func (as *audiences) each(a *audience, keep func(*viewer) bool) {
	kept := a.viewers[:0]
	for _, v := range a.viewers {
		if keep(v) {
			kept = append(kept, v)
		}
	}
	clear(a.viewers[len(kept):])
	a.viewers = kept
}

// tryTime is how long a slow viewer delays the others, once.
const tryTime = 200 * time.Microsecond

// try writes data to a viewer if that is possible at once. Otherwise it returns false: the viewer
// gets the rest in a separate goroutine, or has left.
func (as *audiences) try(a *audience, v *viewer, data []byte) bool {
	_ = v.conn.SetWriteDeadline(time.Now().Add(tryTime)) // if it fails, so does Write
	n, err := v.conn.Write(data)
	if err == nil {
		return true
	}
	if slow, ok := err.(net.Error); ok && slow.Timeout() {
		as.admit(a.src, v, data[n:])
	} else {
		v.close()
	}
	return false
}
