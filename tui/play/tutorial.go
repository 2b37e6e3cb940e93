package play

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/match/live"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// tutorial is a scripted match for new players, with hints: two ships on a small board, against an opponent
// that hardly hits. It exists on this screen alone, so no one can watch it and it can end at any time.
type tutorial struct {
	*widget.Env
	battle *battlePage
	game   *match.Game
	lesson i18n.Message
	// taught has the results whose lessons have appeared.
	taught map[match.Result]bool
}

// The tutorial's fleets. The player's initial cursor position is a hit.
var (
	tutorialFleet = match.Layout{
		{Stern: match.NewCell(1, 2), Heading: match.East, Length: 3},
		{Stern: match.NewCell(5, 4), Heading: match.South, Length: 2},
	}
	opponentFleet = match.Layout{
		{Stern: match.NewCell(1, 1), Heading: match.East, Length: 3},
		{Stern: match.NewCell(4, 3), Heading: match.South, Length: 2},
	}
)

// NewTutorial returns the tutorial.
func NewTutorial(env *widget.Env) widget.Screen {
	rules := match.Rules{
		Name: "custom", Size: 6, Contact: match.TouchCorners,
		Fleet: []match.Class{{Name: "cruiser", Length: 3}, {Name: "destroyer", Length: 2}},
	}
	m := &Match{
		Env: env, phase: fighting, chatInput: widget.ChatInput{Env: env},
		game: newGame(&session.Match{}, match.Second, narrate.BotName(env.Lang, "easy")),
	}
	t := &tutorial{
		Env: env, game: match.NewGame(rules, nil), taught: map[match.Result]bool{},
		lesson: i18n.NewMessage("Two ships, 3 and 2 cells long. Aim with the arrows, or type a cell such as C3."),
	}
	t.applyCommands(m.game,
		match.PlaceCommand(match.First, tutorialFleet), match.PlaceCommand(match.Second, opponentFleet))
	t.battle = newBattlePage(m)
	t.battle.fireAt = t.fire
	return t
}

// opponentTarget returns the cell at which the opponent fires. Only its second shot hits, until no other
// cells are left.
func (t *tutorial) opponentTarget() match.Cell {
	chart := t.game.Chart(match.First)
	ships, open := opponentFleet.Cells(), chart.OpenCells()
	targets := open.Minus(ships)
	if chart.Fired == 1 || targets.Len() == 0 {
		targets = open.Intersect(ships)
	}
	for cell := range targets.All() {
		return cell
	}
	// Not reached: the player needs fewer shots than the board has cells.
	return match.Cell{}
}

// applyCommands executes commands and shows the player what happened.
func (t *tutorial) applyCommands(g *game, commands ...match.Command) error {
	u := live.Update{}
	for _, c := range commands {
		events, err := t.game.Apply(c)
		if err != nil {
			return err
		}
		for _, e := range events {
			if e, ok := e.RedactFor(g.side); ok {
				u.Events = append(u.Events, e)
			}
		}
	}
	u.View = t.game.View(g.side)
	g.applyUpdate(&u)
	return nil
}

// fire fires at a cell and explains the result. Then the opponent fires.
func (t *tutorial) fire(cells ...match.Cell) error {
	g := t.battle.match.game
	if err := t.applyCommands(g, match.FireCommand(g.side, cells...)); err != nil {
		return err
	}
	v := &g.last.View
	t.setLesson(v.LastShot(g.side).Result, &v.Charts[g.side])
	if t.isOver() {
		return nil
	}
	return t.applyCommands(g, match.FireCommand(match.First, t.opponentTarget()))
}

func (t *tutorial) isOver() bool { return t.game.Phase() == match.Over }

// setLesson explains a shot. Each result's lesson appears once. Later shots get a hint that fits the board.
func (t *tutorial) setLesson(result match.Result, chart *match.Chart) {
	first := !t.taught[result]
	t.taught[result] = true
	targets := nextTargetNames(chart)
	switch {
	case result == match.LastSunk:
		t.lesson = i18n.NewMessage("All ships are sunk: you win. Press enter to play easy. Your fleet is placed for you.")
	case result == match.Sunk:
		t.lesson = i18n.NewMessage("Sunk! Adjacent cells must be water and are marked: save those shots.")
	case result == match.Hit && first:
		t.lesson = i18n.NewMessage("A hit. Ships are straight. Try %s.", targets)
	case result == match.Hit:
		t.lesson = i18n.NewMessage("Another hit, so the ship lies this way. Try %s.", targets)
	case first:
		t.lesson = i18n.NewMessage("A miss. Players take turns: your opponent fires after each of your shots.")
	case targets != "":
		t.lesson = i18n.NewMessage("A miss. Finish the ship you hit: try %s.", targets)
	default:
		t.lesson = i18n.NewMessage("A miss. %d ship is left.||A miss. %d ships are left.", chart.ShipsAfloat())
	}
}

// nextTargetNames lists the unknown cells where a ship that was hit can continue: in line with two
// hits or, if there are none, next to any hit.
func nextTargetNames(c *match.Chart) string {
	open := c.OpenCells()
	var inLine, adjacent match.Set
	for hit := range c.Hits.All() {
		for _, h := range match.Headings {
			next, before := hit.Step(h, 1), hit.Step(h, -1)
			if !c.Rules.Contains(next) || !open.Has(next) {
				continue
			}
			adjacent.Add(next)
			if c.Rules.Contains(before) && c.Hits.Has(before) {
				inLine.Add(next)
			}
		}
	}
	if inLine.Len() > 0 {
		adjacent = inLine
	}
	var names []string
	for cell := range adjacent.All() {
		names = append(names, cell.String())
	}
	return strings.Join(names, ", ")
}

func (t *tutorial) Update(msg tea.Msg) tea.Cmd {
	if t.isOver() {
		return nil
	}
	return t.battle.Update(msg)
}

func (t *tutorial) View(size widget.Size) widget.View {
	scene := t.battle.scene(size)
	if t.isOver() {
		scene.Status = term.Good.Render(t.Lang.Text("YOU WON"))
	}
	lesson := t.lesson.Text(t.Lang)
	scene.Text, scene.Brief = text.Wrap(lesson, min(size.Width, 60)), lesson
	for i := range scene.Panels {
		scene.Panels[i].Text = nil
	}
	view := t.battle.boards.View(t.Env, size, scene)
	view.Mouse = true
	return view
}

// Actions implements [widget.Screen].
func (t *tutorial) Actions() []widget.Action {
	back := widget.Action{Keys: "esc q", Label: "back", Do: widget.NoCommand(func() {
		t.Newcomer = false
		t.Nav.GoBack()
	})}
	if t.isOver() {
		return []widget.Action{{Keys: "enter space", Label: "play easy", Do: widget.NoCommand(func() {
			t.Newcomer = false
			t.CheckAction(t.Session.StartQuickGame(t.Settings.Rules))
		})}, back}
	}
	rules := t.game.Rules()
	return append(t.battle.aim.EditActions(rules),
		t.battle.fireAction("fire"), t.battle.boards.SwitchAction("tab"),
		widget.AimHint, widget.TypeHint(rules), widget.HelpHint, back)
}
