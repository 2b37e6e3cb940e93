package lobby

import (
	"broadside/internal/narrate"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// blockRows are the rows of a block and the items that they open.
type blockRows struct {
	all   []widget.Row
	items []item
}

// add appends rows that only show something.
func (r *blockRows) add(more ...widget.Row) { r.all = append(r.all, more...) }

// addItem appends an item with its rows.
func (r *blockRows) addItem(it item, more ...widget.Row) {
	r.items = append(r.items, it)
	for _, row := range more {
		row.Item = len(r.items)
		r.all = append(r.all, row)
	}
}

// itemsPerBlock is more than any block has.
const itemsPerBlock = 1000

// drawBlock draws a block with rows. The first row of the selected item is highlighted.
func (s *lobbyScreen) drawBlock(name blockName, b widget.Block, r blockRows, width, height int) []string {
	list, last := &s.lists[name], 0
	list.SetItems(r.items)
	b.Focused = int(name) == s.focus.Selected
	for i, row := range r.all {
		if row.Item > 0 {
			selected := list.CompleteRow(row.Item-1, row).Selected && b.Focused && row.Item != last
			last, row.Selected = row.Item, selected
			row.Item += int(name) * itemsPerBlock
			r.all[i] = row
		}
	}
	b.Rows = r.all
	return b.Draw(width, height)
}

// addMenu adds a block's menu items.
func (s *lobbyScreen) addMenu(r *blockRows, name blockName, spaced bool) {
	for i := range menu {
		m := &menu[i]
		if m.block != name {
			continue
		}
		row := widget.Row{Text: s.Lang.Text(m.title), Key: string(m.keys)}
		if m.note != nil {
			row.Note = m.note(s)
		}
		r.addItem(item{id: string(m.keys), label: m.label, open: m.open}, row)
		if spaced {
			r.add(widget.Row{})
		}
	}
}

// drawPlayBlock returns the menu of ways to play.
func (s *lobbyScreen) drawPlayBlock(width, height int, spaced bool) []string {
	b := widget.Block{Title: s.Lang.Text("Play")}
	if s.Newcomer {
		b.Note = s.Lang.Text("new here? press i")
	}
	var r blockRows
	s.addMenu(&r, playBlock, spaced)
	return s.drawBlock(playBlock, b, r, width, height)
}

// minYouHeight is the height that the player's block needs without results: a title and the menu.
const minYouHeight = 6

// drawYouBlock returns the player's rating and results, and the items about the player.
func (s *lobbyScreen) drawYouBlock(width, height int, spaced bool) []string {
	b := widget.Block{Title: s.Lang.Text("You"), Note: text.CleanName(s.State.Me.Name)}
	if s.Settings.DoNotDisturb {
		b.Note = s.Lang.Text("do not disturb")
	}
	var r blockRows
	results := s.resultRows()
	room := height - minYouHeight - len(results)
	if room >= 0 {
		r.add(results...)
	}
	if room > 0 {
		r.add(widget.Row{})
	}
	s.addMenu(&r, youBlock, spaced)
	return s.drawBlock(youBlock, b, r, width, height)
}

// resultRows returns the player's rating under the chosen rules, and their results and form under
// all rules.
func (s *lobbyScreen) resultRows() []widget.Row {
	if s.State.Me.Account == "" {
		return []widget.Row{
			widget.TextRow(s.Lang.Text("You are a guest")),
			widget.TextRow(term.Faint.Render(s.Lang.Text("An account keeps your rating."))),
		}
	}
	if s.Profile == nil || len(s.Profile.Form) == 0 {
		return []widget.Row{widget.TextRow(term.Faint.Render(s.Lang.Text("no matches yet")))}
	}
	rules := s.Profile.ForRules(s.Settings.Rules.Name)
	rating := widget.Row{Text: term.Faint.Render(s.Lang.Text("no rating yet")), Note: rules.Name}
	r := rules.Standing
	if r.RuleSet != "" {
		rank := widget.RankForRating(r.Value)
		rating = widget.Row{Text: term.Strong.Render(r.String()), Note: rank.Insignia + " " + s.Lang.Text(rank.Name)}
	}
	total := s.Profile.Total()
	won := widget.Row{Text: s.Lang.Text("won %d of %d||won %d of %d", total.Won, total.Games)}
	if total.Shots > 0 {
		won.Note = s.Lang.Text("%s hits", narrate.Percent(s.Lang, total.HitRate()))
	}
	return []widget.Row{rating, won, {Text: widget.RecentResults(s.Profile.Form), Note: s.Lang.Text("last ten")}}
}
