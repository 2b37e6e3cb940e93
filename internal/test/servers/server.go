package servers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

// Build builds the program into a folder and returns its path. The working folder must be the
// module's root.
func Build(ctx context.Context, folder string) (string, error) {
	program := filepath.Join(folder, "broadside")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		return "", fmt.Errorf("build program: %w: %s", err, out)
	}
	return program, nil
}

// Server is a server process. Its addresses and its data folder stay the same when it
// restarts. It may be used by one goroutine at a time.
type Server struct {
	Name        string // of a node
	SSH         string // addresses
	Relay       string
	Web         string
	Metrics     string   // also serves profiles
	Data        string   // folder
	CommandLine []string // command line

	env   []string // additional environment variables
	log   io.Writer
	cmd   *exec.Cmd  // nil if it is not running
	ended chan error // capacity 1; receives the result of cmd
}

// startTime limits the start and the shutdown of a server, on a busy computer.
const startTime = 2 * time.Minute

// unlimited has the options that lift the limits on connections and sessions from one
// address. It must not be changed.
var unlimited = []string{
	"--max-connections", "50000", "--max-connections-per-address", "50000",
	"--max-sessions", "50000", "--max-sessions-per-address", "50000",
	"--connection-rate", "1000000", "--connection-burst", "1000000",
}

// New returns a server with free addresses, which [Server.Launch] starts. Its output goes to log. args are
// added to its command line and env to its environment.
func New(program, data string, log io.Writer, env []string, args ...string) (*Server, error) {
	s := &Server{Name: filepath.Base(data), Data: data, env: env, log: log}
	if err := chooseAddresses(&s.SSH, &s.Relay, &s.Web, &s.Metrics); err != nil {
		return nil, err
	}
	own := []string{
		program, "serve", "--data", s.Data, "--ssh", s.SSH, "--relay", s.Relay, "--web", s.Web,
		"--metrics-listen", s.Metrics, "--metrics-profiles",
	}
	s.CommandLine = slices.Concat(own, unlimited, args)
	return s, nil
}

// Start starts a server, see [New], and waits until it answers.
func Start(ctx context.Context, program, data string, log io.Writer, env []string, args ...string) (*Server, error) {
	s, err := New(program, data, log, env, args...)
	if err != nil {
		return nil, err
	}
	return s, s.launchAndWait(ctx, s.Metrics) // the server opens this port last
}

// StartProgram starts a program that serves SSH at the address in its last argument, which is
// added, and waits until it answers.
func StartProgram(ctx context.Context, program string, args ...string) (*Server, error) {
	s := &Server{Name: program, log: os.Stderr}
	if err := chooseAddresses(&s.SSH); err != nil {
		return nil, err
	}
	s.CommandLine = append(append([]string{program}, args...), s.SSH)
	return s, s.launchAndWait(ctx, s.SSH)
}

// launchAndWait starts the process and waits until an address answers. If that fails, it kills the
// process.
func (s *Server) launchAndWait(ctx context.Context, address string) error {
	if err := s.Launch(); err != nil {
		return err
	}
	err := s.WaitUntilReady(ctx, func(context.Context) error {
		nc, err := net.Dial("tcp", address)
		if err == nil {
			nc.Close()
		}
		return err
	})
	if err != nil {
		s.Kill()
	}
	return err
}

// chooseAddresses sets all to free loopback addresses.
func chooseAddresses(all ...*string) error {
	for _, a := range all {
		l, err := ListenLoopback()
		if err != nil {
			return err
		}
		defer l.Close() // only once all are found
		*a = l.Addr().String()
	}
	return nil
}

// Launch starts the process without waiting until it is ready.
func (s *Server) Launch() error {
	if s.cmd != nil {
		return fmt.Errorf("%s is already running", s.Name)
	}
	cmd := exec.Command(s.CommandLine[0], s.CommandLine[1:]...)
	cmd.Env = append(os.Environ(), s.env...)
	cmd.Stdout, cmd.Stderr = s.log, s.log
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", s.Name, err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }() // ends with the process; Kill and Stop wait for it
	s.cmd, s.ended = cmd, ended
	return nil
}

// WaitUntilReady waits until the server is ready. It calls ready repeatedly.
func (s *Server) WaitUntilReady(ctx context.Context, ready func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	for {
		err := ready(ctx)
		if err == nil {
			return nil
		}
		select {
		case ended := <-s.ended:
			s.cmd = nil
			return fmt.Errorf("%s has ended: %w", s.Name, errors.Join(ended, errors.New("see its log")))
		case <-ctx.Done():
			return fmt.Errorf("%s does not answer: %w", s.Name, err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// IsRunning reports whether the process was started and has not been ended by a method.
func (s *Server) IsRunning() bool { return s.cmd != nil }

// PID returns the process ID; 0 if the server is not running.
func (s *Server) PID() int {
	if s.cmd == nil {
		return 0
	}
	return s.cmd.Process.Pid
}

// Signal sends a signal to the process.
func (s *Server) Signal(sig os.Signal) error {
	if s.cmd == nil {
		return fmt.Errorf("%s is not running", s.Name)
	}
	return s.cmd.Process.Signal(sig)
}

// Kill kills the process. It does nothing if the server is not running.
func (s *Server) Kill() {
	if s.cmd == nil {
		return
	}
	s.cmd.Process.Kill() // fails if it has ended
	<-s.ended
	s.cmd = nil
}

// Stop asks the process to end and waits. It kills a process that does not end in time.
func (s *Server) Stop() error {
	if err := s.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	select {
	case err := <-s.ended:
		s.cmd = nil
		return err
	case <-time.After(startTime):
		s.Kill()
		return fmt.Errorf("%s did not end in time and was killed", s.Name)
	}
}
