package screen

import (
	"fmt"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"broadside/bots"
	"broadside/internal/session"
	"broadside/internal/term"
	"broadside/tui/component"
	"broadside/tui/format"
)

// botList is the screen for choosing a bot.
type botList struct {
	*component.Env
	at int // index of the selected bot
}

// OpenBots opens the list of bots that support the player's rules.
func OpenBots(env *component.Env) tea.Cmd {
	all := bots.Offered(env.Settings.Rules)
	if len(all) == 0 {
		env.Home(env.Lang.Text("no-bot-supports-these-rules"))
		return nil
	}
	env.Home("")
	return env.Open(&botList{env, chosenBot(&env.Settings, all)})
}

var botKeys = struct{ next, previous, play, back key.Binding }{
	next: component.Bind("↑↓", "choose", "down j tab"), previous: component.Bind("↑↓", "choose", "up k"),
	play: component.Bind("enter", "play", "enter"), back: back("b q backspace"),
}

func (s *botList) Update(msg tea.Msg) tea.Cmd {
	press, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	all := bots.Offered(s.Settings.Rules)
	switch {
	case key.Matches(press, botKeys.previous):
		s.at = component.Cycle(s.at, -1, len(all))
	case key.Matches(press, botKeys.next):
		s.at = component.Cycle(s.at, 1, len(all))
	case key.Matches(press, botKeys.play):
		return s.play(all[s.at].Name)
	case key.Matches(press, botKeys.back):
		s.Back()
	default:
		if n, ok := indexOfDigit(s.Env, press, len(all)); ok {
			return s.play(all[n].Name)
		}
	}
	return nil
}

// play starts a match against a bot, and preselects it for the next time.
func (s *botList) play(bot string) tea.Cmd {
	next := s.Settings
	next.Bot = bot
	cmd := s.ChangeSettings(next)
	s.Do(session.PlayBot{Bot: bot, Rules: s.Settings.Rules, Stakes: s.Settings.Stakes()})
	return cmd
}

func (s *botList) View(size component.Size) component.View {
	return component.View{Lines: s.list()}
}

func (s *botList) list() []string {
	all := bots.Offered(s.Settings.Rules)
	lines := []string{term.Strong.Render(s.Lang.Text("play-a-bot")), ""}
	for i, b := range all {
		lines = append(lines, mark(i == s.at)+term.Key.Render(fmt.Sprintf("%2d  %s", i+1, b.Name)))
	}
	lines = append(lines, "")
	for _, l := range format.Wrap(s.Lang.Text("it-shoots-x", all[s.at].About), 40-2) {
		lines = append(lines, term.Faint.Render(l))
	}
	return append(lines, format.Pad(s.Lang.Text("you-shoot-first"), 40))
}

func (s *botList) Bindings() []key.Binding {
	return []key.Binding{botKeys.next, botKeys.play, botKeys.back}
}
