//go:build unix

package e2e

import (
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"
)

// manager holds sockets and starts servers on them, as systemd does.
type manager struct {
	ssh, relay *os.File
	binary     string
	data       string
	notes      *net.UnixConn
}

// start starts a server and waits until it is ready.
func (m *manager) start(t *testing.T) *exec.Cmd {
	t.Helper()
	// The process must know its ID before it starts, hence the shell.
	c := exec.Command("/bin/sh", "-c", `LISTEN_PID=$$ exec "$0" "$@"`, m.binary, "--data", m.data, "--drain", "1s", "--log-level", "error",
		"--connection-rate", "1000000", "--connection-burst", "1000000") // this test's clients connect often
	c.Env = append(os.Environ(), "LISTEN_FDS=2", "LISTEN_FDNAMES=relay:ssh", "NOTIFY_SOCKET="+m.notes.LocalAddr().String(), "WATCHDOG_USEC=200000")
	c.ExtraFiles = []*os.File{m.relay, m.ssh}
	// The output is shown if the server fails.
	c.Stderr = new(strings.Builder)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Process.Kill(); c.Wait() })
	m.wait(t, "READY=1")
	return c
}

// wait waits for a line of a server's output.
func (m *manager) wait(t *testing.T, want string) {
	t.Helper()
	m.notes.SetReadDeadline(time.Now().Add(patience))
	for b := make([]byte, 4096); ; {
		n, err := m.notes.Read(b)
		if err != nil {
			t.Fatalf("no server says %s: %v", want, err)
		}
		if strings.Contains(string(b[:n]), want) {
			return
		}
	}
}

// TestHandover checks that restarts refuse no client: those that connect while no process runs are served by the next
// one.
func TestHandover(t *testing.T) {
	t.Parallel()
	hold := func() (string, *os.File) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		f, err := l.(*net.TCPListener).File()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return l.Addr().String(), f
	}
	m := &manager{binary: programPath(t), data: t.TempDir()}
	var ssh, relay string
	ssh, m.ssh = hold()
	relay, m.relay = hold()
	var err error
	if m.notes, err = net.ListenUnixgram("unixgram", &net.UnixAddr{Net: "unixgram", Name: filepath.Join(t.TempDir(), "notes")}); err != nil {
		t.Fatal(err)
	}
	defer m.notes.Close()
	server := m.start(t)
	m.wait(t, "WATCHDOG=1")

	login := func() error {
		c, err := gossh.Dial("tcp", ssh, &gossh.ClientConfig{User: "guest", HostKeyCallback: gossh.InsecureIgnoreHostKey()})
		if err == nil {
			c.Close()
		}
		return err
	}
	var clients sync.WaitGroup
	over := make(chan struct{})
	for range 3 {
		clients.Go(func() {
			for {
				select {
				case <-over:
					return
				case <-time.After(50 * time.Millisecond):
				}
				for _, address := range []string{ssh, relay} {
					nc, err := net.Dial("tcp", address)
					if err != nil {
						t.Errorf("refused: %v", err)
						return
					}
					nc.Close()
				}
			}
		})
	}
	for range 2 {
		server.Process.Signal(syscall.SIGTERM)
		m.wait(t, "STOPPING=1")
		if err := server.Wait(); err != nil {
			t.Errorf("a server ended with %v: %s", err, server.Stderr)
		}
		between := make(chan error, 1)
		go func() { between <- login() }()
		waiting, err := net.Dial("tcp", relay)
		if err != nil {
			t.Fatal(err)
		}
		server = m.start(t)
		if err := <-between; err != nil {
			t.Errorf("a client that connected between two processes: %v", err)
		}
		waiting.SetDeadline(time.Now().Add(patience))
		line := make([]byte, 8)
		if _, err := io.ReadFull(waiting, line); err != nil && !errors.Is(err, io.EOF) || !strings.HasPrefix(string(line), "(3,[]).") && !strings.HasPrefix(string(line), "(4,[]).") {
			t.Errorf("the program that came between two processes was told %q, %v", line, err)
		}
		waiting.Close()
	}
	close(over)
	clients.Wait()
	server.Process.Signal(syscall.SIGTERM)
	if err := server.Wait(); err != nil {
		t.Errorf("the last server ended with %v: %s", err, server.Stderr)
	}
}
