package relay_test

import (
	"net"
	"runtime"
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

// TestSmallPackets requires that such a game is much faster than with delayed
// acknowledgements, each of which would take 40 ms.
func TestSmallPackets(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux acknowledges at once")
	}
	address, _ := serve(t, relay.Config{HelloDelay: -1}, lobby.Config{})
	turns, took := playSmallPackets(t, address)
	if limit := time.Duration(turns) * 20 * time.Millisecond; took > limit {
		t.Errorf("%d turns took %v, more than %v", turns, took, limit)
	}
}

func playSmallPackets(t testing.TB, address string) (turns int, took time.Duration) {
	t.Helper()
	players := seat(t, address, 1)
	defer rise(players)
	for _, p := range players {
		p.nc.(*net.TCPConn).SetNoDelay(false)
	}
	times, took := play(players)
	return len(times), took
}
