package store_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"broadside/internal/store"
	"broadside/internal/test/must"
)

func TestFleets(t *testing.T) {
	s := openStore(t)
	ann, bob := createPerson(t, s, "Ann"), createPerson(t, s, "Bob")
	save := func(f store.Fleet) error { return s.Fleets.Save(ctx, f) }
	for _, f := range []store.Fleet{
		{Player: ann.ID, Name: "Home", RuleSet: "classic", Layout: "one"},
		{Player: ann.ID, Name: "away", RuleSet: "hasbro", Layout: "two"},
		{Player: bob.ID, Name: "home", RuleSet: "classic", Layout: "three"},
		{Player: ann.ID, Name: "HOME", RuleSet: "hasbro", Layout: "four"}, // instead of the first
	} {
		must.Do(save(f))
	}
	all, err := s.Fleets.ListByPlayer(ctx, ann.ID)
	if err != nil || len(all) != 2 || all[0].Name != "away" || all[1].Name != "HOME" || all[1].Layout != "four" ||
		all[1].RuleSet != "hasbro" || all[1].Saved.IsZero() || all[1].Player != ann.ID {
		t.Errorf("ann's fleets: %+v, %v", all, err)
	}
	if err := save(store.Fleet{Player: "nobody", Name: "x"}); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("nobody's fleet: %v", err)
	}
	if err := save(store.Fleet{Player: ann.ID, Name: "x", Layout: strings.Repeat("x", store.MaxFleetText+1)}); err == nil {
		t.Error("a text of any length is saved")
	}
	for i := 2; i < store.MaxFleets; i++ {
		must.Do(save(store.Fleet{Player: ann.ID, Name: fmt.Sprint("n", i)}))
	}
	if err := save(store.Fleet{Player: ann.ID, Name: "one-more"}); !errors.Is(err, store.ErrTooManyFleets) {
		t.Errorf("one too many: %v", err)
	}
	if err := save(store.Fleet{Player: ann.ID, Name: "Home"}); err != nil {
		t.Errorf("one that is there: %v", err)
	}
	must.Do(s.Fleets.Remove(ctx, ann.ID, "hOME"))
	if err := s.Fleets.Remove(ctx, ann.ID, "home"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("removed twice: %v", err)
	}
	if all, err := s.Fleets.ListByPlayer(ctx, ann.ID); err != nil || len(all) != store.MaxFleets-1 {
		t.Errorf("%d fleets, %v", len(all), err)
	}
	if all, err := s.Fleets.ListByPlayer(ctx, bob.ID); err != nil || len(all) != 1 {
		t.Errorf("bob's fleets: %+v, %v", all, err)
	}
}
