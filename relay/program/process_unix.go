//go:build unix && !linux

package program

import (
	"os/exec"
	"syscall"
)

// in puts a process into its own process group, so that it can be killed with its
// children.
func in(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// kill kills a started process and its children.
func kill(cmd *exec.Cmd) {
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // fails if all have ended
}
