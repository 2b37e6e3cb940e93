package tui

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/internal/test/lobbytest"
	"broadside/internal/test/storetest"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/tui/widget"
)

// pair runs a test with ann and bob in a lobby.
func pair(t *testing.T, width, height int, test func(t *testing.T, l *lobby.Lobby, a, b *driver)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		l := newLobby()
		defer l.Close()
		a, b := drive(t, l, ann, width, height), drive(t, l, bob, width, height)
		defer a.close()
		defer b.close()
		a.see("bob")
		b.see("ann")
		test(t, l, a, b)
	})
}

// TestSentencesFit checks that the lobby's messages are not cut off.
func TestSentencesFit(t *testing.T) {
	for _, err := range []error{
		lobby.ErrClosing, lobby.ErrOfferGone, lobby.ErrOtherOffer, lobby.ErrSatDown, lobby.ErrSelf, lobby.ErrHasLeft,
		lobby.ErrCode, lobby.ErrNoPrivate, lobby.ErrNoResume, lobby.ErrRefused, lobby.ErrInUse, lobby.ErrNames,
	} {
		for _, l := range i18n.Languages() {
			if s := (&widget.Env{Lang: l}).ErrorText(err); utf8.RuneCountInString(s) > 80 {
				t.Errorf("%d characters: %s", utf8.RuneCountInString(s), s)
			}
		}
	}
}

func TestAcceptOpenOffer(t *testing.T) {
	pair(t, 80, 24, func(t *testing.T, l *lobby.Lobby, a, b *driver) {
		a.press("o")
		a.press("up", "down", "j", "k")
		k, err := l.Offers.Seek(account.Player{Name: "kraken", Kind: account.Program}, match.Hasbro().WithClock(time.Minute), lobby.Rated)
		if err != nil {
			t.Fatal(err)
		}
		b.press("p")
		a.wait("both", func(s string) bool {
			return strings.Contains(s, "kraken (program)") && strings.Contains(s, "bob") && !strings.Contains(s, "    nobody\n")
		})
		a.see("hasbro, 1:00 per shot")
		a.press("up") // bob is listed as an offer now
		a.see("► bob")
		k.Cancel()
		b.press("esc")
		a.wait("bob not to wait any more", func(s string) bool { return !strings.Contains(s, "►") })
		a.press("enter")
		a.see("That player left")
	})
	pair(t, 80, 24, func(t *testing.T, l *lobby.Lobby, a, b *driver) {
		b.press("r", "p")
		a.see("hasbro")
		a.press("o", "enter")
		for _, d := range []*driver{a, b} {
			d.see("Place your fleet")
			d.send(tea.PasteMsg{Content: fleetText})
			d.press("enter")
		}
		a.see("YOUR TURN")
	})
}

func TestManyOpponents(t *testing.T) {
	withModel(t, 80, 24, func(t *testing.T, d *driver) {
		for _, name := range strings.Split("abcdefghijklmnopqrstuvwxyz", "") {
			d.lobby.Enter(account.Player{ID: name, Name: "p-" + name})
			time.Sleep(time.Millisecond) // challenges are shown one after the other
		}
		d.see(" more")
		d.press("o")
		for _, name := range strings.Split("abcdefghijklmnopqrstuvwxyz", "") {
			d.see("► p-" + name)
			d.see("Your challenge")
			d.press("down")
		}
		d.see("► p-a")
	})
}

func TestJoinPrivateMatch(t *testing.T) {
	pair(t, 80, 24, func(t *testing.T, _ *lobby.Lobby, a, b *driver) {
		a.press("m", "enter")
		a.see("Private match:")
		code := a.offer().Code
		a.see("ssh -t HOST join " + code)
		b.press("m")
		b.see("► offer a match")
		b.press("!")
		b.see("No code contains !: codes have letters and digits only.")
		if strings.Contains(b.screen(), "►") {
			t.Error("open match is still highlighted after a rejected letter")
		}
		b.press("enter") // which does not open a room
		b.see("No code was typed.")
		b.press("o", "I", "l", "u", "-", "z") // look-alikes
		b.see("0 1 1 - V Z _ - _ _ _")
		b.press("?", "?", "enter")
		b.see("A match code has 9 letters and digits, such as K3F-97W-QXM.")
		b.press("A", "A", "A", "A", "enter")
		b.see("No private match has this code")
		for range 10 {
			b.press("backspace")
		}
		b.press(strings.Split(strings.ToLower(code), "")...)
		b.press("K", "K", "K", "K") // as many as a resume code has, and one more
		b.press("backspace", "backspace", "backspace")
		b.see(strings.Join(strings.Split(code, ""), " "))
		b.press("enter")
		a.see("Place your fleet")
		b.see("Place your fleet")
	})
}

// TestPasteCodeOfPrivateMatch pastes a code with surrounding text.
func TestPasteCodeOfPrivateMatch(t *testing.T) {
	pair(t, 80, 24, func(t *testing.T, _ *lobby.Lobby, a, b *driver) {
		a.press("m", "enter")
		a.see("Private match:")
		b.press("m")
		b.send(tea.PasteMsg{Content: " " + a.offer().Code + "\r\n"})
		b.press("enter")
		b.see("Place your fleet")
	})
}

