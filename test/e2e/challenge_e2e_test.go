package e2e

import (
	"strings"
	"testing"
	"time"

	"broadside/internal/server"
	"broadside/internal/test/sshtest"
	"broadside/match"
	"broadside/match/layoutfile"
)

// command creates an account and opens a session that begins with a command.
func (h *testServer) command(t testing.TB, name, line string) *sshtest.Terminal {
	t.Helper()
	key := sshtest.NewSigner(t)
	first := h.with(t, name, key)
	introduce(first)
	leave(t, first)
	return sshtest.Dial(t, h.ssh, sshtest.Options{User: name, Signer: key, Command: line})
}

// two opens sessions for ann and bob, who see each other.
func (h *testServer) two(t testing.TB) (ann, bob *sshtest.Terminal) {
	t.Helper()
	ann, bob = h.come(t, "ann"), h.come(t, "bob")
	ann.WaitText("bob")
	bob.WaitText("ann")
	return ann, bob
}

func TestChallengeAccepted(t *testing.T) {
	t.Parallel()
	ann, bob := open(t, nil).two(t)
	ann.Press("n", "down", "right")
	ann.WaitText("‹ hasbro ›")
	ann.Press("esc")
	ann.WaitText("Play now")
	ann.Press("o", "enter")
	ann.WaitText("Waiting for bob to answer")
	bob.WaitText("ann challenges you: hasbro, no clock")
	bob.Press("y")
	place(ann)
	place(bob)
	bob.WaitText("YOUR TURN")
	ann.WaitText("bob is aiming")
}

func TestChallengeDeclined(t *testing.T) {
	t.Parallel()
	ann, bob := open(t, nil).two(t)
	ann.Press("o", "enter")
	bob.WaitText("ann challenges you")
	bob.Press("n")
	bob.WaitGone("challenges")
	ann.WaitText("Your challenge was declined by bob.")
}

func TestChallengeTimesOut(t *testing.T) {
	t.Parallel()
	ann, bob := open(t, func(c *server.Config) { c.AnswerTime = time.Second }).two(t)
	ann.Press("o", "enter")
	ann.WaitText("No answer from bob in time.") // the challenge may be over before bob's screen shows it
	bob.WaitGone("challenges")
}

func TestRoomByCommand(t *testing.T) {
	t.Parallel()
	h := open(t, nil)
	ann := h.come(t, "ann")
	ann.Press("m", "enter")
	invitation := ann.WaitMatch(`ssh -t -p (\d+) 127.0.0.1 join ([A-Z0-9-]{11})`)
	if !strings.HasSuffix(h.ssh, ":"+invitation[1]) {
		t.Errorf("the invitation has port %s, the server is at %s", invitation[1], h.ssh)
	}
	code := invitation[2]
	bob := h.command(t, "bob", "join "+strings.ToLower(code))
	place(ann)
	place(bob)
	bob.WaitText("YOUR TURN")
	ann.WaitText("bob is aiming")
	bob.Hangup() // a player with an account who joined by command also returns to the seat
	ann.WaitText("bob is away")
}

func TestPlayByCommand(t *testing.T) {
	t.Parallel()
	h := open(t, heed)
	program := h.program(t)
	program.say("% rules hasbro\n% ready\n")
	program.hear("% ok rules\n")
	program.hear("% ok ready\n")
	program.hear("(3,[]).\n")
	ann := h.command(t, "ann", "play --rules hasbro")
	ann.WaitText("against program-")
	bob := h.command(t, "bob", "play --vs hard")
	bob.WaitText("against hard")
	cara := h.command(t, "cara", "play")
	cara.WaitText("You offered the match")
}

func TestCommandsWrittenBadly(t *testing.T) {
	t.Parallel()
	h := open(t, nil)
	for _, c := range []struct {
		line, says string
		terminal   bool
		status     int
	}{
		{"join K3F-97W-QXM", "No private match has this code", true, 2},
		{"join K3F9", "9 letters and digits, such as K3F-97W-QXM.", true, 2},
		{"join", "Join: CODE is missing", false, 2},
		{"play --rules chess", `There are no rules called "chess": choose ` + strings.Join(match.Presets(), ", ") + ".", true, 2},
		{"play --vs \x1b[31mnobody", `Unknown bot "[31mnobody": choose one of easy,`, false, 2},
		{"plain please", `Plain: unexpected argument "please"`, false, 2},
		{"jion K3F9", "Did you mean join?", false, 2},
	} {
		p := sshtest.Dial(t, h.ssh, sshtest.Options{User: "ann", NoPTY: !c.terminal, Command: c.line})
		if status := p.Wait(); status != c.status {
			t.Errorf("%s: exit status %d, want %d", c.line, status, c.status)
		}
		if s := strings.ReplaceAll(p.Screen(), "\n", ""); !strings.Contains(s, c.says) {
			t.Errorf("%s: it says\n%s\nwithout %q", c.line, p.Screen(), c.says)
		}
	}
}

