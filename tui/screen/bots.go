package screen

import (
	"context"
	"fmt"
	"strings"

	"charm.land/bubbles/v2/key"
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
	at     int                // index of the selected row
	open   bool               // novelty bots are listed
	scores map[string][2]int  // won and played by the name of the bot; nil: unknown
	names  []bots.Info        // the rows; the row after them opens or closes the novelties
	rating map[string]float64 // of the bots under these rules
}

// OpenBots opens the list of bots that support the player's rules.
func OpenBots(env *widget.Env) tea.Cmd {
	all := session.ListBots(env.Settings.Rules)
	if len(all) == 0 {
		env.Home(env.Lang.Text("No bot supports these rules: press r to change them."))
		return nil
	}
	chosen := all[chosenBot(&env.Settings, all)]
	s := &botList{Env: env, open: chosen.Novelty, rating: map[string]float64{}}
	for _, b := range all {
		if r, ok := session.BotRating(env.Settings.Rules.Name, b.Name); ok {
			s.rating[b.Name] = r
		}
	}
	s.list()
	for i, b := range s.names {
		if b.Name == chosen.Name {
			s.at = i
		}
	}
	env.Home("")
	return env.Open(s)
}

// list updates the rows: the novelties come last, if they are listed.
func (s *botList) list() (novelties int) {
	s.names = nil
	var odd []bots.Info
	for _, b := range session.ListBots(s.Settings.Rules) {
		if b.Novelty {
			odd = append(odd, b)
		} else {
			s.names = append(s.names, b)
		}
	}
	if s.open {
		s.names = append(s.names, odd...)
	}
	return len(odd)
}

var botKeys = struct{ play, back key.Binding }{
	play: widget.Bind("enter", "play", "enter space"), back: back("b q backspace"),
}

// scoredMatches is how many of the player's last matches count for the score. Of these, only matches under
// the chosen rules count.
const scoredMatches = 200

// Init implements [widget.Initer]. It reads the player's score against each bot under the chosen rules.
func (s *botList) Init() tea.Cmd {
	me := s.State.Me.Account
	if me == "" || !s.State.HasStore {
		return nil
	}
	return s.Later(s, func(ctx context.Context) func() tea.Cmd {
		all, err := s.Session.Games(ctx, me, store.Cursor{}, scoredMatches)
		return func() tea.Cmd {
			if err != nil {
				s.Log.Error("matches cannot be read", "error", err)
				return nil
			}
			s.scores = map[string][2]int{}
			for _, g := range all {
				if g.RuleSet != s.Settings.Rules.Name {
					continue
				}
				for side, seat := range g.Seats {
					if seat.Player == me || seat.Kind != store.Bot {
						continue
					}
					score := s.scores[seat.Name]
					if score[1]++; int(g.Winner) == 1-side {
						score[0]++
					}
					s.scores[seat.Name] = score
				}
			}
			return nil
		}
	})
}

func (s *botList) Update(msg tea.Msg) tea.Cmd {
	if p, ok := msg.(widget.Pick); ok {
		s.at = p.Item - 1
		return s.enter()
	}
	press, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	rows := len(s.names)
	if s.list() > 0 {
		rows++
	}
	if s.at, ok = widget.Step(press, s.at, rows); ok {
		return nil
	}
	switch {
	case key.Matches(press, botKeys.play):
		return s.enter()
	case key.Matches(press, botKeys.back):
		s.Back()
	default:
		if n, ok := indexOfDigit(s.Env, press, len(s.names)); ok {
			return s.play(s.names[n].Name)
		}
	}
	return nil
}

// enter plays the selected bot, or lists the novelties.
func (s *botList) enter() tea.Cmd {
	if s.at < len(s.names) {
		return s.play(s.names[s.at].Name)
	}
	s.open = !s.open
	s.list()
	s.at = len(s.names)
	return nil
}

// play starts a match against a bot, and preselects it for the next time.
func (s *botList) play(bot string) tea.Cmd {
	next := s.Settings
	next.Bot = bot
	cmd := s.ChangeSettings(next)
	s.Check(s.Session.PlayBot(bot, s.Settings.Rules, s.Settings.Stakes()))
	return cmd
}

func (s *botList) View(size widget.Size) widget.View {
	return widget.Page(size, s.Lang.Text("Play a bot"), widget.AnyWidth, func(width, height int) []string {
		return widget.Split(width, height, min(58, width*3/5), height-5, s.rows, s.sheet)
	})
}

