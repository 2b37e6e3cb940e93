//go:build !unix

package program

import "os/exec"

// in does nothing: this system has no process groups.
func in(*exec.Cmd) {}

// kill kills a started process, but not its children.
func kill(cmd *exec.Cmd) {
	cmd.Process.Kill() // fails if it has ended
}
