package phrase_test

import (
	"testing"

	"broadside/internal/i18n"
	"broadside/internal/i18n/phrase"
)

func TestShotTime(t *testing.T) {
	for ms, want := range map[float64]string{0: "0 µs", 0.004: "4 µs", 1.7: "1,700 µs", 9.9994: "9,999 µs", 10: "10.0 ms", 2502.3: "2,502.3 ms"} {
		if got := phrase.ShotTime(i18n.English, ms); got != want {
			t.Errorf("%v ms are %q, want %q", ms, got, want)
		}
	}
}
