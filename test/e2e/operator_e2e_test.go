//go:build unix

package e2e

import (
	"net"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"broadside/internal/test/need"
	"broadside/internal/test/sshtest"
)

// enterWithKey is a player with a key, an account and a session.
func enterWithKey(t *testing.T, h *testServer, name string) (*sshtest.Terminal, gossh.Signer) {
	t.Helper()
	key := sshtest.NewSigner(t)
	p := h.connectAs(t, name, key)
	createAccount(p)
	p.WaitText(name + " (you)")
	return p, key
}

// dialFrom connects to an address from the given loopback address.
func dialFrom(t *testing.T, source, address string) net.Conn {
	t.Helper()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(source)}}
	nc, err := d.Dial("tcp", address)
	if err != nil {
		need.Skip(t, "there is no address %s: %v", source, err)
	}
	t.Cleanup(func() { nc.Close() })
	nc.SetDeadline(time.Now().Add(patience))
	return nc
}
