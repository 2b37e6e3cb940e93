package narrate_test

import (
	"strings"
	"testing"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/match"
)

func TestShareLine(t *testing.T) {
	blocks := strings.Repeat("░", 10) + "▓▓█" + strings.Repeat("░", 7) + "██"
	names := [2]string{"Ann", "hard"}
	const web, ssh = "https://play.example.org/", "play.example.org:2222"
	for want, got := range map[string]string{
		"Broadside · daily 2026-11-26 · 22 shots · ▫▪▪ · https://play.example.org/daily/2026-11-26": narrate.DailyLine(
			i18n.English, "2026-11-26", blocks, narrate.PublicAddress(web, ssh, "/daily/2026-11-26")),
		"Broadside · Ann beat hard in 38 shots · ssh -p 2222 play.example.org": narrate.ShareLine(
			narrate.MatchResult(i18n.English, names, match.First, match.FleetSunk, 38), narrate.PublicAddress(web, ssh, "")),
		"Broadside · hard beat Ann": narrate.ShareLine(
			narrate.MatchResult(i18n.English, names, match.Second, match.Resigned, 38), narrate.PublicAddress("", "", "/m/x")),
		"": narrate.MatchResult(i18n.English, names, match.Nobody, match.Closed, 38),
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
