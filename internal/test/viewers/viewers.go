// Package viewers reads a feed of the website with many connections in another process, so that
// the work of the readers is not that of the tested server:
//
//	func TestMain(m *testing.M) {
//		viewers.Main()
//		...
//	}
package viewers

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

// variable is the environment variable that makes a test program read a feed.
const variable = "BROADSIDE_TEST_VIEWERS"

// Main reads a feed instead of running tests if this process was started by [Open]. Call it at
// the start of TestMain.
func Main() {
	var number int
	var address, path string
	arguments := os.Getenv(variable)
	if arguments == "" {
		return
	}
	_, err := fmt.Sscan(arguments, &number, &address, &path)
	if err == nil {
		err = read(number, address, path)
	}
	fmt.Fprintln(os.Stderr, "viewers:", err)
	os.Exit(1)
}

// Process is a process with viewers of a feed.
type Process struct {
	command *exec.Cmd
	input   io.Closer
	lines   *bufio.Scanner
}

// Open starts a process with a number of viewers of the feed at an address, such as
// localhost:8080, and a path. It returns when each has the state of the match.
func Open(number int, address, path string) (*Process, error) {
	c := &Process{command: exec.Command(os.Args[0])}
	c.command.Env = append(os.Environ(), fmt.Sprintf("%s=%d %s %s", variable, number, address, path))
	c.command.Stderr = os.Stderr
	input, err := c.command.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, err := c.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.command.Start(); err != nil {
		return nil, err
	}
	c.input, c.lines = input, bufio.NewScanner(output)
	c.lines.Buffer(nil, 1<<20) // a line has 20 bytes for each viewer
	if !c.lines.Scan() || c.lines.Text() != "ready" {
		return nil, errors.Join(errors.New("the viewers cannot connect"), c.Close())
	}
	return c, nil
}

// Arrivals waits until the next shot has reached all viewers. It returns how long that took each
// of them since a time, in ascending order.
func (c *Process) Arrivals(since time.Time) (all []time.Duration, err error) {
	if !c.lines.Scan() {
		return nil, errors.New("the viewers have gone")
	}
	for field := range strings.FieldsSeq(c.lines.Text()) {
		at, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return nil, err
		}
		all = append(all, time.Unix(0, at).Sub(since))
	}
	slices.Sort(all)
	return all, nil
}

// Close ends the process.
func (c *Process) Close() error {
	return errors.Join(c.input.Close(), c.command.Wait())
}

// read writes "ready" and then a line for each shot: when it arrived, for each viewer, in
// nanoseconds since 1970. The process ends with its standard input.
func read(number int, address, path string) error {
	arrived := make(chan time.Time, number)
	var all []net.Conn
	for range number {
		c, err := net.Dial("tcp", address)
		if err != nil {
			return err
		}
		all = append(all, c)
		fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", path)
	}
	for _, c := range all {
		r := bufio.NewReaderSize(c, 512)
		for line := []byte(nil); !bytes.HasPrefix(line, []byte("id: ")); { // the first event is the state
			var err error
			if line, err = r.ReadSlice('\n'); err != nil && err != bufio.ErrBufferFull {
				return err
			}
		}
		go report(r, arrived) // ends with the process
	}
	fmt.Println("ready")
	go func() {
		io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	for {
		var line strings.Builder
		for range number {
			fmt.Fprintf(&line, "%d ", (<-arrived).UnixNano())
		}
		fmt.Println(line.String())
	}
}

// report sends the time of each shot in a feed to arrived until the feed ends.
func report(feed io.Reader, arrived chan<- time.Time) {
	buffer := make([]byte, 4096) // the events of a shot are shorter
	for {
		n, err := feed.Read(buffer)
		if err != nil {
			return
		}
		for range bytes.Count(buffer[:n], []byte(`"result"`)) {
			arrived <- time.Now()
		}
	}
}
