package tui

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"broadside/internal/store"
	"broadside/internal/test/lobbytest"
	"broadside/lobby"
	"broadside/lobby/chat"
	"broadside/lobby/session"
	"broadside/tui/term"
)

// withAccounts is a lobby with a store.
type withAccounts struct {
	*lobby.Lobby
	store *store.Store
}

// withStore runs a test in a bubble, with a lobby that has a store.
func withStore(t *testing.T, test func(t *testing.T, h withAccounts)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := openStore(t)
		l := lobbytest.Open(lobby.Config{Seed: 1, BotPace: -1, Store: s})
		t.Cleanup(l.Close)
		test(t, withAccounts{l, s})
	})
}

// comes opens a session of a player with a key, or without one. name is the name on their
// machine.
func (h withAccounts) comes(t *testing.T, name, key string) *driver {
	t.Helper()
	p, err := h.Accounts.Receive(t.Context(), name, key)
	if err != nil {
		t.Fatal(err)
	}
	d := driveWith(t, session.Config{Lobby: h.Lobby, Player: p, Client: session.Client{Fingerprint: key, Name: name}}, Config{
		Settings: h.Accounts.Settings(t.Context(), p), Width: 80, Height: 24,
	})
	t.Cleanup(d.close)
	return d
}

// linkCode finds a link code on the account screen.
var linkCode = regexp.MustCompile(`\n +([A-Z0-9-]{11})   single use`)

// TestGuestsCannotUseNamesOfAccounts checks that no guest has the name of an account or a
// bot.
func TestGuestsCannotUseNamesOfAccounts(t *testing.T) {
	withStore(t, func(t *testing.T, h withAccounts) {
		if _, err := h.store.Accounts.CreatePerson(t.Context(), "Ann", store.Key{Fingerprint: "SHA256:one"}); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"ann", "ANN", "admiral", "аnn", "root", "ann\x1b[31m"} {
			if p, err := h.Accounts.Receive(t.Context(), name, ""); err != nil || p.Name != "guest" {
				t.Errorf("a guest is called %q", p.Name)
			}
		}
		if p, err := h.Accounts.Receive(t.Context(), "bob", ""); err != nil || p.Name != "bob" || p.Account != "" {
			t.Errorf("bob comes as %+v", p)
		}
	})
}

// TestMutedPermanently mutes a player, finds them on the account screen, and unmutes them.
func TestMutedPermanently(t *testing.T) {
	withStore(t, func(t *testing.T, h withAccounts) {
		ann, bob := h.comes(t, "ann", "SHA256:one"), h.comes(t, "bob", "SHA256:two")
		for _, d := range []*driver{ann, bob} {
			d.press("n", "enter")
			d.see("Welcome, ")
		}
		ann.see("bob")
		if err := ann.m.env.Session.Mute(t.Context(), bob.m.env.State.Me, chat.MutedPermanently); err != nil {
			t.Fatal(err)
		}
		ann.press("a")
		ann.see("Muted permanently")
		ann.press("down")
		ann.see("► bob")
		ann.golden("account-muted")
		ann.press("x")
		ann.see("bob is no longer muted.")
		if s := ann.screen(); ann.hears(bob) != chat.Audible {
			t.Errorf("bob is not heard:\n%s", s)
		}
		ann.wait("an empty list", func(s string) bool { return !strings.Contains(s, "Muted permanently") })
		ann.press("up", "x")
		ann.see("That is the only key")
	})
}

// TestResultHasNoEmptyBlock checks that the suggestions end with the last one.
func TestResultHasNoEmptyBlock(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 36}} {
		withModel(t, size[0], size[1], func(t *testing.T, d *driver) {
			d.see("Play now")
			d.challenge()
			d.press("x", "enter")
			d.see("YOUR TURN")
			d.press("q", "y")
			d.see("What next")
			card, _, _ := strings.Cut(term.Card.Fill("", 2), " ")
			if strings.Contains(d.m.View().Content, card+strings.Repeat(" ", 30)) {
				t.Errorf("a block has empty rows:\n%s", d.screen())
			}
		})
	}
}

// TestResultIsReviewed fires some shots, resigns, and opens the replay at the costliest.
func TestResultIsReviewed(t *testing.T) {
	withStore(t, func(t *testing.T, h withAccounts) {
		d := h.comes(t, "ann", "SHA256:one")
		d.press("enter")
		for _, cell := range []string{"A1", "A2", "A3", "A4"} { // corners are never the best
			d.see("YOUR TURN")
			d.press(cell[:1], cell[1:], "enter")
			d.see("You fired at " + cell)
		}
		d.see("YOUR TURN")
		d.press("q", "y")
		d.see("YOU LOST")
		d.see("Worst mistakes")
		s := d.screen()
		turn := regexp.MustCompile(`from shot (\d+)`).FindStringSubmatch(s)
		if !regexp.MustCompile(`accuracy +\d+% +\d+%`).MatchString(s) || turn == nil {
			t.Fatalf("the result has no review:\n%s", s)
		}
		d.see("Accuracy compares each shot with the")
		d.press("down", "enter")
		d.see("admiral would fire at")
		n, _ := strconv.Atoi(turn[1])
		d.see(fmt.Sprintf("shot %d of", n-1))
		d.press("n")
		d.see("admiral would fire at")
	})
}
