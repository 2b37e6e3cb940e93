package relay_test

import (
	"bytes"
	"context"
	"net"
	"os/exec"
	"strings"
	"testing"
	"time"

	"broadside/internal/test/need"
	"broadside/lobby"
	"broadside/match"
	"broadside/relay"
	"broadside/relay/client"
)

// startPrologClient starts the client in testdata against a relay. The returned function waits until it ends
// and returns its last line of output.
func startPrologClient(t *testing.T, address, order string) (outcome func() string) {
	t.Helper()
	program := need.Tool(t, "swipl")
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	cmd := exec.CommandContext(ctx, program, "testdata/client.pl", host, port, order)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	waited := false
	t.Cleanup(func() {
		cancel()
		if !waited {
			<-ended
		}
	})
	return func() string {
		t.Helper()
		waited = true
		if err := <-ended; err != nil {
			t.Fatalf("the Prolog client failed: %v\n%s", err, out.String())
		}
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		return lines[len(lines)-1]
	}
}

// TestProlog plays whole games with a client in real Prolog that reads terms from the
// socket with read/1, against the Go client and itself.
func TestProlog(t *testing.T) {
	t.Parallel()
	address, l := startRelay(t, relay.Config{HelloDelay: time.Millisecond}, lobby.Config{})
	t.Run("defending first, against a client that sinks it", func(t *testing.T) {
		outcome := startPrologClient(t, address, "backwards")
		awaitWaiting(t, l, 1)
		out, err := client.Play(t.Context(), address, match.Classic(), sweeper{})
		if err != nil {
			t.Fatal(err)
		}
		// Row 8 ends at cell 82 of one hundred. Backwards from the end, the fleet's last cell is the very first
		// one.
		if want := (client.Outcome{Won: true, Shots: 82}); out != want {
			t.Errorf("Play = %+v, want %+v", out, want)
		}
		if got := outcome(); got != "lost" {
			t.Errorf("the Prolog client printed %q", got)
		}
	})
	t.Run("attacking first, and winning", func(t *testing.T) {
		type ending struct {
			out client.Outcome
			err error
		}
		ended := make(chan ending, 1)
		ctx := t.Context()
		go func() {
			out, err := client.Play(ctx, address, match.Classic(), sweeper{})
			ended <- ending{out, err}
		}()
		awaitWaiting(t, l, 1)
		if got := startPrologClient(t, address, "forwards")(); got != "won" {
			t.Errorf("the Prolog client printed %q", got)
		}
		e := <-ended
		if want := (client.Outcome{First: true, Shots: 81}); e.err != nil || e.out != want {
			t.Errorf("Play = %+v, %v, want %+v", e.out, e.err, want)
		}
	})
	t.Run("against itself", func(t *testing.T) {
		first := startPrologClient(t, address, "backwards")
		awaitWaiting(t, l, 1)
		second := startPrologClient(t, address, "forwards")
		if a, b := first(), second(); a != "lost" || b != "won" {
			t.Errorf("the Prolog clients printed %q and %q, want lost and won", a, b)
		}
	})
}

// sweeper is a player that fires at all cells in order.
type sweeper struct{}

func (sweeper) Place() match.Layout { return fleet }

func (sweeper) Fire(chart *match.Chart) match.Cell {
	n := chart.Fired
	return match.NewCell(n%10, n/10)
}
