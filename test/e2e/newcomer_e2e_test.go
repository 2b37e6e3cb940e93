package e2e

import (
	"regexp"
	"strings"
	"testing"

	"broadside/internal/test/sshtest"
)

// TestNewcomerReturns checks that a player with a key but without a name gets the seat back after a
// lost connection, from the first screen and in line mode, and that the match belongs to the account
// that the player creates afterwards.
func TestNewcomerReturns(t *testing.T) {
	t.Parallel()
	var site string
	h := open(t, withSite(t, &site))
	key := sshtest.NewSigner(t)
	dial := func() *sshtest.Terminal {
		return sshtest.Dial(t, h.ssh, sshtest.Options{User: "ann", Signer: key})
	}
	p := dial()
	p.WaitText("Welcome aboard")
	p.Press("enter")
	if s := p.WaitText("YOUR TURN"); strings.Contains(s, "resume code") {
		t.Errorf("a player with a key has a resume code:\n%s", s)
	}
	aim(p, "B7")
	p.Hangup()

	other := sshtest.Dial(t, h.ssh, sshtest.Options{User: "bob", Signer: sshtest.NewSigner(t)})
	other.WaitText("Welcome aboard")
	other.Press("l")
	other.WaitText("guest-2 (you)")

	talker := h.talkAs(t, sshtest.Options{User: "ann", Signer: key}, "")
	talker.hear(regexp.MustCompile(`Welcome back`))
	talker.client.Close()

	p = dial()
	if s := p.WaitText("Welcome back", "YOUR TURN"); strings.Contains(s, "guest-") || strings.Contains(s, "resume code") {
		t.Errorf("the newcomer returns to\n%s", s)
	}
	aim(p, "C3")

	second := dial()
	second.WaitText("Welcome aboard", "Continue your match", "against easy (bot)")
	second.Press("x")
	second.WaitText("YOUR TURN")
	p.WaitText("You have a match in another session")
	aim(second, "E5")
	second.Press("q", "y")
	second.WaitText("YOU LOST")
	second.Press("esc")
	second.WaitText("Choose a player name.")
	second.Press("enter")
	second.WaitText("ann (you)")
	second.Press("g")
	if s := second.WaitText("History of ann", "easy"); strings.Contains(s, "no matches yet") {
		t.Errorf("the account has lost its match:\n%s", s)
	}
	if _, page := get(t, "http://"+site+"/@ann"); !strings.Contains(page, "/m/") {
		t.Errorf("the website's profile lists no match: %s", page)
	}
}
