package narrate_test

import (
	"testing"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
)

// TestTimeLeftChangesWhenExpected checks the text of TimeLeft, and that it changes when NextTimeLeftChange says.
func TestTimeLeftChangesWhenExpected(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0:00", time.Millisecond: "0:01", 59 * time.Second: "0:59", time.Minute: "1:00", time.Minute + 1: "2 min",
		2 * time.Minute: "2 min", 10*time.Minute - time.Second: "10 min",
		2 * time.Hour: "120 min", 2*time.Hour + 1: "3 h", 23 * time.Hour: "23 h", 23*time.Hour + 1: "1 d 0 h",
		51*time.Hour + time.Minute: "2 d 4 h", 7 * 24 * time.Hour: "7 d 0 h",
	} {
		if got := narrate.TimeLeft(i18n.English, d); got != want {
			t.Errorf("TimeLeft(%v) = %q, want %q", d, got, want)
		}
	}
	for d := time.Millisecond; d < 50*time.Hour; d += d/100 + 777*time.Millisecond {
		stays := narrate.NextTimeLeftChange(d)
		if now, then := narrate.TimeLeft(i18n.English, d), narrate.TimeLeft(i18n.English, d-stays+1); now != then {
			t.Errorf("TimeLeft(%v) = %q changes to %q before %v", d, now, then, stays)
		}
		if now, then := narrate.TimeLeft(i18n.English, d), narrate.TimeLeft(i18n.English, d-stays); now == then {
			t.Errorf("TimeLeft(%v) = %q does not change after %v", d, now, stays)
		}
	}
}
