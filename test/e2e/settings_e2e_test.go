package e2e

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"broadside/internal/test/sshtest"
)

// TestSettingsOverSSH changes settings, finds them in another session, and receives a bell
// when a match starts.
func TestSettingsOverSSH(t *testing.T) {
	t.Parallel()
	h := open(t, nil)
	key := sshtest.NewSigner(t)
	p := sshtest.Dial(t, h.ssh, sshtest.Options{User: "ann", Signer: key})
	introduce(p)
	p.WaitText("ann (you)")
	choose := func(setting string) {
		for before := p.Screen(); !strings.Contains(before, "► "+setting); {
			p.Press("down")
			before = p.WaitFor("the next setting", func(s string) bool { return s != before && strings.Contains(s, "► ") })
		}
	}
	p.Press("n")
	p.WaitText("► Opponent")
	choose("Board size")
	p.Press("right", "right")
	p.WaitText("‹ 12 ›")
	p.Press("esc")
	p.WaitText("Play now", "custom  n")
	p.Press("s")
	p.WaitText("► Language")
	choose("Your turn")
	p.Press("right")
	p.WaitText("‹ bell")
	p.Press("esc")
	p.WaitText("Play now", "custom  n")
	p.Press("q")
	p.Wait()

	out := sshtest.NewOutput()
	p = sshtest.Dial(t, h.ssh, sshtest.Options{User: "somebody", Signer: key, Tee: out, Width: 110, Height: 32})
	p.WaitText("custom  n")
	bob := h.talk(t, "bob", "plain")
	time.Sleep(3100 * time.Millisecond) // the bell rings for players who press no key for three seconds
	bob.say("challenge ann")
	p.WaitText("bob challenges you")
	rings := func() int { return strings.Count(titles.ReplaceAllString(out.String(), ""), "\a") }
	for deadline := time.Now().Add(patience); rings() == 0 && time.Now().Before(deadline); {
		time.Sleep(10 * time.Millisecond)
	}
	if n := rings(); n != 1 {
		t.Errorf("the bell rang %d times", n)
	}
	p.Press("n", "b", "enter")
	place(p)
	p.WaitText("YOUR TURN")
	p.WaitText("12 ") // the last column
	p.Press("ctrl+c", "ctrl+c")
	p.Wait()
}

// titles matches sequences that end in a bell character without ringing the bell.
var titles = regexp.MustCompile(`\x1b\][^\a\x1b]*(?:\a|\x1b\\)`)
