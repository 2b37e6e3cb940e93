package e2e

import (
	"bufio"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"broadside/internal/server"
	"broadside/match"
	"broadside/relay/client"
)

// raw is a program on the line protocol.
type raw struct {
	t     testing.TB
	nc    net.Conn
	lines *bufio.Reader
	out   io.Writer
}

func (h *testServer) program(t testing.TB) *raw {
	t.Helper()
	return h.programFrom(t, "")
}

// programFrom connects a program from a loopback address; empty: any.
func (h *testServer) programFrom(t testing.TB, address string) *raw {
	t.Helper()
	var d net.Dialer
	if address != "" {
		d.LocalAddr = &net.TCPAddr{IP: net.ParseIP(address)}
	}
	nc, err := d.Dial("tcp", h.relay)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { nc.Close() })
	nc.SetDeadline(time.Now().Add(patience))
	return &raw{t, nc, bufio.NewReader(nc), nc}
}

func (r *raw) hear(want string) {
	r.t.Helper()
	got, err := r.lines.ReadString('\n')
	if got != want {
		r.t.Fatalf("heard %q (%v), want %q", got, err, want)
	}
}

func (r *raw) say(line string) {
	r.t.Helper()
	if _, err := io.WriteString(r.out, line); err != nil {
		r.t.Fatal(err)
	}
}

// heed is the option to wait until a program has sent its directives.
func heed(c *server.Config) { c.RelayHello = time.Minute }

// play plays the rest of a match with the given line ending.
func (r *raw) play(fleet match.Layout, eol string) {
	r.t.Helper()
	truth := match.NewFleet(fleet)
	next := 0
	for {
		line, err := r.lines.ReadString('\n')
		if err == io.EOF && line == "" {
			return
		}
		if err != nil {
			r.t.Errorf("reading: %v", err)
			return
		}
		m, err := client.Parse([]byte(strings.TrimSuffix(line, "\n")))
		if err != nil {
			r.t.Errorf("%q: %v", line, err)
			return
		}
		over := false
		if m.Op == client.Assault || m.Op == client.Defend {
			truth, next = match.NewFleet(fleet), 0
		}
		if m.Op == client.Attack {
			answer := truth.Shoot(m.Cell)
			over = answer == match.LastSunk
			r.say(strings.TrimSuffix(client.Message{Op: client.Result, Cell: m.Cell, Result: answer}.String(), "\n") + eol)
		}
		if m.Op == client.Assault || m.Op == client.Attack && !over {
			if m.Op == client.Assault {
				r.hear("(5,[]).\n")
			}
			r.say(client.Message{Op: client.Attack, Cell: match.At(next%10, next/10)}.String() + eol)
			next++
		}
	}
}
