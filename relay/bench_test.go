package relay_test

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"slices"
	"sync"
	"testing"
	"time"

	"broadside/match"
	"broadside/relay/client"
)

// benchmarkScript returns the lines of both clients of a benchmark. They attack every cell of the board
// except one of a ship, so that no game ends by itself, in an order that does not help the audit, and
// answer truthfully.
func benchmarkScript() (attacks, results []string) {
	truth := match.NewFleet(fleet)
	cells := slices.Collect(match.Classic().Cells().All())
	rng := rand.New(rand.NewPCG(1, 1))
	rng.Shuffle(len(cells), func(i, k int) { cells[i], cells[k] = cells[k], cells[i] })
	for _, cell := range cells {
		if cell == fleet[0].Stern {
			continue
		}
		attacks = append(attacks, client.Message{Op: client.Attack, Cell: cell}.String()+"\n")
		results = append(results, client.Message{Op: client.Result, Cell: cell, Result: truth.Fire(cell)}.String()+"\n")
	}
	return attacks, results
}

// A round has at least minExchanges exchanges, so that its 99th percentile is meaningful. It ends after
// maxExchanges, once each pair has made a few, because a round of 2,000 pairs would take minutes.
const (
	minExchanges = 4000
	maxExchanges = 60_000
)

// BenchmarkExchange measures the round trip of an attack and its result through the relay,
// with referee and audit, and through a forwarder that only checks the grammar, in turns.
// Each is a separate process. An operation is one round of each. The figures are medians
// over the rounds, the ratios medians of each round's ratio. Run several rounds with
// -benchtime=11x. On a busy computer, rely on the servers' CPU times.
func BenchmarkExchange(b *testing.B) {
	for _, pairs := range []int{1, 100, 1000, 2000} {
		b.Run(fmt.Sprintf("pairs=%d", pairs), func(b *testing.B) {
			servers := []*child{startChild(b, "forwarder"), startChild(b, "relay")}
			names := []string{"bare", "relay"}
			exchanges := 0
			var cpu [2]time.Duration
			figures := map[string][]float64{}
			note := func(name string, v float64) { figures[name] = append(figures[name], v) }
			for b.Loop() {
				var p50, p99 [2]float64
				for i, server := range servers {
					var times []time.Duration
					var took time.Duration
					for len(times) < minExchanges {
						t, d, used := measureExchanges(b, server, pairs)
						times, took, cpu[i] = append(times, t...), took+d, cpu[i]+used
					}
					exchanges += len(times)
					slices.Sort(times)
					p50[i] = float64(times[len(times)/2].Nanoseconds()) / 1e3
					p99[i] = float64(times[len(times)*99/100].Nanoseconds()) / 1e3
					note(names[i]+"-p50-µs", p50[i])
					note(names[i]+"-p99-µs", p99[i])
					note(names[i]+"-exchanges/s", float64(len(times))/took.Seconds())
				}
				note("p50-ratio", p50[1]/p50[0])
				note("p99-ratio", p99[1]/p99[0])
			}
			for name, values := range figures {
				slices.Sort(values)
				b.ReportMetric(values[len(values)/2], name)
			}
			for i, used := range cpu {
				b.ReportMetric(float64(used.Microseconds())/float64(exchanges/2), names[i]+"-cpu-µs/exchange")
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

type benchmarkClient struct {
	b  testing.TB
	nc net.Conn
	r  *bufio.Reader
}

func (p *benchmarkClient) send(line string) bool {
	if _, err := io.WriteString(p.nc, line); err != nil {
		p.b.Error(err)
		return false
	}
	return true
}

func (p *benchmarkClient) expect(want string) bool {
	got, err := p.r.ReadSlice('\n')
	if err != nil || string(got) != want {
		p.b.Errorf("received %q (%v), want %q", got, err, want)
		return false
	}
	return true
}

// startMatches connects pairs of clients and starts their matches. The clients that defend and attack
// first alternate in the result.
func startMatches(b testing.TB, address string, pairs int) []*benchmarkClient {
	b.Helper()
	players := make([]*benchmarkClient, 2*pairs)
	for i := range players {
		nc, err := net.Dial("tcp", address)
		if err != nil {
			b.Fatal(err)
		}
		nc.SetDeadline(time.Now().Add(patience))
		players[i] = &benchmarkClient{b: b, nc: nc, r: bufio.NewReaderSize(nc, 256)}
		if !players[i].expect(fmt.Sprintf("(%d,[]).\n", 3+i%2)) {
			b.FailNow()
		}
	}
	for _, p := range players {
		if !p.expect("(5,[]).\n") {
			b.FailNow()
		}
	}
	return players
}

// endMatches closes the clients' connections and waits until the server has closed them, too.
func endMatches(players []*benchmarkClient) {
	for _, p := range players {
		p.nc.(*net.TCPConn).CloseWrite()
	}
	for _, p := range players {
		io.Copy(io.Discard, p.r)
		p.nc.Close()
	}
}

// measureExchanges lets pairs of clients play the script at the same time. It returns the times of
// all round trips, the total time, and the server's CPU time, all without connecting.
func measureExchanges(b testing.TB, server *child, pairs int) (times []time.Duration, took, cpu time.Duration) {
	b.Helper()
	players := startMatches(b, server.address, pairs)
	defer endMatches(players)
	before := server.measureCost().Time
	times, took = playScript(players)
	return times, took, server.measureCost().Time - before
}

// playScript lets pairs of clients play the script.
func playScript(players []*benchmarkClient) (times []time.Duration, took time.Duration) {
	attacks, results := benchmarkScript()
	attacks = attacks[:min(len(attacks), max(10, maxExchanges/len(players)))]
	var wg sync.WaitGroup
	all := make([][]time.Duration, len(players))
	begin := time.Now()
	for i, p := range players {
		wg.Go(func() {
			mine := make([]time.Duration, 0, len(attacks))
			defend := i%2 == 0
			for n := 0; n < len(attacks); {
				if defend {
					if !p.expect(attacks[n]) || !p.send(results[n]) {
						return
					}
					if i%2 == 1 {
						n++
					}
				} else {
					sent := time.Now()
					if !p.send(attacks[n]) || !p.expect(results[n]) {
						return
					}
					mine = append(mine, time.Since(sent))
					if i%2 == 0 {
						n++
					}
				}
				defend = !defend
			}
			all[i] = mine
		})
	}
	wg.Wait()
	took = time.Since(begin)
	return slices.Concat(all...), took
}

// serveForwarder is a minimal relay: it pairs clients in order, checks that each line is a command
// and forwards it.
func serveForwarder(l net.Listener) {
	pass := func(from, to net.Conn) {
		defer to.Close()
		r := bufio.NewReaderSize(from, 256)
		for {
			line, err := r.ReadSlice('\n')
			if err != nil {
				return
			}
			if _, err := client.Parse(line[:len(line)-1]); err != nil {
				return
			}
			if _, err := to.Write(line); err != nil {
				return
			}
		}
	}
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
		go pass(first, second)
		go pass(second, first)
	}
}

// BenchmarkMemory measures how much memory a client takes up in a server during a game: heap and stacks
// after a collection, and the memory that the system counts, including garbage. The server is a separate
// process.
func BenchmarkMemory(b *testing.B) {
	const clients = 1000
	var resident, inUse int
	for b.Loop() {
		server := startChild(b, "relay")
		heap, pss := server.memoryInUse(), server.measureCost().Memory
		players := startMatches(b, server.address, clients/2)
		playHalfGame(b, players)
		resident += int(server.measureCost().Memory - pss)
		inUse += server.memoryInUse() - heap
		for _, p := range players {
			p.nc.Close()
		}
	}
	b.ReportMetric(float64(resident)/float64(b.N*clients*1024), "PSS-KiB/client")
	b.ReportMetric(float64(inUse)/float64(b.N*clients*1024), "in-use-KiB/client")
	b.ReportMetric(0, "ns/op")
}

// playHalfGame plays half a game with each pair, so that all buffers have grown.
func playHalfGame(b *testing.B, players []*benchmarkClient) {
	b.Helper()
	attacks, results := benchmarkScript()
	for n := range len(attacks) / 2 {
		for i := 0; i < len(players); i += 2 {
			first, second := players[i], players[i+1]
			ok := second.send(attacks[n]) && first.expect(attacks[n]) && first.send(results[n]) && second.expect(results[n]) &&
				first.send(attacks[n]) && second.expect(attacks[n]) && second.send(results[n]) && first.expect(results[n])
			if !ok {
				b.FailNow()
			}
		}
	}
}
