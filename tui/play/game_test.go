package play

import (
	"testing"

	"broadside/internal/narrate"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/match/live"
	"broadside/tui/widget"
)

// TestMissedEventsResetReports checks that a player who returns sees no results of old shots.
func TestMissedEventsResetReports(t *testing.T) {
	g := newGame(&session.Match{}, match.First, "bob")
	g.ownShots, g.reports = narrate.Line{Tone: narrate.Good}, widget.Reports{{}}
	g.applyUpdate(&live.Update{Missed: true})
	if len(g.reports) > 0 || g.ownShots.Tone != narrate.Neutral {
		t.Errorf("got %+v and %+v, want neither", g.ownShots, g.reports)
	}
}
