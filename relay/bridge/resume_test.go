package bridge_test

import (
	"context"
	"errors"
	"io"
	"net"
	"sync/atomic"
	"testing"

	"broadside/internal/store"
	"broadside/match"
	"broadside/relay/bridge"
	"broadside/relay/client"
)

// frailConn is a connection that is lost after a number of reads and writes, with the last write.
type frailConn struct {
	net.Conn
	operationsLeft atomic.Int64
}

// Read implements [io.Reader].
func (f *frailConn) Read(b []byte) (int, error) {
	if f.operationsLeft.Add(-1) < 0 {
		f.Close()
	}
	return f.Conn.Read(b)
}

// Write implements [io.Writer].
func (f *frailConn) Write(b []byte) (int, error) {
	if f.operationsLeft.Add(-1) < 0 {
		f.Close()
		return 0, errors.New("the connection is lost")
	}
	return f.Conn.Write(b)
}

// TestGamesSurviveLostConnections checks that games continue although their connections are repeatedly
// lost and the server restarts. The server has no other games, and the program notices nothing.
func TestGamesSurviveLostConnections(t *testing.T) {
	t.Parallel()
	for _, behaviour := range []string{"none", "uniform"} {
		t.Run(behaviour, func(t *testing.T) {
			t.Parallel()
			s := startRelay(t)
			_, registered, token := s.register("frail")
			var dials atomic.Int64
			r, notices, err := runBridge(t, bridge.Config{
				Dial: func(ctx context.Context) (io.ReadWriteCloser, error) {
					if n := dials.Add(1); n == 3 || n == 5 {
						s.stop(0)
						s.start()
					}
					nc, err := s.dial(ctx)
					if err != nil {
						return nil, err
					}
					f := &frailConn{Conn: nc.(net.Conn)}
					f.operationsLeft.Store(40 + dials.Load()*3)
					return f, nil
				},
				Program: programConfig(behaviour), Series: client.Directives{Token: token, Versus: "bot easy", Games: 3},
			})
			all, storeErr := s.db.Matches.ListByPlayer(t.Context(), registered.ID, store.Cursor{}, 500)
			if err != nil || storeErr != nil || r.Won+r.Lost != 3 || len(all) != 3 {
				t.Fatalf("%+v, %v, %d matches, %v; %q", r, err, len(all), storeErr, notices)
			}
			won := 0
			for _, g := range all {
				if g.Reason != match.FleetSunk {
					t.Errorf("a game ended for %v", g.Reason)
				}
				if g.Winner <= match.Second && g.Seats[g.Winner].Player == registered.ID {
					won++
				}
			}
			if won != r.Won || dials.Load() < 4 {
				t.Errorf("the server counted %d won games, and the client %d on %d connections", won, r.Won, dials.Load())
			}
		})
	}
}
