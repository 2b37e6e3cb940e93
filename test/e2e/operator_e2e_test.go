//go:build unix

package e2e

import (
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"broadside/internal/server"
	"broadside/internal/test/need"
	"broadside/internal/test/sshtest"
)

// operated opens a server and makes a player its operator while it runs.
func operated(t *testing.T, changes ...func(*server.Config)) (h *testServer, op asker) {
	t.Helper()
	data := t.TempDir()
	h = open(t, func(c *server.Config) {
		c.Data = data
		for _, change := range changes {
			change(c)
		}
	})
	op = newAsker(t, h, "op")
	if status, _, errs := op.ask("list"); status != 2 || !strings.Contains(errs, "There is no command list here.") {
		t.Fatalf("before there are operators: status %d: %s", status, errs)
	}
	public, err := os.ReadFile(op.args[slices.Index(op.args, "-i")+1] + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(data, "admin_keys"), append([]byte("# operators\n\n"), public...), 0o600); err != nil {
		t.Fatal(err)
	}
	return h, op
}

// must runs a command that must succeed, and checks that its output contains texts.
func (a asker) must(line string, texts ...string) string {
	a.t.Helper()
	status, out, errs := a.ask(line)
	if status != 0 || errs != "" {
		a.t.Fatalf("%s: status %d: %s", line, status, errs)
	}
	for _, text := range texts {
		if !strings.Contains(out, text) {
			a.t.Errorf("%s: no %q in:\n%s", line, text, out)
		}
	}
	return out
}

// newcomer is a player with a key, an account and a session.
func newcomer(t *testing.T, h *testServer, name string) (*sshtest.Terminal, gossh.Signer) {
	t.Helper()
	key := sshtest.NewSigner(t)
	p := h.with(t, name, key)
	introduce(p)
	p.WaitText(name + " (you)")
	return p, key
}

// from connects to an address from the given loopback address.
func from(t *testing.T, source, address string) net.Conn {
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
