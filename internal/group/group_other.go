//go:build !unix

package group

import "os/exec"

// in does nothing: there are no groups of processes here.
func in(*exec.Cmd) {}

// kill ends a started process; its children must notice by themselves.
func kill(cmd *exec.Cmd) {
	cmd.Process.Kill() // fails if it has ended
}
