//go:build unix

package e2e

import (
	"bufio"
	"io"
	"net"
	"testing"
	"time"

	"broadside/internal/server"
	"broadside/internal/test/sshtest"
)

// TestProxyProtocol checks that clients of both listeners have the addresses that a trusted
// load balancer sends.
func TestProxyProtocol(t *testing.T) {
	t.Parallel()
	log := sshtest.NewOutput()
	h := openLogging(t, func(c *server.Config) { c.Proxies, c.LogLevel, c.RelayHello = "127.0.0.1", "info", time.Minute }, log)
	program := h.connectProgram(t)
	program.send("PROXY TCP4 203.0.113.9 192.0.2.2 4711 22\r\n% vs bot easy\n")
	program.expect("% ok vs bot easy\n")
	program.nc.Close()
	log.WaitText(t, "203.0.113.9:4711")
	nc, err := net.Dial("tcp", h.ssh)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	if _, err := io.WriteString(nc, "PROXY TCP4 203.0.113.9 192.0.2.2 4712 22\r\n"); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(nc).ReadString('\n'); err != nil || line != "SSH-2.0-Broadside\r\n" {
		t.Errorf("SSH says %q, %v", line, err)
	}
	log.WaitText(t, "203.0.113.9:4712")
}
