package play

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// tutorial is a short match for new players: two ships on a small board, without an
// opponent.
type tutorial struct {
	*widget.Env
	boards widget.Boards
	aim    widget.Aim
	chart  match.Chart
	last   match.Shot
	lesson i18n.Message
	taught map[match.Result]bool // the lessons that have appeared
}

// tutorialFleet is the hidden fleet. The initial cursor position is a hit.
var tutorialFleet = match.Layout{
	{Stern: match.At(1, 2), Heading: match.East, Length: 3},
	{Stern: match.At(5, 4), Heading: match.South, Length: 2},
}

// NewTutorial returns the tutorial.
func NewTutorial(env *widget.Env) widget.Screen {
	rules := match.Rules{
		Name: "custom", Size: 6, Contact: match.TouchCorners,
		Fleet: []match.Class{{Name: "cruiser", Length: 3}, {Name: "destroyer", Length: 2}},
	}
	return &tutorial{
		Env: env, aim: widget.Aim{At: widget.Center(rules)}, chart: match.NewChart(rules),
		lesson: i18n.NewMessage("Two ships, 3 and 2 cells long. Aim with the arrows, or type a cell such as C3."), taught: map[match.Result]bool{},
	}
}

var tutorialKeys = struct{ done, back key.Binding }{
	done: widget.Bind("enter", "play easy", "enter space"), back: widget.Bind("esc", "back", "esc q"),
}

func (s *tutorial) over() bool { return s.chart.ShipsLeft() == 0 }

func (s *tutorial) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		s.press(msg)
	case widget.Mouse:
		if _, at, ok := s.boards.Cell(msg); ok && msg.Action == widget.MousePress && !s.over() {
			if s.aim.Click(at) {
				s.fire()
			}
		}
	}
	return nil
}

func (s *tutorial) press(msg tea.KeyPressMsg) {
	if !s.over() && s.aim.Key(s.Env, msg.String(), s.chart.Rules) {
		return
	}
	switch {
	case key.Matches(msg, tutorialKeys.back):
		s.Newcomer = false
		s.Back()
		return
	case s.over() && key.Matches(msg, tutorialKeys.done):
		s.Newcomer = false
		s.Check(s.Session.QuickGame(s.Settings.Rules))
		return
	case s.over():
		return
	}
	if key.Matches(msg, battleKeys.fire) && s.aim.Accept(s.Env, s.chart.Rules) {
		s.fire()
	}
}

// fire shoots at the cell under the cursor, or shows why it cannot.
func (s *tutorial) fire() {
	if why := narrate.Useless(&s.chart, 1, s.aim.At); why.Key != "" {
		s.Notice = why.In(s.Lang)
		return
	}
	result := match.Water
	for _, ship := range tutorialFleet {
		cells := ship.Cells()
		if !cells.Has(s.aim.At) {
			continue
		}
		result = match.Hit
		if left := cells.Minus(s.chart.Hits); left.Len() == 1 {
			result = match.Sunk
			if s.chart.ShipsLeft() == 1 {
				result = match.LastSunk
			}
		}
	}
	s.chart.Record(s.aim.At, result)
	s.last = match.Shot{Cell: s.aim.At, Result: result, Number: s.last.Number + 1}
	s.teach(result)
}

// teach explains a shot. The lesson of a result appears once; later shots get a hint that
// fits the board.
func (s *tutorial) teach(result match.Result) {
	first := !s.taught[result]
	s.taught[result] = true
	targets := strings.Join(s.targets(), ", ")
	switch {
	case result == match.LastSunk:
		s.lesson = i18n.NewMessage("All ships are sunk: you win. Press enter to play easy; your fleet is placed for you.")
	case result == match.Sunk:
		s.lesson = i18n.NewMessage("Sunk! Adjacent cells must be water and are marked: save those shots.")
	case result == match.Hit && first:
		s.lesson = i18n.NewMessage("A hit. Ships are straight. Try %s.", targets)
	case result == match.Hit:
		s.lesson = i18n.NewMessage("Another hit, so the ship lies this way. Try %s.", targets)
	case first:
		s.lesson = i18n.NewMessage("A miss. In a match it would now be your opponent's turn.")
	case targets != "":
		s.lesson = i18n.NewMessage("A miss. Finish the ship you hit: try %s.", targets)
	default:
		s.lesson = i18n.NewMessage("A miss. %d ship is left.||A miss. %d ships are left.", s.chart.ShipsLeft())
	}
}

// targets returns the unknown cells next to a hit where the rest of a wounded ship can be.
func (s *tutorial) targets() (names []string) {
	c := &s.chart
	var targets match.Set
	most := 0
	for length, n := range c.Afloat {
		for cell := range c.Rules.Board().All() {
			for _, h := range match.Keels {
				ship := match.Ship{Stern: cell, Heading: h, Length: length}
				if n == 0 || !c.Rules.Contains(ship.Bow()) {
					continue
				}
				cells := ship.Cells()
				struck := cells.Intersect(c.Hits)
				switch hits := struck.Len(); {
				case hits == 0 || hits == length || cells.Minus(c.Hits).Minus(c.Open()).Len() > 0:
				case hits > most:
					most, targets = hits, cells.Minus(c.Hits)
				case hits == most:
					targets = targets.Union(cells.Minus(c.Hits))
				}
			}
		}
	}
	for cell := range targets.All() {
		for _, h := range match.Headings {
			if next := cell.Step(h, 1); c.Rules.Contains(next) && c.Hits.Has(next) {
				names = append(names, cell.String())
				break
			}
		}
	}
	return names
}

func (s *tutorial) View(size widget.Size) widget.View {
	status := term.Good.Render(s.Lang.Text("YOU WON"))
	at := board.Nowhere
	if !s.over() {
		at = s.aim.At
		status = s.aim.Target(s.Lang, &s.chart) + s.aim.Typed(s.Lang)
	}
	chart := board.Enemy(&s.chart, at, s.last)
	b := board.Panel{Heading: s.Lang.Text("FIRST SHOTS"), Board: chart, Note: narrate.Afloat(s.Lang, &s.chart), Chart: &s.chart}
	if size.Low() {
		b.Heading, b.Note = b.Note, ""
	}
	lesson := s.lesson.In(s.Lang)
	v := s.boards.View(s.Env, size, board.Scene{Status: status, Panels: []board.Panel{b}, Text: text.Wrap(lesson, min(size.Width, 60)), Brief: lesson})
	v.Mouse = true
	return v
}

// Actions implements [widget.Screen].
func (s *tutorial) Actions() []widget.Action { return widget.Hints(s.Bindings()) }

func (s *tutorial) Bindings() []key.Binding {
	if s.over() {
		return []key.Binding{tutorialKeys.done, tutorialKeys.back}
	}
	return []key.Binding{battleKeys.fire, battleKeys.aim, widget.TypeCell(s.chart.Rules), widget.Help, tutorialKeys.back}
}
