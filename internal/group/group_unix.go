//go:build unix && !linux

package group

import (
	"os/exec"
	"syscall"
)

// in puts a process into a group of its own, so that it can be ended with
// its children.
func in(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// kill ends a started process and its children.
func kill(cmd *exec.Cmd) {
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // fails if nobody is left
}
