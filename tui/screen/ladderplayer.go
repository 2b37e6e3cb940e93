package screen

import (
	"context"
	"fmt"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/lobby/ladder"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// ladderPlayer is the page of one player on the ladder.
type ladderPlayer struct {
	*widget.Env
	rules, name string
	about       *ladder.Page // nil: not read yet
	failed      string       // why it cannot be read
	top         int          // the first row that is shown, unless all fit
	scrolls     bool         // not all rows fit
	busy        bool         // a match is being requested
	refresh
}

var ladderPlayerKeys = struct{ play, watch, up, down, back key.Binding }{
	play: widget.Bind("p", "play", "p enter"), watch: widget.Bind("w", "watch", "w"),
	up: widget.Bind("↑↓", "scroll", "up k"), down: widget.Bind("↑↓", "scroll", "down j"),
	back: widget.Bind("esc", "back", "esc q backspace"),
}

// Init implements [widget.Initer]. It reads the page.
func (s *ladderPlayer) Init() tea.Cmd {
	s.begin()
	return s.Background(func(ctx context.Context) func() {
		p, err := s.Session.LadderPage(ctx, s.rules, s.name)
		return func() {
			if err != nil {
				s.failed = s.ErrorText(err)
				return
			}
			s.about, s.failed = &p, ""
		}
	})
}

func (s *ladderPlayer) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case session.Update:
		if s.due(msg) {
			return s.Init()
		}
	case tea.KeyPressMsg:
		return s.press(msg)
	}
	return nil
}

func (s *ladderPlayer) press(press tea.KeyPressMsg) tea.Cmd {
	switch k := &ladderPlayerKeys; {
	case key.Matches(press, k.back):
		s.Back()
	case key.Matches(press, k.watch):
		if s.Check(s.Session.WatchBy(s.name)) {
			return s.Open(NewWatch(s.Env, s.State.Watching.ID))
		}
	case key.Matches(press, k.play):
		return s.play()
	case key.Matches(press, k.up):
		s.top--
	case key.Matches(press, k.down):
		s.top++
	}
	return nil
}

// play begins a match against a bot, or requests one against a program.
func (s *ladderPlayer) play() tea.Cmd {
	r, err := match.Preset(s.rules)
	if err != nil || s.about == nil {
		return nil
	}
	if s.about.Kind == "bot" {
		s.Check(s.Session.PlayBot(s.name, r, s.Settings.Stakes()))
		return nil
	}
	if !s.about.Online {
		s.Notice = s.Lang.Text("%s is offline.", text.Name(s.name))
		return nil
	}
	if s.busy {
		return nil
	}
	s.busy = true
	name, stakes := s.name, s.Settings.Stakes()
	return SeekLater(s.Env, func() error { return s.Session.PlayNamed(name, r, stakes) }, func() { s.busy = false })
}

func (s *ladderPlayer) View(size widget.Size) widget.View {
	return widget.Page(size, s.Lang.Text("Program ladder"), widget.ListWidth, func(width, height int) []string {
		b := widget.Block{Title: narrate.BotName(s.Lang, text.Name(s.name)) + "  " + s.rules, Focused: true}
		switch {
		case s.failed != "":
			b.Rows = widget.Paragraph(s.failed, term.Plain, width)
		case s.about == nil:
			b.Rows = []widget.Row{widget.Line(term.Faint.Render(s.Lang.Text("Loading…")))}
		default:
			b.Note = s.about.RatingText()
			b.Rows = append(s.figures(width), s.lists()...)
			end := len(b.Rows) - (height - 1)
			s.top, s.scrolls = max(0, min(s.top, end)), end > 0
			b.Rows = b.Rows[s.top:]
		}
		return b.Draw(width, height)
	})
}

// figures returns the player's figures.
func (s *ladderPlayer) figures(width int) (rows []widget.Row) {
	p := s.about
	add := func(text string) { rows = append(rows, widget.Paragraph(text, term.Plain, width)...) }
	add(s.Lang.Text("Matches: %d, won: %d, lost: %d.", p.Games, p.Won, p.Lost))
	for _, reason := range p.LossReasons() {
		why, _ := match.ParseReason(reason)
		add(s.Lang.Text("Losses: %d (%s)", p.Losses[reason], s.Lang.Text(narrate.Reason(why))))
	}
	return rows
}

// lists returns the player's last matches and opponents.
func (s *ladderPlayer) lists() (rows []widget.Row) {
	rows = append(rows, widget.Row{}, widget.Row{Heading: s.Lang.Text("Last matches")})
	for _, g := range s.about.Last[:min(len(s.about.Last), 8)] {
		result := i18n.Key("lost")
		if g.Won {
			result = "won"
		}
		why, _ := match.ParseReason(g.Reason)
		rows = append(rows, widget.Row{
			Text: text.Pad(narrate.BotName(s.Lang, text.Name(g.Opponent)), text.NameWidth) + " " + s.Lang.Text(result), Note: term.Faint.Render(s.Lang.Text(narrate.Reason(why))),
		})
	}
	rows = append(rows, widget.Row{}, widget.Row{Heading: s.Lang.Text("Opponents")})
	for _, o := range s.about.Opponents {
		rows = append(rows, widget.Row{Text: narrate.BotName(s.Lang, text.Name(o.Name)), Note: fmt.Sprintf("%d–%d", o.Won, o.Lost)})
	}
	return rows
}

// Actions implements [widget.Screen].
func (s *ladderPlayer) Actions() []widget.Action { return widget.Hints(s.Bindings()) }

func (s *ladderPlayer) Bindings() []key.Binding {
	k := &ladderPlayerKeys
	if s.scrolls {
		return []key.Binding{k.play, k.watch, k.up, widget.Help, k.back}
	}
	return []key.Binding{k.play, k.watch, widget.Help, k.back}
}
