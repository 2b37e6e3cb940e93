package match_test

import (
	"testing"

	"broadside/match"
	"broadside/match/audit"
)

// oldRecords are matches as earlier versions stored them, without the common events at the start.
// Second wins with two hits if the events end with a 4.
var oldRecords = map[string]struct {
	events string
	winner match.Side
	reason match.Reason
}{
	"the fleet was revealed": {oldShots + oldSunk + `,{"event":"revealed","ms":50,"side":0,"layout":["A1E2"],"salt":"0123456789abcdef"},` +
		`{"event":"ended","ms":50,"side":1,"reason":"sunk"}`, match.Second, match.FleetSunk},
	"another fleet was revealed": {oldShots + oldSunk + `,{"event":"revealed","ms":50,"side":1,"layout":["D4E2"],"salt":"0123456789abcdef"},` +
		`{"event":"reveal-failed","ms":50,"side":1,"reason":"other-fleet"},{"event":"ended","ms":60,"side":0,"reason":"other-fleet"}`,
		match.First, match.Contradiction},
	"no fleet was revealed": {oldShots + oldSunk + `,{"event":"reveal-failed","ms":50,"side":1,"reason":"unrevealed"},` +
		`{"event":"ended","ms":60,"side":0,"reason":"unrevealed"}`, match.First, match.Contradiction},
	"the loser had resigned": {oldShots + `,{"event":"reveal-due","ms":30,"side":0,"reason":"resigned"},` +
		`{"event":"reveal-failed","ms":50,"side":0,"reason":"false-answer"},{"event":"ended","ms":50,"side":1,"reason":"false-answer"}`,
		match.Second, match.Contradiction},
	"the server stopped":       {oldShots + oldSunk + `,{"event":"ended","ms":60,"reason":"closed"}`, match.Nobody, match.Closed},
	"the server was restarted": {oldShots + oldSunk, match.Second, match.FleetSunk},
}

const (
	oldStart = `{"version":1,"rules":{"name":"test","size":5,"fleet":[{"name":"ship of 2","length":2}],"contact":"any","moving":false,"clock":0},"events":[` +
		`{"event":"committed","ms":0,"side":0,"commitment":"fd76d5d08dee84ea40108d80319b7d2a99bc366b58beb7087ebc71bed7c31aef"},` +
		`{"event":"committed","ms":0,"side":1,"commitment":"fd76d5d08dee84ea40108d80319b7d2a99bc366b58beb7087ebc71bed7c31aef"},{"event":"begun","ms":0,"side":1},`
	oldShots = `{"event":"fired","ms":10,"side":1,"cell":"A1"},{"event":"answered","ms":10,"side":0,"cell":"A1","result":2},` +
		`{"event":"fired","ms":20,"side":0,"cell":"E5"},{"event":"answered","ms":20,"side":1,"cell":"E5","result":1}`
	oldSunk = `,{"event":"fired","ms":30,"side":1,"cell":"A2"},{"event":"answered","ms":40,"side":0,"cell":"A2","result":4},` +
		`{"event":"reveal-due","ms":40,"side":1,"reason":"sunk"}`
)

// TestOldRecordsAreReplayed checks that matches with commitments and reveals can still be read.
func TestOldRecordsAreReplayed(t *testing.T) {
	for name, old := range oldRecords {
		rules, events, err := match.DecodeEvents([]byte(oldStart + old.events + "]}"))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		g, err := match.Replay(rules, audit.Flag, events)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if v := g.View(match.Nobody); v.Phase != match.Over || v.Winner != old.winner || v.Reason != old.reason || v.Kept != [2]bool{true, true} {
			t.Errorf("%s: got phase %v, winner %v, reason %v, kept %v; want winner %v, reason %v", name, v.Phase, v.Winner, v.Reason, v.Kept, old.winner, old.reason)
		}
	}
	if r, ok := match.ParseReason("unrevealed"); !ok || r != match.Contradiction {
		t.Errorf("the reason unrevealed is read as %v, %v", r, ok)
	}
}
