package e2e

import (
	"io"
	"testing"

	gossh "golang.org/x/crypto/ssh"

	"broadside/internal/test/servers"
)

// TestEndedCommandsUseNoMemory checks that a server frees the memory of connections as soon as they
// are closed: of clients that wait for the end of their command, and of those that do not.
func TestEndedCommandsUseNoMemory(t *testing.T) {
	t.Parallel()
	const connections, most = 300, 10 << 10
	s, err := servers.Start(t.Context(), programPath(t), t.TempDir(), io.Discard, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Kill)
	nothing := func(_, _ string, _ []string, _ []bool) ([]string, error) { return nil, nil }
	run := func(times int, waits bool) {
		t.Helper()
		for range times {
			c, err := gossh.Dial("tcp", s.SSH, &gossh.ClientConfig{
				User: "ann", HostKeyCallback: gossh.InsecureIgnoreHostKey(),
				Auth: []gossh.AuthMethod{gossh.KeyboardInteractive(nothing)},
			})
			if err != nil {
				t.Fatal(err)
			}
			command, err := c.NewSession()
			if err != nil {
				t.Fatal(err)
			}
			if waits {
				_, err = command.Output("version")
			} else {
				err = command.Start("version")
			}
			if err != nil {
				t.Fatal(err)
			}
			c.Close()
		}
		waitUntil(t, "for the end of the connections", func() bool {
			n, err := servers.ReadMetric(t.Context(), s.Metrics, "broadside_ssh_connections")
			return err == nil && n == 0
		})
	}
	used := func() float64 {
		t.Helper()
		// The second collection frees what pools kept in the first.
		for range 2 {
			if err := servers.CollectGarbage(t.Context(), s.Metrics); err != nil {
				t.Fatal(err)
			}
		}
		n, err := servers.ReadMetric(t.Context(), s.Metrics, "go_memstats_heap_alloc_bytes")
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	run(10, true)
	for _, waits := range []bool{true, false} {
		before := used()
		run(connections, waits)
		if each := (used() - before) / connections; each > most {
			t.Errorf("waits %v: a connection that has ended uses %.0f bytes", waits, each)
		}
	}
}
