package play

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/narrate"
	"broadside/lobby/puzzle"
	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// puzzleScreen shows puzzles, one after another: today's, and then others.
type puzzleScreen struct {
	*widget.Env
	boards            widget.Boards
	today             puzzle.Today
	puzzle            puzzle.Puzzle
	isWaitingForStore bool
	aim               widget.Aim
}

// NewPuzzles returns the screen with puzzles.
func NewPuzzles(env *widget.Env) widget.Screen { return &puzzleScreen{Env: env} }

// Init implements [widget.Initializer]. It reads today's puzzles, and shows the first one without an answer.
func (s *puzzleScreen) Init() tea.Cmd {
	return s.query(s.Session.Puzzles, func(today puzzle.Today) puzzle.Puzzle {
		n := len(today.Puzzles)
		if n == 0 {
			s.Nav.LeaveToLobby(s.Lang.Text("There are no puzzles yet. The server makes the first ones soon after its start."))
			return puzzle.Puzzle{}
		}
		return today.Puzzles[min(today.NextIndex(), n-1)]
	})
}

// query reads today's puzzles and shows the one that then returns. If that fails, it returns to the lobby.
func (s *puzzleScreen) query(
	read func(context.Context) (puzzle.Today, error), then func(puzzle.Today) puzzle.Puzzle,
) tea.Cmd {
	s.isWaitingForStore = true
	return widget.Query(s.Env, read, func(today puzzle.Today, err error) tea.Cmd {
		s.isWaitingForStore = false
		switch {
		case !s.Nav.IsCurrent(s):
		case err != nil:
			s.Nav.LeaveToLobby(s.ErrorText(err))
		default:
			s.today = today
			s.show(then(today))
		}
		return nil
	})
}

func (s *puzzleScreen) show(p puzzle.Puzzle) {
	if p.Number != s.puzzle.Number {
		s.aim = widget.Aim{Cursor: widget.CenterCell(p.Chart.Rules)}
	}
	s.puzzle = p
}

// showNext shows the next puzzle without an answer.
func (s *puzzleScreen) showNext() tea.Cmd {
	next := s.today.NextIndex()
	if next < len(s.today.Puzzles) {
		s.show(s.today.Puzzles[next])
		return nil
	}
	s.isWaitingForStore = true
	read := func(ctx context.Context) (puzzle.Puzzle, error) { return s.Session.Puzzle(ctx, 0) }
	return widget.Query(s.Env, read, func(p puzzle.Puzzle, err error) tea.Cmd {
		s.isWaitingForStore = false
		if s.Nav.IsCurrent(s) && s.CheckAction(err) {
			s.show(p)
		}
		return nil
	})
}

// isAiming reports whether the player can answer.
func (s *puzzleScreen) isAiming() bool { return s.puzzle.Number > 0 && s.puzzle.Answer == nil }

// Subject implements [widget.Subject].
func (s *puzzleScreen) Subject() any { return s.isWaitingForStore }

// ShownRules implements [widget.RulesScreen].
func (s *puzzleScreen) ShownRules() match.Rules { return s.puzzle.Rules() }

func (s *puzzleScreen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if s.isAiming() {
			s.aim.HandleKey(s.Env, msg.String(), s.puzzle.Chart.Rules)
		}
	case widget.MouseEvent:
		_, at, ok := s.boards.HighlightCell(msg)
		if ok && s.isAiming() && msg.Action == widget.MousePress && s.aim.Click(at) {
			return s.fire()
		}
	}
	return nil
}

// Actions implements [widget.Screen].
func (s *puzzleScreen) Actions() []widget.Action {
	back := widget.Action{Keys: "esc q", Label: "lobby", Do: widget.NoCommand(func() { s.Nav.LeaveToLobby("") })}
	if s.puzzle.Number == 0 {
		return []widget.Action{back}
	}
	if !s.isAiming() {
		next := widget.Action{Keys: "enter space n", Label: "next puzzle", Do: s.showNext}
		if s.isWaitingForStore {
			next.Do = nil
		}
		return []widget.Action{next, s.CopyAction(s.shareLine()), widget.HelpHint, back}
	}
	rules := s.puzzle.Chart.Rules
	fire := widget.Action{Keys: "enter space", Label: "fire", Do: func() tea.Cmd {
		if !s.aim.ConfirmInput(s.Env, rules) {
			return nil
		}
		return s.fire()
	}}
	return append(s.aim.EditActions(rules), fire, widget.AimHint, widget.TypeHint(rules), widget.HelpHint, back)
}

