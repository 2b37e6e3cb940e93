package relay_test

import (
	"net"
	"runtime"
	"slices"
	"testing"
	"time"

	"broadside/lobby"
	"broadside/relay"
)

// BenchmarkSmallPackets plays games between two programs that write a result and their
// next attack separately and leave Nagle's algorithm on, as plain Java, Python and Prolog
// do: about 200 turns.
func BenchmarkSmallPackets(b *testing.B) {
	address, _ := serve(b, relay.Config{HelloDelay: -1}, lobby.Config{})
	for b.Loop() {
		playSmallPackets(b, address)
	}
}

// TestSmallPackets requires that most turns of such a game are much faster than with delayed
// acknowledgements, each of which would take 40 ms.
func TestSmallPackets(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux acknowledges at once")
	}
	address, _ := serve(t, relay.Config{HelloDelay: -1}, lobby.Config{})
	times := playSmallPackets(t, address)
	slices.Sort(times)
	if median := times[len(times)/2]; median > 20*time.Millisecond {
		t.Errorf("half of %d turns took more than %v", len(times), median)
	}
}

// playSmallPackets plays a game and returns how long each turn took.
func playSmallPackets(t testing.TB, address string) []time.Duration {
	t.Helper()
	players := seat(t, address, 1)
	defer rise(players)
	for _, p := range players {
		p.nc.(*net.TCPConn).SetNoDelay(false)
	}
	times, _ := play(players)
	return times
}
