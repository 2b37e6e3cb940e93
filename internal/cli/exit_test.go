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
	for _, line := range []string{
		"check-client python3 client.py", "check-client --liste", "chek-client", "arena solo --games",
		"bot easy --games 0", "connect localhost --games 0 -- cat", "connect localhost --parallel 0 -- cat",
		"bot nobody", "bot easy --rules chess", "bot easy --placement sideways", "arena war",
		"arena duel easy nobody", "arena duel easy hard --sprt 1", "arena duel easy hard --games 0",
		"arena duel easy hard --mover north", "arena solo easy --rules chess", "arena gauntlet easy hard",
		"arena ladder --games 0", "arena watch easy nobody", "arena watch easy hard --mover north",
		"arena replay games 0", "sequence random --line 0", "sequence pattern --step 0", "backup", "hostkey prepare",
	} {
		c := NewCommand()
		c.SetArgs(strings.Fields(line))
		if err := Execute(t.Context(), c); ExitStatus(err) != 2 {
			t.Errorf("%q ends with %d: %v", line, ExitStatus(err), err)
		}
	}
	if ExitStatus(nil) != 0 || ExitStatus(errors.New("no such file")) != 1 || ExitStatus(exitCode(3)) != 3 {
		t.Error("other exit codes")
	}
}
