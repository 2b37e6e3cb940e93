package daily

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"broadside/internal/test/must"
	"broadside/match"
)

// TestDailyFleetIsPinned checks that a secret and a day give the same fleet in all
// versions. Otherwise a puzzle begun with one version could not be finished with the next.
func TestDailyFleetIsPinned(t *testing.T) {
	secret := bytes.Repeat([]byte{7}, 32)
	got := fmt.Sprint(dayLayout(secret, "2026-11-21"))
	const want = "[E2–I2 B2–B5 G7–I7 E10–G10 D3–D4]"
	if got != want {
		t.Errorf("the fleet is %s, it was %s", got, want)
	}
	seen := map[string]bool{}
	for day := range 200 {
		fleet := dayLayout(secret, PuzzleDay(time.Unix(0, 0).AddDate(0, 0, day)))
		must.Do(match.Classic().CheckLayout(fleet))
		seen[fmt.Sprint(fleet)] = true
	}
	seen[fmt.Sprint(dayLayout(bytes.Repeat([]byte{8}, 32), "2026-11-21"))] = true
	seen[got] = true
	if len(seen) != 202 {
		t.Errorf("%d different fleets of 202 days and secrets", len(seen))
	}
}

func TestBlockLines(t *testing.T) {
	course := slices.Concat(slices.Repeat([]match.Result{match.Miss}, 20), []match.Result{match.Hit, match.Sunk, match.LastSunk})
	got := strings.Join(BlockLines(ResultBlocks(course)), "\n")
	if want := "░░░░░░░░░░░░░░░░░░░░\n▓██"; got != want {
		t.Errorf("\n%s\nis not\n%s", got, want)
	}
}
