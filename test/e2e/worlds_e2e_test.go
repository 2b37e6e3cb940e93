package e2e

import (
	"encoding/json"
	"strings"
	"testing"

	gossh "golang.org/x/crypto/ssh"

	"broadside/internal/server"
	"broadside/internal/test/sshtest"
)

// TestWorldsShareADatabase checks that matches in two worlds count for one rating, and that each world continues only
// its own running matches.
func TestWorldsShareADatabase(t *testing.T) {
	t.Parallel()
	url := newDatabase(t)
	world := func(name string) *testServer {
		return open(t, func(c *server.Config) { c.Store, c.World = url, name })
	}
	worlds := []*testServer{world("main"), world("north")}
	var people [2]*sshtest.Terminal
	var keys [2]gossh.Signer
	names := [2]string{"ann", "bob"}
	for i, h := range worlds {
		for j, name := range names {
			if i == 0 {
				people[j], keys[j] = enterWithKey(t, h, name)
				continue
			}
			people[j] = h.connectAs(t, name, keys[j])
			people[j].WaitText(name + " (you)")
		}
		fireFirst(people[0], people[1])
		aim(people[0], "B7")
		for _, cell := range []string{"C3", "E5"} {
			aim(people[1], cell)
			aim(people[0], cell)
		}
		people[1].Press("q", "y")
		people[0].WaitText("resigned")
		for _, p := range people {
			p.Hangup()
		}
	}
	var rated struct {
		Rules []struct {
			Games  int
			Rating *struct {
				Rated int `json:"rated_games"`
			}
		}
	}
	out := runCommandWithKey(t, worlds[0], keys[0], "profile ann --json")
	if err := json.Unmarshal([]byte(out), &rated); err != nil || len(rated.Rules) != 1 || rated.Rules[0].Games != 2 || rated.Rules[0].Rating == nil || rated.Rules[0].Rating.Rated != 2 {
		t.Errorf("after a match in each world: %v\n%s", err, out)
	}
	list := runCommandWithKey(t, worlds[1], keys[0], "worlds")
	for _, h := range worlds {
		if !strings.Contains(list, h.ssh) {
			t.Errorf("the list of worlds lacks %s:\n%s", h.ssh, list)
		}
	}

	ann := worlds[0].connectAs(t, "ann", keys[0])
	ann.WaitText("ann (you)")
	ann.Press("b", "1")
	place(ann)
	aim(ann, "J10")
	for i, name := range []string{"main", "north"} {
		worlds[i].close(t)
		worlds[i] = world(name)
	}
	north := worlds[1].connectAs(t, "ann", keys[0])
	if screen := north.WaitText("ann (you)"); strings.Contains(screen, "Welcome back") {
		t.Errorf("north has loaded a match of main:\n%s", screen)
	}
	worlds[0].connectAs(t, "ann", keys[0]).WaitText("Welcome back", "You fired at J10")
}
