package tui

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"broadside/internal/i18n"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/tui/widget"
)

// TestSentencesFit checks that the lobby's messages are not cut off.
func TestSentencesFit(t *testing.T) {
	for _, err := range []error{
		lobby.ErrClosing, lobby.ErrOfferGone, lobby.ErrOtherOffer, lobby.ErrOtherMatch, lobby.ErrSelf, lobby.ErrHasLeft,
		lobby.ErrCodeFormat, lobby.ErrNoPrivate, lobby.ErrNoResume, lobby.ErrRefused, lobby.ErrInUse, lobby.ErrPlayerNames,
	} {
		for _, l := range i18n.Languages() {
			if s := (&widget.Env{Lang: l}).ErrorText(err); utf8.RuneCountInString(s) > 80 {
				t.Errorf("%d characters: %s", utf8.RuneCountInString(s), s)
			}
		}
	}
}

func TestManyOpponents(t *testing.T) {
	runWithModel(t, 80, 24, func(t *testing.T, d *driver) {
		for _, name := range strings.Split("abcdefghijklmnopqrstuvwxyz", "") {
			d.lobby.Enter(account.Player{ID: name, Name: "p-" + name})
			// The list shows players in the order in which they entered.
			time.Sleep(time.Millisecond)
		}
		d.waitForText(" more")
		d.press("o")
		for _, name := range strings.Split("abcdefghijklmnopqrstuvwxyz", "") {
			d.waitForText("► p-" + name)
			d.waitForText("Your challenge")
			d.press("down")
		}
		d.press("home")
		d.waitForText("► p-a")
	})
}

func TestOpenings(t *testing.T) {
	for _, c := range []struct {
		opening session.StartScreen
		see     string
	}{
		{session.StartScreen{}, "Play now"},
		{session.StartScreen{Play: true, Rules: match.Classic()}, "Waiting for an opponent"},
		{session.StartScreen{Play: true, Rules: match.Hasbro()}, "hasbro: 5 ships"},
		{session.StartScreen{Play: true, Rules: match.Hasbro(), Bot: "hard"}, "against hard"},
		{session.StartScreen{Play: true, Rules: match.Classic(), Bot: "prolog"}, "against prolog"},
		{session.StartScreen{PrivateCode: "AAAAAAAAA"}, "No private match has this code"},
		{session.StartScreen{Watch: lobby.FeaturedMatch}, "'s waters"},
		{session.StartScreen{Daily: true}, "Practice:"},
		{session.StartScreen{Watch: "nobody"}, "That match no longer exists."},
	} {
		synctest.Test(t, func(t *testing.T) {
			l := newLobby()
			defer l.Close()
			d := startDriverAt(t, l, ann, 80, 24, c.opening)
			defer d.close()
			d.waitForText(c.see)
		})
	}
	runWithTwo(t, func(t *testing.T, l *lobby.Lobby, a, _ *driver) {
		a.press("m", "enter")
		d := startDriverAt(t, l, account.Player{Name: "dan"}, 80, 24, session.StartScreen{PrivateCode: a.offer().Code})
		defer d.close()
		d.waitForText("against ann")
		a.waitForText("against dan")
		w := startDriverAt(t, l, account.Player{Name: "wim"}, 80, 24, session.StartScreen{Watch: "DAN"})
		defer w.close()
		w.waitForText("dan's waters")
		a.waitForText("1 watching")
	})
}
