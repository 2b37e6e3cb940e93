package tui

import (
	"fmt"
	"io"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"broadside/internal/test/lobbytest"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/tui/term"
)

// counter counts the bytes written to it.
type counter struct{ bytes, writes int }

func (c *counter) Write(p []byte) (int, error) {
	c.bytes += len(p)
	c.writes++
	return len(p), nil
}

// BenchmarkFrames measures one change of the battle screen at 100×30: the time for the
// model, its view and the difference, and the bytes to the terminal. The sea is textured
// only where a case says so.
func BenchmarkFrames(b *testing.B) {
	row, column := []tea.Msg{keyMsg("right"), keyMsg("left")}, []tea.Msg{keyMsg("down"), keyMsg("up")}
	const indexed, rgb = colorprofile.ANSI256, colorprofile.TrueColor
	for _, c := range []struct {
		name string
		// msgs are sent in turn.
		msgs    []tea.Msg
		profile colorprofile.Profile
		look    term.Appearance
	}{
		{"cursor", row, indexed, term.Appearance{}},
		{"cursor-down", column, indexed, term.Appearance{}},
		{"cursor-light", row, indexed, term.Appearance{Theme: term.Light}},
		{"cursor-down-light", column, indexed, term.Appearance{Theme: term.Light}},
		{"cursor-16", row, colorprofile.ANSI, term.Appearance{}},
		{"cursor-plain-24-bit", row, rgb, term.Appearance{Sea: term.PlainSea}},
		{"cursor-down-plain-24-bit", column, rgb, term.Appearance{Sea: term.PlainSea}},
		{"cursor-textured-24-bit", row, rgb, term.Appearance{}},
		{"cursor-down-textured-24-bit", column, rgb, term.Appearance{}},
		{"help", []tea.Msg{keyMsg("?")}, indexed, term.Appearance{}},
		{"nothing", []tea.Msg{keyMsg("F12")}, indexed, term.Appearance{}},
		{"resize", []tea.Msg{tea.WindowSizeMsg{Width: 101, Height: 30}, tea.WindowSizeMsg{Width: 100, Height: 30}}, indexed, term.Appearance{}},
	} {
		b.Run(c.name, func(b *testing.B) {
			l := lobbytest.Open(lobby.Config{Seed: 1, BotPace: time.Hour})
			defer l.Close()
			d := startDriverWith(b, session.Config{Lobby: l, Player: account.Player{ID: "key", Name: "ann"}}, Config{Width: 100, Height: 30, Terminal: term.Terminal{Profile: c.profile}})
			defer d.close()
			d.startPlacement()
			d.startBattle()
			d.m.SetAppearance(c.look)
			d.checkFrame()
			var sent counter
			w := term.NewWriter(&sent, 100, 30)
			show := func(msg tea.Msg) {
				if size, ok := msg.(tea.WindowSizeMsg); ok {
					w.Resize(size.Width, size.Height)
				}
				d.m.Update(msg)
				if err := w.Draw(d.m.Frame()); err != nil {
					b.Fatal(err)
				}
			}
			for range 4 {
				for _, msg := range c.msgs {
					show(msg)
				}
			}
			sent, n := counter{}, 0
			b.ReportAllocs()
			for b.Loop() {
				show(c.msgs[n%len(c.msgs)])
				n++
			}
			b.ReportMetric(float64(sent.bytes)/float64(n), "bytes/frame")
		})
	}
}

// BenchmarkFeatured measures a shot of the featured match in one session's lobby, at 100×30
// in 256 colours.
func BenchmarkFeatured(b *testing.B) {
	l := lobbytest.Open(lobby.Config{Seed: 1})
	defer l.Close()
	d := startDriver(b, l, account.Player{ID: "key", Name: "ann"}, 100, 30)
	defer d.close()
	d.waitForText("is aiming.")
	var sent counter
	w := term.NewWriter(&sent, 100, 30)
	u := d.m.env.Watched.Last
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		side, cell := match.Side(n%2), match.NewCell(n/2%10, n/20%10)
		u.View.Turn = side.Other()
		u.View.Charts[side].Record(cell, match.Miss)
		u.View.Last[side] = []match.Shot{{Cell: cell, Result: match.Miss, Number: n + 1}}
		d.m.receiveUpdate(session.Update{Kind: session.WatchChanged, ID: d.m.env.Watched.ID, Match: &u})
		if err := w.Draw(d.m.Frame()); err != nil {
			b.Fatal(err)
		}
		n++
	}
	b.ReportMetric(float64(sent.bytes)/float64(n), "bytes/frame")
}

// BenchmarkArrival measures the first two screens of a guest, welcome and lobby, at 100×30 in 256 colours, while
// 100 players are in the lobby.
func BenchmarkArrival(b *testing.B) {
	l := lobbytest.Open(lobby.Config{Seed: 1})
	defer l.Close()
	for i := range 100 {
		defer l.Enter(account.Player{ID: fmt.Sprint("key ", i), Name: fmt.Sprint("ann ", i)}).Leave()
	}
	d := startDriver(b, l, account.Player{ID: "key", Name: "ann"}, 100, 30)
	defer d.close()
	d.waitForText("is aiming.")
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		n++
		b.StopTimer()
		own := session.New(session.Config{Lobby: l, Player: account.Player{ID: fmt.Sprint("guest ", n), Name: fmt.Sprint("guest ", n), Guest: true}})
		b.StartTimer()
		m := New(b.Context(), Config{Session: own, Width: 100, Height: 30, Terminal: term.Terminal{Profile: colorprofile.ANSI256}})
		w := term.NewWriter(io.Discard, 100, 30)
		m.Init()
		for _, msg := range []tea.Msg{nil, keyMsg("l")} {
			if msg != nil {
				m.Update(msg)
			}
			if err := w.Draw(m.Frame()); err != nil {
				b.Fatal(err)
			}
		}
		b.StopTimer()
		m.Close()
		b.StartTimer()
	}
}
