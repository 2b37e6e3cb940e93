package e2e

import (
	"testing"

	"broadside/internal/test/sshtest"
)

// command creates an account and opens a session that begins with a command.
func (h *testServer) command(t testing.TB, name, line string) *sshtest.Terminal {
	t.Helper()
	key := sshtest.NewSigner(t)
	first := h.with(t, name, key)
	introduce(first)
	leave(t, first)
	return sshtest.Dial(t, h.ssh, sshtest.Options{User: name, Signer: key, Command: line})
}
