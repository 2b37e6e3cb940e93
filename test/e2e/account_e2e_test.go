package e2e

import (
	"testing"

	gossh "golang.org/x/crypto/ssh"

	"broadside/internal/test/sshtest"
)

// connectAs opens a session for a key's owner.
func (h *testServer) connectAs(t testing.TB, user string, key gossh.Signer) *sshtest.Terminal {
	t.Helper()
	return sshtest.Dial(t, h.ssh, sshtest.Options{User: user, Signer: key})
}

// leave ends a session from the lobby.
func leave(t testing.TB, p *sshtest.Terminal) {
	t.Helper()
	p.WaitText("Play now")
	p.Press("q")
	if status := p.Wait(); status != 0 {
		t.Errorf("exit status %d", status)
	}
}
