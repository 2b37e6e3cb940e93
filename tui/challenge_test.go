package tui

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

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
		d.press("home")
		d.see("► p-a")
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
