package screen

import (
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/lobby/account"
	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// setting is a setting with its current value.
type setting struct {
	// group is the heading for this and the next settings. If it is empty, the group continues.
	group i18n.Key
	name  i18n.Key
	value string
	// about explains the value.
	about string
	// change selects the next or previous value, or returns why there is none.
	change func(s *account.Settings, by int) error
}

// settingsSheet is a screen with settings, which the arrow keys change, and with a preview of the boards.
type settingsSheet struct {
	*widget.Env
	title i18n.Key
	list  func(l i18n.Language, c *account.Settings) []setting
	// enter is the action of enter. By default, enter changes the selected setting.
	enter widget.Action
	index int
	// rejection says why the last change was rejected.
	rejection string
	// sample is a view of a sample match under sampleRules.
	sample      match.View
	sampleRules match.Rules
}

func (s *settingsSheet) settings() []setting { return s.list(s.Lang, &s.Settings) }

func (s *settingsSheet) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case widget.Pick:
		s.index = msg.Item - 1
		return s.changeSelected(1)
	case tea.KeyPressMsg:
		s.rejection = ""
		s.index = widget.MoveInMenu(msg, s.index, len(s.settings()))
	}
	return nil
}

// Actions implements [widget.Screen].
func (s *settingsSheet) Actions() []widget.Action {
	change := func(by int) func() tea.Cmd { return func() tea.Cmd { return s.changeSelected(by) } }
	enter := s.enter
	if enter.Do == nil {
		enter = widget.Action{Keys: "enter", Do: change(1)}
	}
	return []widget.Action{
		enter,
		widget.ChangeHint,
		{Keys: "right l space +", Do: change(1)},
		{Keys: "left h -", Do: change(-1)},
		widget.ChooseHint,
		widget.HelpHint,
		widget.BackAction(s.Env, "q s n backspace"),
	}
}

// changeSelected changes the selected setting.
func (s *settingsSheet) changeSelected(by int) tea.Cmd {
	s.rejection = ""
	all, next := s.settings(), s.Settings
	s.index = min(s.index, len(all)-1)
	if err := all[s.index].change(&next, by); err != nil {
		s.rejection = s.ErrorText(err)
		return nil
	}
	return s.ChangeSettings(next)
}

// The settings' widths: names and the block.
const (
	settingName   = 17
	settingsWidth = 40
)

func (s *settingsSheet) View(size widget.Size) widget.View {
	view := widget.PageView(size, s.Lang.Text(s.title), widget.AnyWidth, func(width, height int) []string {
		return widget.DrawSplit(width, height, settingsWidth, height-4, s.drawSettings, s.drawSelected)
	})
	view.Question = s.rejection
	return view
}

// drawSettings returns the settings in groups.
func (s *settingsSheet) drawSettings(width, height int) []string {
	all := s.settings()
	// apart leaves a line between groups.
	apart := len(all)+6 <= height
	b := widget.Block{Focused: true}
	for i, o := range all {
		switch group := s.Lang.Text(o.group); {
		case o.group == "":
		case i == 0:
			b.Title = group
		default:
			if apart {
				b.Rows = append(b.Rows, widget.Row{})
			}
			b.Rows = append(b.Rows, widget.Row{Heading: group})
		}
		value := o.value
		if i == s.index {
			value = "‹ " + value + " ›"
		}
		b.Rows = append(b.Rows, widget.Row{
			Text: text.Pad(s.Lang.Text(o.name), settingName) + value, Item: i + 1, Selected: i == s.index,
		})
	}
	return b.Draw(width, height)
}

// drawSelected explains the selected setting and shows a sample board, if there is room.
func (s *settingsSheet) drawSelected(width, height int) []string {
	all := s.settings()
	now := &all[min(s.index, len(all)-1)]
	b := widget.Block{Title: s.Lang.Text(now.name), Note: now.value}
	b.Rows = append(b.Rows, widget.ParagraphRows(now.about, term.Plain, width)...)
	for len(b.Rows) < 3 && height > leastBelow {
		b.Rows = append(b.Rows, widget.Row{})
	}
	left := height - 1 - len(b.Rows)
	if left >= leastBelow {
		for _, l := range s.drawPreview(width-4, left) {
			b.Rows = append(b.Rows, widget.TextRow(l))
		}
	}
	return b.Draw(width, height)
}

// drawPreview returns a sample board that fits the given size.
func (s *settingsSheet) drawPreview(width, height int) []string {
	r := s.Settings.Rules
	if !s.sampleRules.IsEquivalent(r) {
		s.sampleRules, s.sample = r, board.SampleView(r)
	}
	if width < leastPreview {
		return nil
	}
	v := &s.sample
	arranged := board.ArrangeScene(board.Space{Width: width, Height: height + 1, Detail: s.Detail}, board.Scene{Panels: []board.Panel{
		{Heading: s.Lang.Text("PREVIEW"), Board: board.NewFleetWithLastShots(v, match.First)},
		{Heading: s.Lang.Text("Enemy waters"), Board: board.NewAimedChart(&v.Charts[match.First], board.Nowhere, v.Last[match.First]...)},
	}})
	// The first line is a match's status.
	return arranged.Lines[1:]
}

// The minimum size of the preview, in columns and lines.
const (
	leastPreview = 30
	leastBelow   = 13
)

// choiceSetting returns a setting with several named values. The first value stands for no
// choice.
func choiceSetting(l i18n.Language, group, name, about i18n.Key, all []string, now *string, word func(s *account.Settings) *string) setting {
	at := max(0, slices.Index(all, *now))
	return setting{group: group, name: name, about: l.Text(about), value: all[at], change: func(s *account.Settings, by int) error {
		*word(s) = ""
		next := widget.Cycle(at, by, len(all))
		if next > 0 {
			*word(s) = all[next]
		}
		return nil
	}}
}

// toggleSetting returns an on/off setting.
func toggleSetting(l i18n.Language, group, name, about i18n.Key, on bool, flag func(s *account.Settings) *bool) setting {
	return setting{group: group, name: name, about: l.Text(about), value: l.Text(onOffText(on)), change: func(s *account.Settings, _ int) error {
		*flag(s) = !*flag(s)
		return nil
	}}
}

// numberSetting returns a numeric setting.
func numberSetting(name i18n.Key, about string, value, low, high int, set func(s *account.Settings, n int) error) setting {
	return setting{name: name, value: strconv.Itoa(value), about: about, change: func(s *account.Settings, by int) error {
		if value+by < low || value+by > high {
			return i18n.Errorf("%s: choose %d to %d", name, low, high)
		}
		return set(s, value+by)
	}}
}

func onOffText(on bool) i18n.Key {
	if on {
		return "on"
	}
	return "off"
}
