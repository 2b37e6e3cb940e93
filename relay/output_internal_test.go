package relay

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestTryWrite writes to a client that does not read until the system takes no more, and then to one that
// does. All lines must arrive in order.
func TestTryWrite(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	client, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	server, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	var lines atomic.Uint64
	o := output{wire: newTCPWire(server, time.Minute), lines: &lines, faults: new(faults)}
	sent := 0
	line := func() []byte { return fmt.Appendf(nil, "%d%s\n", sent, strings.Repeat(".", sent%3000)) }
	for o.tryWrite(line()) {
		if sent++; sent > 1_000_000 {
			t.Fatal("the system takes everything")
		}
	}
	if sent == 0 {
		t.Skip("this system cannot write without waiting")
	}
	received, read := 0, make(chan error, 1)
	go func() {
		r := bufio.NewScanner(client)
		for ; r.Scan(); received++ {
			if want := fmt.Sprint(received, strings.Repeat(".", received%3000)); r.Text() != want {
				read <- fmt.Errorf("line %d is %.20q", received, r.Text())
				return
			}
		}
		read <- r.Err()
	}()
	tried := 0
	for range 3000 {
		if o.tryWrite(line()) {
			tried++
		} else {
			o.write(line())
		}
		sent++
	}
	o.rest.Wait()
	o.wire.Close()
	if err := <-read; err != nil {
		t.Error(err)
	}
	if received != sent || int(lines.Load()) != sent || o.faults.first() != nil {
		t.Errorf("%d of %d lines were received and %d counted; fault %v", received, sent, lines.Load(), o.faults.first())
	}
	t.Logf("%d lines filled the buffers; %d of 3000 were then sent without waiting", sent-3000, tried)
}
