package screen

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"broadside/bots"
	"broadside/internal/narrate"
	"broadside/internal/store"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// botList is the screen for choosing a bot.
type botList struct {
	*widget.Env
	list           widget.List[botItem]
	showsNovelties bool
	// scores has the player's scores by the bot's name. It is nil until they are known, and for guests.
	scores   map[string]store.BotScore
	progress session.BotProgress
}

// botItem is a row of the list: a bot, or the row that shows or hides the novelties.
type botItem struct {
	bots.Info
	// noveltyCount is 0 if the item is a bot.
	noveltyCount int
}

// OpenBots opens the list of bots that support the player's rules.
func OpenBots(env *widget.Env) tea.Cmd {
	all := session.ListBots(env.Settings.Rules)
	if len(all) == 0 {
		env.Nav.LeaveToLobby(env.Lang.Text("No bot supports these rules: press n to change them."))
		return nil
	}
	chosen := all[max(0, slices.IndexFunc(all, func(b bots.Info) bool { return b.Name == env.Settings.Bot }))]
	s := &botList{Env: env, showsNovelties: chosen.IsNovelty}
	s.list.ID, s.list.Open = func(b botItem) string { return b.Name }, s.openItem
	s.updateItems()
	s.list.Select(chosen.Name)
	env.Nav.LeaveToLobby("")
	return env.Nav.Open(s)
}

// updateItems updates the rows: the novelties come last, if they are listed.
func (s *botList) updateItems() {
	var usual, odd []botItem
	n := 0
	for _, b := range session.ListBots(s.Settings.Rules) {
		switch {
		case !b.IsNovelty:
			usual = append(usual, botItem{Info: b})
			continue
		case s.showsNovelties:
			odd = append(odd, botItem{Info: b})
		}
		n++
	}
	if n > 0 {
		odd = append(odd, botItem{noveltyCount: n})
	}
	s.list.SetItems(append(usual, odd...))
}

// Init implements [widget.Initializer]. It reads the player's score against each bot under the chosen rules.
func (s *botList) Init() tea.Cmd {
	query := func(ctx context.Context) (map[string]store.BotScore, error) {
		return s.Session.BotScores(ctx, s.Settings.Rules)
	}
	before, _ := s.list.Selected()
	return widget.Query(s.Env, query, func(scores map[string]store.BotScore, err error) tea.Cmd {
		if err != nil {
			s.Log.Error("cannot read scores", "error", err)
			return nil
		}
		s.scores, s.progress = scores, session.NewBotProgress(s.Settings.Rules, scores)
		s.selectNext(before.Name)
		return nil
	})
}

// selectNext selects the next bot to beat instead of a beaten one, unless the player has selected another bot.
func (s *botList) selectNext(before string) {
	selected, _ := s.list.Selected()
	if selected.Name != before || s.scores[before].Won == 0 || s.progress.Next == "" {
		return
	}
	next, _ := bots.Find(s.progress.Next)
	s.showsNovelties = s.showsNovelties || next.Info().IsNovelty
	s.updateItems()
	s.list.Select(s.progress.Next)
}

func (s *botList) Update(msg tea.Msg) tea.Cmd { return s.list.Update(msg) }

// Actions implements [widget.Screen].
func (s *botList) Actions() []widget.Action {
	return append(s.list.Actions("play"), widget.HelpHint, widget.BackAction(s.Env, "b q backspace"))
}

// openItem starts a match against a bot and preselects it for the next time, or shows or hides the novelties.
func (s *botList) openItem(b botItem) tea.Cmd {
	if b.noveltyCount > 0 {
		s.showsNovelties = !s.showsNovelties
		s.updateItems()
		return nil
	}
	next := s.Settings
	next.Bot = b.Name
	cmd := s.ChangeSettings(next)
	s.CheckAction(s.Session.PlayBot(b.Name, s.Settings.Rules, s.Settings.RatingMode()))
	return cmd
}

func (s *botList) View(size widget.Size) widget.View {
	return widget.PageView(size, s.Lang.Text("Play a bot"), widget.AnyWidth, func(width, height int) []string {
		return widget.DrawSplit(width, height, min(58, width*3/5), height-5, s.drawList, s.drawSelected)
	})
}

