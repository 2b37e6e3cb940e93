package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"broadside/internal/server"
	"broadside/internal/test/picture"
	"broadside/internal/test/sshtest"
)

// TestTerminals checks the background colour of a first visit in terminals that answer queries
// differently. With -pictures, it writes pictures of the screens.
func TestTerminals(t *testing.T) {
	t.Parallel()
	h := open(t, func(c *server.Config) { c.BotPace = time.Millisecond })
	const (
		model  = "\x1b[?62;22c"
		colour = "\x1bP1$r0;48:2::1:2:3m\x1b\\\x1bP>|XTerm(388)\x1b\\"
		dark   = "\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\"
		white  = "\x1b]11;rgb:ffff/ffff/ffff\a"
	)
	for name, c := range map[string]struct {
		term    string
		answers string
		env     map[string]string
		ground  string
	}{
		"silent":       {"xterm-256color", "", nil, "16"},
		"model":        {"xterm-256color", model, nil, "16"},
		"dark-256":     {"xterm-256color", dark + model, nil, "16"},
		"dark":         {"xterm-256color", dark + colour + model, nil, "#06111f"},
		"white-256":    {"xterm-256color", white + model, nil, "231"},
		"white":        {"xterm-256color", white + colour + model, nil, "#f4f7fa"},
		"white-silent": {"xterm-256color", "", map[string]string{"COLORFGBG": "0;15"}, "231"},
		"linux":        {"linux", "", nil, "0"},
		"linux-german": {"linux", "", map[string]string{"LANG": "de_DE.UTF-8"}, "0"},
	} {
		for _, size := range [][2]int{{80, 24}, {100, 30}} {
			welcome, turn := "Welcome aboard", "YOUR TURN"
			if name == "linux-german" {
				welcome, turn = "Willkommen an Bord", "DU BIST DRAN"
			}
			t.Run(fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), func(t *testing.T) {
				t.Parallel()
				o := sshtest.Options{User: "ann", Width: size[0], Height: size[1], Term: c.term, Env: c.env, Silent: true}
				visit := func() *sshtest.Terminal {
					o.Signer = sshtest.NewSigner(t)
					p := sshtest.Dial(t, h.ssh, o)
					p.WaitText(welcome)
					p.Type(c.answers)
					p.WaitFor("the ground", func(string) bool { return p.Cell(0, size[1]-2).Bg == c.ground })
					return p
				}
				shoot := func(p *sshtest.Terminal, screen string) {
					t.Helper()
					text := p.Screen()
					if i := strings.IndexFunc(text, func(r rune) bool { return r >= 0x7f }); c.term == "linux" && i >= 0 {
						t.Errorf("the console has no glyph for %q:\n%s", text[i:i+8], text)
					}
					if *pictures == "" {
						return
					}
					f, err := os.Create(filepath.Join(*pictures, fmt.Sprintf("%s-%s-%dx%d.svg", screen, name, size[0], size[1])))
					if err != nil {
						t.Fatal(err)
					}
					defer f.Close()
					if err := picture.Write(f, p.Snapshot()); err != nil {
						t.Fatal(err)
					}
				}
				p := visit()
				shoot(p, "first")
				p.Press("l")
				p.WaitFor("the lobby", func(s string) bool { return !strings.Contains(s, welcome) })
				shoot(p, "lobby")

				p = visit()
				p.Press("enter")
				for _, cell := range []string{"B2", "D6", "E8", "G4", "H7"} {
					p.WaitText(turn)
					p.Type(cell)
					p.WaitText("[~]")
					p.Press("enter")
					p.WaitMatch(`\[[○oX#]\]`)
				}
				p.WaitText(turn)
				shoot(p, "battle")
			})
		}
	}
}
