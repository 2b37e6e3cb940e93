package e2e

import (
	"testing"

	"broadside/internal/test/sshtest"
)

// openWithCommand creates an account and opens a session that starts with a command.
func (h *testServer) openWithCommand(t testing.TB, name, line string) *sshtest.Terminal {
	t.Helper()
	key := sshtest.NewSigner(t)
	first := h.connectAs(t, name, key)
	createAccount(first)
	leave(t, first)
	return sshtest.Dial(t, h.ssh, sshtest.Options{User: name, Signer: key, Command: line})
}
