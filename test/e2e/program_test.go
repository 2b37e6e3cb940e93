package e2e

import (
	"bufio"
	"io"
	"net"
	"testing"
	"time"

	"broadside/internal/server"
)

// program is a program on the line protocol.
type program struct {
	t     testing.TB
	nc    net.Conn
	lines *bufio.Reader
	out   io.Writer
}

func (h *testServer) connectProgram(t testing.TB) *program {
	t.Helper()
	return h.connectProgramFrom(t, "")
}

// connectProgramFrom connects a program from a loopback address; empty: any.
func (h *testServer) connectProgramFrom(t testing.TB, address string) *program {
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
	return &program{t, nc, bufio.NewReader(nc), nc}
}

func (r *program) expect(want string) {
	r.t.Helper()
	got, err := r.lines.ReadString('\n')
	if got != want {
		r.t.Fatalf("received %q (%v), want %q", got, err, want)
	}
}

func (r *program) send(line string) {
	r.t.Helper()
	if _, err := io.WriteString(r.out, line); err != nil {
		r.t.Fatal(err)
	}
}

// heed is the option to wait until a program has sent its directives.
func heed(c *server.Config) { c.RelayHello = time.Minute }
