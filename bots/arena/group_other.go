//go:build !unix

package arena

import "os/exec"

// inGroup does nothing: there are no groups of processes here.
func inGroup(*exec.Cmd) {}

// killGroup ends a started process; its children must notice by themselves.
func killGroup(cmd *exec.Cmd) {
	cmd.Process.Kill() // fails if it has ended
}