// fire answers with the cell under the cursor, or shows why that is useless.
func (s *puzzleScreen) fire() tea.Cmd {
	why := narrate.WastedShotReason(&s.puzzle.Chart, 1, s.aim.Cursor)
	if why.Key != "" || s.isWaitingForStore {
		s.Notice = why.Text(s.Lang)
		return nil
	}
	number, at := s.puzzle.Number, s.aim.Cursor
	var answered puzzle.Puzzle
	var refusal error
	read := func(ctx context.Context) (puzzle.Today, error) {
		answered, refusal = s.Session.AnswerPuzzle(ctx, number, at)
		return s.Session.Puzzles(ctx)
	}
	return s.query(read, func(puzzle.Today) puzzle.Puzzle {
		s.CheckAction(refusal)
		if answered.Answer == nil {
			return s.puzzle
		}
		return answered
	})
}

func (s *puzzleScreen) View(size widget.Size) widget.View {
	p := &s.puzzle
	if p.Number == 0 {
		return widget.View{Lines: []string{s.Lang.Text("Loading puzzles…")}}
	}
	heading := s.Lang.Text("PUZZLE NO. %d", p.Number)
	for i, today := range s.today.Puzzles {
		if today.Number == p.Number {
			heading = s.Lang.Text("PUZZLE %d of %d", i+1, len(s.today.Puzzles))
		}
	}
	var status, brief string
	var lines []string
	b := board.NewAimedChart(&p.Chart, s.aim.Cursor)
	if a := p.Answer; a == nil {
		status = s.aim.TargetText(s.Lang, &p.Chart) + s.aim.InputText(s.Lang)
		for _, l := range []string{narrate.RulesSummary(s.Lang, s.ShownRules()), s.Lang.Text("Which shot hits most likely?")} {
			brief = term.Faint.Render(l)
			lines = append(lines, brief)
		}
	} else {
		b.Aim = a.Cell
		b.ShowOdds(&p.Chart, a.Odds, []match.Cell{a.Best}, match.Set{})
		status = text.FirstFitting(size.Width, narrate.PuzzleAnswer(s.Lang, p).Text(s.Lang), narrate.BriefPuzzleAnswer(s.Lang, p).Text(s.Lang))
		// The legend and the result don't fit on one line of a small screen.
		lines = []string{widget.OddsLegend(s.Lang)}
		if s.today.IsDone() {
			lines = append(lines, text.Wrap(s.shareLine(), size.Width-4)...)
		}
	}
	v := s.boards.View(s.Env, size, board.Scene{
		Status: status, Panels: []board.Panel{newPanel(s.Lang, heading, b, &p.Chart)},
		Text: lines, Aside: s.todayBlock(size), Instead: lines, Brief: brief,
	})
	v.Mouse = true
	return v
}

// shareLine returns the result of today's puzzles as a line to copy. It is empty before the last answer.
func (s *puzzleScreen) shareLine() string {
	if !s.today.IsDone() {
		return ""
	}
	return narrate.PuzzlesLine(s.Lang, &s.today, s.PublicAddress("/puzzles"))
}

// todayBlock returns the results of today's puzzles and the player's streak.
func (s *puzzleScreen) todayBlock(size widget.Size) []string {
	b := widget.Block{Title: s.Lang.Text("Today's puzzles"), Note: narrate.ShortDay(s.Lang, s.today.Day)}
	for i, p := range s.today.Puzzles {
		row := widget.Row{Text: fmt.Sprintf("%3d", i+1)}
		if p.Answer != nil {
			row.Note = s.Lang.Text("%s of the best", narrate.Percent(s.Lang, p.Answer.Share()))
		}
		if p.Number == s.puzzle.Number {
			row.Text = term.Strong.Render(row.Text)
		}
		b.Rows = append(b.Rows, row)
	}
	if s.State.Me.Account != "" {
		streak := s.Lang.Text("none yet")
		if s.today.Longest > 0 {
			streak = s.Lang.Text("%s, longest %d", s.Lang.Text("%d day||%d days", s.today.Streak), s.today.Longest)
		}
		b.Rows = append(b.Rows, widget.Row{}, widget.Row{Heading: s.Lang.Text("Your streak")}, widget.TextRow(streak))
	}
	return b.Draw(min(tableWidth, size.Width), len(b.Rows)+2)
}
