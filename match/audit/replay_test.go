package audit_test

import (
	"testing"

	"broadside/match"
	"broadside/match/audit"
)

// TestReplayRecordFindsChanges checks that a record with another result, winner or reason is refused.
func TestReplayRecordFindsChanges(t *testing.T) {
	g := match.NewGame(match.Classic(), audit.Forfeit)
	var layout match.Layout
	for i, class := range match.Classic().Fleet {
		layout = append(layout, match.Ship{Stern: match.NewCell(0, 2*i), Heading: match.East, Length: class.Length})
	}
	commands := []match.Command{match.PlaceCommand(match.First, layout), match.PlaceCommand(match.Second, layout)}
	for cell := range g.Rules().Cells().All() {
		commands = append(commands, match.FireCommand(match.Second, cell), match.FireCommand(match.First, cell))
	}
	for _, c := range commands {
		if g.Phase() == match.Over {
			break
		}
		if _, err := g.Apply(c); err != nil {
			t.Fatal(err)
		}
	}
	if r := match.NewRecord(g.Rules(), g.Events()); r.Winner == nil || r.Reason != match.FleetSunk {
		t.Fatalf("the record is of %v, %v", r.Winner, r.Reason)
	} else if _, err := audit.ReplayRecord(&r); err != nil {
		t.Fatal(err)
	}
	changed := map[string]func(r *match.Record){
		"no events":      func(r *match.Record) { r.Events = nil },
		"no end":         func(r *match.Record) { r.Events = r.Events[:len(r.Events)-3] },
		"no winner":      func(r *match.Record) { r.Winner = nil },
		"another winner": func(r *match.Record) { r.Winner = match.First.JSONIndex() },
		"another reason": func(r *match.Record) { r.Reason = match.Resigned },
		"other rules":    func(r *match.Record) { r.Rules = match.Naval() },
	}
	for name, change := range changed {
		r := match.NewRecord(g.Rules(), g.Events())
		change(&r)
		if _, err := audit.ReplayRecord(&r); err == nil {
			t.Errorf("%s: the record was accepted", name)
		}
	}
	for i, e := range g.Events() {
		if e.Kind != match.ShotAnswered {
			continue
		}
		r := match.NewRecord(g.Rules(), g.Events())
		r.Events[i].Result = 1 + r.Events[i].Result%4
		if _, err := audit.ReplayRecord(&r); err == nil {
			t.Fatalf("another result of event %d was accepted", i)
		}
	}
}
