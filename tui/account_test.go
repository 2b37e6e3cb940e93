package tui

import (
	"regexp"
	"strings"
	"testing"

	"broadside/internal/store"
	"broadside/tui/term"
)

// linkCode finds a link code on the account screen.
var linkCode = regexp.MustCompile(`\n +([A-Z0-9-]{11})   single use`)

// TestGuestsCannotUseNamesOfAccounts checks that no guest has the name of an account or a
// bot.
func TestGuestsCannotUseNamesOfAccounts(t *testing.T) {
	runWithStore(t, func(t *testing.T, h accountLobby) {
		if _, err := h.store.Accounts.CreatePerson(t.Context(), "Ann", store.Key{Fingerprint: "SHA256:one"}); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"ann", "ANN", "admiral", "аnn", "root", "ann\x1b[31m"} {
			if p, err := h.Accounts.IdentifyClient(t.Context(), name, ""); err != nil || p.Name != "guest" {
				t.Errorf("a guest is called %q", p.Name)
			}
		}
		if p, err := h.Accounts.IdentifyClient(t.Context(), "bob", ""); err != nil || p.Name != "bob" || p.Account != "" {
			t.Errorf("bob comes as %+v", p)
		}
	})
}

// TestResultHasNoEmptyBlock checks that the suggestions end with the last one.
func TestResultHasNoEmptyBlock(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 36}} {
		runWithModel(t, size[0], size[1], func(t *testing.T, d *driver) {
			d.waitForText("Play now")
			d.startPlacement()
			d.press("x", "enter")
			d.waitForText("YOUR TURN")
			d.press("q", "y")
			d.waitForText("What next")
			card, _, _ := strings.Cut(term.Card.Fill("", 2), " ")
			if strings.Contains(d.m.View().Content, card+strings.Repeat(" ", 30)) {
				t.Errorf("a block has empty rows:\n%s", d.screen())
			}
		})
	}
}
