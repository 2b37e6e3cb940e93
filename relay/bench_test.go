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

// script is the moves of both clients of a benchmark: every cell of the board except one of
// a ship, so that no game ends by itself, in an order that does not help the audit, and the
// true answers.
func script() (attacks, results []string) {
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

// enough is the minimum number of exchanges of a round, so that its 99th percentile is
// meaningful.
const enough = 4000

// plenty is the number of exchanges after which a round ends, once each pair has made a
// few. Otherwise a round of 2,000 pairs takes minutes.
const plenty = 60_000

// BenchmarkExchange measures the round trip of an attack and its result through the relay,
// with referee and audit, and through a forwarder that only checks the grammar, in turns.
// Each is a separate process. An operation is one round of each. The figures are medians
// over the rounds, the ratios medians of each round's ratio. Run several rounds with
// -benchtime=11x. On a busy machine, rely on the CPU times of the servers.
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
					for len(times) < enough {
						t, d, used := exchange(b, server, pairs)
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

// player is a client of a benchmark.
type player struct {
	b  testing.TB
	nc net.Conn
	r  *bufio.Reader
}

func (p *player) say(line string) bool {
	if _, err := io.WriteString(p.nc, line); err != nil {
		p.b.Error(err)
		return false
	}
	return true
}

func (p *player) hear(want string) bool {
	got, err := p.r.ReadSlice('\n')
	if err != nil || string(got) != want {
		p.b.Errorf("heard %q (%v), want %q", got, err, want)
		return false
	}
	return true
}

// seat connects pairs of clients and starts their matches: first, second, first, second.
func seat(b testing.TB, address string, pairs int) []*player {
	b.Helper()
	players := make([]*player, 2*pairs)
	for i := range players {
		nc, err := net.Dial("tcp", address)
		if err != nil {
			b.Fatal(err)
		}
		nc.SetDeadline(time.Now().Add(patience))
		players[i] = &player{b: b, nc: nc, r: bufio.NewReaderSize(nc, 256)}
		if !players[i].hear(fmt.Sprintf("(%d,[]).\n", 3+i%2)) {
			b.FailNow()
		}
	}
	for _, p := range players {
		if !p.hear("(5,[]).\n") {
			b.FailNow()
		}
	}
	return players
}

// rise closes the clients' connections and waits until the server has closed them, too.
func rise(players []*player) {
	for _, p := range players {
		p.nc.(*net.TCPConn).CloseWrite()
	}
	for _, p := range players {
		io.Copy(io.Discard, p.r)
		p.nc.Close()
	}
}

// exchange lets pairs of clients play the script at the same time. It returns the times of
// all round trips, the total time, and the server's CPU time, excluding connecting.
func exchange(b testing.TB, server *child, pairs int) (times []time.Duration, took, cpu time.Duration) {
	b.Helper()
	players := seat(b, server.address, pairs)
	defer rise(players)
	before := server.cost().Time
	times, took = play(players)
	return times, took, server.cost().Time - before
}

// play lets pairs of clients play the script.
func play(players []*player) (times []time.Duration, took time.Duration) {
	attacks, results := script()
	attacks = attacks[:min(len(attacks), max(10, plenty/len(players)))]
	var wg sync.WaitGroup
	all := make([][]time.Duration, len(players))
	begin := time.Now()
	for i, p := range players {
		wg.Go(func() {
			mine := make([]time.Duration, 0, len(attacks))
			defend := i%2 == 0
			for n := 0; n < len(attacks); {
				if defend {
					if !p.hear(attacks[n]) || !p.say(results[n]) {
						return
					}
					if i%2 == 1 {
						n++
					}
				} else {
					sent := time.Now()
					if !p.say(attacks[n]) || !p.hear(results[n]) {
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

// forward is a minimal relay: it pairs clients in order, checks that each line is a command
// and forwards it.
func forward(l net.Listener) {
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

// BenchmarkMemory measures the memory of a client in the middle of a game, in a server that is a separate
// process: heap and stacks after a collection, and the memory that the system counts, including garbage.
func BenchmarkMemory(b *testing.B) {
	const clients = 1000
	var resident, inUse int
	for b.Loop() {
		server := startChild(b, "relay")
		heap, pss := server.inUse(), server.cost().Memory
		players := seat(b, server.address, clients/2)
		halfGame(b, players)
		resident += int(server.cost().Memory - pss)
		inUse += server.inUse() - heap
		for _, p := range players {
			p.nc.Close()
		}
	}
	b.ReportMetric(float64(resident)/float64(b.N*clients*1024), "PSS-KiB/client")
	b.ReportMetric(float64(inUse)/float64(b.N*clients*1024), "in-use-KiB/client")
	b.ReportMetric(0, "ns/op")
}

// halfGame plays half a game with each pair, so that all buffers have grown.
func halfGame(b *testing.B, players []*player) {
	b.Helper()
	attacks, results := script()
	for n := range len(attacks) / 2 {
		for i := 0; i < len(players); i += 2 {
			first, second := players[i], players[i+1]
			ok := second.say(attacks[n]) && first.hear(attacks[n]) && first.say(results[n]) && second.hear(results[n]) &&
				first.say(attacks[n]) && second.hear(attacks[n]) && second.say(results[n]) && first.hear(results[n])
			if !ok {
				b.FailNow()
			}
		}
	}
}
