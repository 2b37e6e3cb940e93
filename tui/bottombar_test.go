package tui

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"broadside/internal/i18n"
	"broadside/lobby/account"
	"broadside/tui/term"
)

// barScreens are all screens outside matches, with the keys that open them from the lobby.
var barScreens = []string{
	"lobby", "lobby-people tab", "lobby-you tab tab", "help ?", "bots b", "settings s", "board-size s down", "account a", "rename a n",
	"leaderboard L", "profile L enter", "history g", "replay g enter", "opponents o", "watch-list w", "watch w enter",
	"watch-chat w enter t x", "private m", "private-code m A", "hot-seat H", "hot-seat-second H x enter", "chat t", "chat-typed t x", "tournaments C", "tournament-code C c", "friends f", "follow f a",
	"waiting p", "tutorial i", "daily d", "placing b enter", "bow b enter p", "stern b enter p enter", "placed b enter x", "battle b enter x enter",
	"resign b enter x enter q", "result b enter x enter q y",
}

// TestBottomBarIsClickable clicks each key of the bottom bar of every screen. Each key is a
// button that is highlighted under the pointer, and nothing else looks like a button.
func TestBottomBarIsClickable(t *testing.T) {
	for _, keys := range barScreens {
		words := strings.Fields(keys)
		t.Run(words[0], func(t *testing.T) {
			runWithRecords(t, 80, 24, func(t *testing.T, d *driver) {
				for _, name := range []string{"carol", "dave"} {
					other := startDriver(t, d.lobby, account.Player{ID: name, Name: name}, 80, 24)
					defer other.close()
					other.press("b", "enter", "x", "enter")
				}
				// Any number of casual matches can be aborted.
				d.m.env.Settings.Casual = true
				d.clickBar(func() {
					if d.m.help = false; d.m.isPlaying() {
						d.m.env.CheckAction(d.m.env.Session.Resign(d.m.match.Side))
						d.handleFor(time.Second)
					}
					d.m.env.Session.CancelOffer()
					d.m.env.RefreshState()
					d.m.LeaveToLobby("")
					// Draw the lobby.
					d.send(struct{}{})
					d.handleFor(time.Second)
					for _, k := range words[1:] {
						d.press(k)
						d.handleFor(time.Second)
					}
				})
			})
		})
	}
}

// clickBar clicks all keys of the bottom bar. Open shows the screen again.
func (d *driver) clickBar(open func()) {
	d.t.Helper()
	for i := 0; ; i++ {
		open()
		line := d.m.height - 1
		before := d.m.View().Content
		var bar []term.Zone
		for z := range term.Zones(d.m.frame.frame.Lines) {
			if z.Line == line {
				bar = append(bar, z)
			}
		}
		if i == 0 {
			if len(bar) == 0 {
				d.t.Fatalf("the last line has no keys:\n%s", d.screen())
			}
			d.checkCaps(strings.Split(before, "\n")[line], bar)
		}
		if i >= len(bar) {
			return
		}
		z := bar[i]
		at := tea.Mouse{X: z.Left, Y: line, Button: tea.MouseNone}
		d.send(tea.MouseMotionMsg(at))
		if d.m.View().Content == before {
			d.t.Errorf("%s is not highlighted under the pointer:\n%s", z.Key, d.screen())
		}
		if slices.Contains([]string{"ctrl+c", "up", "left"}, z.Key) || z.Key == "q" && len(d.m.screens) == 1 && !d.m.isPlaying() {
			// These keys leave, or do nothing at the start of a list.
			continue
		}
		shown, opened := d.screen(), d.m.currentScreen()
		at.Button = tea.MouseLeft
		d.send(tea.MouseClickMsg(at))
		if d.screen() == shown && d.m.currentScreen() == opened {
			if d.handleFor(time.Second); d.screen() == shown {
				d.t.Errorf("a click on %s does nothing:\n%s", z.Key, shown)
			}
		}
	}
}

// checkCaps checks that everything in a line that looks like a key is a button.
func (d *driver) checkCaps(line string, bar []term.Zone) {
	d.t.Helper()
	begin, _, _ := strings.Cut(term.Cap.Render("x"), "x")
	column := 0
	for i, part := range strings.Split(line, begin) {
		text, _, _ := strings.Cut(part, term.StyleEnd)
		for x := column; i > 0 && x < column+ansi.StringWidth(text); x++ {
			if !slices.ContainsFunc(bar, func(z term.Zone) bool { return z.Left <= x && x < z.Left+z.Width }) {
				d.t.Errorf("column %d looks like a button and is none:\n%s", x, d.screen())
			}
		}
		column += ansi.StringWidth(part)
	}
}

// keepsInBar checks that the bottom bar of small terminals shows what keys do, in order, in all
// languages.
func (d *driver) keepsInBar(does ...string) {
	d.t.Helper()
	width, height := d.m.width, d.m.height
	for _, size := range [][2]int{{60, 20}, {40, 16}} {
		d.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		for _, l := range i18n.Languages() {
			d.m.env.Lang = l
			lines := strings.Split(d.screen(), "\n")
			rest, ok := lines[len(lines)-1], true
			for _, key := range append(does, "help") {
				if _, rest, ok = strings.Cut(rest, " "+l.Text(i18n.Key(key))); !ok {
					d.t.Errorf("the bar at %d×%d in %v lacks %q at its place:\n%s", size[0], size[1], l, key, d.screen())
				}
			}
		}
	}
	d.m.env.Lang = i18n.English
	d.send(tea.WindowSizeMsg{Width: width, Height: height})
}
