//go:build unix

package e2e

import (
	"bufio"
	"context"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"

	"broadside/internal/test/sshtest"
)

// TestThirdPersonWatches lets a third person watch a whole match: until the end, she sees
// the shots but only the ships that were hit.
func TestThirdPersonWatches(t *testing.T) {
	t.Parallel()
	h := open(t, nil)
	ann, bob, carol := h.come(t, "ann"), h.come(t, "bob"), h.come(t, "carol")
	ann.Press("p")
	ann.WaitText("You offered the match")
	bob.WaitFor("ann in the queue", func(s string) bool { return strings.Count(s, "ann") >= 2 })
	bob.Press("p")
	carol.WaitText("ann – bob")
	carol.Press("w")
	carol.WaitText("Watch a match")
	carol.WaitText("ann – bob")
	// A match between two bots may still be first in the list.
	for !strings.Contains(carol.Screen(), "► 1  ann – bob") && !strings.Contains(carol.Screen(), "► 2  ann – bob") {
		carol.Press("down")
		carol.WaitText("► 2")
	}
	carol.Press("enter")
	carol.WaitText("ann's waters")
	ann.WaitText("1 watching · ann")
	bob.WaitText("1 watching · bob")

	place(ann)
	place(bob)
	carol.WaitText("bob is aiming.")
	aim(bob, "B7")
	carol.WaitText("bob fired at B7")
	aim(ann, "J10")
	carol.WaitText("ann fired at J10")

	var players sync.WaitGroup
	players.Go(func() { shootOut(ann) })
	players.Go(func() { shootOut(bob) })
	ship := regexp.MustCompile(`(?m)^ *[A-J] .*■`) // on a board, not in the list of ships afloat
	end := carol.WaitFor("the end", func(s string) bool {
		over := strings.Contains(s, "won.")
		if !over && (ship.MatchString(s) || strings.Contains(s, "'s fleet")) {
			t.Errorf("a spectator sees a ship that was not hit:\n%s", s)
		}
		return over
	})
	players.Wait()
	for _, want := range []string{"ann's fleet", "bob's fleet", "last ship is sunk"} {
		if !strings.Contains(end, want) {
			t.Errorf("after the end, %q is missing:\n%s", want, end)
		}
	}
	if !ship.MatchString(end) {
		t.Errorf("after the end, no ship is visible:\n%s", end)
	}
	carol.Press("esc")
	carol.WaitText("Play now")
}

// TestBotsPlayInTheLobby watches two bots in the lobby of an empty server.
func TestBotsPlayInTheLobby(t *testing.T) {
	t.Parallel()
	h := open(t, nil)
	ann := h.come(t, "ann")
	ann.WaitText("is aiming.")
	ann.Press("w", "1")
	ann.WaitText("1 watching · ann")
	ann.WaitText("fired at")
	h.stop() // the exit must not wait for the bots
	if err := <-h.stopped; err != nil {
		t.Error(err)
	}
	h.stopped <- nil
}

// TestWatchWithoutATerminal follows a match of two bots with the real ssh client, as lines
// and as JSON, and then on a screen.
func TestWatchWithoutATerminal(t *testing.T) {
	t.Parallel()
	h := open(t, nil)
	ann := newAsker(t, h, "ann")
	if status, out, errs := ann.ask("watch nobody"); status != 1 || out != "" || !strings.Contains(errs, "ssh HOST watch --list") {
		t.Errorf("status %d, %q, %q", status, out, errs)
	}
	// The clients leave once they have what they need.
	for _, c := range []struct{ line, sees string }{
		{"watch", " fired at "}, {"watch featured --json", `"event":"answered"`},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		client := exec.CommandContext(ctx, ann.ssh, append(ann.args, c.line)...)
		out, err := client.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := client.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for lines.Scan() && !strings.Contains(lines.Text(), c.sees) {
		}
		if err := lines.Err(); err != nil || !strings.Contains(lines.Text(), c.sees) {
			t.Errorf("%s: %q, %v", c.line, lines.Text(), err)
		}
		cancel()
		_ = client.Wait() // it was killed
	}
	p := sshtest.Dial(t, h.ssh, sshtest.Options{User: "bob", Command: "watch"})
	p.WaitText("'s waters", "fired at")
	p.Press("esc")
	p.WaitText("Play now")
}
