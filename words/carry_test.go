package words_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"broadside/words"
)

func TestCarry(t *testing.T) {
	for _, err := range []error{
		words.Errorf("the match has ended"),
		words.Errorf("you cannot challenge %s, who is playing", "ann"),
		words.Errorf("you have asked %s before: wait %d seconds before you ask again", "ann", 1),
		words.Errorf("that was a lot at once: talk again in %d s", 3*time.Second/time.Second),
		words.Errorf("That is no fleet: %s", words.Errorf("the match has ended")),
		errors.New("plain"),
		fmt.Errorf("wrapped: %w", words.Errorf("the match has ended")),
		words.Errorf("a clock of %v: choose 0 for none, or a positive time", -90*time.Second),
		words.Errorf("unknown to this version: %d of %s", 12345, words.Mean("%d ships", 1)),
	} {
		said, readErr := words.Carried(words.Carry(err))
		if readErr != nil {
			t.Fatal(readErr)
		}
		for _, l := range words.Languages() {
			if got, want := l.Error(said), l.Error(err); got != want {
				t.Errorf("%v: %q arrived as %q", l, want, got)
			}
		}
		var sentinel *words.Error
		if errors.As(err, &sentinel) && !errors.Is(said, sentinel) {
			t.Errorf("%q lost its identity", said)
		}
		if errors.Is(said, words.Errorf("the match is over")) {
			t.Errorf("%q is taken for another error", said)
		}
	}
	for _, bad := range []string{"{", `[]`, `{"k":"e"}`, `{"k":105,"i":1e40}`} {
		if _, err := words.Carried([]byte(bad)); err == nil {
			t.Errorf("%s was read", bad)
		}
	}
}
