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
	"broadside/relay"
)

// script is what the clients of a benchmark say, both sides the same: every
// cell of the board but one of a ship's, so that no game ends by itself, in no
// order that would help the audit, and the true answers.
func script() (attacks, results []string) {
	truth := match.NewFleet(fleet)
	cells := slices.Collect(match.Classic().Board().All())
	rng := rand.New(rand.NewPCG(1, 1))
	rng.Shuffle(len(cells), func(i, k int) { cells[i], cells[k] = cells[k], cells[i] })
	for _, cell := range cells {
		if cell == fleet[0].Stern {
			continue
		}
		attacks = append(attacks, relay.Message{Op: relay.Attack, Cell: cell}.String()+"\n")
		results = append(results, relay.Message{Op: relay.Result, Cell: cell, Result: truth.Shoot(cell)}.String()+"\n")
	}
	return attacks, results
}

// enough is the number of exchanges that a round has at least, so that its
// 99th percentile says something.
const enough = 4000

// plenty is the number that a round ends with, as soon as each pair has made a
// few: more pairs play less of the script, else a round of 2,000 takes minutes.
const plenty = 60_000

// BenchmarkExchange measures the round trip of an attack and its result
// through the relay, referee, audit and all, and through a forwarder that only
// checks the grammar, turn about. Both are processes of their own. An operation
// is a round of each; the figures are medians over the rounds, the ratios
// medians of each round's. Give it rounds: -benchtime=11x. On a busy machine
// believe the processor time of the servers first.
func BenchmarkExchange(b *testing.B) {
	for _, pairs := range []int{1, 100, 1000, 2000} {
		b.Run(fmt.Sprintf("pairs=%d", pairs), func(b *testing.B) {
			servers := []*child{startChild(b, "forwarder"), startChild(b, "relay")}
			names := []string{"bare", "relay"}
			exchanges := 0
			figures := map[string][]float64{}
			note := func(name string, v float64) { figures[name] = append(figures[name], v) }
			for b.Loop() {
				var p50, p99 [2]float64
				for i, server := range servers {
					var times []time.Duration
					var took time.Duration
					for len(times) < enough {
						t, d := exchange(b, server.address, pairs)
						times, took = append(times, t...), took+d
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
			for i, server := range servers {
				b.ReportMetric(float64(server.end().Microseconds())/float64(exchanges/2), names[i]+"-cpu-µs/exchange")
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

// seat connects pairs of clients and brings them to the start of their
// matches: first, second, first, second.
func seat(b testing.TB, address string, pairs int) []*player {
	b.Helper()
	players := make([]*player, 2*pairs)
	for i := range players {
		nc, err := net.Dial("tcp", address)
		if err != nil {
			b.Fatal(err)
		}
		nc.SetDeadline(time.Now().Add(2 * time.Minute))
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

// rise closes the clients' connections and waits until the server has closed
// them too, so that it has nothing left to do.
func rise(players []*player) {
	for _, p := range players {
		p.nc.(*net.TCPConn).CloseWrite()
	}
	for _, p := range players {
		io.Copy(io.Discard, p.r)
		p.nc.Close()
	}
}

// exchange lets pairs of clients play the script at once, and returns the
// times of all round trips, and how long it took in all.
func exchange(b testing.TB, address string, pairs int) (times []time.Duration, took time.Duration) {
	b.Helper()
	players := seat(b, address, pairs)
	defer rise(players)
	return play(players)
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

// forward returns the least that a relay can be: it pairs clients as they come,
// checks that each line is a command and passes it on.
func forward(l net.Listener) {
	pass := func(from, to net.Conn) {
		defer to.Close()
		r := bufio.NewReaderSize(from, 256)
		for {
			line, err := r.ReadSlice('\n')
			if err != nil {
				return
			}
			if _, err := relay.Parse(line[:len(line)-1]); err != nil {
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

// BenchmarkMemory measures what a client takes of a server in a process of its
// own: of its heap and stacks after a collection, and of its memory as the
// system counts it, garbage and all. The playing are in the middle of a game.
// The waiting wait in the hello delay, where, other than for an opponent, any
// number can.
func BenchmarkMemory(b *testing.B) {
	const clients = 1000
	for _, kind := range []string{"waiting", "playing"} {
		b.Run(kind, func(b *testing.B) {
			var resident, inUse int
			for b.Loop() {
				server := startChild(b, map[string]string{"waiting": "patient relay", "playing": "relay"}[kind])
				heap, pss := server.inUse(), server.resident()
				var players []*player
				if kind == "playing" {
					players = seat(b, server.address, clients/2)
					halfGame(b, players)
				} else {
					players = wait(b, server.address, clients)
				}
				resident += server.resident() - pss
				inUse += server.inUse() - heap
				for _, p := range players {
					p.nc.Close()
				}
			}
			b.ReportMetric(float64(resident)/float64(b.N*clients*1024), "PSS-KiB/client")
			b.ReportMetric(float64(inUse)/float64(b.N*clients*1024), "in-use-KiB/client")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// halfGame plays half a game of each pair, so that everything has grown that
// grows.
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

// wait connects clients that have said what they want to play, and are not let
// in yet.
func wait(b *testing.B, address string, clients int) (players []*player) {
	b.Helper()
	for range clients {
		nc, err := net.Dial("tcp", address)
		if err != nil {
			b.Fatal(err)
		}
		nc.SetDeadline(time.Now().Add(2 * time.Minute))
		p := &player{b: b, nc: nc, r: bufio.NewReaderSize(nc, 256)}
		if !p.say("% rules classic\n") || !p.hear("% ok rules\n") {
			b.FailNow()
		}
		players = append(players, p)
	}
	return players
}
