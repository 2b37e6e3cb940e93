package sshd_test

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"broadside/internal/test/need"
	"broadside/internal/test/sshtest"
	"broadside/sshd"
)

// TestOpenSSHLearnsTheNextHostKey connects with a client that knows today's key
// only, rotates, and connects again.
func TestOpenSSHLearnsTheNextHostKey(t *testing.T) {
	t.Parallel()
	ssh := need.Tool(t, "ssh")
	keys := t.TempDir()
	known := filepath.Join(t.TempDir(), "known_hosts")
	options := func(h *testServer, strict string, what ...string) []string {
		args := h.openSSH(t, "guest", what...)
		for i, a := range args {
			if strings.HasPrefix(a, "UserKnownHostsFile=") {
				args[i] = "UserKnownHostsFile=" + known
			}
			if strings.HasPrefix(a, "StrictHostKeyChecking=") {
				args[i] = "StrictHostKeyChecking=" + strict
			}
		}
		return append([]string{"-o", "UpdateHostKeys=yes", "-o", "HostKeyAlias=broadside"}, args...)
	}
	connect := func(h *testServer, strict string) (string, error) {
		out, err := command(t, ssh, options(h, strict, "host", "help")...).CombinedOutput()
		return string(out), err
	}
	in := func(c *sshd.Config) { c.HostKeys = hostKeys(t, keys, true) }
	h := serve(t, in)
	if out, err := connect(h, "accept-new"); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if _, err := sshd.PrepareHostKeys(keys); err != nil {
		t.Fatal(err)
	}
	h = serve(t, in)
	all, err := sshd.HostKeys(keys)
	if err != nil {
		t.Fatal(err)
	}
	// The client learns the keys while a session is open.
	stays := command(t, ssh, options(h, "yes", "-tt", "host")...)
	input, err := stays.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := stays.Start(); err != nil {
		t.Fatal(err)
	}
	for _, k := range all {
		for late := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
			text, err := os.ReadFile(known)
			if err == nil && strings.Contains(string(text), k.Line) {
				break
			}
			if time.Now().After(late) {
				t.Fatalf("%s has not been learned: %v\n%s", k.Where, err, text)
			}
		}
	}
	input.Close()
	_ = stays.Wait() // the status of a session whose input has ended
	if _, err := sshd.RotateHostKeys(keys); err != nil {
		t.Fatal(err)
	}
	h = serve(t, in)
	if out, err := connect(h, "yes"); err != nil {
		t.Errorf("after the change: %v: %s", err, out)
	}
}

// TestProofOfHostKeys requests proofs that must be refused.
func TestProofOfHostKeys(t *testing.T) {
	t.Parallel()
	h := serve(t, nil)
	c, err := gossh.Dial("tcp", h.address, &gossh.ClientConfig{User: "guest", HostKeyCallback: gossh.InsecureIgnoreHostKey()})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	foreign := gossh.Marshal(struct{ Key []byte }{sshtest.NewSigner(t).PublicKey().Marshal()})
	junk := make([]byte, 100)
	rand.Read(junk)
	for _, payload := range [][]byte{foreign, junk, {0, 0, 0, 9, 1}} {
		if ok, _, err := c.SendRequest("hostkeys-prove-00@openssh.com", true, payload); ok || err != nil {
			t.Errorf("%q: %v, %v", payload, ok, err)
		}
	}
	if _, _, err := c.SendRequest("keepalive@openssh.com", true, nil); err != nil {
		t.Errorf("the connection is gone: %v", err)
	}
}
