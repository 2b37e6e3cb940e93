//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package program

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// setProcessGroup puts a process into its own process group, so that it can be killed with its
// children.
func setProcessGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills a started process and its children.
func killGroup(cmd *exec.Cmd) {
	// Kill fails if all processes have ended.
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
}

// awaitExit waits until a process has ended, without freeing its id. It returns false if it cannot
// wait.
func awaitExit(pid int) bool {
	queue, err := unix.Kqueue()
	if err != nil {
		return false
	}
	defer unix.Close(queue)
	events := make([]unix.Kevent_t, 1)
	unix.SetKevent(&events[0], pid, unix.EVFILT_PROC, unix.EV_ADD)
	events[0].Fflags = unix.NOTE_EXIT
	for {
		_, err := unix.Kevent(queue, events, events, nil)
		if err != unix.EINTR {
			// If the process has ended already, the event says that there is no such process.
			return err == nil
		}
	}
}
