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
	} {
		said, readErr := words.Carried(words.Carry(err))
		if readErr != nil {
			t.Fatal(readErr)
		}
		for _, l := range words.Languages() {
			want := l.Error(err)
			if l == words.English && errors.As(err, new(*words.Error)) {
				var s words.Speaker
				errors.As(err, &s)
				want = s.Error()
			}
			if got := l.Error(said); got != want {
				t.Errorf("%v: %q arrived as %q", l, want, got)
			}
		}
	}
	if _, err := words.Carried([]byte("{")); err == nil {
		t.Error("what cannot be read was read")
	}
}
