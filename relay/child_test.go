package relay_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"broadside/internal/test/lobbytest"
	"broadside/internal/test/servers"
	"broadside/lobby"
	"broadside/lobby/session"
	"broadside/relay"
)

// childVar is the environment variable that makes the test binary a server in a separate process,
// so that measurements do not include the clients.
const childVar = "BROADSIDE_RELAY_CHILD"

// runChild runs a child process until its input ends. It prints its address, and answers each line with
// the size of its heap and stacks in bytes.
func runChild(kind string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(l.Addr())
	switch kind {
	case "forwarder":
		go serveForwarder(l)
	case "relay":
		go relay.New(relay.Config{Host: &session.Host{Lobby: lobbytest.Open(lobby.Config{})}, HelloDelay: -1, Limits: relay.Limits{MaxConnsPerAddr: 1 << 14}}).Serve(l)
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		debug.FreeOSMemory()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		fmt.Println(m.HeapInuse + m.StackInuse)
	}
}

// child is a server in a separate process.
type child struct {
	b       *testing.B
	address string
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

func startChild(b *testing.B, kind string) *child {
	b.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVar+"="+kind)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	c := &child{b: b, cmd: cmd, in: in, out: bufio.NewReader(out)}
	b.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			b.Errorf("a server: %v", err)
		}
	})
	c.address = c.readLine()
	return c
}

func (c *child) readLine() string {
	c.b.Helper()
	s, err := c.out.ReadString('\n')
	if err != nil {
		c.b.Fatal(err)
	}
	return strings.TrimSuffix(s, "\n")
}

// memoryInUse returns the size in bytes of the child's heap and stacks after a collection.
func (c *child) memoryInUse() int {
	c.b.Helper()
	fmt.Fprintln(c.in)
	n, err := strconv.Atoi(c.readLine())
	if err != nil {
		c.b.Fatal(err)
	}
	return n
}

func (c *child) measureCost() servers.Cost { return servers.MeasureProcess(c.cmd.Process.Pid) }
