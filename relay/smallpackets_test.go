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

// TestSmallPacketsAreAcknowledged checks that at least a tenth of the turns of a client that sends small
// packets is fast. With delayed acknowledgements, all but the first few would take 40 ms. On a busy
// computer, most turns of some games are slow for other reasons.
func TestSmallPacketsAreAcknowledged(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux acknowledges immediately")
	}
	address, _ := startRelay(t, relay.Config{HelloDelay: -1}, lobby.Config{})
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
	players := startMatches(t, address, 1)
	defer endMatches(players)
	for _, p := range players {
		p.nc.(*net.TCPConn).SetNoDelay(false)
	}
	times, _ := playScript(players)
	return times
}
