//go:build slow

package bots

import "testing"

// TestTrackerAgainstStationaryFleets checks that, against fleets that never move, the
// tracker needs fewer shots than the strongest strategy for stationary ships.
func TestTrackerAgainstStationaryFleets(t *testing.T) {
	const games = 300
	tracker, commodore := shotsNeeded(t, "tracker", "stay", games), shotsNeeded(t, "commodore", "stay", games)
	t.Logf("tracker %.2f shots, commodore %.2f", tracker, commodore)
	if tracker > commodore-0.4 {
		t.Errorf("the tracker needs %.2f shots, commodore %.2f", tracker, commodore)
	}
}
