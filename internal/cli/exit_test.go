package cli

import (
	"errors"
	"strings"
	"testing"
)

// TestExitStatus checks the printed message and the exit status of errors.
func TestExitStatus(t *testing.T) {
	var said strings.Builder
	printError(&said, exitCode(1)) // already explained by the command
	printError(&said, errors.New("no such file"))
	if said.String() != "broadside: no such file\n" {
		t.Errorf("printed %q", said.String())
	}
	for _, args := range [][]string{{"check-client", "python3", "client.py"}, {"check-client", "--liste"}, {"chek-client"}, {"arena", "solo", "--games"},
		{"bot", "easy", "--games", "0"}, {"connect", "localhost", "--games", "0", "--", "cat"}, {"connect", "localhost", "--parallel", "0", "--", "cat"},
	} {
		c, failed := Command(), error(nil)
		keepErrors(c, &failed)
		c.SetArgs(args)
		if err := c.ExecuteContext(t.Context()); err != nil || Status(failed) != 2 {
			t.Errorf("%q ends with %d: %v, %v", args, Status(failed), failed, err)
		}
	}
	if Status(nil) != 0 || Status(errors.New("no such file")) != 1 || Status(exitCode(3)) != 3 {
		t.Error("other exit codes")
	}
}
