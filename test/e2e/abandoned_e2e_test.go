package e2e

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"broadside/internal/server"
	"broadside/internal/store"
	"broadside/internal/test/sshtest"
	"broadside/internal/test/storetest"
	"broadside/match"
)

// TestShutdownLeavesAbandonedMatch checks that a shutdown does not wait for a match that its player has
// left, and that the match continues after a restart.
func TestShutdownLeavesAbandonedMatch(t *testing.T) {
	t.Parallel()
	data, log, key := storetest.Folder(t), sshtest.NewOutput(), sshtest.NewSigner(t)
	configure := func(c *server.Config) { c.Data, c.Drain, c.LogLevel = data, 10*time.Minute, "info" }
	h := openLogging(t, configure, log)
	ann := h.with(t, "ann", key)
	ann.WaitText("Welcome aboard")
	ann.Press("enter")
	ann.WaitText("YOUR TURN")
	aim(ann, "B7")
	ann.Hangup()
	start := time.Now()
	h.close(t)
	if took := time.Since(start); took > time.Minute {
		t.Errorf("the shutdown took %v, want at most a minute", took)
	}
	if text := log.String(); strings.Contains(text, "without a winner") || strings.Contains(text, "end of the drain time") {
		t.Errorf("the server warns: %s", text)
	}
	h = open(t, configure)
	h.with(t, "ann", key).WaitText("Welcome back", "YOUR TURN")
}

// TestGuestQuitsPractice checks that a guest's match against a bot ends immediately when the guest quits.
func TestGuestQuitsPractice(t *testing.T) {
	t.Parallel()
	h := open(t, nil)
	s, err := store.Open(t.Context(), store.Config{Folder: h.data})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ended := func(n int) func() bool {
		return func() bool {
			list, err := s.Matches.List(t.Context(), store.Cursor{}, 9)
			if err != nil {
				t.Fatal(err)
			}
			return len(list) == n && list[0].Reason == match.Left
		}
	}
	guest := sshtest.Dial(t, h.ssh, sshtest.Options{User: "guest"})
	guest.WaitText("Welcome aboard")
	guest.Press("enter")
	aim(guest, "B7")
	guest.Press("ctrl+c")
	guest.WaitText("Resign this match?")
	guest.Press("ctrl+c")
	guest.Wait()
	until(t, "the match of the guest who quit has ended", ended(1))

	guest = sshtest.Dial(t, h.ssh, sshtest.Options{User: "guest"})
	guest.WaitText("Welcome aboard")
	guest.Press("enter")
	guest.WaitText("YOUR TURN")
	guest.Hangup()
	until(t, "the match of the guest without a shot has ended", ended(2))

	lines := h.talk(t, "guest", "play --vs easy --plain")
	lines.say("place random")
	lines.say("a1")
	lines.hear(regexp.MustCompile("A1:"))
	lines.say("quit")
	lines.hear(regexp.MustCompile("Type quit again to end it"))
	lines.say("quit")
	lines.hear(regexp.MustCompile("Goodbye"))
	until(t, "the match of the guest in line mode has ended", ended(3))
}
