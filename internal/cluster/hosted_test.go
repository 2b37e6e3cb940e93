package cluster

import (
	"log/slog"
	"strings"
	"testing"

	"broadside/internal/session"
)

// writerFunc is an io.Writer that calls a function.
type writerFunc func()

func (f writerFunc) Write(b []byte) (int, error) { f(); return len(b), nil }

// TestUpdateIsTakenOnceEncoded checks that the lobby may reuse the memory of an update only
// after the update has been encoded. The log of the oversized message shows the first moment
// after that.
func TestUpdateIsTakenOnceEncoded(t *testing.T) {
	x := &hosted{
		conn: &conn{}, local: newFakeSession(), taken: make(chan struct{}, 1),
		update: session.Update{Kind: session.WatchEnded, ID: strings.Repeat("x", MaxPayload)},
	}
	logged := false
	x.server = &server{cfg: Config{Log: slog.New(slog.NewTextHandler(writerFunc(func() {
		logged = true
		if len(x.taken) > 0 {
			t.Error("the update was taken before it was encoded")
		}
	}), nil))}}
	if _, ok := x.next(x.conn); !ok || !logged || len(x.taken) != 1 {
		t.Errorf("sent: %v, logged: %v, taken: %d times", ok, logged, len(x.taken))
	}
}