func TestWaitingProgramIsPicked(t *testing.T) {
	t.Parallel()
	h := open(t, heed)
	program := h.program(t)
	program.say("% hello broadside/1 name=kraken\n% rules hasbro\n% ready\n")
	program.hear("% ok hello\n")
	program.hear("% ok rules\n")
	program.hear("% ok ready\n")
	program.hear("(3,[]).\n")
	ann := h.come(t, "ann")
	ann.WaitText("kraken (program)")
	ann.Press("o")
	ann.WaitText("kraken (program)", "hasbro, no clock")
	ann.Press("enter")
	ann.WaitText("against kraken")
	place(ann)
	program.hear("% opponent ann - casual\n")
	program.hear("(5,[]).\n")
	ann.WaitText("YOUR TURN")
	ann.Type(match.At(0, 0).String())
	ann.Press("enter")
	program.hear("(1,[0,0]).\n")
}

// TestHotSeat checks that two people can play at one terminal, that others cannot see their match, and
// that it counts in no statistics.
func TestHotSeat(t *testing.T) {
	t.Parallel()
	var site string
	h, key := open(t, withSite(t, &site)), sshtest.NewSigner(t)
	ann, bob := h.with(t, "ann", key), h.come(t, "bob")
	introduce(ann)
	ann.WaitText("bob")
	ann.Press("H", "enter")
	ann.Type("eve")
	ann.Press("enter")
	fleets := map[string]string{
		"ann": "carrier A1 A5\nbattleship C1 C4\ncruiser E1 E3\nsubmarine G1 G3\ndestroyer I1 I2\n",
		"eve": "carrier B6 B10\nbattleship D6 D9\ncruiser F6 F8\nsubmarine H6 H8\ndestroyer J6 J7\n",
	}
	handOver := func(to string) {
		s := ann.WaitText("Hand over to " + to + ".")
		if strings.ContainsAny(s, "■│") {
			t.Fatalf("a board is shown while the terminal changes hands:\n%s", s)
		}
		ann.Press("enter")
	}
	for _, name := range []string{"ann", "eve"} {
		handOver(name)
		ann.WaitText("Place your fleet, " + name)
		ann.Type("\x1b[200~" + fleets[name] + "\x1b[201~")
		ann.WaitText("All ships are placed.")
		ann.Press("enter")
	}
	// Ann knows where eve's ships are; eve shoots between ann's ships.
	layouts, err := layoutfile.Parse(match.Classic(), fleets["eve"])
	if err != nil {
		t.Fatal(err)
	}
	ships := layouts[0].Cells()
	n := 0
	for cell := range ships.All() {
		for _, shot := range []struct{ name, at string }{{"eve", match.At(n%10, 9-n/10*2).String()}, {"ann", cell.String()}} {
			ann.WaitText("Your fleet · "+shot.name, "YOUR TURN")
			ann.Type(shot.at)
			ann.Press("enter")
			s := ann.WaitFor("the shot", func(s string) bool {
				return strings.Contains(s, "You fired at "+shot.at+":") || strings.Contains(s, " WON.")
			})
			if !strings.Contains(s, " WON.") {
				ann.Press("tab")
				handOver(map[string]string{"ann": "eve", "eve": "ann"}[shot.name])
			}
		}
		n++
		if n == 5 {
			if s := bob.WaitText("Online: ann, bob"); strings.Contains(s, "eve") {
				t.Errorf("another player sees\n%s", s)
			}
		}
	}
	ann.WaitText("ANN WON.", "eve's fleet", "shots        17      17")
	ann.Press("r")
	handOver("eve")
	ann.WaitText("Place your fleet, eve")
	ann.Press("q", "y")
	ann.WaitText("ANN WON. eve resigned.")
	ann.Press("esc")
	ann.WaitText("Play now")

	eve := sshtest.Options{User: "eve", Signer: sshtest.NewSigner(t)}
	own := h.output(t, sshtest.Options{User: "ann", Signer: key}, "history ann --json")
	if !strings.Contains(own, `"sunk"`) || !strings.Contains(own, `"resigned"`) {
		t.Errorf("ann finds %s", own)
	}
	_, profile := get(t, "http://"+site+"/@ann")
	_, recent := get(t, "http://"+site+"/live")
	_, api := get(t, "http://"+site+"/api/v1/games?player=ann")
	// These are outputs, and what a hot-seat match would add to them.
	for what, shown := range map[string][2]string{
		"history": {h.output(t, eve, "history"), "guest eve"}, "history of ann": {h.output(t, eve, "history ann"), "guest eve"},
		"export": {h.output(t, eve, "export --since 2020-01-01"), "'ann'"}, "profile on the website": {profile, "/m/"},
		"recent matches": {recent, ">ann<"}, "API": {api, `"id"`},
	} {
		if strings.Contains(shown[0], shown[1]) {
			t.Errorf("%s has %s:\n%s", what, shown[1], shown[0])
		}
	}
	for who, o := range map[string]sshtest.Options{"eve": eve, "ann": {User: "ann", Signer: key}} {
		if text := h.output(t, o, "profile ann --json"); !strings.Contains(text, `"rules": []`) {
			t.Errorf("%s sees the profile %s", who, text)
		}
	}
}