// rows returns the list.
func (s *botList) rows(width, height int) []string {
	novelties := s.list()
	b := widget.Block{Title: s.Lang.Text("Choose a bot"), Note: s.Lang.Text("weakest first"), Focused: true}
	for i, bot := range s.names {
		b.Rows = append(b.Rows, s.row(i, bot, width))
	}
	if novelties > 0 {
		does := s.Lang.Text("show")
		if s.open {
			does = s.Lang.Text("hide")
		}
		b.Rows = append(b.Rows, widget.Row{
			Text: s.Lang.Text("%d more bot||%d more bots", novelties), Note: does, Item: len(s.names) + 1, Selected: s.at == len(s.names),
		})
	}
	if 2*len(b.Rows)+2 < height {
		b.Rows = widget.Spaced(b.Rows)
	}
	if height > len(b.Rows)+3 && s.Settings.Rules.Same(match.Classic()) {
		b.Rows = append(append(b.Rows, widget.Row{}), widget.Paragraph(s.Lang.Text("Fewer shots = stronger bot."), term.Faint, width)...)
	}
	return b.Draw(width, height)
}

// row returns a bot with its rank, strength and the player's score.
func (s *botList) row(i int, bot bots.Info, width int) widget.Row {
	line := text.Pad(term.Strong.Render(narrate.BotName(s.Lang, bot.Name)), 11)
	if r, ok := s.rating[bot.Name]; ok {
		line += term.Info.Render(widget.RankOf(r).Insignia) + " "
	}
	if shots := bot.MeanShots(s.Settings.Rules); shots > 0 && width >= 40 {
		line += fmt.Sprintf("%5s", s.Lang.Text("%.1f", shots))
		if width-3-text.Width(line)-8 >= maxStrength {
			line += "  " + term.Info.Render(strings.Repeat("■", strength(shots)))
		}
	}
	row := widget.Row{Text: line, Item: i + 1, Selected: i == s.at}
	if s.scores != nil {
		row.Note = "–"
		if score := s.scores[bot.Name]; score[1] > 0 {
			row.Note = fmt.Sprintf("%d–%d", score[0], score[1]-score[0])
		}
	}
	return row
}

// maxStrength is the maximum length of a bar.
const maxStrength = 12

// strength returns the length of a bar for a mean number of shots.
func strength(shots float64) int { return min(max(1, int((100-shots)/5)), maxStrength) }

// sheet describes the selected bot.
func (s *botList) sheet(width, height int) []string {
	if s.at >= len(s.names) {
		return widget.Block{}.Draw(width, height)
	}
	bot := s.names[s.at]
	b := widget.Block{Title: narrate.BotName(s.Lang, bot.Name)}
	rating, rated := s.rating[bot.Name]
	if rated {
		b.Note = s.Lang.Text(widget.RankOf(rating).Name)
	}
	if height > 8 {
		b.Rows = append(b.Rows, widget.Row{})
	}
	b.Rows = append(b.Rows, widget.Paragraph(s.Lang.Text(bot.Sketch), term.Plain, width)...)
	if height > 8 {
		b.Rows = append(b.Rows, widget.Row{})
		b.Rows = append(b.Rows, widget.Paragraph(s.Lang.Text("It fires %s.", bot.About), term.Faint, width)...)
		b.Rows = append(b.Rows, widget.Row{})
	}
	if shots := bot.MeanShots(s.Settings.Rules); shots > 0 {
		b.Rows = append(b.Rows, widget.Row{Text: term.Faint.Render(s.Lang.Text("shots to win")), Note: term.Strong.Render(s.Lang.Text("%.1f", shots))})
	}
	if rated {
		b.Rows = append(b.Rows, widget.Row{Text: term.Faint.Render(s.Lang.Text("rating")), Note: term.Strong.Render(fmt.Sprintf("%.0f", rating))})
	}
	if score, ok := s.scores[bot.Name]; ok {
		b.Rows = append(b.Rows, widget.Row{}, widget.Row{Text: s.Lang.Text("You won %d of %d.", score[0], score[1])})
	} else if s.scores != nil {
		b.Rows = append(b.Rows, widget.Row{}, widget.Row{Text: term.Faint.Render(s.Lang.Text("not played yet"))})
	}
	b.Rows = append(b.Rows, widget.Row{}, widget.Row{Text: term.Faint.Render(s.Lang.Text("You fire first."))})
	return b.Draw(width, height)
}

// Actions implements [widget.Screen].
func (s *botList) Actions() []widget.Action { return widget.Hints(s.Bindings()) }

func (s *botList) Bindings() []key.Binding {
	return []key.Binding{botKeys.play, widget.Choose, widget.Help, botKeys.back}
}
