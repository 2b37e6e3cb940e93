package e2e

import (
	"bytes"
	"context"
	"os/exec"
	"regexp"
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
	b := runningCommand{exec.CommandContext(ctx, build(t), args...), sshtest.NewOutput(), sshtest.NewOutput()}
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

var twoLines = regexp.MustCompile(`^prolog (won|lost) game 1\. Shots fired: \d+\.\nprolog (won|lost) game 2\. Shots fired: \d+\.\nEnd of game\. prolog won \d times and lost \d times\.\n$`)

// TestBotWaits checks that the README's bot says that it waits, and how to get an opponent, on a server
// without another player, and that it reports each game once there is one.
func TestBotWaits(t *testing.T) {
	t.Parallel()
	h := open(t, nil)
	first := startCommand(t, "bot", "prolog", "--relay", h.relay, "--games", "2")
	first.errs.Wait(t, "broadside: waiting for an opponent: ")
	first.errs.Wait(t, `to play immediately, use --vs "bot easy"`)
	second := startCommand(t, "bot", "hard", "--relay", h.relay, "--games", "2")
	first.out.Wait(t, "End of game.")
	second.out.Wait(t, "End of game.")
	if out := first.out.String(); !twoLines.MatchString(out) {
		t.Errorf("the output is %q", out)
	}
	if errs := first.errs.String(); bytes.Count([]byte(errs), []byte("\n")) != 1 {
		t.Errorf("the errors are %q", errs)
	}
}

// TestProgramsWait checks that programs say for whom they wait, but not too early.
func TestProgramsWait(t *testing.T) {
	t.Parallel()
	python := need.Tool(t, "python3")
	h := open(t, nil)
	h.come(t, "ann")
	connect := func(args ...string) runningCommand {
		return startCommand(t, append(append([]string{"connect", h.relay}, args...), "--", python, "examples/player.py")...)
	}
	began := time.Now()
	waits := map[string]runningCommand{
		"waiting for an opponent: another player or program must connect": connect(),
		"waiting for ann, who must be connected and accept":               connect("--vs", "player ann"),
	}
	for text, b := range waits {
		b.errs.Wait(t, "broadside: "+text)
	}
	if time.Since(began) < time.Second {
		t.Error("the notice comes before an opponent could")
	}
}
