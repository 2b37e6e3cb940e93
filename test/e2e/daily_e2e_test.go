package e2e

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/server"
	"broadside/internal/test/sshtest"
	"broadside/internal/test/storetest"
	"broadside/lobby/daily"
	"broadside/match"
)

// sinkDaily fires at one cell after another until the fleet is sunk.
func sinkDaily(p *sshtest.Terminal) {
	for n := range 100 {
		cell := match.At(n%10, n/10).String()
		p.Type(cell)
		p.Press("enter")
		s := p.WaitFor("the shot at "+cell, func(s string) bool {
			return strings.Contains(s, cell+": ") || refused(s, cell) || strings.Contains(s, "THE ENTIRE FLEET")
		})
		if strings.Contains(s, "THE ENTIRE FLEET") {
			return
		}
	}
}

// TestDailySea plays a puzzle over several connections, concurrent sessions and a restart
// of the server.
func TestDailySea(t *testing.T) {
	t.Parallel()
	const day = 24 * 60 * 60
	if left := day - time.Now().Unix()%day; left < 10*60 {
		t.Skipf("the puzzle changes in %d seconds", left)
	}
	data := t.TempDir()
	key := sshtest.NewSigner(t)
	h := open(t, func(c *server.Config) { c.Data = data })
	first := h.with(t, "ann", key)
	introduce(first)
	first.WaitText("ann (you)")
	if err := storetest.Age(data); err != nil { // a new player has no place
		t.Fatal(err)
	}
	first.Press("d", "enter")
	first.WaitText("DAILY SEA ", "0 shots so far")
	first.Type("J10")
	first.Press("enter")
	first.WaitText("J10: ", "1 shot so far")

	second := h.with(t, "ann", key) // continues the same attempt
	second.WaitText("ann (you)")
	second.Press("d", "enter")
	second.WaitText("1 shot so far")
	second.Type("J9")
	second.Press("enter")
	second.WaitText("J9: ", "2 shots so far")
	first.Type("J8")
	first.Press("enter")
	first.WaitText("You continued in another session", "2 shots so far")
	first.Hangup()
	second.Hangup()
	h.stop()
	if err := <-h.stopped; err != nil {
		t.Fatal(err)
	}
	h.stopped <- nil

	h = open(t, func(c *server.Config) { c.Data = data })
	ann := h.with(t, "ann", key)
	ann.WaitText("ann (you)")
	ann.Press("d", "enter")
	ann.WaitText("2 shots so far")
	sinkDaily(ann)
	s := ann.WaitText("YOU SANK THE ENTIRE FLEET. Place 1 of 1.", "1 day, longest 1")
	shared := regexp.MustCompile(`Broadside daily (\S+)  (\d+) shots`).FindStringSubmatch(s)
	if shared == nil {
		t.Fatalf("there is nothing to share:\n%s", s)
	}

	bob := h.come(t, "bob")
	bob.Press("d", "enter")
	bob.WaitText("Best on "+shared[1], "1 finished", "ann")
	guest := sshtest.Dial(t, h.ssh, sshtest.Options{User: "guest", Command: "daily"})
	guest.WaitText("Practice:", "this is practice")
	sunk := make(chan struct{})
	go func() { sinkDaily(guest); close(sunk) }()
	sinkDaily(bob)
	bob.WaitText("Not ranked: accounts must be a week old and have", "five rated matches.", "and 1 not ranked")
	ann.WaitText("and 1 not ranked") // she is still watching
	<-sunk
	guest.WaitText("(practice)", "1 finished")

	for _, c := range []struct {
		key  bool
		line string
		want string
	}{
		{true, "daily", fmt.Sprintf("1      ann   %s  you\n", shared[2])},
		{true, "daily", shared[0] + "\n"},
		{false, "daily", fmt.Sprintf("1      ann   %s\n", shared[2])},
	} {
		o := sshtest.Options{User: "ann"}
		if c.key {
			o.Signer = key
		}
		if got := h.output(t, o, c.line); !strings.Contains(got, c.want) {
			t.Errorf("%s: there is no %q in\n%s", c.line, c.want, got)
		}
	}
	out := h.output(t, sshtest.Options{User: "ann", Signer: key}, "daily --json")
	var got struct {
		Day      string
		Finished int
		You      struct {
			Place, Shots int
			Blocks       string
		}
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	if got.Day != shared[1] || got.Finished != 1 || got.You.Place != 1 || fmt.Sprint(got.You.Shots) != shared[2] ||
		!strings.Contains(s, daily.Share(i18n.English, got.Day, got.You.Blocks)[1]) {
		t.Errorf("the JSON is %s, the screen\n%s", out, s)
	}
}

// output returns the output of a command that needs no terminal.
func (h *testServer) output(t testing.TB, o sshtest.Options, line string) string {
	t.Helper()
	client, err := sshtest.Connect(h.ssh, o)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	session, err := client.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	out, err := session.Output(line)
	if err != nil {
		t.Errorf("%s: %v", line, err)
	}
	return string(out)
}
