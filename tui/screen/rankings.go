package screen

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// Ranking is a tab of the rankings.
type Ranking int

// The rankings' tabs.
const (
	Players Ranking = iota
	Programs
	Tournaments
	DailySea
)

// rankings shows who is best at what, one page at a time.
type rankings struct {
	*widget.Env
	tabs  widget.Tabs
	pages []widget.Screen
}

// NewRankings returns the rankings screen with a tab open.
func NewRankings(env *widget.Env, tab Ranking) widget.Screen {
	return &rankings{
		Env: env,
		tabs: widget.Tabs{
			Titles: []i18n.Key{"Players", "Programs", "Tournaments", "Daily sea"}, Selected: int(tab),
		},
		pages: []widget.Screen{newLeaderboard(env), newLadderTable(env), newTournamentList(env), newDailyTable(env)},
	}
}

func (s *rankings) page() widget.Screen { return s.pages[s.tabs.Selected] }

// Init implements [widget.Initializer]. It reads the page.
func (s *rankings) Init() tea.Cmd { return s.page().(widget.Initializer).Init() }

// Typing implements [widget.Typist].
func (s *rankings) Typing() widget.Typing {
	if page, ok := s.page().(widget.Typist); ok {
		return page.Typing()
	}
	return widget.NoText
}

func (s *rankings) Update(msg tea.Msg) tea.Cmd {
	if p, ok := msg.(widget.Pick); ok && s.tabs.HandlePick(p) {
		return s.Init()
	}
	return s.page().Update(msg)
}

// Actions implements [widget.Screen].
func (s *rankings) Actions() []widget.Action {
	step := func(by int) func() tea.Cmd {
		return func() tea.Cmd {
			s.tabs.Step(by)
			return s.Init()
		}
	}
	off := s.Typing() != widget.NoText
	return slices.Insert(s.page().Actions(), 1, []widget.Action{
		{Keys: "tab right", Label: "next tab", Off: off, Do: step(1)},
		{Keys: "shift+tab left", Off: off, Do: step(-1)},
	}...)
}

func (s *rankings) View(size widget.Size) widget.View {
	const barHeight = 2
	size.Body -= barHeight
	view := s.page().View(size)
	width := view.Width
	for _, line := range view.Lines {
		width = max(width, text.Width(line))
	}
	view.Lines = append(s.tabs.Draw(s.Lang, width), view.Lines...)
	view.Heading = s.Lang.Text("Rankings")
	return view
}
