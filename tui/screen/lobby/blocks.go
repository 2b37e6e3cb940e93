package lobby

import (
	"fmt"
	"slices"
	"strings"

	"broadside/internal/narrate"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// add appends an item to a block and completes its row.
func (s *lobbyScreen) add(b blockName, it item, row *widget.Row) {
	l := &s.lists[b]
	l.items = append(l.items, it)
	i := len(l.items) - 1
	row.Item = pick(b, i)
	row.Selected = s.focus == b && (l.at == it.id || l.at == "" && i == 0)
	if row.Selected {
		l.index = i
	}
}

// appendMenu appends the items of the menu that belong to a block. Items whose names are in
// halves share the line of the item before them.
func (s *lobbyScreen) appendMenu(rows []widget.Row, b blockName, spaced bool, halves ...string) []widget.Row {
	first := true
	for i := range menu {
		m := &menu[i]
		if m.block != b {
			continue
		}
		shown := m.key.Help().Key
		row := widget.Row{Text: s.Lang.Text(m.label), Key: shown}
		if m.note != nil {
			row.Note = m.note(s)
		}
		half := slices.Contains(halves, shown)
		s.add(b, item{id: shown, like: &m.key, right: half, open: m.open}, &row)
		if half {
			last := &rows[len(rows)-1]
			last.Lead, last.Key, row.Lead, row.Key = last.Key, "", row.Key, ""
			other := row // so that the other rows do not escape
			last.Half = &other
			continue
		}
		if spaced && !first || shown == rulesItem {
			rows = append(rows, widget.Row{})
		}
		rows, first = append(rows, row), false
	}
	return rows
}

// playBlock returns the menu of ways to play.
func (s *lobbyScreen) playBlock(width, height int, spaced bool) []string {
	b := widget.Block{Title: s.Lang.Text("Play"), Focused: s.focus == playBlock}
	if s.Newcomer {
		b.Note = s.Lang.Text("new here? press i")
	}
	b.Rows = make([]widget.Row, 0, height)
	if spaced {
		b.Rows = append(b.Rows, widget.Row{})
	}
	b.Rows = s.appendMenu(b.Rows, playBlock, spaced, clockItem)
	if !spaced && len(b.Rows) >= height { // the line above the rules is not needed
		b.Rows = withoutBlanks(b.Rows)
	}
	return b.Draw(width, height)
}

func withoutBlanks(rows []widget.Row) (kept []widget.Row) {
	for _, r := range rows {
		if r.Text != "" {
			kept = append(kept, r)
		}
	}
	return kept
}

// youBlock returns the player's rating and results, and the items about the player.
// Compact items share lines.
func (s *lobbyScreen) youBlock(width, height int, compact bool) []string {
	b := widget.Block{Title: s.Lang.Text("You"), Note: text.Name(s.State.Me.Name), Focused: s.focus == youBlock}
	if s.Settings.DoNotDisturb {
		b.Note = s.Lang.Text("do not disturb")
	}
	b.Rows = append(make([]widget.Row, 0, height), s.results()...)
	menu := len(b.Rows)
	if compact {
		b.Rows = s.appendMenu(b.Rows, youBlock, false, "g", "s", "C")
		for i := range b.Rows {
			switch r := &b.Rows[i]; {
			case r.Half != nil:
				r.Note, r.Half.Note = "", ""
			case r.Key != "":
				r.Lead, r.Key, r.Note = r.Key, "", ""
			}
		}
	} else {
		b.Rows = s.appendMenu(append(b.Rows, widget.Row{}), youBlock, height > 2*5+menu)
	}
	if compact && height-1 > len(b.Rows) {
		b.Rows = slices.Insert(b.Rows, menu, widget.Row{})
	}
	return b.Draw(width, height)
}

// results returns the player's rating under the chosen rules, and their results and form under
// all rules.
func (s *lobbyScreen) results() []widget.Row {
	if s.State.Me.Account == "" {
		return []widget.Row{
			widget.Line(s.Lang.Text("You are a guest")),
			widget.Line(term.Faint.Render(s.Lang.Text("An account keeps your rating."))),
		}
	}
	if s.Profile == nil || len(s.Profile.Form) == 0 {
		return []widget.Row{widget.Line(term.Faint.Render(s.Lang.Text("no matches yet")))}
	}
	rules := s.Profile.Of(s.Settings.Rules.Name)
	rating := widget.Row{Text: term.Faint.Render(s.Lang.Text("no rating yet")), Note: rules.Name}
	if r := rules.Standing; r.RuleSet != "" {
		rank := widget.RankOf(r.Value)
		rating = widget.Row{Text: term.Strong.Render(r.String()), Note: rank.Insignia + " " + s.Lang.Text(rank.Name)}
	}
	total := s.Profile.Total()
	won := widget.Row{Text: s.Lang.Text("won %d of %d||won %d of %d", total.Won, total.Games)}
	if total.Shots > 0 {
		won.Note = s.Lang.Text("%s hits", narrate.Percent(s.Lang, total.HitRate()))
	}
	return []widget.Row{rating, won, {Text: widget.Form(s.Profile.Form), Note: s.Lang.Text("last ten")}}
}

// chatBlock returns the latest lines of the lobby's chat.
func (s *lobbyScreen) chatBlock(width, height int) []string {
	b := widget.Block{Title: s.Lang.Text("Chat"), Note: "t"}
	b.Rows = append([]widget.Row{{}}, s.chatRows(width, height-3)...)
	if len(b.Rows) == 1 {
		b.Rows = []widget.Row{{}, widget.Line(term.Faint.Render(s.Lang.Text("No messages yet.")))}
	}
	for i := range b.Rows {
		b.Rows[i].Press = "t"
	}
	return b.Draw(width, height)
}

// chatRows returns the latest lines of the lobby's chat, wrapped, in at most room rows.
func (s *lobbyScreen) chatRows(width, room int) (rows []widget.Row) {
	if s.Settings.HideChat {
		return nil
	}
	all := s.LobbyChat.Lines
	for i := len(all) - 1; i >= 0 && len(rows) < room; i-- {
		said := text.Wrap(s.ChatLine(all[i]), width-4)
		var one []widget.Row
		for n, part := range said {
			if n == 0 {
				name, line, _ := strings.Cut(part, ": ")
				part = term.Info.Render(name+":") + " " + line
			}
			one = append(one, widget.Row{Text: "  " + part, Filled: true, Press: "t"})
		}
		rows = append(one, rows...)
	}
	return rows[max(0, len(rows)-room):]
}

// ranksBlock returns the ranks with their ratings, the player's own one emphasized.
func (s *lobbyScreen) ranksBlock(width, height int) []string {
	b := widget.Block{Title: s.Lang.Text("Ranks"), Note: s.Lang.Text("rating"), Rows: []widget.Row{{}}}
	own := -1.0
	if s.Profile != nil {
		if r := s.Profile.Of(s.Settings.Rules.Name).Standing; r.RuleSet != "" {
			own = widget.RankOf(r.Value).From
		}
	}
	all := widget.Ranks()
	for i := len(all) - 1; i >= 0; i-- {
		r := all[i]
		row := widget.Row{Text: term.Info.Render(r.Insignia) + "  " + s.Lang.Text(r.Name), Note: fmt.Sprintf("%.0f", r.From)}
		if r.From == own {
			row.Text = term.Mark.Render(r.Insignia + "  " + s.Lang.Text(r.Name))
		}
		b.Rows = append(b.Rows, row)
	}
	return b.Draw(width, height)
}
