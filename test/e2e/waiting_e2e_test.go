package e2e

import (
	"context"
	"os/exec"
	"testing"
	"time"

	"broadside/internal/test/need"
	"broadside/internal/test/sshtest"
)

// runningCommand is a running command with its output.
type runningCommand struct {
	cmd       *exec.Cmd
	out, errs *sshtest.Output
}

// startCommand starts the program. It ends with the test.
func startCommand(t *testing.T, args ...string) runningCommand {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	b := runningCommand{exec.CommandContext(ctx, programPath(t), args...), sshtest.NewOutput(), sshtest.NewOutput()}
	b.cmd.Stdout, b.cmd.Stderr = b.out, b.errs
	if err := b.cmd.Start(); err != nil {
		cancel()
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		// Wait fails unless the command has ended by itself.
		b.cmd.Wait()
	})
	return b
}

// TestProgramsWait checks that programs say for whom they wait, but not too early.
func TestProgramsWait(t *testing.T) {
	t.Parallel()
	python := need.Tool(t, "python3")
	h := open(t, heed)
	h.enterLobby(t, "ann")
	connect := func(args ...string) runningCommand {
		return startCommand(t, append(append([]string{"connect", h.relay}, args...), "--", python, "examples/player.py")...)
	}
	began := time.Now()
	waits := map[string]runningCommand{
		"waiting for an opponent: another player or program must connect": connect(),
		"waiting for ann, who must be connected and accept":               connect("--vs", "player ann"),
	}
	for text, b := range waits {
		b.errs.WaitText(t, "broadside: "+text)
	}
	if time.Since(began) < time.Second {
		t.Error("the notice comes before an opponent could")
	}
}
