//go:build !(linux || darwin || dragonfly || freebsd || netbsd || openbsd)

package program

import "os/exec"

// setProcessGroup does nothing, because this system has no process groups.
func setProcessGroup(*exec.Cmd) {}

// killGroup kills a started process, but not its children.
func killGroup(cmd *exec.Cmd) {
	// Kill fails if the process has ended.
	cmd.Process.Kill()
}

// awaitExit returns false, because there is no group to be killed before the process id is free.
func awaitExit(int) bool { return false }
