//go:build slow && unix

package e2e

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gossh "golang.org/x/crypto/ssh"

	"broadside/internal/store"
	"broadside/internal/test/need"
)

// TestHAProxy checks that HAProxy with the example configuration connects clients to the active node, also after that
// node was killed.
func TestHAProxy(t *testing.T) {
	t.Parallel()
	haproxy := need.Tool(t, "haproxy")
	text, err := os.ReadFile("deploy/haproxy.cfg")
	if err != nil {
		t.Fatal(err)
	}
	f := startService(t, nodesConfig{Count: 2, Args: []string{"--proxy-protocol", "127.0.0.1"}})
	ssh, relay := freeAddress(t), freeAddress(t)
	changes := []string{"bind :22\n", "bind " + ssh + "\n", "bind :54321\n", "bind " + relay + "\n", "check port 9464", "check"}
	for i, n := range f.Nodes {
		_, metrics, _ := net.SplitHostPort(n.Metrics)
		changes = append(changes,
			fmt.Sprintf("10.0.0.%d:2222", i+1), n.SSH+" port "+metrics,
			fmt.Sprintf("10.0.0.%d:54321", i+1), n.Relay+" port "+metrics)
	}
	file := filepath.Join(t.TempDir(), "haproxy.cfg")
	if err := os.WriteFile(file, []byte(strings.NewReplacer(changes...).Replace(string(text))), 0o600); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	cmd := exec.Command(haproxy, "-db", "-f", file)
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
		if t.Failed() {
			t.Log(log.String())
		}
	})
	dial := func() error {
		c, err := gossh.Dial("tcp", ssh, &gossh.ClientConfig{User: "guest", HostKeyCallback: gossh.InsecureIgnoreHostKey(), Timeout: patience})
		if err != nil {
			return err
		}
		return c.Close()
	}
	waitUntil(t, "for a connection through HAProxy", func() bool { return dial() == nil })
	p, err := net.Dial("tcp", relay)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	waitUntil(t, "for a program through HAProxy", func() bool {
		return slices.ContainsFunc(listNodes(t, f.Store), func(n store.Node) bool { return n.Programs == 1 })
	})

	activeNode(t, f).Kill()
	waitUntil(t, "for a connection to the other node", func() bool { return dial() == nil })
	if err := f.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 4 {
		if err := dial(); err != nil {
			t.Errorf("with a standby that has started again: %v", err)
		}
	}
}
