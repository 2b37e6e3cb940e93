package e2e

import (
	"fmt"
	"strings"
	"testing"

	"broadside/internal/test/sshtest"
	"broadside/match"
)

// clickText clicks n cells to the right of a text on the screen.
func clickText(t testing.TB, p *sshtest.Terminal, text string, n int) {
	t.Helper()
	x, y, ok := p.Find(text)
	if !ok {
		t.Errorf("there is no %q to click at:\n%s", text, p.Screen())
		return
	}
	p.Type(fmt.Sprintf("\x1b[<0;%d;%dM\x1b[<0;%d;%dm", x+n+1, y+1, x+n+1, y+1))
}

// moveButtons lists the buttons for moves, and the equivalent keys.
var moveButtons = [][2]string{{"forward", "f"}, {"backward", "b"}, {"clockwise", "c"}, {"anticlockwise", "a"}}

// playNavalMatch plays a naval match to the end, moving by keys and clicks in turn, and returns the
// last screen and the number of moves of each kind.
func playNavalMatch(t testing.TB, p *sshtest.Terminal) (last string, keys, clicks int) {
	t.Helper()
	const ship, aim, over = "First you may move a ship.", "to fire at", "YOU "
	for n := 0; ; n++ {
		s := p.WaitFor("a move, a shot or the end", func(s string) bool {
			return strings.Contains(s, ship) || strings.Contains(s, aim) || strings.Contains(s, over)
		})
		if strings.Contains(s, over) {
			return s, keys, clicks
		}
		if strings.Contains(s, ship) {
			p.Press("tab")
			p.WaitFor("a ship in hand", func(s string) bool {
				return !strings.Contains(s, ship) || strings.Contains(s, "None of your ships")
			})
			moved := false
			for _, w := range moveButtons {
				x, _, ok := p.Find(" " + w[0])
				if moved = ok && x > 0; !moved {
					continue
				}
				if n%2 == 0 {
					keys++
					p.Press(w[1])
				} else {
					clicks++
					clickText(t, p, " "+w[0], 2)
				}
				break
			}
			if !moved {
				clickText(t, p, "p pass", 1)
			}
			s = p.WaitFor("the move to be made", func(s string) bool { return strings.Contains(s, aim) || strings.Contains(s, over) })
			if strings.Contains(s, over) {
				return s, keys, clicks
			}
		}
		cell := match.NewCell(n*3%10, n*3/10%10).String()
		p.Type(cell)
		p.WaitFor("the aim", func(s string) bool { return strings.Contains(s, "fire at "+cell+".") || strings.Contains(s, over) })
		p.Press("enter")
		p.WaitFor("the answer", func(s string) bool {
			return strings.Contains(s, "You fired at "+cell+":") || strings.Contains(s, over)
		})
	}
}

func TestNavalAgainstBotToTheEnd(t *testing.T) {
	t.Parallel()
	h := open(t, nil)
	p := h.openWithCommand(t, "ann", "play --vs tracker --rules naval")
	place(p)
	p.WaitText("YOUR TURN  Press enter to fire at")
	s, keys, clicks := playNavalMatch(t, p)
	if !strings.Contains(s, " rounds in ") || !strings.Contains(s, "tracker's fleet") {
		t.Errorf("the result is\n%s", s)
	}
	if keys < 5 || clicks < 5 {
		t.Errorf("%d moves by keys and %d by clicks were made", keys, clicks)
	}
	p.Press("v")
	p.WaitText("The battle starts.")
	for n := 1; n <= 20; n++ {
		p.Press("right")
		p.WaitMatch(fmt.Sprintf("shot +%d of", n))
		if strings.Contains(p.Screen(), " moved: ") {
			return
		}
	}
	t.Error("no ship moves in the film")
}
