package i18n_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"broadside/internal/i18n"
)

func TestEncodeError(t *testing.T) {
	for _, err := range []error{
		i18n.Errorf("the-match-has-ended"),
		i18n.Errorf("line-n-x", 1234, i18n.Errorf("the-match-has-ended")),
		i18n.Errorf("a-clock-of-x-choose", -90*time.Second),
		i18n.Errorf("a-board-of-n-n", 3, 3*time.Second/time.Second, i18n.Key("water")),
		errors.New("plain"),
		fmt.Errorf("wrapped: %w", i18n.Errorf("the-match-has-ended")),
		i18n.Errorf("%d of %s", 12345, i18n.NewMessage("n-ships", 1)),
	} {
		decoded, malformed := i18n.DecodeError(i18n.EncodeError(err))
		if malformed != nil {
			t.Fatal(malformed)
		}
		for _, l := range i18n.Languages() {
			if got, want := l.Error(decoded), l.Error(err); got != want {
				t.Errorf("%v: %q arrived as %q", l, want, got)
			}
		}
		var sentinel *i18n.Error
		if errors.As(err, &sentinel) && !errors.Is(decoded, sentinel) {
			t.Errorf("%q lost its identity", decoded)
		}
		if errors.Is(decoded, i18n.Errorf("the-match-is-over")) {
			t.Errorf("%q is taken for another error", decoded)
		}
	}
	for _, bad := range []string{"{", `[]`, `{"k":"e"}`, `{"k":105,"i":1e40}`} {
		if _, err := i18n.DecodeError([]byte(bad)); err == nil {
			t.Errorf("%s was decoded", bad)
		}
	}
}

// TestErrorOfLaterVersion decodes an error with a key that this version lacks.
func TestErrorOfLaterVersion(t *testing.T) {
	err, malformed := i18n.DecodeError([]byte(`{"k":101,"n":"no-such-key","t":"later than %s","a":[{"k":115,"t":"now"}]}`))
	if malformed != nil || err.Error() != "later than now" {
		t.Errorf("got %v, %v", err, malformed)
	}
}
