package tui

import (
	"strings"
	"testing"

	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/match"
	"broadside/match/layoutfile"
)

func TestSavedFleets(t *testing.T) {
	withDaily(t, func(t *testing.T, l *lobby.Lobby, people map[string]account.Player) {
		ann := people["ann"]
		for _, f := range []struct {
			name  string
			rules match.Rules
			text  string
		}{
			{"rows", match.Classic(), "5 A1 A5\n4 C1 C4\n3 E1 E3\n3 G1 G3\n2 I1 I2"},
			{"touching", match.Hasbro(), "5 A1 A5\n4 B1 B4\n3 C1 C3\n3 D1 D3\n2 E1 E2"},
		} {
			layouts, err := layoutfile.Parse(f.rules, f.text)
			if err != nil {
				t.Fatal(err)
			}
			if err := l.Accounts.Fleets(ann).Save(t.Context(), f.name, f.rules, layouts[0]); err != nil {
				t.Fatal(err)
			}
		}
		d := drive(t, l, ann, 80, 24)
		defer d.close()
		d.press("b", "1")
		d.see("Place your fleet")
		d.press("o")
		d.see("Fleet rows loaded (1 of 1).") // the other one breaks the rules
		d.see("All ships are placed.")
		d.see("G1–G3")
		d.press("u", "s")
		d.see("Place all ships first")
		d.press("x", "s")
		d.see("Save as: rows_")
		d.press("esc", "s")
		d.press("backspace", "backspace", "backspace", "backspace", "enter")
		d.see("The name of a fleet is 1 to 16 letters")
		d.press(strings.Split("lucky-7 ", "")...) // names cannot contain spaces
		d.press("enter")
		d.see("Fleet lucky-7 is saved")
		want := peek[match.Layout](d.page(), "draft", "layout").Cells()
		d.press("z", "o")
		d.see("Fleet rows loaded (2 of 2).")
		d.press("o")
		d.see("Fleet lucky-7 loaded (1 of 2).")
		if got := peek[match.Layout](d.page(), "draft", "layout").Cells(); got != want {
			t.Errorf("saved %v, brought back %v", want, got)
		}
		d.press("enter")
		d.see("YOUR TURN")
	})
}

func TestSavedFleetsAreForAccounts(t *testing.T) {
	withDaily(t, func(t *testing.T, l *lobby.Lobby, people map[string]account.Player) {
		guest := drive(t, l, account.Player{Name: "gus"}, 80, 24)
		defer guest.close()
		guest.press("b", "1")
		guest.see("Place your fleet")
		guest.press("o")
		guest.see("Saved fleets need an account")
		guest.press("x", "s")
		guest.see("Saved fleets need an account")

		bob := drive(t, l, people["bob"], 80, 24)
		defer bob.close()
		bob.press("b", "1")
		bob.see("Place your fleet")
		bob.press("o")
		bob.see("You have no saved fleet for these rules")
	})
}
