package play

import (
	"time"

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

// battle is the page for firing shots.
type battle struct {
	*widget.Env
	match   *Match
	boards  widget.Boards
	aim     widget.Aim
	leaving leaving
	salvo   salvo
	fired   int // number of the last shot sent, which may not have been answered yet
	move    moveInput
	steered bool // the player was choosing a move at the last check
}

func newBattle(m *Match) *battle {
	aim := widget.Aim{At: widget.Center(m.game.last.View.Rules)}
	return &battle{Env: m.Env, match: m, boards: widget.Boards{Chosen: widget.EnemyBoard}, aim: aim}
}

func (s *battle) question() *leaving { return &s.leaving }

// panels returns the board that shows each side's cells.
func (s *battle) panels() (panels [2]int) {
	panels[s.match.game.side], panels[s.match.game.side.Other()] = widget.OwnBoard, widget.EnemyBoard
	return panels
}

// Interrupt implements [widget.Interrupter].
func (s *battle) Interrupt() tea.Cmd { return s.leaving.interrupt(s.match) }

var battleKeys = struct{ aim, fire, mark, salvo, claim, hand key.Binding }{
	aim: widget.Bind("↑↓←→ hjkl", "aim", "up down left right h j k l"), fire: widget.Bind("enter", "fire", "enter space"),
	mark: widget.Bind("enter", "mark", "enter"), salvo: widget.Bind("f", "fire", "f"),
	claim: key.NewBinding(key.WithKeys("!")), hand: widget.Bind("tab", "hand over", "tab"),
}

func (s *battle) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return s.press(msg)
	case widget.Mouse:
		s.mouse(msg)
	}
	return nil
}

func (s *battle) press(msg tea.KeyPressMsg) tea.Cmd {
	steers := s.choosesMove()
	other := widget.OtherBoard
	if steers || s.match.handsOver() {
		other = widget.OtherBoardToo
	}
	if key.Matches(msg, other) && !s.leaving.asked && s.boards.Switch() {
		return nil
	}
	if steers && !s.leaving.asked && s.move.key(s.match, msg.String()) {
		return nil
	}
	if key.Matches(msg, battleKeys.salvo) && s.salvo.ready(s.match.game) && !s.leaving.asked {
		s.shoot(s.salvo.targets...)
		return nil
	}
	rules := s.match.game.last.View.Rules
	if !steers && !s.leaving.asked && s.aim.Key(s.Env, msg.String(), rules) {
		return nil
	}
	if cmd, ok := s.leaving.key(s.match, msg.String()); ok {
		s.aim.Clear()
		return cmd
	}
	switch {
	case key.Matches(msg, battleKeys.fire):
		if s.match.timeIsUp() {
			s.aim.Clear()
			s.Check(s.Session.AcceptTimeout(s.match.game.side))
		} else if !steers && s.aim.Accept(s.Env, rules) {
			s.fire()
		}
	case key.Matches(msg, battleKeys.claim):
		s.Check(s.Session.Claim())
	case key.Matches(msg, battleKeys.hand) && s.match.handsOver():
		s.match.show(handingOver, &handover{Env: s.match.Env, match: s.match})
	}
	return nil
}

func (s *battle) mouse(msg widget.Mouse) {
	panel, at, ok := s.boards.Cell(msg)
	steers := s.choosesMove()
	if panel == widget.OwnBoard && !steers {
		s.boards.ClearHover() // nothing to click
	}
	if !ok || msg.Action != widget.MousePress || s.leaving.asked {
		return
	}
	switch {
	case panel == widget.EnemyBoard:
		if s.aim.Click(at) || s.match.game.last.View.Shots > 1 { // in a salvo, a single click marks a cell
			s.fire()
		}
	case steers:
		s.move.click(s.match, at)
	}
}

// fire shoots at the cell under the cursor, or shows why it cannot.
func (s *battle) fire() {
	g := s.match.game
	v := &g.last.View
	why := g.narrator.CannotFire(v, s.aim.At).In(s.Lang)
	switch {
	case s.match.handsOver():
		s.Notice = s.Lang.Text("Your turn is over: press tab to hand over to %s.", g.opponent)
	case why != "":
		s.Notice = why
	case s.fired > v.Charts[g.side].Fired:
		s.Notice = s.Lang.Text("Your shot is on its way.")
	case v.Shots == 1:
		s.shoot(s.aim.At)
	case s.salvo.press(s.match, s.aim.At):
		s.shoot(s.salvo.targets...)
	}
}

