//go:build unix

package e2e

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"broadside/internal/test/need"
)

// sshClient runs commands on a server with the real ssh client.
type sshClient struct {
	t    *testing.T
	ssh  string
	args []string
}

// newSSHClient returns an asker for a player with a new key.
func newSSHClient(t *testing.T, h *testServer, user string) sshClient {
	t.Helper()
	ssh, keygen := need.Tool(t, "ssh"), need.Tool(t, "ssh-keygen")
	key := filepath.Join(t.TempDir(), "key")
	if out, err := exec.Command(keygen, "-q", "-t", "ed25519", "-N", "", "-f", key).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	host, port, err := net.SplitHostPort(h.ssh)
	if err != nil {
		t.Fatal(err)
	}
	return sshClient{t, ssh, []string{
		"-F", "none", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR",
		"-o", "IdentitiesOnly=yes", "-o", "IdentityAgent=none", "-o", "BatchMode=yes", "-i", key, "-l", user, "-p", port, host,
	}}
}

// run runs a command line.
func (a sshClient) run(line string) (status int, out, errs string) {
	a.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c := exec.CommandContext(ctx, a.ssh, append(a.args, line)...)
	var o, e bytes.Buffer
	c.Stdout, c.Stderr = &o, &e
	var exit *exec.ExitError
	if err := c.Run(); errors.As(err, &exit) {
		status = exit.ExitCode()
	} else if err != nil {
		a.t.Fatalf("%s: %v", line, err)
	}
	return status, o.String(), e.String()
}

// keyFile returns the file with the key.
func (a sshClient) keyFile() string { return a.args[slices.Index(a.args, "-i")+1] }
