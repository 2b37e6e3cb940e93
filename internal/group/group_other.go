//go:build !unix

package group

import "os/exec"

// In does nothing: there are no groups of processes here.
func In(*exec.Cmd) {}

// Kill ends a started process; its children must notice by themselves.
func Kill(cmd *exec.Cmd) {
	cmd.Process.Kill() // fails if it has ended
}
