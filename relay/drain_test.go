package relay_test

import (
	"context"
	"io"
	"testing"

	"broadside/lobby"
	"broadside/match"
	"broadside/relay"
)

// TestDrainWaitsForGames checks that a draining server disconnects waiting clients immediately, and
// waits for clients in a game.
func TestDrainWaitsForGames(t *testing.T) {
	book, _ := openStoreWithPrograms(t)
	s, address, _ := startServer(t, relay.Config{HelloDelay: -1}, lobby.Config{Store: book})
	first := dial(t, address)
	first.expect("(3,[]).\n")
	second := dial(t, address)
	second.expect("(4,[]).\n(5,[]).\n")
	first.expect("(5,[]).\n")
	idle := dial(t, address)
	idle.expect("(3,[]).\n")

	drained := make(chan struct{})
	go func() {
		s.Drain(t.Context())
		close(drained)
	}()
	if _, err := io.ReadAll(idle.nc); err != nil {
		t.Errorf("a waiting client: %v", err)
	}
	select {
	case <-drained:
		t.Error("the server did not wait for the game")
	default:
	}
	// The first client loses the game by disconnecting.
	first.nc.Close()
	io.ReadAll(second.nc)
	<-drained
	if m := newestMatch(t, book); m.Winner != match.Second || m.Reason != match.Hangup {
		t.Errorf("the game is won by %v: %v", m.Winner, m.Reason)
	}

	// The server does not wait for games that last too long.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s.Drain(ctx)
}