func (s *battle) View(size widget.Size) widget.View {
	g := s.match.game
	v := &g.last.View
	other := g.side.Other()
	steers := s.choosesMove()
	panels := []board.Panel{
		widget.OwnBoard:   {Heading: g.heading(s.Lang), Board: board.Own(v, g.side), Note: narrate.Afloat(s.Lang, &v.Charts[other]), Chart: &v.Charts[other]},
		widget.EnemyBoard: {Heading: g.watersHeading(s.Lang), Board: s.enemy(), Note: narrate.Afloat(s.Lang, &v.Charts[g.side]), Chart: &v.Charts[g.side]},
	}
	chat := s.match.input.Chat
	panels[widget.OwnBoard].Text = g.reports.Lines(s.Lang)
	panels[widget.EnemyBoard].Text = chat.Last(s.Env, 3, chatWidth)
	scene := board.Scene{Panels: panels, Turn: widget.EnemyBoard, Brief: g.reports.Brief(s.Lang, size.Width)}
	scene.Pane = func(height int) []string {
		p := widget.Pane{Log: &g.log, Own: g.side, Chart: &v.Charts[g.side], Chat: chat}
		p.Names[other] = g.opponent
		return p.Lines(s.Env, height, s.Detail)
	}
	var zones []widget.Zone
	if steers {
		s.move.mark(v, g.side, panels[widget.OwnBoard].Board)
		line := s.move.status(s.match, s.rest(), size.Width)
		scene.Status, zones = line.text, line.zones
	} else if v.Phase == match.Battle && v.Turn == g.side && !v.Pending && v.Shots > 1 && !g.last.Paused && !s.match.timeIsUp() {
		scene.Status, zones = s.salvoStatus(size)
	} else {
		scene.Status = s.status(size)
	}
	if s.leaving.asked {
		scene.Text = s.leaving.lines(s.match, size.Width-2*board.LabelWidth)
		panels[widget.OwnBoard].Text, panels[widget.EnemyBoard].Text = nil, nil
	}
	view := s.boards.View(s.Env, size, scene)
	view.Mouse = true
	line, left := s.boards.Status()
	for i := range zones { // relative to the start of the status
		zones[i].Line, zones[i].Left = line, zones[i].Left+left
	}
	view.Zones = zones
	return view
}

// enemy returns the opponent's board.
func (s *battle) enemy() *board.Board {
	v, side, at := &s.match.game.last.View, s.match.game.side, s.aim.At
	if v.Phase != match.Battle || s.choosesMove() {
		at = board.Nowhere
	}
	b := board.Enemy(&v.Charts[side], at, v.Last[side]...)
	s.salvo.mark(s.match.game, b)
	return b
}

// chatWidth is the width of the chat below the enemy's board.
const chatWidth = 30

// turnChip returns the sign that it is the player's turn.
func turnChip(l i18n.Language) string {
	return term.Chip.Render(" "+l.Text("YOUR TURN")+" ") + " "
}

