package users

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

// Build builds the program and returns its path in the folder. The working folder must be
// the module's root or a folder directly below it.
func Build(ctx context.Context, root, folder string) (string, error) {
	program := filepath.Join(folder, "broadside")
	c := exec.CommandContext(ctx, "go", "build", "-o", program, ".")
	c.Dir = root
	if out, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the server: %w: %s", err, out)
	}
	return program, nil
}

// Server is a server process on free addresses of this machine.
type Server struct {
	SSH, Relay string // addresses
	Metrics    string // address of its metrics and profiles
	cmd        *exec.Cmd
	ended      chan error // capacity 1
}

// startTime limits the start and the shutdown of a server.
const startTime = 60 * time.Second

// Unlimited has the options that lift the limits on connections and sessions from one
// address. It must not be changed.
var Unlimited = []string{
	"--max-connections", "50000", "--max-connections-per-address", "50000",
	"--max-sessions", "50000", "--max-sessions-per-address", "50000",
	"--connection-rate", "1000000", "--connection-burst", "1000000", "--failed-logins", "1000000",
}

// Start starts a server with a data folder and waits until it answers. Its log goes to
// log. It adds args to the command line and env to the environment.
func Start(ctx context.Context, program, data string, log io.Writer, env []string, args ...string) (*Server, error) {
	s := &Server{ended: make(chan error, 1)}
	if err := freeAddresses(&s.SSH, &s.Relay, &s.Metrics); err != nil {
		return nil, err
	}
	own := []string{"serve", "--ssh", s.SSH, "--relay", s.Relay, "--metrics-listen", s.Metrics, "--metrics-profiles", "--data", data}
	s.cmd = exec.Command(program, slices.Concat(own, Unlimited, args)...)
	s.cmd.Env = append(os.Environ(), env...)
	s.cmd.Stdout, s.cmd.Stderr = log, log
	if err := s.cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting the server: %w", err)
	}
	go func() { s.ended <- s.cmd.Wait() }() // ends with the process; Kill and Stop wait for it
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		if nc, err := net.Dial("tcp", s.Metrics); err == nil { // the server opens this port last
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

// freeAddresses finds free addresses of this machine.
func freeAddresses(all ...*string) error {
	for _, a := range all {
		l, err := Listen()
		if err != nil {
			return err
		}
		defer l.Close() // only once all are found
		*a = l.Addr().String()
	}
	return nil
}

// PID returns the process ID.
func (s *Server) PID() int { return s.cmd.Process.Pid }

// Signal sends a signal to the process.
func (s *Server) Signal(sig os.Signal) error { return s.cmd.Process.Signal(sig) }

// Kill kills the process.
func (s *Server) Kill() {
	s.cmd.Process.Kill()
	<-s.ended
}

// Stop asks the process to end, and kills it if it does not end in time.
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

// Cost is the resource usage of a process.
type Cost struct {
	Memory int64 // proportional set size, in bytes
	Time   time.Duration
	Files  int // open files
}

// Measure returns the cost of a process; pid 0 stands for none. Unknown values are zero,
// as on systems other than Linux.
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
		// The second field, in parentheses, may contain any characters.
		if words := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:])); len(words) > 12 {
			const tick = 10 * time.Millisecond // USER_HZ on all supported systems
			user, _ := strconv.ParseInt(words[11], 10, 64)
			system, _ := strconv.ParseInt(words[12], 10, 64)
			c.Time = time.Duration(user+system) * tick
		}
	}
	return c
}
