package e2e

import (
	"strings"
	"testing"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/sshtest"
	"broadside/match"
)

// fireFirst starts a match of two people in the lobby. Bob fires first, at B7.
func fireFirst(ann, bob *sshtest.Terminal) {
	ann.Press("p")
	ann.WaitText("You offered the match")
	bob.WaitText("1 waiting")
	bob.Press("p")
	place(ann)
	place(bob)
	aim(bob, "B7")
}

// aim fires one shot and waits for its answer.
func aim(p *sshtest.Terminal, cell string) {
	p.WaitText("YOUR TURN")
	p.Type(cell)
	p.Press("enter")
	p.WaitText("You fired at " + cell + ":")
}

// checkJournal waits until n shots of the running match are on the disk.
func checkJournal(t *testing.T, data string, shots int) {
	t.Helper()
	s, err := store.Open(t.Context(), store.Config{Folder: data})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		running, err := s.Running.List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, r := range running {
			for _, e := range r.Events {
				if e.Kind == match.ShotAnswered {
					n++
				}
			}
		}
		if n >= shots {
			return
		}
	}
	t.Fatalf("%d shots are not on the disk", shots)
}

// TestMatchSurvivesKill checks that a match continues with all its shots after the program was killed.
func TestMatchSurvivesKill(t *testing.T) {
	t.Parallel()
	binary, data := programPath(t), t.TempDir()
	server, h := startServer(t, binary, data)
	key := sshtest.NewSigner(t)
	ann := h.connectAs(t, "ann", key)
	createAccount(ann)
	ann.WaitText("ann (you)")
	ann.Press("b", "1")
	place(ann)
	for _, cell := range []string{"A1", "C3", "E5", "G7"} {
		aim(ann, cell)
	}
	ann.WaitText("YOUR TURN")
	checkJournal(t, data, 8)
	if err := server.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	server.Wait()

	_, h = startServer(t, binary, data)
	ann = h.connectAs(t, "ann", key)
	ann.WaitText("Welcome back", "YOUR TURN")
	for _, cell := range []string{"A1", "C3", "E5", "G7"} {
		ann.Type(cell)
		ann.Press("enter")
		ann.WaitFor("the shot at "+cell+" is known", func(s string) bool { return isShotRefused(s, cell) })
	}
	if s := finishMatch(ann); !strings.Contains(s, "Your rating: ") {
		t.Errorf("the match was not rated in the end:\n%s", s)
	}
}
