package i18n_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"broadside/internal/i18n"
)

func TestCarry(t *testing.T) {
	for _, err := range []error{
		i18n.Errorf("the match has ended"),
		i18n.Errorf("you cannot challenge %s, who is playing", "ann"),
		i18n.Errorf("you have asked %s before: wait %d seconds before you ask again", "ann", 1),
		i18n.Errorf("that was a lot at once: talk again in %d s", 3*time.Second/time.Second),
		i18n.Errorf("That is no fleet: %s", i18n.Errorf("the match has ended")),
		errors.New("plain"),
		fmt.Errorf("wrapped: %w", i18n.Errorf("the match has ended")),
		i18n.Errorf("a clock of %v: choose 0 for none, or a positive time", -90*time.Second),
		i18n.Errorf("unknown to this version: %d of %s", 12345, i18n.Mean("%d ships", 1)),
	} {
		said, readErr := i18n.Carried(i18n.Carry(err))
		if readErr != nil {
			t.Fatal(readErr)
		}
		for _, l := range i18n.Languages() {
			if got, want := l.Error(said), l.Error(err); got != want {
				t.Errorf("%v: %q arrived as %q", l, want, got)
			}
		}
		var sentinel *i18n.Error
		if errors.As(err, &sentinel) && !errors.Is(said, sentinel) {
			t.Errorf("%q lost its identity", said)
		}
		if errors.Is(said, i18n.Errorf("the match is over")) {
			t.Errorf("%q is taken for another error", said)
		}
	}
	for _, bad := range []string{"{", `[]`, `{"k":"e"}`, `{"k":105,"i":1e40}`} {
		if _, err := i18n.Carried([]byte(bad)); err == nil {
			t.Errorf("%s was read", bad)
		}
	}
}
