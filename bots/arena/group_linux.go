package arena

import (
	"os/exec"
	"syscall"
)

// inGroup puts a process into a group of its own, so that it can be ended with
// its children, and lets the system end it if this process is killed.
func inGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// killGroup ends a started process and its children.
func killGroup(cmd *exec.Cmd) {
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // fails if nobody is left
}
