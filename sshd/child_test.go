package sshd_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	gossh "golang.org/x/crypto/ssh"

	"broadside/sshd"
)

// A benchmark measures a server without its clients, so the server is a child process of
// the test program. It prints its address, and prints the bytes of its heap and stacks for
// each line that it reads. It ends with its input.

// childVar is the environment variable that makes the program a child.
const childVar = "BROADSIDE_SSHD_TEST_SERVER"

func runChild(kind string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fail(err)
	}
	switch kind {
	case "bare":
		go serveBare(l)
	case "sshd":
		dir, err := os.MkdirTemp("", "sshd")
		if err != nil {
			fail(err)
		}
		defer os.RemoveAll(dir)
		s, err := sshd.New(sshd.Config{
			HostKeyFolder: dir,
			Limits:        sshd.Limits{ConnRate: 1e6, ConnBurst: 1e6},
			Lines:         toyLines,
			App:           func(ctx context.Context, _ sshd.User) (sshd.Screen, error) { return clock{ctx: ctx}, nil },
		})
		if err != nil {
			fail(err)
		}
		go s.Serve(l)
	}
	fmt.Println(l.Addr())
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		fmt.Println(m.HeapInuse + m.StackInuse)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// serveBare is a minimal SSH server: it writes a word to each session and keeps it
// open.
func serveBare(l net.Listener) {
	key, err := newHostKey()
	if err != nil {
		fail(err)
	}
	config := &gossh.ServerConfig{NoClientAuth: true}
	config.AddHostKey(key)
	for {
		nc, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			conn, chans, reqs, err := gossh.NewServerConn(nc, config)
			if err != nil {
				return
			}
			defer conn.Close()
			go gossh.DiscardRequests(reqs)
			for nch := range chans {
				ch, reqs, err := nch.Accept()
				if err != nil {
					return
				}
				go func() {
					for req := range reqs {
						req.Reply(true, nil)
						if req.Type == "shell" {
							go fmt.Fprint(ch, lastLine)
						}
					}
				}()
				go func() {
					b := make([]byte, 512)
					for {
						if _, err := ch.Read(b); err != nil {
							return
						}
					}
				}()
			}
		}()
	}
}

// clock is a screen of 21 lines with a digit that changes every second.
type clock struct {
	ctx     context.Context
	seconds int
}

// lastLine is the last line of a screen.
const lastLine = "the last line of the screen"

func (c clock) Init() tea.Cmd { return c.tick }

func (c clock) tick() tea.Msg {
	t := time.NewTimer(time.Second)
	defer t.Stop()
	select {
	case <-t.C:
		return tickMsg{}
	case <-c.ctx.Done():
		return nil
	}
}

func (c clock) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := msg.(tickMsg); ok {
		c.seconds++
		return c, c.tick
	}
	return c, nil
}

func (c clock) View() tea.View {
	var b strings.Builder
	fmt.Fprintf(&b, "\x1b[1mBroadside\x1b[m   second %d\n", c.seconds%10)
	for range 19 {
		b.WriteString("\x1b[34m" + strings.Repeat("~ . ", 20) + "\x1b[m  and a remark\n")
	}
	b.WriteString(lastLine)
	v := tea.NewView(b.String())
	v.AltScreen = true
	return v
}

func (c clock) Close() {}

// child is a server in a separate process.
type child struct {
	address string
	process *os.Process
	in      *os.File
	out     *bufio.Reader
}

// startChild starts a server. It ends with the test.
func startChild(t testing.TB, kind string) *child {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVar+"="+kind)
	cmd.Stderr = os.Stderr
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdin = r
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	r.Close()
	t.Cleanup(func() {
		w.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
	})
	c := &child{process: cmd.Process, in: w, out: bufio.NewReader(out)}
	c.address = c.line(t)
	return c
}

func (c *child) line(t testing.TB) string {
	t.Helper()
	s, err := c.out.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(s, "\n")
}

// inUse returns the bytes of the child's heap and stacks after a collection.
func (c *child) inUse(t testing.TB) float64 {
	t.Helper()
	fmt.Fprintln(c.in)
	var n float64
	if _, err := fmt.Sscan(c.line(t), &n); err != nil {
		t.Fatal(err)
	}
	return n
}

// pss returns the bytes of memory that the child uses.
func (c *child) pss(t testing.TB) float64 {
	t.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", c.process.Pid))
	if err != nil {
		t.Skip(err) // only on Linux
	}
	_, rest, _ := strings.Cut(string(data), "\nPss:")
	var kib float64
	if _, err := fmt.Sscan(rest, &kib); err != nil {
		t.Fatal(err)
	}
	return kib * 1024
}

// cpu returns the child's CPU time.
func (c *child) cpu(t testing.TB) time.Duration {
	t.Helper()
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", c.process.Pid))
	if err != nil || threads == nil {
		t.Skip("only Linux tells what a process has computed")
	}
	var total time.Duration
	for _, path := range threads {
		data, err := os.ReadFile(path)
		if err != nil {
			continue // the thread has ended
		}
		var ns int64
		if _, err := fmt.Sscan(string(data), &ns); err != nil {
			t.Fatal(err)
		}
		total += time.Duration(ns)
	}
	return total
}
