package screen

import (
	"fmt"

	"broadside/internal/i18n"
	"broadside/internal/term"
	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/component"
	"broadside/tui/format"
)

// activity is the right half of the lobby: the featured match, the players, the open
// offers and the running matches.
type activity struct{ env *component.Env }

// Spectate keeps the featured match running while the player is not idle.
func (c activity) Spectate() component.Spectate { return featured(c.env) }

// featured returns the featured match, which keeps running while the player is not
// idle.
func featured(env *component.Env) component.Spectate {
	if env.Idle {
		return component.Spectate{}
	}
	return component.Spectate{ID: env.Lobby.Featured.ID, Looking: true}
}

// The dimensions of the featured match.
const (
	textWidth  = 38 // minimum width of the right half
	smallGap   = 3  // between the two boards
	smallWidth = 100
	smallLines = 30
)

// fitsBoards reports whether two small boards with n cells per side fit beside the
// menu.
func fitsBoards(size component.Size, n int) bool {
	return size.Width >= smallWidth && size.Height >= smallLines && menuWidth+2+smallPairWidth(n) <= size.Width &&
		n+4 <= size.Height/2
}

func smallPairWidth(n int) int { return 2*board.BareWidth(n) + smallGap }

// activityWidth returns the width of the right half. It depends only on the terminal,
// so that the layout stays the same when the featured match changes.
func activityWidth(size component.Size) int {
	if size.Width >= smallWidth && size.Height >= smallLines {
		return max(textWidth, smallPairWidth(match.Classic().Size))
	}
	return textWidth
}

func (c activity) lines(size component.Size) []string {
	const (
		around = 3 * 2 // lines: a heading above each list, and a blank one below it
		fewest = 4     // minimum lines of all lists; the list of players needs two
	)
	width := activityWidth(size)
	lines := c.featured(size, width)
	room := size.Height - 4 - around - len(lines) // the 4 includes a line for a challenge
	talk := c.chat(width, room-fewest)
	rows := room - len(talk)
	if len(talk) == 0 {
		rows++ // the last list needs no blank line
	}
	l := c.env.Lobby
	waiting := share(len(l.Waiting), rows/3)
	running := share(len(l.Running), rows/3)
	lines = append(lines, c.list("online", "nobody", len(l.People), c.person, rows-waiting-running)...)
	lines = append(lines, c.list("waiting-for-an-opponent", "nobody", len(l.Waiting), c.waiting, waiting)...)
	lines = append(lines, c.list("matches-title", "none-of-the-matches", len(l.Running), c.running, running)...)
	if len(talk) == 0 {
		return lines[:len(lines)-1]
	}
	return append(lines, talk...)
}

// share returns the number of lines for a list: at most most, at least 1.
func share(items, most int) int { return max(1, min(items, most)) }

// featured returns the lines of the featured match.
func (c activity) featured(size component.Size, width int) []string {
	lang := c.env.Lang
	head := func(about string) string {
		return format.Pad(term.Strong.Render(lang.Text("live"))+"  "+about, width)
	}
	w := c.env.Watched
	switch {
	case c.env.Idle:
		return []string{head(term.Faint.Render(lang.Text("paused-until-you-press-a"))), ""}
	case w == nil || w.Seen.IsZero():
		return []string{head(term.Faint.Render(lang.Text("nothing-yet"))), ""}
	}
	lines := []string{head(w.State(lang) + spectators(lang, c.env.Running(w.ID)))}
	v := &w.Last.View
	if fitsBoards(size, v.Rules.Size) {
		return append(append(lines, w.Picture(lang, smallGap)...), "")
	}
	last := ""
	if n := len(w.Reports); n > 0 {
		last = w.Reports[n-1].Full.In(lang)
	}
	first, second := v.Charts[match.Second].ShipsLeft(), v.Charts[match.First].ShipsLeft()
	return append(lines,
		format.Pad("  "+w.Names[match.First]+" – "+w.Names[match.Second], width),
		"  "+lang.Text("n-n-ships-afloat", first, second),
		format.Pad(term.Faint.Render("  "+last), width), "")
}

// chat returns the latest lines of the lobby's chat that fit.
func (c activity) chat(width, room int) []string {
	const most = 3
	all := c.env.LobbyChat.Lines
	if c.env.Settings.HideChat || room < 2 || len(all) == 0 {
		return nil
	}
	lines := []string{term.Strong.Render(c.env.Lang.Text("talk-title"))}
	for _, l := range all[max(0, len(all)-min(most, room-1)):] {
		lines = append(lines, "  "+format.Clean(c.env.ChatLine(l), width-2))
	}
	return lines
}

// person, waiting and running return the list items.
func (c activity) person(i int) string {
	p := &c.env.Lobby.People[i]
	line := format.Name(p.Player.Name)
	if p.Player.ID == c.env.State.Me.ID {
		line = c.env.Lang.Text("x-you", line)
	}
	if p.Playing {
		line += term.Faint.Render("  " + c.env.Lang.Text("plays"))
	}
	if p.DoNotDisturb {
		line += term.Faint.Render("  " + c.env.Lang.Text("do-not-disturb"))
	}
	return line
}

func (c activity) waiting(i int) string {
	w := &c.env.Lobby.Waiting[i]
	return c.env.PlayerName(w.Player) + term.Faint.Render("  "+c.env.OfferTerms(w.Rules, w.Stakes))
}

func (c activity) running(i int) string {
	r := &c.env.Lobby.Running[i]
	return c.env.PlayerName(r.Players[0]) + " – " + c.env.PlayerName(r.Players[1]) + term.Faint.Render("  "+r.Rules.Name) + spectators(c.env.Lang, r)
}

// list returns a heading and as many items as fit, or the text none if the list is
// empty. It only calls item for visible items because there may be thousands.
func (c activity) list(heading, none i18n.Key, items int, item func(i int) string, room int) []string {
	room = max(1, room)
	lines := []string{term.Strong.Render(c.env.Lang.Text(heading)) + term.Faint.Render(fmt.Sprintf("  %d", items))}
	for i := range items {
		if i == room-1 && items > room {
			lines = append(lines, term.Faint.Render("  "+c.env.Lang.Text("and-n-more", items-i)))
			break
		}
		lines = append(lines, "  "+item(i))
	}
	if items == 0 {
		lines = append(lines, term.Faint.Render("  "+c.env.Lang.Text(none)))
	}
	return append(lines, "")
}
