package screen

import (
	"strconv"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/lobby/account"
	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// settings is the settings screen, with a preview of the boards.
type settings struct {
	*widget.Env
	at     int         // index of the selected setting
	typed  string      // digits of a new value
	wrong  string      // why the last change was rejected
	sample match.View  // view of a sample match under the current rules
	of     match.Rules // rules of the sample
}

// NewSettings returns the settings screen.
func NewSettings(env *widget.Env) widget.Screen { return &settings{Env: env} }

var settingsKeys = struct{ more, less, accept, number, back, home key.Binding }{
	more: widget.Bind("→", "change", "right l space +"), less: widget.Bind("←", "change", "left h -"),
	accept: widget.Bind("enter", "change", "enter"), number: widget.Bind("0–9", "type it", ""),
	back: back("backspace"), home: back("q s"),
}

func (s *settings) Update(msg tea.Msg) tea.Cmd {
	press, ok := msg.(tea.KeyPressMsg)
	if p, clicked := msg.(widget.Pick); clicked { // changes the setting
		s.at, s.typed, press, ok = p.Item-1, "", widget.KeyPress("right"), true
	}
	if !ok {
		return nil
	}
	s.wrong = ""
	switch {
	case key.Matches(press, settingsKeys.back):
		s.goBack(press.String())
		return nil
	case key.Matches(press, settingsKeys.home):
		s.Back()
		return nil
	}
	next := s.Settings
	if err := s.change(&next, press); err != nil {
		s.wrong = s.ErrorText(err)
		return nil
	}
	return s.ChangeSettings(next)
}

// goBack discards the typed digits, or leaves the screen if there are none.
func (s *settings) goBack(key string) {
	switch {
	case s.typed == "":
		s.Back()
	case key == "esc":
		s.typed = ""
	default:
		s.typed = s.typed[:len(s.typed)-1]
	}
}

// change applies the change for a key, or returns why it is not possible.
func (s *settings) change(next *account.Settings, msg tea.KeyPressMsg) error {
	all := settingsOf(s.Lang, next)
	s.at = min(s.at, len(all)-1)
	now := &all[s.at]
	if at, ok := widget.Step(msg, s.at, len(all)); ok {
		return s.move(next, now, at)
	}
	switch k := &settingsKeys; {
	case key.Matches(msg, k.less):
		s.typed = ""
		return now.change(next, -1)
	case key.Matches(msg, k.more), key.Matches(msg, k.accept) && s.typed == "":
		s.typed = ""
		return now.change(next, 1)
	case key.Matches(msg, k.accept):
		return s.finish(next, now)
	}
	return s.digit(next, now, msg.String())
}

// move selects another setting, unless the typed value is rejected.
func (s *settings) move(next *account.Settings, now *setting, to int) error {
	err := s.finish(next, now)
	if err == nil {
		s.at = to
	}
	s.typed = ""
	return err
}

// digit appends a digit to a number. A number that cannot become valid is rejected at
// once. It stays until the next digit, so that enter has no effect on it.
func (s *settings) digit(next *account.Settings, now *setting, key string) error {
	if len(key) != 1 || key[0] < '0' || key[0] > '9' {
		return i18n.Errorf("that key does nothing here: use the arrow keys")
	}
	if now.set == nil {
		return i18n.Errorf("%s is not a number: choose with ← and →", now.name)
	}
	if n, err := strconv.Atoi(s.typed); err != nil || !now.canBecome(10*n) { // empty or rejected
		s.typed = ""
	}
	s.typed += key
	n, err := strconv.Atoi(s.typed)
	if err != nil || !now.canBecome(n) {
		return now.refuse(s.typed)
	}
	if !now.allows(n) || now.canBecome(10*n) { // more digits may follow
		return nil
	}
	return s.finish(next, now)
}

// finish applies the typed number. If the number is rejected, it stays in place.
func (s *settings) finish(next *account.Settings, now *setting) error {
	if s.typed == "" {
		return nil
	}
	n, err := strconv.Atoi(s.typed)
	if err != nil || !now.allows(n) {
		return now.refuse(s.typed)
	}
	if err := now.set(next, n); err != nil {
		return err
	}
	s.typed = ""
	return nil
}

// The widths of the settings: names and the block.
const (
	settingName   = 17
	settingsWidth = 40
)

func (s *settings) View(size widget.Size) widget.View {
	view := widget.Page(size, s.Lang.Text("Settings"), widget.AnyWidth, func(width, height int) []string {
		return widget.Split(width, height, settingsWidth, height-4, s.list, s.effect)
	})
	view.Question = s.wrong
	return view
}

// list returns the settings in groups.
func (s *settings) list(width, height int) []string {
	all := settingsOf(s.Lang, &s.Settings)
	apart := len(all)+6 <= height // a line between groups
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
		row := widget.Row{Text: text.Pad(s.Lang.Text(o.name), settingName) + o.value, Item: i + 1}
		if i == s.at {
			value := o.value
			if s.typed != "" {
				value = s.typed + "_"
			}
			row.Selected, row.Text = true, text.Pad(s.Lang.Text(o.name), settingName)+"‹ "+value+" ›"
		}
		b.Rows = append(b.Rows, row)
	}
	return b.Draw(width, height)
}

// effect explains the selected setting and shows a sample board, if there is room.
func (s *settings) effect(width, height int) []string {
	all := settingsOf(s.Lang, &s.Settings)
	now := &all[min(s.at, len(all)-1)]
	b := widget.Block{Title: s.Lang.Text(now.name), Note: now.value}
	b.Rows = append(b.Rows, widget.Paragraph(now.about, term.Plain, width)...)
	for len(b.Rows) < 3 && height > leastBelow {
		b.Rows = append(b.Rows, widget.Row{})
	}
	if left := height - 1 - len(b.Rows); left >= leastBelow {
		for _, l := range s.preview(width-4, left) {
			b.Rows = append(b.Rows, widget.Line(l))
		}
	}
	return b.Draw(width, height)
}

// preview returns a sample board that fits the given size.
func (s *settings) preview(width, height int) []string {
	if r := s.Settings.Rules; !s.of.Same(r) {
		s.of, s.sample = r, board.SampleView(r)
	}
	if width < leastPreview {
		return nil
	}
	v := &s.sample
	arranged := board.Arrange(board.Space{Width: width, Height: height + 1, Detail: s.Detail}, board.Scene{Panels: []board.Panel{
		{Heading: s.Lang.Text("PREVIEW"), Board: board.Own(v, match.First)},
		{Heading: s.Lang.Text("Enemy waters"), Board: board.Enemy(&v.Charts[match.First], board.Nowhere, v.Last[match.First]...)},
	}})
	return arranged.Lines[1:] // the first line is the status of a match
}

// The minimum size of the preview, in cells.
const (
	leastPreview = 30 // columns
	leastBelow   = 13 // lines
)

// Actions implements [widget.Screen].
func (s *settings) Actions() []widget.Action { return widget.Hints(s.Bindings()) }

func (s *settings) Bindings() []key.Binding {
	k := &settingsKeys
	if all := settingsOf(s.Lang, &s.Settings); all[s.at].set != nil {
		return []key.Binding{widget.Change, widget.Choose, k.number, widget.Help, k.back}
	}
	return []key.Binding{widget.Change, widget.Choose, widget.Help, k.back}
}
