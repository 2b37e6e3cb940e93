package sshd_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"broadside/internal/test/sshtest"
)

func newHostKey() (gossh.Signer, error) {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	return gossh.NewSignerFromKey(key)
}

// watcher is a client that counts the bytes of its output.
type watcher struct {
	client *gossh.Client
	bytes  atomic.Int64
	done   sync.WaitGroup
}

// watch opens a session with a terminal of 100×30. It returns when the screen is
// painted, with the time since connecting.
func watch(address string) (*watcher, time.Duration, error) {
	began := time.Now()
	client, err := sshtest.Connect(address, sshtest.Options{})
	if err != nil {
		return nil, 0, err
	}
	w := &watcher{client: client}
	session, err := client.NewSession()
	if err != nil {
		return nil, 0, err
	}
	out, err := session.StdoutPipe()
	if err != nil {
		return nil, 0, err
	}
	if _, err := session.StdinPipe(); err != nil { // or its input ends at once
		return nil, 0, err
	}
	if err := session.RequestPty("xterm-256color", 30, 100, nil); err != nil {
		return nil, 0, err
	}
	if err := session.Shell(); err != nil {
		return nil, 0, err
	}
	painted := make(chan time.Duration, 1)
	w.done.Go(func() {
		defer close(painted)
		var screen []byte
		b := make([]byte, 4096)
		for shown := false; ; {
			n, err := out.Read(b)
			if err != nil {
				return
			}
			w.bytes.Add(int64(n))
			if !shown {
				screen = append(screen, b[:n]...)
				if shown = bytes.Contains(screen, []byte(lastLine)); shown {
					painted <- time.Since(began)
				}
			}
		}
	})
	took, ok := <-painted
	if !ok {
		return nil, 0, client.Wait()
	}
	return w, took, nil
}

// BenchmarkSessionMemory opens 300 sessions, 8 at a time, to a bare SSH server
// and to this one, whose screen has 21 lines and a digit that changes every
// second, each in a separate process. The figures are for one session: KiB of
// the process's memory, KiB of heap and stacks after a collection, milliseconds
// from connecting to the first paint, and, while all are idle, milliseconds of CPU
// time and bytes of output a second. An operation is one such round.
func BenchmarkSessionMemory(b *testing.B) {
	for _, kind := range []string{"bare", "sshd"} {
		b.Run(kind, func(b *testing.B) {
			const sessions = 300
			figures := map[string][]float64{}
			for b.Loop() {
				server := startChild(b, kind)
				for name, v := range measure(b, server, sessions) {
					figures[name] = append(figures[name], v)
				}
			}
			for name, values := range figures {
				slices.Sort(values)
				b.ReportMetric(values[len(values)/2], name)
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

func measure(b *testing.B, server *child, sessions int) map[string]float64 {
	var mu sync.Mutex
	var all []*watcher
	var times []float64
	come := func(n int) {
		work := make(chan struct{}, n)
		for range n {
			work <- struct{}{}
		}
		close(work)
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				for range work {
					w, took, err := watch(server.address)
					mu.Lock()
					if err != nil {
						b.Error(err)
					} else {
						all, times = append(all, w), append(times, took.Seconds()*1e3)
					}
					mu.Unlock()
				}
			})
		}
		group.Wait()
	}
	defer func() {
		for _, w := range all {
			w.client.Close()
			w.done.Wait()
		}
	}()
	come(16) // initializes what all sessions share
	server.inUse(b)
	time.Sleep(time.Second)
	heap, pss := server.inUse(b), server.pss(b)
	times = nil
	come(sessions)
	if b.Failed() {
		b.FailNow()
	}
	time.Sleep(2 * time.Second)
	busy, sent := server.cpu(b), received(all)
	const idle = 5
	time.Sleep(idle * time.Second)
	n, open := float64(sessions), float64(len(all))
	figures := map[string]float64{
		"cpu-ms/s":       (server.cpu(b) - busy).Seconds() * 1e3 / idle / open,
		"bytes/s":        float64(received(all)-sent) / idle / open,
		"pss-KiB":        (server.pss(b) - pss) / 1024 / n,
		"heap+stack-KiB": (server.inUse(b) - heap) / 1024 / n,
	}
	slices.Sort(times)
	figures["paint-p50-ms"], figures["paint-p99-ms"] = times[len(times)/2], times[len(times)*99/100]
	return figures
}

func received(all []*watcher) (bytes int64) {
	for _, w := range all {
		bytes += w.bytes.Load()
	}
	return bytes
}