func TestOpenings(t *testing.T) {
	for _, c := range []struct {
		opening session.Opening
		see     string
	}{
		{session.Opening{}, "Play now"},
		{session.Opening{Play: true, Rules: match.Classic()}, "Waiting for an opponent"},
		{session.Opening{Play: true, Rules: match.Hasbro()}, "hasbro: 5 ships"},
		{session.Opening{Play: true, Rules: match.Hasbro(), Bot: "hard"}, "against hard"},
		{session.Opening{Play: true, Rules: match.Classic(), Bot: "prolog"}, "against prolog"},
		{session.Opening{PrivateCode: "AAAAAAAAA"}, "No private match has this code"},
		{session.Opening{Watch: lobby.Featured}, "'s waters"},
		{session.Opening{Daily: true}, "Practice:"},
		{session.Opening{Watch: "nobody"}, "That match no longer exists."},
	} {
		synctest.Test(t, func(t *testing.T) {
			l := newLobby()
			defer l.Close()
			d := driveAt(t, l, ann, 80, 24, c.opening)
			defer d.close()
			d.see(c.see)
		})
	}
	pair(t, 80, 24, func(t *testing.T, l *lobby.Lobby, a, _ *driver) {
		a.press("m", "enter")
		d := driveAt(t, l, account.Player{Name: "dan"}, 80, 24, session.Opening{PrivateCode: a.offer().Code})
		defer d.close()
		d.see("against ann")
		a.see("against dan")
		w := driveAt(t, l, account.Player{Name: "wim"}, 80, 24, session.Opening{Watch: "DAN"})
		defer w.close()
		w.see("dan's waters")
		a.see("1 watching")
	})
}

// TestOpponentIsRemoved checks that the host of a private match can remove the opponent,
// while both or only the opponent place ships.
func TestOpponentIsRemoved(t *testing.T) {
	pair(t, 80, 24, func(t *testing.T, _ *lobby.Lobby, a, b *driver) {
		enter := func() string {
			a.see("Private match:")
			code := a.offer().Code
			b.press("m")
			b.press(codeKeys(code)...)
			b.press("enter")
			b.see("Place your fleet")
			a.see("m  remove the opponent")
			return code
		}
		a.press("m", "enter")
		code := enter()
		b.unseen("remove the opponent")
		b.press("m")
		b.unseen("Remove")
		a.press("m")
		a.see("Remove bob from your match?")
		a.unseen("It counts as your abort.")
		a.fits("the question")
		a.press("n")
		a.unseen("Remove bob")
		a.press("m", "y")
		a.see("You removed bob: your private match is open again.")
		if next := a.offer().Code; next == code {
			t.Error("the room has the code that the opponent knows")
		}
		b.see("The owner of the match removed you.")
		b.see("NOBODY WON.")
		b.press("esc")
		enter()
		a.press("x", "enter") // only bob is still placing
		a.see("m  remove the opponent")
		a.press("m")
		a.see("Remove bob from your match?")
		a.press("y")
		a.see("Private match:")
	})
}

// TestRemovalAborts checks that the question whether to remove an opponent says that it counts as
// an abort if the opponent has placed in a rated match.
func TestRemovalAborts(t *testing.T) {
	for language, want := range map[string]string{
		"en": "abort.", "de": "Abbruch.", "fr": "annulation.", "es": "anulación",
	} {
		for _, size := range [][2]int{{80, 24}, {60, 20}, {40, 16}} {
			synctest.Test(t, func(t *testing.T) {
				st := storetest.Open(t)
				l := lobbytest.Open(lobby.Config{Seed: 1, Store: st})
				defer l.Close()
				var seats [2]*driver
				for i, name := range []string{"ann", "bob"} {
					p, err := st.Accounts.CreatePerson(t.Context(), name, store.Key{Fingerprint: "SHA256:" + name})
					if err != nil {
						t.Fatal(err)
					}
					seats[i] = driveWith(t, session.Config{Lobby: l, Player: account.Player{ID: p.ID, Account: p.ID, Name: name}},
						Config{Width: size[0], Height: size[1], Language: i18n.MustParse(language)})
					defer seats[i].close()
				}
				a, b := seats[0], seats[1]
				a.press("m", "enter")
				a.wait("a private match", func(string) bool { return a.m.env.State.Offer != nil })
				b.press("m")
				b.press(codeKeys(a.offer().Code)...)
				b.press("enter")
				for _, d := range seats {
					d.wait("a match", func(string) bool { return d.m.match != nil })
					d.settle()
				}
				asks := func() bool { return strings.Contains(a.screen(), want) }
				a.press("m")
				if asks() {
					t.Errorf("%v: it counts before bob has placed:\n%s", size, a.screen())
				}
				a.press("n")
				b.press("x", "enter")
				a.wait("bob's fleet", func(string) bool { return a.game().last.View.Ready[a.game().side.Other()] })
				a.press("m")
				if !asks() || strings.Contains(a.screen(), "…") {
					t.Errorf("%v: nothing says, or not entirely, that it counts:\n%s", size, a.screen())
				}
			})
		}
	}
}
