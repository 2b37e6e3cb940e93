package relay_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"broadside/lobby"
	"broadside/match"
	"broadside/relay"
)

// script is what the clients of a benchmark say, both sides the same: every
// cell of the board but one of a ship's, so that no game ends by itself, and
// the true answers.
func script() (attacks, results []string) {
	truth := match.NewFleet(fleet)
	for cell := range match.Classic().Board().All() {
		if cell == fleet[0].Stern {
			continue
		}
		attacks = append(attacks, relay.Message{Op: relay.Attack, Cell: cell}.String()+"\n")
		results = append(results, relay.Message{Op: relay.Result, Cell: cell, Result: truth.Shoot(cell)}.String()+"\n")
	}
	return attacks, results
}

// BenchmarkExchange measures the round trip of an attack and its result
// through the relay, referee, audit and all, and through a forwarder that only
// checks the grammar, turn about. An operation is a game of all pairs by both.
func BenchmarkExchange(b *testing.B) {
	for _, pairs := range []int{1, 100, 1000} {
		b.Run(fmt.Sprintf("pairs=%d", pairs), func(b *testing.B) {
			bare := forwarder(b)
			full, _ := serve(b, relay.Config{HelloDelay: -1}, lobby.Config{})
			var times [2][]time.Duration
			var took [2]time.Duration
			for b.Loop() {
				for i, address := range []string{bare, full} {
					t, d := exchange(b, address, pairs)
					times[i], took[i] = append(times[i], t...), took[i]+d
				}
			}
			quantile := func(i int, q float64) float64 {
				slices.Sort(times[i])
				return float64(times[i][int(q*float64(len(times[i])-1))].Microseconds())
			}
			for i, name := range []string{"bare", "relay"} {
				b.ReportMetric(quantile(i, 0.5), name+"-p50-µs")
				b.ReportMetric(quantile(i, 0.99), name+"-p99-µs")
				b.ReportMetric(float64(len(times[i]))/took[i].Seconds(), name+"-exchanges/s")
			}
			b.ReportMetric(quantile(1, 0.5)/quantile(0, 0.5), "p50-ratio")
			b.ReportMetric(quantile(1, 0.99)/quantile(0, 0.99), "p99-ratio")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// exchange lets pairs of clients play the script at once, and returns the
// times of all round trips, and how long it took in all.
func exchange(b *testing.B, address string, pairs int) (times []time.Duration, took time.Duration) {
	b.Helper()
	attacks, results := script()
	type player struct {
		nc    net.Conn
		r     *bufio.Reader
		times []time.Duration
	}
	players := make([]*player, 2*pairs)
	for i := range players {
		nc, err := net.Dial("tcp", address)
		if err != nil {
			b.Fatal(err)
		}
		defer nc.Close()
		nc.SetDeadline(time.Now().Add(time.Minute))
		p := &player{nc: nc, r: bufio.NewReaderSize(nc, 256)}
		players[i] = p
		want := "(3,[]).\n"
		if i%2 == 1 {
			want = "(4,[]).\n"
		}
		if got, err := p.r.ReadString('\n'); err != nil || got != want {
			b.Fatalf("client %d was sent %q (%v), want %q", i, got, err, want)
		}
	}
	for _, p := range players {
		if got, err := p.r.ReadString('\n'); err != nil || got != "(5,[]).\n" {
			b.Fatalf("instead of the start: %q, %v", got, err)
		}
	}
	say := func(p *player, s string) bool {
		if _, err := io.WriteString(p.nc, s); err != nil {
			b.Error(err)
			return false
		}
		return true
	}
	hear := func(p *player, want string) bool {
		got, err := p.r.ReadSlice('\n')
		if err != nil || string(got) != want {
			b.Errorf("heard %q (%v), want %q", got, err, want)
			return false
		}
		return true
	}
	var wg sync.WaitGroup
	begin := time.Now()
	for i, p := range players {
		wg.Go(func() {
			p.times = make([]time.Duration, 0, len(attacks))
			defend := i%2 == 0
			for n := 0; n < len(attacks); {
				if defend {
					if !hear(p, attacks[n]) || !say(p, results[n]) {
						return
					}
					if i%2 == 1 {
						n++
					}
				} else {
					sent := time.Now()
					if !say(p, attacks[n]) || !hear(p, results[n]) {
						return
					}
					p.times = append(p.times, time.Since(sent))
					if i%2 == 0 {
						n++
					}
				}
				defend = !defend
			}
		})
	}
	wg.Wait()
	took = time.Since(begin)
	for _, p := range players {
		times = append(times, p.times...)
	}
	return times, took
}

// forwarder is the least that a relay can be: it pairs clients as they come,
// checks that each line is a command and passes it on.
func forwarder(b *testing.B) (address string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	var wg sync.WaitGroup
	b.Cleanup(func() {
		l.Close()
		wg.Wait()
	})
	pass := func(from, to net.Conn) {
		defer to.Close()
		r := bufio.NewReaderSize(from, 256)
		var out []byte
		for {
			line, err := r.ReadSlice('\n')
			if err != nil {
				return
			}
			m, err := relay.Parse(line[:len(line)-1])
			if err != nil {
				return
			}
			out = m.Append(out[:0])
			if _, err := to.Write(out); err != nil {
				return
			}
		}
	}
	wg.Go(func() {
		for {
			first, err := l.Accept()
			if err != nil {
				return
			}
			io.WriteString(first, "(3,[]).\n")
			second, err := l.Accept()
			if err != nil {
				first.Close()
				return
			}
			io.WriteString(second, "(4,[]).\n")
			io.WriteString(first, "(5,[]).\n")
			io.WriteString(second, "(5,[]).\n")
			wg.Go(func() { pass(first, second) })
			wg.Go(func() { pass(second, first) })
		}
	})
	return l.Addr().String()
}

// BenchmarkMemory measures what a client takes: heap and stacks of the whole
// process, so the client's own end is in it, for about a kilobyte.
func BenchmarkMemory(b *testing.B) {
	const clients = 1000
	for _, c := range []struct {
		name  string
		hello time.Duration
		play  bool
	}{{"waiting", time.Hour, false}, {"playing", -1, true}} {
		b.Run(c.name, func(b *testing.B) {
			var total uint64
			n := 0
			for b.Loop() {
				address, _ := serve(b, relay.Config{HelloDelay: c.hello}, lobby.Config{})
				before := inUse()
				all := make([]*client, clients)
				for i := range all {
					all[i] = dial(b, address)
					if c.play {
						all[i].hear(fmt.Sprintf("(%d,[]).\n", 3+i%2))
					} else {
						// The answer tells that it is being served.
						all[i].say("% rules classic")
						all[i].hear("% ok rules\n")
					}
				}
				if c.play {
					for i := 0; i < clients; i += 2 {
						all[i].hear("(5,[]).\n")
						all[i+1].hear("(5,[]).\n")
						// Half a game, so that everything has grown that grows.
						attacks, results := script()
						for n := range 50 {
							first, second := all[i], all[i+1]
							second.say(attacks[n][:len(attacks[n])-1])
							first.hear(attacks[n])
							first.say(results[n][:len(results[n])-1])
							second.hear(results[n])
							first.say(attacks[n][:len(attacks[n])-1])
							second.hear(attacks[n])
							second.say(results[n][:len(results[n])-1])
							first.hear(results[n])
						}
					}
				}
				total += inUse() - before
				n++
				for _, c := range all {
					c.nc.Close()
				}
			}
			b.ReportMetric(float64(total)/float64(n*clients*1024), "KiB/client")
			b.ReportMetric(0, "ns/op")
		})
	}
}

func inUse() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse + m.StackInuse
}