// drawList returns the list.
func (s *botList) drawList(width, height int) []string {
	b := widget.Block{Title: s.Lang.Text("Choose a bot"), Note: s.Lang.Text("weakest first"), Focused: true}
	if s.progress.Beaten > 0 {
		b.Note = s.Lang.Text("beaten %d of %d", s.progress.Beaten, s.progress.Total)
	}
	b.Rows = s.list.Rows(s.Env, width, height-1, func(_ int, b botItem) widget.Row { return s.row(b, width) })
	if 2*len(b.Rows)+2 < height {
		for i := range len(b.Rows) - 1 {
			b.Rows = slices.Insert(b.Rows, 2*i+1, widget.Row{})
		}
	}
	if height > len(b.Rows)+3 && s.Settings.Rules.IsEquivalent(match.Classic()) {
		b.Rows = append(append(b.Rows, widget.Row{}), widget.ParagraphRows(s.Lang.Text("Fewer shots = stronger bot."), term.Faint, width)...)
	}
	return b.Draw(width, height)
}

// row returns a bot with its rank, strength and the player's score.
func (s *botList) row(bot botItem, width int) widget.Row {
	if bot.noveltyCount > 0 {
		row := widget.Row{Text: s.Lang.Text("%d more bot||%d more bots", bot.noveltyCount), Note: s.Lang.Text("show")}
		if s.showsNovelties {
			row.Note = s.Lang.Text("hide")
		}
		return row
	}
	line := text.Pad(term.Strong.Render(narrate.BotName(s.Lang, bot.Name)), 11)
	if r, ok := session.BotRating(s.Settings.Rules.Name, bot.Name); ok {
		line += term.Info.Render(widget.RankForRating(r).Insignia) + " "
	}
	shots := bot.MeanShots(s.Settings.Rules)
	if shots > 0 && width >= 40 {
		line += fmt.Sprintf("%5s", s.Lang.Text("%.1f", shots))
		if width-3-text.Width(line)-8 >= maxStrength {
			strength := min(max(1, int((100-shots)/5)), maxStrength)
			line += "  " + term.Info.Render(strings.Repeat("■", strength))
		}
	}
	row := widget.Row{Text: line}
	if s.scores != nil {
		row.Note = s.scoreNote(bot.Name)
	}
	return row
}

// scoreNote returns the player's score against a bot. It marks a beaten bot, and the next one to beat.
func (s *botList) scoreNote(bot string) string {
	score, note := s.scores[bot], "–"
	if score.Played > 0 {
		note = fmt.Sprintf("%d–%d", score.Won, score.Played-score.Won)
	}
	switch {
	case score.Won > 0:
		return term.Good.Render("●") + " " + note
	case bot == s.progress.Next && score.Played > 0:
		return s.Lang.Text("next##bot") + " " + note
	case bot == s.progress.Next:
		return s.Lang.Text("next##bot")
	}
	return note
}

// maxStrength is the maximum length of a bar.
const maxStrength = 12

// drawSelected describes the selected bot.
func (s *botList) drawSelected(width, height int) []string {
	bot, _ := s.list.Selected()
	if bot.noveltyCount > 0 {
		return widget.Block{}.Draw(width, height)
	}
	b := widget.Block{Title: narrate.BotName(s.Lang, bot.Name)}
	rating, rated := session.BotRating(s.Settings.Rules.Name, bot.Name)
	if rated {
		b.Note = s.Lang.Text(widget.RankForRating(rating).Name)
	}
	if height > 8 {
		b.Rows = append(b.Rows, widget.Row{})
	}
	b.Rows = append(b.Rows, widget.ParagraphRows(s.Lang.Text(bot.Sketch), term.Plain, width)...)
	if height > 8 {
		b.Rows = append(b.Rows, widget.Row{})
		b.Rows = append(b.Rows, widget.ParagraphRows(s.Lang.Text("It fires %s.", bot.Method), term.Faint, width)...)
		b.Rows = append(b.Rows, widget.Row{})
	}
	shots := bot.MeanShots(s.Settings.Rules)
	if shots > 0 {
		b.Rows = append(b.Rows, widget.Row{Text: term.Faint.Render(s.Lang.Text("shots to win")), Note: term.Strong.Render(s.Lang.Text("%.1f", shots))})
	}
	if rated {
		b.Rows = append(b.Rows, widget.Row{Text: term.Faint.Render(s.Lang.Text("rating")), Note: term.Strong.Render(fmt.Sprintf("%.0f", rating))})
	}
	if score, ok := s.scores[bot.Name]; ok {
		b.Rows = append(b.Rows, widget.Row{}, widget.Row{Text: s.Lang.Text("You won %d of %d.", score.Won, score.Played)})
	} else if s.scores != nil {
		b.Rows = append(b.Rows, widget.Row{}, widget.Row{Text: term.Faint.Render(s.Lang.Text("not played yet"))})
	}
	b.Rows = append(b.Rows, widget.Row{}, widget.Row{Text: term.Faint.Render(s.Lang.Text("You fire first."))})
	return b.Draw(width, height)
}
