package web

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"broadside/internal/test/need"
	"broadside/internal/test/viewers"
	"broadside/match"
)

// openViewers starts viewers in another process and waits until the server knows them.
func (s *site) openViewers(number int, path string) *viewers.Process {
	s.t.Helper()
	c, err := viewers.Open(number, strings.TrimPrefix(s.url, "http://"), path)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		if err := c.Close(); err != nil {
			s.t.Error(err)
		}
	})
	for s.Server.open.Total() < number {
		time.Sleep(10 * time.Millisecond)
	}
	return c
}

// BenchmarkViewers measures a match with many viewers in another process: how long a shot
// takes to reach them, how long it takes to reach the players, the CPU time for each shot,
// and the memory for each viewer.
func BenchmarkViewers(b *testing.B) {
	for _, number := range []int{0, 1000, 4000} {
		b.Run(fmt.Sprint(number), func(b *testing.B) { benchmarkViewers(b, number) })
	}
}

// unlimited are limits for many viewers from one address.
var unlimited = Limits{MaxConns: 20000, MaxConnsPerAddr: 20000, MaxStreams: 20000, MaxStreamsPerAddr: 20000, RequestRate: 1 << 20, RequestBurst: 1 << 20}

func benchmarkViewers(b *testing.B, number int) {
	s := openSite(b, unlimited)
	first, second, id := s.fight()
	before := heap()
	var all *viewers.Process
	if number > 0 {
		all = s.openViewers(number, apiRoot+"/matches/"+id+"/events")
	}
	memory := heap() - before
	var seen, played []time.Duration
	n, used := 0, processorTime(b)
	for b.Loop() {
		p, side := second, match.Second
		if n%2 == 1 {
			p, side = first, match.First
		}
		cell := match.At(n/2%10, 1+n/20%5*2) // water; there are enough cells for 100 shots
		n++
		if n > 1 {
			p.until(func(v *match.View) bool { return v.Turn == side && !v.Pending })
		}
		shots := (n + 1) / 2
		time.Sleep(20 * time.Millisecond) // idle, as between two shots of people
		start := time.Now()
		p.must(p.Fire(side, 0, cell))
		p.until(func(v *match.View) bool { return v.Charts[side].Fired == shots && !v.Pending })
		played = append(played, time.Since(start))
		if number > 0 {
			arrived, err := all.Arrivals(start)
			if err != nil {
				b.Fatal(err)
			}
			seen = append(seen, arrived...)
		}
	}
	b.ReportMetric(percentile(played, 99), "player-p99-ms")
	b.ReportMetric(percentile(played, 50), "player-p50-ms")
	b.ReportMetric(float64((processorTime(b)-used).Microseconds())/1000/float64(n), "cpu-ms/shot")
	if number > 0 {
		b.ReportMetric(float64(memory)/float64(number), "bytes/viewer")
		b.ReportMetric(percentile(seen, 50), "viewer-p50-ms")
		b.ReportMetric(percentile(seen, 99), "viewer-p99-ms")
	}
}

// percentile returns a percentile of durations in milliseconds.
func percentile(all []time.Duration, p int) float64 {
	slices.Sort(all)
	return float64(all[(len(all)-1)*p/100].Microseconds()) / 1000
}

// processorTime returns the CPU time used by this process.
func processorTime(t testing.TB) time.Duration {
	t.Helper()
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		need.Skip(t, "the processor time is unknown: %v", err)
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	var ticks int64
	for _, f := range fields[11:13] { // user and system time, in 1/100 s
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}
