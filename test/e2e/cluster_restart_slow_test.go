//go:build slow && unix

package e2e

import (
	"strings"
	"testing"

	"broadside/internal/test/servers"
	"broadside/internal/test/sshtest"
)

// TestNodeIsRestarted stops the active node of two. Its users are asked to reconnect; users
// of the other node are not affected.
func TestNodeIsRestarted(t *testing.T) {
	t.Parallel()
	f := fleetOf(t, servers.Config{Count: 2})
	all := activeFirst(t, f)
	annKey := sshtest.NewSigner(t)
	ann := serverOf(all[0]).with(t, "ann", annKey)
	introduce(ann)
	ann.WaitText("ann (you)")
	bob := serverOf(all[1]).come(t, "bob")
	bob.WaitText("ann")
	fireFirst(ann, bob)
	ann.WaitText("YOUR TURN")

	const parting = "The server is restarting. Reconnect to continue where you left off."
	if err := all[0].Stop(); err != nil {
		t.Error(err)
	}
	if status := ann.Wait(); status != 0 || !strings.Contains(strings.Join(strings.Fields(ann.Screen()), " "), parting) {
		t.Errorf("ann, status %d, reads\n%s", status, ann.Screen())
	}
	ann = serverOf(all[1]).with(t, "ann", annKey)
	ann.WaitText("Welcome back", "YOUR TURN")
	aim(ann, "J10")
	bob.WaitText("ann fired at J10")
	if err := all[0].Restart(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	aim(bob, "C3")
	ann.WaitText("bob fired at C3")

	// The last node shuts down like a single server.
	if err := all[0].Stop(); err != nil {
		t.Error(err)
	}
	until(t, "for one node", func() bool { return len(report(t, all[1].Data).Nodes) == 1 })
	if err := all[1].Stop(); err != nil {
		t.Error(err)
	}
	bob.Wait()
	if !strings.Contains(bob.Screen(), "The server has been shut down.") {
		t.Errorf("bob reads\n%s", bob.Screen())
	}
}
