package client_test

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"

	"broadside/match"
	"broadside/relay/client"
)

func TestPlayReportsErrors(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, c := range []struct {
		name, sends, want string
	}{
		{"closed", "(4,[]).\r(5,[]).\r", "closed the connection"},
		{"malformed", "hello\n", "not a command"},
		{"out of order", "(5,[]).\n", "cannot come now"},
		{"a result for nothing", "(3,[]).\r\n(5,[]).\r\n(2,[1,1,1]).\r\n", "cannot come now"},
		{"off the board", "(3,[]).\n(5,[]).\n(1,[11,1]).\n", "off the board"},
	} {
		t.Run(c.name, func(t *testing.T) {
			done := make(chan struct{})
			go func() {
				defer close(done)
				nc, err := l.Accept()
				if err != nil {
					return
				}
				io.WriteString(nc, c.sends)
				if tcp, ok := nc.(*net.TCPConn); ok {
					tcp.CloseWrite()
				}
				io.Copy(io.Discard, nc)
				nc.Close()
			}()
			_, err := client.Play(t.Context(), l.Addr().String(), match.Classic(), &sweepingPlayer{layout: layoutInRows()})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("Play = %v, want an error about %q", err, c.want)
			}
			<-done
		})
	}
	if _, err := client.Play(t.Context(), "127.0.0.1:1", match.Classic(), &sweepingPlayer{layout: layoutInRows()}); err == nil {
		t.Error("Play without a relay succeeded")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := client.Play(ctx, l.Addr().String(), match.Classic(), &sweepingPlayer{layout: layoutInRows()}); !errors.Is(err, context.Canceled) {
		t.Errorf("Play with a cancelled context = %v", err)
	}
}

// TestContinuedMatchRepeatsNothing checks that a new player continues a correspondence match, although it
// would have fired elsewhere.
func TestContinuedMatchRepeatsNothing(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	received := make(chan []string, 1)
	go func() {
		var got []string
		defer func() { received <- got }()
		nc, err := l.Accept()
		if err != nil {
			return
		}
		defer nc.Close()
		io.WriteString(nc, "(4,[]).\n% seat 9xrjwr659683 3\n(5,[]).\n(2,[9,9,1]).\n(1,[9,5]).\n(2,[9,7,1]).\n(1,[9,8]).\n")
		for lines := client.NewLines(nc); len(got) < 2; {
			line, err := lines.Next()
			if err != nil {
				return
			}
			if line[0] != '%' {
				got = append(got, string(line))
			}
		}
	}()
	newPlayer := func() (client.Player, error) { return &sweepingPlayer{layout: layoutInRows()}, nil }
	client.PlaySeries(t.Context(), l.Addr().String(), match.Classic(), client.Directives{Pace: "1d"}, newPlayer, func(client.Outcome) {})
	if got := <-received; len(got) != 2 || got[0] != "(2,[9,8,1])." || !strings.HasPrefix(got[1], "(1,") {
		t.Errorf("got %q, want the result and a shot", got)
	}
}