// status returns whose turn it is and the time left, in the longest form that fits.
func (s *battle) status(size widget.Size) string {
	g := s.match.game
	u := &g.last
	v := &u.View
	other := g.side.Other()
	rest := s.rest()
	if rest != "" {
		rest = "  " + rest
	}
	switch {
	case u.Paused:
		paused := term.Warn.Render(s.Lang.Text("The match is paused."))
		return size.Fit(paused+" "+s.Lang.Text("The server can't save it at the moment."), paused)
	case v.Phase == match.Placing:
		waiting := s.Lang.Text("Waiting for %s to place ships.", g.opponent) + rest
		return size.Fit(term.Strong.Render(s.Lang.Text("Your fleet is ready."))+" "+waiting, waiting)
	case s.match.timeIsUp():
		up := term.Warn.Render(s.Lang.Text("Time is up.")) + " "
		return size.Fit(up+s.Lang.Text("Press enter to fire a random shot."), up+s.Lang.Text("Press enter."))
	case v.Turn == g.side && v.Pending:
		return s.Lang.Text("Waiting for %s to answer.", g.opponent) + rest
	case v.Turn == g.side:
		chart := &v.Charts[g.side]
		wide := turnChip(s.Lang) + s.aim.Target(s.Lang, chart)
		fires := wide
		if s.aim.OnTarget(chart) {
			fires = turnChip(s.Lang) + term.Mark.Render(s.aim.At.String())
		}
		typed, age := s.aim.Typed(s.Lang), ""
		if n := chart.Age(s.aim.At); v.Rules.Moving && n > 0 {
			age = term.Faint.Render("  (" + s.Lang.Text("%d shot ago||%d shots ago", n) + ")")
		}
		return size.Fit(wide+typed+rest+age, fires+typed+rest+age, fires+typed+rest)
	case s.match.handsOver():
		return term.Good.Render(s.Lang.Text("Press tab to hand over to %s.", g.opponent)) + rest
	case u.Late[other]:
		return text.FirstFitting(size.Width,
			term.Warn.Render(s.Lang.Text("%s has been away too long.", g.opponent))+" "+s.Lang.Text("Press %s to claim the win, or wait.", term.Key.Render("!")),
			term.Warn.Render(s.Lang.Text("%s is away: ! claims the win.", g.opponent)))
	case u.Away[other] && !u.AwayUntil[other].IsZero():
		away, until := term.Warn.Render(s.Lang.Text("%s is away.", g.opponent))+" ", narrate.TimeLeft(s.Lang, time.Until(u.AwayUntil[other]))
		return size.Fit(away+s.Lang.Text("You can claim the win in %s.", until), away+s.Lang.Text("Claim in %s.", until))
	}
	return term.Warn.Render(s.Lang.Text("%s is aiming.", g.opponent)) + rest
}

// rest returns the end of the status: the time left, and whether the opponent is away.
func (s *battle) rest() (line string) {
	g := s.match.game
	u := &g.last
	other := g.side.Other()
	if !u.Deadline.IsZero() && u.View.Phase == match.Battle {
		line += term.Strong.Render(narrate.TimeLeft(s.Lang, time.Until(u.Deadline)))
	}
	switch {
	case u.Late[other]:
		line += term.Warn.Render("  " + s.Lang.Text("%s is away: ! claims the win.", g.opponent))
	case u.Away[other]:
		line += term.Warn.Render("  " + s.Lang.Text("%s is away.", g.opponent))
	}
	return line
}

// Actions implements [widget.Screen].
func (s *battle) Actions() []widget.Action { return widget.Hints(s.Bindings()) }

func (s *battle) Bindings() []key.Binding {
	switch k := &battleKeys; {
	case s.leaving.asked:
		return s.leaving.bindings(s.match)
	case s.choosesMove():
		return s.boards.AddSwitch(widget.OtherBoardToo, s.move.bindings(s.match)...)
	case s.match.handsOver():
		return s.boards.AddSwitch(widget.OtherBoardToo, k.hand, widget.Help, leaveKey(s.match))
	case s.match.game.last.View.Phase != match.Battle:
		bindings := s.leaving.addRemoveBinding(s.match, leaveKey(s.match))
		return s.boards.AddSwitch(widget.OtherBoard, append(bindings, widget.Help)...)
	case s.salvo.ready(s.match.game):
		return s.boards.AddSwitch(widget.OtherBoard, k.salvo, k.aim, widget.TypeCell(s.match.game.last.View.Rules), k.mark, widget.Help, leaveKey(s.match))
	case s.match.game.last.View.Shots > 1:
		return s.boards.AddSwitch(widget.OtherBoard, k.mark, k.aim, widget.TypeCell(s.match.game.last.View.Rules), widget.Help, leaveKey(s.match))
	default:
		return s.boards.AddSwitch(widget.OtherBoard, k.fire, k.aim, widget.TypeCell(s.match.game.last.View.Rules), widget.Help, leaveKey(s.match))
	}
}
