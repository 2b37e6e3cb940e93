package crowd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Build builds the program in the module's root, which must be the working
// folder or the one above it, and returns its path in the folder.
func Build(ctx context.Context, root, folder string) (string, error) {
	program := filepath.Join(folder, "broadside")
	c := exec.CommandContext(ctx, "go", "build", "-o", program, ".")
	c.Dir = root
	if out, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the server: %w: %s", err, out)
	}
	return program, nil
}

// Server is a process that serves on free addresses of this machine.
type Server struct {
	SSH, Relay string // addresses
	Metrics    string // address of its numbers and profiles
	cmd        *exec.Cmd
	ended      chan error // capacity 1
}

// startTime is how long a server may take to come up, and to go down.
const startTime = 60 * time.Second

// Unlimited are options that let everybody come from one address, as fast as they
// like.
func Unlimited() []string { return slices.Clone(crowded) }

// crowded are options that let everybody come from one address, as fast as they
// like.
var crowded = []string{
	"--max-connections", "50000", "--max-connections-per-address", "50000",
	"--max-sessions", "50000", "--max-sessions-per-address", "50000",
	"--connection-rate", "1000000", "--connection-burst", "1000000", "--failed-logins", "1000000",
}

// Start starts a server with its data in a folder, and waits until it answers.
// What it logs goes to log. Args are more for its command line, env for its
// environment.
func Start(ctx context.Context, program, data string, log io.Writer, env []string, args ...string) (*Server, error) {
	s := &Server{ended: make(chan error, 1)}
	if err := freeAddresses(&s.SSH, &s.Relay, &s.Metrics); err != nil {
		return nil, err
	}
	own := []string{"serve", "--ssh", s.SSH, "--relay", s.Relay, "--metrics-listen", s.Metrics, "--metrics-profiles", "--data", data}
	s.cmd = exec.Command(program, slices.Concat(own, crowded, args)...)
	s.cmd.Env = append(os.Environ(), env...)
	s.cmd.Stdout, s.cmd.Stderr = log, log
	if err := s.cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting the server: %w", err)
	}
	go func() { s.ended <- s.cmd.Wait() }() // ends with the process, which Kill and Stop wait for
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		if nc, err := net.Dial("tcp", s.Metrics); err == nil { // which it listens to last
			nc.Close()
			return s, nil
		}
		select {
		case err := <-s.ended:
			return nil, fmt.Errorf("the server has ended: %w", errors.Join(err, errors.New("its log says why")))
		default:
		}
		if ctx.Err() != nil || time.Since(began) > startTime {
			s.Kill()
			return nil, errors.Join(errors.New("the server did not come up"), ctx.Err())
		}
	}
}

// freeAddresses finds addresses of this machine that nobody listens on.
func freeAddresses(all ...*string) error {
	for _, a := range all {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		defer l.Close() // not before all are found
		*a = l.Addr().String()
	}
	return nil
}

// PID is the process.
func (s *Server) PID() int { return s.cmd.Process.Pid }

// Signal sends the process a signal.
func (s *Server) Signal(sig os.Signal) error { return s.cmd.Process.Signal(sig) }

// Kill ends the process at once, wherever it is.
func (s *Server) Kill() {
	s.cmd.Process.Kill()
	<-s.ended
}

// Stop asks the process to end, and kills it if it does not.
func (s *Server) Stop() error {
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	select {
	case err := <-s.ended:
		return err
	case <-time.After(startTime):
		s.Kill()
		return errors.New("the server did not end by itself")
	}
}

// Cost is what a process has taken from the machine.
type Cost struct {
	Memory int64 // proportional set size, in bytes
	Time   time.Duration
	Files  int // open ones
}

// Measure looks at a process; 0 is none. What cannot be known, as on other
// systems than Linux, is zero.
func Measure(pid int) Cost {
	var c Cost
	if pid == 0 {
		return c
	}
	if b, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid)); err == nil {
		for line := range strings.Lines(string(b)) {
			if kib, ok := strings.CutPrefix(line, "Pss:"); ok {
				n, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(kib), " kB"), 10, 64)
				c.Memory = n << 10
			}
		}
	}
	if files, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid)); err == nil {
		c.Files = len(files)
	}
	if b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil {
		// The second word, in brackets, may hold anything.
		if words := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:])); len(words) > 12 {
			const tick = 10 * time.Millisecond // USER_HZ, the same on all that we run on
			user, _ := strconv.ParseInt(words[11], 10, 64)
			system, _ := strconv.ParseInt(words[12], 10, 64)
			c.Time = time.Duration(user+system) * tick
		}
	}
	return c
}
