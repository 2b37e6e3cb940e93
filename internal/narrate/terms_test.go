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
	} {
		if got := narrate.TimeLeft(i18n.English, d); got != want {
			t.Errorf("TimeLeft(%v) = %q, want %q", d, got, want)
		}
	}
	for d := time.Millisecond; d < 4*time.Minute; d += 777 * time.Millisecond {
		stays := narrate.NextTimeLeftChange(d)
		if now, then := narrate.TimeLeft(i18n.English, d), narrate.TimeLeft(i18n.English, d-stays+1); now != then {
			t.Errorf("TimeLeft(%v) = %q changes to %q before %v", d, now, then, stays)
		}
		if now, then := narrate.TimeLeft(i18n.English, d), narrate.TimeLeft(i18n.English, d-stays); now == then {
			t.Errorf("TimeLeft(%v) = %q does not change after %v", d, now, stays)
		}
	}
}
