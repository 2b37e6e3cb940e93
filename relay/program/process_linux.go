package program

import (
	"os/exec"
	"syscall"
)

// in puts a process into its own process group, so that it can be killed with its
// children. The kernel kills it if this process is killed.
func in(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// kill kills a started process and its children.
func kill(cmd *exec.Cmd) {
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // fails if all have ended
}
