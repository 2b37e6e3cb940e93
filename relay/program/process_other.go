//go:build !(linux || darwin || dragonfly || freebsd || netbsd || openbsd)

package program

import "os/exec"

// setProcessGroup does nothing: this system has no process groups.
func setProcessGroup(*exec.Cmd) {}

// killGroup kills a started process, but not its children.
func killGroup(cmd *exec.Cmd) {
	cmd.Process.Kill() // fails if it has ended
}

// awaitExit returns false: there is no group to be killed before the process id is free.
func awaitExit(int) bool { return false }
