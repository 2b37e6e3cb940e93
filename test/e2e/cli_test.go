package e2e

import (
	"bytes"
	"context"
	"io"
	"net"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"broadside/internal/cli"
)

// runCLI runs a command line in this process and returns its output.
func runCLI(ctx context.Context, args ...string) (out string, err error) {
	c := cli.NewCommand()
	var b bytes.Buffer
	c.SetOut(&b)
	c.SetErr(&b)
	c.SetArgs(args)
	c.SilenceErrors, c.SilenceUsage = true, true
	err = c.ExecuteContext(ctx)
	return b.String(), err
}

// startServer runs the program as a server until the test ends.
func startServer(t *testing.T, binary, data string) (*exec.Cmd, *testServer) {
	t.Helper()
	return startServerLogging(t, binary, data, nil)
}

// startServerLogging is like launch, with a writer for the log and more options.
func startServerLogging(t *testing.T, binary, data string, log io.Writer, options ...string) (*exec.Cmd, *testServer) {
	t.Helper()
	options = append(options, "--ssh", "127.0.0.1:0", "--relay", "127.0.0.1:0", "--data", data, "--drain", "1m", "--bot-pace", "0s", "--relay-hello", "1m")
	cmd := exec.Command(binary, options...)
	cmd.Stderr = log
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	h := &testServer{}
	h.readAddresses(out)
	return cmd, h
}

// TestSignals checks that one signal drains the server, and that a second one ends it although a match runs.
func TestSignals(t *testing.T) {
	t.Parallel()
	binary := programPath(t)
	start := func(t *testing.T) (*exec.Cmd, string) {
		cmd, h := startServer(t, binary, t.TempDir())
		return cmd, h.relay
	}
	wait := func(t *testing.T, cmd *exec.Cmd) int {
		done := make(chan struct{})
		go func() { cmd.Wait(); close(done) }()
		select {
		case <-done:
		case <-time.After(patience):
			t.Fatal("the server does not end")
		}
		return cmd.ProcessState.ExitCode()
	}
	t.Run("one", func(t *testing.T) {
		cmd, _ := start(t)
		cmd.Process.Signal(syscall.SIGTERM)
		if code := wait(t, cmd); code != 0 {
			t.Errorf("exit code %d", code)
		}
	})
	t.Run("two", func(t *testing.T) {
		cmd, address := start(t)
		h := &testServer{relay: address}
		program := h.connectProgram(t)
		program.send("% vs bot easy\n")
		program.expect("% ok vs bot easy\n")
		// A match runs that does not end by itself.
		program.expect("(4,[]).\n")
		cmd.Process.Signal(syscall.SIGINT)
		// The server has seen the signal when it no longer accepts.
		for {
			nc, err := net.Dial("tcp", address)
			if err != nil {
				break
			}
			nc.Close()
			time.Sleep(time.Millisecond)
		}
		cmd.Process.Signal(syscall.SIGINT)
		if code := wait(t, cmd); code == 0 {
			t.Error("exit code 0 although a match was cut short")
		}
	})
}
