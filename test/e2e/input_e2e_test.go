package e2e

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"broadside/internal/server"
	"broadside/internal/test/sshtest"
)

// TestSequencesInPieces checks that control sequences with pauses between their bytes neither act as keys
// nor reach a cell's input.
func TestSequencesInPieces(t *testing.T) {
	t.Parallel()
	h := open(t, func(c *server.Config) { c.BotPace = time.Millisecond })
	p := h.recordFirstVisit(t, "pieces")
	p.WaitText("► Quick game")
	pieces := func(pause time.Duration, texts ...string) {
		t.Helper()
		for _, text := range texts {
			p.Type(text)
			time.Sleep(pause)
		}
	}
	const soon, late = 100 * time.Millisecond, 700 * time.Millisecond
	// The letter a is a key of the first screen. On a busy machine, two pieces can arrive together,
	// so the clicks are beside the rows.
	pieces(soon, "\x1b", "[<0;2;2m", "\x1b", "[<0;2;2M", "\x1b", "]11;rgb:1e1e/1e1e/2e2e\a")
	pieces(late, "\x1b[<0", ";2;2M", "\x1b]11;rgb:aa", "aa/aaaa/aaaa\x1b", "\\", "\x1bP1$r48:2", ":1:2:3m\x1b\\", "\x1b_Ga=1", ";a\x1b\\")
	for answer := range strings.SplitSeq("\x1b]11;rgb:aaaa/aaaa/aaaa\a|\x1bP>alacritty(388)\x1b\\|\x1b[?62;22c|\x1b[<35;2;2m", "|") {
		pieces(30*time.Millisecond, answer[:2])
		for _, b := range []byte(answer[2:]) {
			pieces(30*time.Millisecond, string(b))
		}
	}
	p.Press("down")
	p.WaitText("► Tutorial")
	p.Press("up", "enter")
	p.WaitText("YOUR TURN")
	pieces(soon, "\x1b[<0", ";70;12M")
	pieces(late, "\x1b[<0", ";2;2M")
	p.Type("B7")
	screen := p.WaitText("to fire at B7")
	if !strings.Contains(screen, "Cell: B7_") {
		t.Errorf("more was typed than a cell:\n%s", screen)
	}
}

// TestOtherKeyboards checks that a match can be played with Cyrillic, Greek and full-width letters.
func TestOtherKeyboards(t *testing.T) {
	t.Parallel()
	h := open(t, func(c *server.Config) { c.BotPace = time.Millisecond })
	p := h.recordFirstVisit(t, "keyboards")
	p.WaitText("► Quick game")
	for _, step := range []struct{ key, row string }{
		{"о", "► Tutorial"}, {"л", "► Quick game"}, {"ξ", "► Tutorial"}, {"κ", "► Quick game"},
		{"ｊ", "► Tutorial"}, {"ｋ", "► Quick game"}, {"\n", "YOUR TURN"},
	} {
		p.Type(step.key)
		p.WaitText(step.row)
	}
	for _, shot := range [][2]string{{"В7", "B7"}, {"Γ3", "G3"}, {"Ｅ２", "E2"}, {"И1", "B1"}} {
		p.WaitText("YOUR TURN")
		p.Type(shot[0])
		p.WaitText("to fire at " + shot[1])
		p.Type("\n")
		p.WaitText("You fired at " + shot[1])
	}

	bea := h.openLineMode(t, "bea", "play --vs easy --plain")
	bea.send("place random")
	for _, shot := range [][2]string{{"В7", "B7"}, {"в8", "B8"}, {"Δ1", "D1"}, {"fire Ｃ４", "C4"}, {"fire И9", "B9"}} {
		bea.await(regexp.MustCompile(`Your turn`))
		bea.send(shot[0])
		bea.await(regexp.MustCompile(shot[1] + ":"))
	}
}

// TestKittenGetsTheScreen checks that the script that kitten ssh requests starts the screen.
func TestKittenGetsTheScreen(t *testing.T) {
	t.Parallel()
	h := open(t, nil)
	p := sshtest.Dial(t, h.ssh, sshtest.Options{
		User: "ann", Signer: sshtest.NewSigner(t), Term: "xterm-kitty", Command: `exec sh -c 'eval "$(echo "$0" | tr x y)"' ` + strings.Repeat("payload", 100),
	})
	p.WaitText("Welcome aboard")
}
