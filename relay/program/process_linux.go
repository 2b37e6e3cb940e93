package program

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// setProcessGroup puts a process into its own process group, so that it can be killed with its
// children. The kernel kills it if this process is killed.
func setProcessGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// killGroup kills a started process and its children.
func killGroup(cmd *exec.Cmd) {
	// Kill fails if all processes have ended.
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
}

// awaitExit waits until a process has ended, without freeing its id. It returns false if it cannot
// wait.
func awaitExit(pid int) bool {
	for {
		err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if err != unix.EINTR {
			return err == nil
		}
	}
}
