package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"broadside/internal/test/sshtest"
)

// recordFirstVisit opens a session with a new key, which is recorded under a name.
func (h *testServer) recordFirstVisit(t *testing.T, recorded string) *sshtest.Terminal {
	t.Helper()
	return h.record(t, recorded, sshtest.Options{User: "ann", Signer: sshtest.NewSigner(t)})
}

// logDuration logs how long the first shot took. The test has no limit for it, because the
// machine may be busy.
func logDuration(t *testing.T, start time.Time) {
	t.Logf("the first shot came %v after connecting", time.Since(start).Round(time.Millisecond))
}

// TestFirstVisitByKeys checks that two keys fire the first shot, and that a player chooses a name after the match.
func TestFirstVisitByKeys(t *testing.T) {
	t.Parallel()
	h, start := open(t, nil), time.Now()
	ann := h.recordFirstVisit(t, "keys")
	ann.WaitText("Welcome aboard", "► Quick game")

	// 1. Enter starts the quick game, whose fleet is already placed.
	ann.Press("enter")
	ann.WaitText("YOUR TURN", "easy")

	// 2. Enter fires at the cell under the cursor.
	ann.Press("enter")
	ann.WaitText("You fired at E5")
	logDuration(t, start)

	// Aim with the arrows, or type a cell.
	ann.WaitText("YOUR TURN")
	ann.Press("up", "enter")
	ann.WaitText("You fired at D5")
	finishMatch(ann)
	ann.WaitText("What next", "Worst mistakes", "accuracy")

	// The replay opens before the worst mistake.
	ann.Press("v")
	ann.WaitText("admiral would fire at")
	ann.Press("esc")

	// The first match is over: choose a name.
	ann.WaitText("What next")
	ann.Press("q")
	ann.WaitText("Choose a player name.")
	ann.Press("enter")
	ann.WaitText("ann (you)")
	leave(t, ann)
}

// TestFirstVisitByMouse checks that a match can be played with the mouse alone. A first click on a cell aims, a second
// one fires.
func TestFirstVisitByMouse(t *testing.T) {
	t.Parallel()
	h, start := open(t, nil), time.Now()
	ann := h.recordFirstVisit(t, "mouse")
	ann.WaitText("Quick game")
	clickText(t, ann, "Quick game", 2)
	ann.WaitText("YOUR TURN", "easy")
	// column is the distance of a cell on the board from the start of its heading.
	const column = 12
	clickBelow(t, ann, "Enemy waters", column)
	clickBelow(t, ann, "Enemy waters", column)
	ann.WaitText("You fired at ")
	logDuration(t, start)

	// Resign with the buttons of the bottom bar.
	ann.WaitText("YOUR TURN")
	clickText(t, ann, "q  resign", 3)
	ann.WaitText("Resign this match?")
	clickText(t, ann, "y  resign", 3)
	ann.WaitText("What next", "Replay", "esc  name")
	clickText(t, ann, "Choose a name", 1)
	ann.WaitText("Choose a player name.")
}

// TestFirstVisitWithoutKey checks that a guest is not asked for a name, and that a connection's second session starts
// in the lobby.
func TestFirstVisitWithoutKey(t *testing.T) {
	t.Parallel()
	h := open(t, nil)
	client, err := sshtest.Connect(h.ssh, sshtest.Options{User: "guest"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	first := sshtest.Open(t, client, sshtest.Options{})
	first.WaitText("Welcome aboard", "► Quick game", "You are a guest.")
	if s := first.Screen(); strings.Contains(s, "Choose a name") {
		t.Errorf("a guest without a key is offered a name:\n%s", s)
	}
	first.Press("enter")
	first.WaitText("YOUR TURN", "easy")
	first.Press("enter")
	first.WaitText("You fired at E5", "YOUR TURN")
	first.Press("q", "y")
	first.WaitText("What next", "esc  lobby")
	first.Press("q")
	// A guest is not asked for a name.
	first.WaitText("guest (you)")

	second := sshtest.Open(t, client, sshtest.Options{})
	second.WaitText("Play now", "(you)")
}

// clickBelow clicks four lines below and n cells to the right of a text.
func clickBelow(t testing.TB, p *sshtest.Terminal, text string, n int) {
	t.Helper()
	x, y, ok := p.Find(text)
	if !ok {
		t.Fatalf("there is no %q:\n%s", text, p.Screen())
	}
	p.Type(fmt.Sprintf("\x1b[<0;%d;%dM\x1b[<0;%d;%dm", x+n+1, y+5, x+n+1, y+5))
}

// TestFirstVisitByLines checks that two lines fire the first shot in line mode.
func TestFirstVisitByLines(t *testing.T) {
	t.Parallel()
	h, start := open(t, nil), time.Now()
	ann := h.record(t, "lines", sshtest.Options{User: "ann", Command: "plain"})
	say := func(line string) {
		ann.Type(line)
		ann.Press("enter")
	}
	ann.WaitText("quick to play immediately")
	say("quick")
	ann.WaitText("Your turn.")
	say("e5")
	ann.WaitText("E5: ")
	logDuration(t, start)
	ann.WaitText("easy fired at ")
	say("resign")
	ann.WaitText("again")
	say("resign")
	ann.WaitText("You lost.", "Your accuracy: ", "easy's accuracy: ")
	say("quit")
	if status := ann.Wait(); status != 0 {
		t.Errorf("the session ended with status %d", status)
	}
}
