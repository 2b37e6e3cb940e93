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

// TestSmallPackets checks that some turns of such a game are faster than they are with
// delayed acknowledgements, which would make all but the first few turns take 40 ms. On a
// busy machine, other turns are slow for other reasons, in some games most of them.
func TestSmallPackets(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux acknowledges at once")
	}
	address, _ := serve(t, relay.Config{HelloDelay: -1}, lobby.Config{})
	for range 10 {
		times := playSmallPackets(t, address)
		slices.Sort(times)
		tenth := times[len(times)/10]
		if tenth < 20*time.Millisecond {
			return
		}
		t.Logf("nine tenths of %d turns took at least %v", len(times), tenth)
	}
	t.Error("turns wait for acknowledgements")
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
