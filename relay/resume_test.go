package relay_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"broadside/lobby"
	"broadside/relay"
)

// returner is a program that returns to its match after a lost connection.
type returner struct {
	*testClient
	r     *internalRelay
	code  string
	own   []string // the messages that it has wanted to send
	heard int      // lines since its role
}

// newReturner starts a match as the attacker.
func newReturner(t *testing.T, r *internalRelay) *returner {
	t.Helper()
	c := &returner{testClient: r.dial(t, "10.0.0.1"), r: r}
	c.say("% resume\n% ready")
	c.hear("% ok resume\n% ok ready\n(4,[]).\n")
	if line, err := c.line(); err != nil || !strings.HasPrefix(line, "% opponent ") {
		t.Fatalf("heard %q, %v", line, err)
	}
	line, err := c.line()
	code, found := strings.CutPrefix(line, "% seat ")
	if err != nil || !found {
		t.Fatalf("heard %q, %v", line, err)
	}
	c.code = code
	return c
}

// lose loses the connection and returns to the match.
func (c *returner) lose() {
	c.t.Helper()
	c.nc.Close()
	synctest.Wait()
	time.Sleep(lobby.ProgramGrace - time.Second)
	c.resume()
}

// resume takes the seat on another connection.
func (c *returner) resume() {
	c.t.Helper()
	c.testClient = c.r.dial(c.t, "10.0.0.1")
	c.say(fmt.Sprintf("%% resume %s %d\n%% ready", c.code, c.heard))
	line, err := c.line()
	var arrived int
	if _, scanned := fmt.Sscanf(line, "%% ok resume %d", &arrived); err != nil || scanned != nil {
		c.t.Fatalf("heard %q, %v", line, err)
	}
	c.hear("% ok ready\n")
	for _, message := range c.own[arrived:] {
		c.say(message)
	}
}

// sparring defends, answers two attacks with water and the third with the last ship, and attacks.
func sparring(c *testClient) {
	for n := 0; n < 3; {
		line, err := c.line()
		var x, y int
		switch _, scanned := fmt.Sscanf(line, "(1,[%d,%d]).", &x, &y); {
		case err != nil:
			return
		case scanned == nil:
			n++
			c.say(fmt.Sprintf("(2,[%d,%d,%d]).", x, y, 1+n/3*3))
			if n < 3 {
				c.say(fmt.Sprintf("(1,[9,%d]).", n))
			}
		}
	}
}

// TestResume loses the connection of a program at each point of a game, before it reads or after it
// sends a line, and with a line that the server does not receive. The program receives each line once.
func TestResume(t *testing.T) {
	game := []string{
		"< (5,[]).", "> (1,[0,0]).", "< (2,[0,0,1]).", "< (1,[9,1]).", "> (2,[9,1,1]).",
		"> (1,[0,1]).", "< (2,[0,1,1]).", "< (1,[9,2]).", "> (2,[9,2,1]).", "> (1,[0,2]).", "< (2,[0,2,4]).",
	}
	for point := range game {
		for _, arrives := range []bool{true, false} {
			t.Run(fmt.Sprint(point, arrives), func(t *testing.T) {
				bubble(t, relay.Config{}, lobby.Config{}, func(t *testing.T, r *internalRelay) {
					other := r.dial(t, "10.0.0.2")
					other.hear("(3,[]).\n")
					c := newReturner(t, r)
					go sparring(other)
					for i, line := range game {
						received, heard := strings.CutPrefix(line, "< ")
						switch {
						case heard && i == point:
							synctest.Wait() // it is on its way
							c.lose()
							fallthrough
						case heard:
							c.hear(received + "\n")
							c.heard++
						default:
							c.own = append(c.own, line[2:])
							if i != point || arrives {
								c.say(line[2:])
							}
							if i == point {
								c.lose()
							}
						}
					}
					c.hear("% result won sunk shots=3\n% end\n")
					c.end()
				})
			})
		}
	}
}
