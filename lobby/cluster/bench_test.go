package cluster

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// clusters runs a benchmark on every kind of cluster, with the first two nodes of
// it, which may be the same.
func clusters(b *testing.B, bench func(b *testing.B, nodes []Node)) {
	b.Run("alone", func(b *testing.B) {
		n := Alone()
		defer n.Close()
		bench(b, []Node{n, n})
	})
	b.Run("embedded", func(b *testing.B) {
		n := join(b, Config{Name: "n"})
		bench(b, []Node{n, n})
	})
	b.Run("three", func(b *testing.B) {
		peers, err := addresses(3)
		if err != nil {
			b.Fatal(err)
		}
		nodes := make([]Node, 3)
		var all sync.WaitGroup
		for i := range nodes {
			all.Go(func() { nodes[i] = join(b, Config{Name: fmt.Sprint("n", i), Listen: peers[i], Peers: peers}) })
		}
		all.Wait()
		for len(nodes[0].Peers()) < 3 || len(nodes[1].Peers()) < 3 {
			time.Sleep(time.Millisecond)
		}
		bench(b, nodes)
	})
}

// quantiles reports the median and the 99th percentile of durations.
func quantiles(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Nanoseconds())/1e3, "p50-µs")
	b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds())/1e3, "p99-µs")
}

// BenchmarkEntry makes, changes and deletes an entry, one after the other.
func BenchmarkEntry(b *testing.B) {
	clusters(b, func(b *testing.B, nodes []Node) {
		var took []time.Duration
		value := make([]byte, 200)
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			began := time.Now()
			key := fmt.Sprint(i)
			rev, err := nodes[0].Create(b.Context(), Offers, key, value)
			if err == nil {
				rev, err = nodes[1].Update(b.Context(), Offers, key, value, rev)
			}
			if err == nil {
				err = nodes[0].Delete(b.Context(), Offers, key, rev)
			}
			if err != nil {
				b.Fatal(err)
			}
			took = append(took, time.Since(began))
		}
		quantiles(b, took)
	})
}

// BenchmarkEntries does that in 64 goroutines.
func BenchmarkEntries(b *testing.B) {
	clusters(b, func(b *testing.B, nodes []Node) {
		var next atomic.Int64
		value := make([]byte, 200)
		b.SetParallelism(32)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				i := next.Add(1)
				key, n := fmt.Sprint(i), nodes[int(i)%len(nodes)]
				rev, err := n.Create(b.Context(), Offers, key, value)
				if err == nil {
					rev, err = n.Update(b.Context(), Offers, key, value, rev)
				}
				if err == nil {
					err = n.Delete(b.Context(), Offers, key, rev)
				}
				if err != nil {
					b.Error(err)
					return
				}
			}
		})
		b.ReportMetric(float64(3*b.N)/b.Elapsed().Seconds(), "changes/s")
	})
}

// BenchmarkAppend adds records to a log, one after the other.
func BenchmarkAppend(b *testing.B) {
	clusters(b, func(b *testing.B, nodes []Node) {
		var took []time.Duration
		var last uint64
		data := make([]byte, 60)
		b.ReportAllocs()
		for b.Loop() {
			began := time.Now()
			var err error
			if last, err = nodes[0].Append(b.Context(), "log", last, data); err != nil {
				b.Fatal(err)
			}
			took = append(took, time.Since(began))
		}
		quantiles(b, took)
	})
}

// BenchmarkSend sends a message that is answered by another.
func BenchmarkSend(b *testing.B) {
	clusters(b, func(b *testing.B, nodes []Node) {
		data, heard := make([]byte, 100), make(chan bool, 1)
		if nodes[0] != nodes[1] {
			nodes[1].Handle(func(from string, data []byte) { nodes[1].Send(from, data) })
		}
		nodes[0].Handle(func(string, []byte) { heard <- true })
		var took []time.Duration
		b.ReportAllocs()
		for b.Loop() {
			began := time.Now()
			nodes[0].Send(nodes[1].ID(), data)
			<-heard
			took = append(took, time.Since(began))
		}
		quantiles(b, took)
	})
}

// BenchmarkWatch makes and deletes an entry that another node is told of.
func BenchmarkWatch(b *testing.B) {
	clusters(b, func(b *testing.B, nodes []Node) {
		told := make(chan bool, 2)
		err := nodes[1].Watch(b.Context(), Presence, func(e Entry) { told <- e.Gone })
		if err != nil {
			b.Fatal(err)
		}
		var took []time.Duration
		for i := 0; b.Loop(); i++ {
			began := time.Now()
			key := fmt.Sprint(i)
			rev, err := nodes[0].Create(b.Context(), Presence, key, nil)
			if err != nil {
				b.Fatal(err)
			}
			<-told
			took = append(took, time.Since(began))
			if err := nodes[0].Delete(b.Context(), Presence, key, rev); err != nil {
				b.Fatal(err)
			}
			<-told
		}
		quantiles(b, took)
	})
}
