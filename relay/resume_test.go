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

// returningClient is a program that returns to its match after a lost connection.
type returningClient struct {
	*testClient
	r    *internalRelay
	code string
	// messages includes those that did not arrive.
	messages []string
	// received counts the lines since the client's role.
	received int
}

// newReturningClient starts a match as the attacker.
func newReturningClient(t *testing.T, r *internalRelay) *returningClient {
	t.Helper()
	c := &returningClient{testClient: r.dial(t, "10.0.0.1"), r: r}
	c.send("% resume\n% ready")
	c.expect("% ok resume\n% ok ready\n(4,[]).\n")
	if line, err := c.readLine(); err != nil || !strings.HasPrefix(line, "% opponent ") {
		t.Fatalf("received %q, %v, want the opponent", line, err)
	}
	line, err := c.readLine()
	code, found := strings.CutPrefix(line, "% seat ")
	if err != nil || !found {
		t.Fatalf("received %q, %v, want the resume code", line, err)
	}
	c.code = code
	return c
}

// reconnect loses the connection and returns to the match just before the time for that is over.
func (c *returningClient) reconnect() {
	c.t.Helper()
	c.nc.Close()
	synctest.Wait()
	time.Sleep(lobby.ProgramGrace - time.Second)
	c.resumeMatch()
}

// resumeMatch takes the seat on another connection.
func (c *returningClient) resumeMatch() {
	c.t.Helper()
	c.testClient = c.r.dial(c.t, "10.0.0.1")
	c.send(fmt.Sprintf("%% resume %s %d\n%% ready", c.code, c.received))
	line, err := c.readLine()
	var arrived int
	if _, scanned := fmt.Sscanf(line, "%% ok resume %d", &arrived); err != nil || scanned != nil {
		c.t.Fatalf("received %q, %v, want ok resume", line, err)
	}
	c.expect("% ok ready\n")
	for _, message := range c.messages[arrived:] {
		c.send(message)
	}
}

// playSparringPartner defends first. It answers two attacks with a miss and the third with the last ship,
// and attacks in between.
func playSparringPartner(c *testClient) {
	for n := 0; n < 3; {
		line, err := c.readLine()
		var x, y int
		switch _, scanned := fmt.Sscanf(line, "(1,[%d,%d]).", &x, &y); {
		case err != nil:
			return
		case scanned == nil:
			n++
			c.send(fmt.Sprintf("(2,[%d,%d,%d]).", x, y, 1+n/3*3))
			if n < 3 {
				c.send(fmt.Sprintf("(1,[9,%d]).", n))
			}
		}
	}
}

// TestResumedMatchLosesNoLine checks that a program receives each line once, although it loses the
// connection before it reads or after it sends a line, or with a line that the server does not receive.
func TestResumedMatchLosesNoLine(t *testing.T) {
	game := []string{
		"< (5,[]).", "> (1,[0,0]).", "< (2,[0,0,1]).", "< (1,[9,1]).", "> (2,[9,1,1]).",
		"> (1,[0,1]).", "< (2,[0,1,1]).", "< (1,[9,2]).", "> (2,[9,2,1]).", "> (1,[0,2]).", "< (2,[0,2,4]).",
	}
	for point := range game {
		for _, arrives := range []bool{true, false} {
			t.Run(fmt.Sprint(point, arrives), func(t *testing.T) {
				runInBubble(t, relay.Config{}, lobby.Config{}, func(t *testing.T, r *internalRelay) {
					other := r.dial(t, "10.0.0.2")
					other.expect("(3,[]).\n")
					c := newReturningClient(t, r)
					go playSparringPartner(other)
					for i, line := range game {
						received, isReceived := strings.CutPrefix(line, "< ")
						switch {
						case isReceived && i == point:
							// Wait until the message is on its way.
							synctest.Wait()
							c.reconnect()
							fallthrough
						case isReceived:
							c.expect(received + "\n")
							c.received++
						default:
							c.messages = append(c.messages, line[2:])
							if i != point || arrives {
								c.send(line[2:])
							}
							if i == point {
								c.reconnect()
							}
						}
					}
					c.expect("% result won sunk shots=3\n% end\n")
					c.expectClosed()
				})
			})
		}
	}
}
