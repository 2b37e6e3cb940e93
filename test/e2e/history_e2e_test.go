package e2e

import (
	"strings"
	"testing"

	"broadside/internal/test/sshtest"
	"broadside/internal/test/storetest"
)

// TestHistoryOverSSH plays a whole match, and finds it in the profile, in the history and
// as a replay. The player appears on the leaderboard once their rating is no longer
// provisional.
func TestHistoryOverSSH(t *testing.T) {
	t.Parallel()
	h := open(t, nil)
	p := sshtest.Dial(t, h.ssh, sshtest.Options{User: "ann", Signer: sshtest.NewSigner(t)})
	introduce(p)
	p.WaitText("ann (you)")
	p.Press("b", "1")
	place(p)
	p.WaitText("YOUR TURN")
	end := shootOut(p)
	winner := "easy"
	if strings.Contains(end, "YOU WON") {
		winner = "ann"
	}
	p.Press("esc")
	p.WaitText("Play now")
	p.Press("L")
	p.WaitText("Leaderboard  classic", "everyone", "admiral", "easy")
	p.Press("b")
	p.WaitText("Leaderboard  classic", "people", "Matches against bots and between players with keys are rated.")
	if err := storetest.Settle(h.data); err != nil {
		t.Fatal(err)
	}
	p.Press("b")
	p.WaitText("Leaderboard  classic", "bots and programs", "admiral")
	p.Press("b")
	p.WaitText("Leaderboard  classic", "everyone", "person")
	p.Press("b")
	p.WaitText("Leaderboard  classic", "people")
	p.WaitFor("no bots", func(s string) bool { return strings.Contains(s, "►   1 ") && !strings.Contains(s, "easy") })
	p.Press("enter")
	p.WaitText("person, since", "hit rate")
	p.Press("g")
	p.WaitText("History of ann", "► ")
	p.Press("enter")
	p.WaitText("10 shots") // the replay, at the costliest shot if it has been computed by now
	p.Press("home")
	p.WaitText("The battle begins.")
	p.Press("end")
	p.WaitText(winner+" won.", "ann's fleet", "easy's fleet")
	p.Press("home", "right")
	p.WaitText("fired at")
	p.Press("esc")
	p.WaitText("History of ann")
	p.Press("ctrl+c")
	if code := p.Wait(); code != 0 {
		t.Errorf("the session ends with status %d", code)
	}
	if left := p.Leftovers(); left != nil {
		t.Errorf("it leaves behind %q", left)
	}
}
