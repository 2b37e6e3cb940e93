package e2e

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"broadside/internal/test/sshtest"
)

// TestSettingsOverSSH changes settings, comes again from elsewhere, finds them,
// and hears the bell when a match begins.
func TestSettingsOverSSH(t *testing.T) {
	t.Parallel()
	h := open(t, nil)
	key := sshtest.NewSigner(t)
	p := sshtest.Dial(t, h.ssh, sshtest.Options{User: "ann", Signer: key})
	introduce(p)
	p.WaitText("ann (you)")
	p.Press("s")
	p.WaitText("▸ Rules")
	p.Press("down")
	p.Type("3")
	p.WaitText("Board size cannot be 3: type 5 to 26.")
	p.Type("12")
	p.WaitText("‹ 12 ›")
	for before := p.Screen(); !strings.Contains(before, "▸ Sounds"); {
		p.Press("down")
		before = p.WaitFor("the next setting", func(s string) bool { return s != before && strings.Contains(s, "▸ ") })
	}
	p.Press("right")
	p.WaitText("▸ Sounds           ‹ on ›")
	p.Press("esc")
	p.WaitText("Play now", "Rules            custom")
	p.Press("q")
	p.Wait()

	out := sshtest.NewOutput()
	p = sshtest.Dial(t, h.ssh, sshtest.Options{User: "somebody", Signer: key, Tee: out, Width: 110, Height: 32})
	p.WaitText("Rules            custom")
	p.Press("b", "enter")
	place(p)
	p.WaitText("Your turn.")
	p.WaitText("12 ") // the last column
	rings := func() int { return strings.Count(titles.ReplaceAllString(out.String(), ""), "\a") }
	for deadline := time.Now().Add(patience); rings() == 0 && time.Now().Before(deadline); {
		time.Sleep(10 * time.Millisecond)
	}
	p.Press("ctrl+c", "ctrl+c")
	p.Wait()
	if n := rings(); n != 1 {
		t.Errorf("the bell rang %d times", n)
	}
}

// titles are sequences that end in a bell, which no terminal rings.
var titles = regexp.MustCompile(`\x1b\][^\a]*\a`)
