//go:build linux

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// openTerminal opens a pseudo-terminal. Closing the first file hangs up the second.
func openTerminal(t *testing.T) (master, slave *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { master.Close() })
	raw, err := master.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	var number, locked int32
	if err := raw.Control(func(fd uintptr) {
		for request, value := range map[uintptr]*int32{syscall.TIOCSPTLCK: &locked, syscall.TIOCGPTN: &number} {
			if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, fd, request, uintptr(unsafe.Pointer(value))); errno != 0 {
				t.Errorf("ioctl: %v", errno)
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
	slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { slave.Close() })
	return master, slave
}

// TestTerminalClosed checks that a server whose input or error stream was a terminal at its start ends
// with it, however often it gets SIGHUP, and that its data folder is then free.
func TestTerminalClosed(t *testing.T) {
	t.Parallel()
	binary := programPath(t)
	for name, attach := range map[string]func(cmd *exec.Cmd, terminal *os.File){
		"input": func(cmd *exec.Cmd, terminal *os.File) { cmd.Stdin = terminal },
		"error": func(cmd *exec.Cmd, terminal *os.File) { cmd.Stderr = terminal },
	} {
		for _, hangup := range []bool{false, true} {
			t.Run(fmt.Sprint(name, " closed ", hangup), func(t *testing.T) {
				master, slave := openTerminal(t)
				data := filepath.Join(t.TempDir(), "data")
				cmd := exec.Command(binary, "serve", "--data", data, "--ssh", "127.0.0.1:0", "--relay", "127.0.0.1:0")
				attach(cmd, slave)
				if hangup {
					cmd.Stdin = slave
					cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
				}
				out, err := cmd.StdoutPipe()
				if err != nil {
					t.Fatal(err)
				}
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				defer cmd.Process.Kill()
				new(testServer).readAddresses(out)
				if hangup {
					slave.Close()
					master.Close()
				} else {
					for range 3 {
						cmd.Process.Signal(syscall.SIGHUP)
					}
				}
				ended := make(chan error, 1)
				go func() { ended <- cmd.Wait() }()
				select {
				case err := <-ended:
					if err != nil {
						t.Errorf("the server ended with %v", err)
					}
				case <-time.After(patience):
					t.Fatal("the server outlives its terminal")
				}
				startServer(t, binary, data)
			})
		}
	}
}
