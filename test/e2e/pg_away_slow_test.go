//go:build slow && unix

package e2e

import (
	"strings"
	"testing"
	"time"

	"broadside/internal/test/pgtest"
	"broadside/internal/test/servers"
	"broadside/internal/test/sshtest"
)

// TestDatabaseIsRestarted restarts the PostgreSQL server of two nodes. The active node
// stays the same, both stay ready, and the match continues. While the database is down,
// both nodes report that, and a player with an unknown key sees the reason.
func TestDatabaseIsRestarted(t *testing.T) {
	t.Parallel()
	server := pgtest.Open(t, "")
	url, err := server.URL(t.Context(), t.Name())
	if err != nil {
		t.Fatal(err)
	}
	f := fleetAt(t, url, servers.Config{Count: 2})
	all := activeFirst(t, f)
	ann := serverOf(all[0]).come(t, "ann")
	bob := serverOf(all[1]).come(t, "bob")
	bob.WaitText("ann")
	fireFirst(ann, bob)
	ann.WaitText("YOUR TURN")

	if err := server.Kill(); err != nil {
		t.Fatal(err)
	}
	ann.Type("J10")
	ann.Press("enter")
	for range 6 {
		time.Sleep(time.Second)
		for _, n := range all {
			if status, body := get(t, "http://"+n.Metrics+"/readyz"); status != 200 {
				t.Errorf("%s is not ready while the database restarts: %s", n.Name, body)
			}
		}
	}
	stranger := sshtest.Dial(t, all[1].SSH, sshtest.Options{User: "cid", Signer: sshtest.NewSigner(t)})
	stranger.Wait()
	t.Log(stranger.Screen())
	if !strings.Contains(stranger.Screen(), "try again") {
		t.Errorf("a player with an unknown key reads\n%s", stranger.Screen())
	}
	if err := server.Recover(); err != nil {
		t.Fatal(err)
	}
	bob.WaitText("ann fired at J10")
	aim(bob, "C3")
	ann.WaitText("bob fired at C3")
	if now := activeFirst(t, f); now[0] != all[0] {
		t.Error("the active role has moved")
	}
}
