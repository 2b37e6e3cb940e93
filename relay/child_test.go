package relay_test

import (
	"bufio"
	"bytes"
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
	"time"

	"broadside/internal/session"
	"broadside/lobby"
	"broadside/relay"
)

// childVar is the environment variable that makes the test binary a server in a separate process,
// so that measurements do not include the clients.
const childVar = "BROADSIDE_RELAY_CHILD"

// beChild runs a child process. It prints its address, answers each line with the size of
// its heap and stacks in bytes, and ends with its input.
func beChild(kind string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(l.Addr())
	switch kind {
	case "forwarder":
		go forward(l)
	case "relay":
		go relay.New(relay.Config{Host: &session.Lobby{Lobby: lobby.New(lobby.Config{})}, HelloDelay: -1, Limits: relay.Limits{MaxConnsPerAddr: 1 << 14}}).Serve(l)
	case "patient relay":
		go relay.New(relay.Config{Host: &session.Lobby{Lobby: lobby.New(lobby.Config{})}, HelloDelay: time.Hour, Limits: relay.Limits{MaxConnsPerAddr: 1 << 14}}).Serve(l)
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
	c.address = c.line()
	return c
}

func (c *child) line() string {
	c.b.Helper()
	s, err := c.out.ReadString('\n')
	if err != nil {
		c.b.Fatal(err)
	}
	return strings.TrimSuffix(s, "\n")
}

// inUse returns the bytes of the child's heap and stacks after a collection.
func (c *child) inUse() int {
	c.b.Helper()
	fmt.Fprintln(c.in)
	n, err := strconv.Atoi(c.line())
	if err != nil {
		c.b.Fatal(err)
	}
	return n
}

// cpu returns the CPU time that the child has used, in steps of 10 ms.
func (c *child) cpu() time.Duration {
	c.b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", c.cmd.Process.Pid))
	if err != nil {
		c.b.Skip(err)
	}
	_, numbers, _ := strings.Cut(string(text), ") ") // after the name of the program
	ticks := 0
	for _, number := range strings.Fields(numbers)[11:13] { // in user and in kernel mode
		n, err := strconv.Atoi(number)
		if err != nil {
			c.b.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

// resident returns the child's memory as the system counts it (PSS), in bytes.
func (c *child) resident() int {
	c.b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", c.cmd.Process.Pid))
	if err != nil {
		c.b.Skip(err)
	}
	for line := range bytes.Lines(text) {
		var kib int
		if n, _ := fmt.Sscanf(string(line), "Pss: %d kB", &kib); n == 1 {
			return kib << 10
		}
	}
	c.b.Fatalf("no Pss in %s", text)
	return 0
}
