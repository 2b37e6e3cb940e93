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

// TestSunkShipIsNamed checks that a shot's result names the ships that it may have sunk, as far as the results
// tell.
func TestSunkShipIsNamed(t *testing.T) {
	for _, c := range []struct {
		rules match.Rules
		shots string
		want  string
	}{
		{match.Classic(), "A1 A2", "destroyer sunk"},
		{match.Classic(), "A1 A2 A3", "cruiser or submarine sunk"},
		{match.Hasbro(), "A1 B1 B2 A2", "sunk"},
		{match.Naval(), "A1 A2", "sunk"},
	} {
		chart := match.NewChart(c.rules)
		cells := strings.Fields(c.shots)
		for i, name := range cells {
			cell, err := match.ParseCell(name)
			if err != nil {
				t.Fatal(err)
			}
			result := match.Hit
			if i == len(cells)-1 {
				result = match.Sunk
			}
			chart.Record(cell, result)
		}
		if got := narrate.ResultWithShip(&chart, chart.Log[len(cells)-1]).Text(i18n.English); got != c.want {
			t.Errorf("%s, %s: got %q, want %q", c.rules.Name, c.shots, got, c.want)
		}
	}
}
