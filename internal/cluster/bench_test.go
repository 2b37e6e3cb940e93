package cluster

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"
)

// blob is a session whose state is 1.4 KB and begins with the time.
type blob struct {
	session *Session
}

type blobs struct {
	mu  sync.Mutex
	all []*blob
}

func (h *blobs) Open(s *Session, _ []byte) (Source, []byte) {
	b := &blob{session: s}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all = append(h.all, b)
	s.Opened([]byte("opened"))
	return b, nil
}

var began = time.Now()

func (b *blob) Take() []byte {
	state := make([]byte, 1400)
	binary.BigEndian.PutUint64(state, uint64(time.Since(began)))
	return state
}
func (b *blob) Act(_ context.Context, action []byte, _ bool) []byte { return action }
func (b *blob) Closed()                                             {}

func benchmarkSessions(b *testing.B, sessions int) (*blobs, *Gateway, []*stream) {
	a := newNode(b, 1)
	h := &blobs{}
	a.server.handler = h
	var before, after runtime.MemStats
	g := newGateway(b, a)
	until(b, "for the connection", func() bool { return g.Err() == nil })
	runtime.GC()
	runtime.ReadMemStats(&before)
	remotes := make([]*stream, sessions)
	for i := range remotes {
		var err error
		if remotes[i], err = g.open(b.Context(), says(""), nil); err != nil {
			b.Fatal(err)
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(sessions), "B/session")
	return h, g, remotes
}

// BenchmarkUpdates sends updates of 1.4 KB to 2,000 sessions of one gateway, at
// 20,000 a second or as fast as possible. Each session has a reader.
func BenchmarkUpdates(b *testing.B) {
	for _, rate := range []int{2000, 20000, 0} {
		b.Run(fmt.Sprintf("rate=%d", rate), func(b *testing.B) {
			h, _, remotes := benchmarkSessions(b, 2000)
			ctx, cancel := context.WithCancel(b.Context())
			var readers sync.WaitGroup
			var mu sync.Mutex
			var took []time.Duration
			for _, r := range remotes {
				readers.Go(func() {
					var mine []time.Duration
					for {
						select {
						case <-r.changed:
							for {
								u, ok := r.next()
								if !ok {
									break
								}
								if u.kind == kindUpdate {
									mine = append(mine, time.Since(began)-time.Duration(binary.BigEndian.Uint64(u.payload)))
								}
							}
						case <-ctx.Done():
							mu.Lock()
							took = append(took, mine...)
							mu.Unlock()
							return
						}
					}
				})
			}
			b.ResetTimer()
			start := time.Now()
			for i := range b.N {
				h.all[i%len(h.all)].session.Changed()
				if rate > 0 && i%(rate/1000) == 0 {
					time.Sleep(time.Until(start.Add(time.Duration(i) * time.Second / time.Duration(rate))))
				}
			}
			time.Sleep(20 * time.Millisecond)
			b.StopTimer()
			cancel()
			readers.Wait()
			slices.Sort(took)
			if len(took) > 0 {
				b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
				b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
				b.ReportMetric(float64(len(took))/float64(b.N), "delivered")
			}
		})
	}
}

func BenchmarkActions(b *testing.B) {
	_, _, remotes := benchmarkSessions(b, 2000)
	var mu sync.Mutex
	n := 0
	payload := bytes.Repeat([]byte("x"), 60)
	b.SetParallelism(100)
	b.RunParallel(func(pb *testing.PB) {
		mu.Lock()
		r := remotes[n]
		n++
		mu.Unlock()
		for pb.Next() {
			if _, err := r.do(b.Context(), payload); err != nil {
				b.Error(err)
			}
		}
	})
}

// BenchmarkReattach connects 2,000 sessions to another active node.
func BenchmarkReattach(b *testing.B) {
	const sessions = 2000
	_, g, _ := benchmarkSessions(b, sessions)
	for i := range b.N {
		b.StopTimer()
		next := newNode(b, int64(i+2))
		h := &blobs{}
		next.server.handler = h
		b.StartTimer()
		follow(g, next.address, int64(i+2))
		for {
			h.mu.Lock()
			n := len(h.all)
			h.mu.Unlock()
			if n == sessions {
				break
			}
			time.Sleep(100 * time.Microsecond)
		}
	}
}
