package web

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"broadside/internal/session"
	"broadside/match"
)

// viewersAt is the environment variable that makes this test program a crowd of viewers: the
// number of them, the address of the server and the path of the feed.
const viewersAt = "BROADSIDE_TEST_VIEWERS"

// crowd is a process with viewers of a feed, so that their work is not that of the server.
type crowd struct {
	t     testing.TB
	lines *bufio.Scanner
}

// openCrowd starts viewers and waits until the server knows them.
func (s *site) openCrowd(viewers int, path string) *crowd {
	s.t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), fmt.Sprintf("%s=%d %s %s", viewersAt, viewers, strings.TrimPrefix(s.url, "http://"), path))
	c.Stderr = os.Stderr
	in, err := c.StdinPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		in.Close() // ends it
		if err := c.Wait(); err != nil {
			s.t.Error(err)
		}
	})
	all := &crowd{s.t, bufio.NewScanner(out)}
	all.lines.Buffer(nil, 1<<20) // a line has 20 bytes for each viewer
	if !all.lines.Scan() || all.lines.Text() != "ready" {
		s.t.Fatalf("the viewers say %q", all.lines.Text())
	}
	for s.Streams() < viewers {
		time.Sleep(10 * time.Millisecond)
	}
	return all
}

// arrivals waits until a shot has reached all viewers and returns how long it took, in order.
func (c *crowd) arrivals(since time.Time) (all []time.Duration) {
	c.t.Helper()
	if !c.lines.Scan() {
		c.t.Fatal("the viewers are gone")
	}
	for field := range strings.FieldsSeq(c.lines.Text()) {
		at, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			c.t.Fatalf("the viewers say %q", c.lines.Text())
		}
		all = append(all, time.Unix(0, at).Sub(since))
	}
	return all
}

// viewers is the program of a crowd. It writes a line for each shot: when it arrived, for each
// viewer, in nanoseconds since 1970. It ends with its standard input.
func viewers(arguments string) {
	var number int
	var address, path string
	if _, err := fmt.Sscan(arguments, &number, &address, &path); err != nil {
		panic(err)
	}
	arrived := make(chan time.Time, number)
	var conns []net.Conn
	var reading sync.WaitGroup
	for range number {
		c, err := net.Dial("tcp", address)
		if err != nil {
			panic(err)
		}
		conns = append(conns, c)
		fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", path)
	}
	for _, c := range conns {
		r := bufio.NewReaderSize(c, 512)
		for { // the first event is the state
			line, err := r.ReadSlice('\n')
			if err != nil && err != bufio.ErrBufferFull {
				panic(err)
			}
			if bytes.HasPrefix(line, []byte("id: ")) {
				break
			}
		}
		reading.Go(func() {
			buffer := make([]byte, 4096) // a shot has less
			for {
				n, err := r.Read(buffer)
				if err != nil {
					return
				}
				for range bytes.Count(buffer[:n], []byte(`"result"`)) {
					arrived <- time.Now()
				}
			}
		})
	}
	fmt.Println("ready")
	go func() {
		io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	for {
		var line strings.Builder
		for range number {
			fmt.Fprintf(&line, "%d ", (<-arrived).UnixNano())
		}
		fmt.Println(line.String())
	}
}

// BenchmarkViewers measures a match with many viewers, who are in another process: how long a
// shot takes to reach them, how long it takes to reach the players, the time of the processor
// for each shot, and the memory for each viewer.
func BenchmarkViewers(b *testing.B) {
	for _, viewers := range []int{0, 1000, 4000} {
		b.Run(fmt.Sprint(viewers), func(b *testing.B) { benchmarkViewers(b, viewers) })
	}
}

// unlimited are limits for many viewers from one address.
var unlimited = Limits{MaxConns: 20000, MaxConnsPerAddr: 20000, MaxStreams: 20000, MaxStreamsPerAddr: 20000, RequestRate: 1 << 20, RequestBurst: 1 << 20}

func benchmarkViewers(b *testing.B, viewers int) {
	s := openSite(b, unlimited)
	first, second, id := s.fight()
	before := heap()
	var all *crowd
	if viewers > 0 {
		all = s.openCrowd(viewers, apiRoot+"/matches/"+id+"/events")
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
		time.Sleep(20 * time.Millisecond) // all is quiet, as between two shots of people
		start := time.Now()
		p.must(session.Fire{Side: side, Cell: cell})
		p.until(func(v *match.View) bool { return v.Charts[side].Fired == shots && !v.Pending })
		played = append(played, time.Since(start))
		if viewers > 0 {
			seen = append(seen, all.arrivals(start)...)
		}
	}
	b.ReportMetric(percentile(played, 99), "player-p99-ms")
	b.ReportMetric(percentile(played, 50), "player-p50-ms")
	b.ReportMetric(float64((processorTime(b)-used).Microseconds())/1000/float64(n), "cpu-ms/shot")
	if viewers > 0 {
		b.ReportMetric(float64(memory)/float64(viewers), "bytes/viewer")
		b.ReportMetric(percentile(seen, 50), "viewer-p50-ms")
		b.ReportMetric(percentile(seen, 99), "viewer-p99-ms")
	}
}

// percentile returns a percentile of durations in milliseconds.
func percentile(all []time.Duration, p int) float64 {
	slices.Sort(all)
	return float64(all[(len(all)-1)*p/100].Microseconds()) / 1000
}

// processorTime returns the processor time that this process has used.
func processorTime(t testing.TB) time.Duration {
	t.Helper()
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		t.Skip("the time of the processor is not known: ", err)
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	var ticks int64
	for _, f := range fields[11:13] { // of the user and the system, in 1/100 s
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}
