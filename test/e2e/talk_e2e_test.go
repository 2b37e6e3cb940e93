package e2e

import (
	"strings"
	"testing"

	"broadside/internal/server"
)

// TestTalk lets two people chat in a match, and one mute the other.
func TestTalk(t *testing.T) {
	t.Parallel()
	ann, bob := open(t, nil).two(t)
	ann.Press("t")
	ann.WaitText("Lobby chat")
	ann.Type("anybody here?")
	ann.Press("enter")
	ann.WaitText("you: anybody here?")
	ann.Press("esc")
	ann.WaitText("Play now")
	bob.Press("t")
	bob.WaitText("Lobby chat", "ann: anybody here?")
	bob.Press("esc")
	bob.WaitText("Play now")
	bob.Press("o", "enter")
	ann.WaitText("bob challenges you")
	ann.Press("y")
	place(ann)
	place(bob)
	ann.WaitText("YOUR TURN")
	ann.Press("t")
	ann.Type("have at you, A1")
	ann.Press("enter")
	bob.WaitText("ann: have at you, A1")
	bob.Press("t", "2")
	if s := ann.WaitText("bob: Good luck!"); strings.Contains(s, "You fired") {
		t.Errorf("talking has fired a shot:\n%s", s)
	}
	ann.Press("t", "tab")
	ann.WaitText("bob is muted for this session.")
	ann.Press("tab")
	ann.WaitText("bob is muted permanently.")
	ann.Press("esc")
	ann.WaitGone("tab mute")
	bob.Press("t")
	bob.Type("do you hear me")
	bob.Press("enter")
	bob.WaitText("you: do you hear me")
	ann.Press("t")
	ann.Type("I hear nothing")
	ann.Press("enter")
	bob.WaitText("ann: I hear nothing")
	if s := ann.WaitText("you: I hear nothing"); strings.Contains(s, "do you hear me") {
		t.Errorf("lines of a muted player are shown:\n%s", s)
	}
}

func TestGuestTalkOff(t *testing.T) {
	t.Parallel()
	h := open(t, func(c *server.Config) { c.GuestTalk = false })
	ann := h.come(t, "ann")
	guest := h.visit(t, "eve", "eve")
	guest.Press("t", "1")
	guest.WaitText("Guests cannot chat on this server")
	ann.Press("t", "1")
	guest.WaitText("ann: Hello!")
}
