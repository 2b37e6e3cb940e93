package play

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/match"
	"broadside/match/live"
	"broadside/tui/board"
	"broadside/tui/term"
	"broadside/tui/widget"
)

// battle is the page for firing shots.
type battle struct {
	*widget.Env
	match           *Match
	boards          widget.Boards
	aim             widget.Aim
	salvo           salvo
	moveInput       moveInput
	wasChoosingMove bool
	// fireAt fires shots at cells. The session does it, except in the tutorial.
	fireAt func(cells ...match.Cell) error
}

func newBattle(m *Match) *battle {
	s := &battle{
		Env: m.Env, match: m, boards: widget.Boards{Chosen: widget.EnemyBoard},
		aim: widget.Aim{Cursor: widget.CenterCell(m.game.last.View.Rules)},
	}
	s.fireAt = func(cells ...match.Cell) error { return m.Session.Fire(m.game.side, m.game.last.Seq, cells...) }
	s.updateMoveChoice()
	return s
}

// handleUpdate implements [page].
func (s *battle) handleUpdate(u *live.Update) tea.Cmd {
	if u.Refused != nil {
		s.moveInput.isSent = false
	}
	s.updateMoveChoice()
	if u.Missed || s.Settings.NoAnimation {
		return nil
	}
	// panels are the panels that show each side's cells.
	var panels [2]int
	panels[s.match.game.side], panels[s.match.game.side.Other()] = widget.OwnBoard, widget.EnemyBoard
	return s.boards.AnimateShots(s.Ctx, u.Events, panels)
}

func (s *battle) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if s.isChoosingMove() {
			s.handleMoveKey(msg.String())
		} else {
			s.aim.HandleKey(s.Env, msg.String(), s.match.game.last.View.Rules)
		}
	case widget.MouseEvent:
		s.handleMouse(msg)
	}
	return nil
}

// Actions implements [widget.Screen].
func (s *battle) Actions() []widget.Action {
	v := &s.match.game.last.View
	leave := s.match.leaveAction()
	switch {
	case s.isChoosingMove():
		return s.moveActions()
	case v.Phase != match.Battle:
		return append(s.aim.EditActions(v.Rules),
			leave, s.boards.SwitchAction("tab"), s.match.chatAction(), s.match.removeOpponentAction(),
			s.fireAction(""), s.claimAction(), widget.HelpHint)
	case s.match.mustHandOver():
		handOver := func() { s.match.showPage(handingOver, &handover{s.Env, s.match}) }
		return append(s.aim.EditActions(v.Rules),
			widget.Action{Keys: "tab", Label: "hand over", Do: widget.NoCommand(handOver)},
			s.boards.SwitchAction("v"), s.match.chatAction(), s.fireAction(""), widget.HelpHint, leave)
	}
	label := i18n.Key("fire")
	if v.Shots > 1 {
		label = "mark"
	}
	marked := len(s.salvo.currentTargets(s.match.game))
	ready := v.Turn == s.match.game.side && !v.Pending && v.Shots > 1 && marked == v.Shots
	if ready {
		label = ""
	}
	return append(s.aim.EditActions(v.Rules),
		widget.Action{Keys: "f", Label: "fire", Off: !ready, Do: widget.NoCommand(func() { s.CheckAction(s.fireAt(s.salvo.targets...)) })},
		s.fireAction(label), s.boards.SwitchAction("tab"), s.match.chatAction(), widget.AimHint, widget.TypeHint(v.Rules),
		widget.Action{Keys: "enter", Label: "mark", Off: !ready},
		s.claimAction(), widget.HelpHint, leave)
}

// claimAction returns the action that claims the win. The status line says when that is possible.
func (s *battle) claimAction() widget.Action {
	return widget.Action{Keys: "!", Do: widget.NoCommand(func() { s.CheckAction(s.Session.ClaimWin()) })}
}

func (s *battle) fireAction(label i18n.Key) widget.Action {
	return widget.Action{Keys: "enter space", Label: label, Do: s.handleEnter}
}

// handleEnter fires at the cell under the cursor, or marks it, unless an invalid cell is typed.
func (s *battle) handleEnter() tea.Cmd {
	g := s.match.game
	if s.match.isTimeUp() {
		s.aim.ClearInput()
		s.CheckAction(s.Session.AcceptTimeout(g.side))
	} else if s.aim.AcceptInput(s.Env, g.last.View.Rules) {
		s.fireAtCursor()
	}
	return nil
}

func (s *battle) handleMouse(msg widget.MouseEvent) {
	panel, at, ok := s.boards.HighlightCell(msg)
	chooses := s.isChoosingMove()
	if panel == widget.OwnBoard && !chooses {
		// There is nothing to click.
		s.boards.ClearHighlight()
	}
	if !ok || msg.Action != widget.MousePress {
		return
	}
	switch {
	case panel == widget.EnemyBoard:
		// In a salvo, a single click marks a cell.
		if s.aim.Click(at) || s.match.game.last.View.Shots > 1 {
			s.fireAtCursor()
		}
	case chooses:
		s.handleOwnBoardClick(at)
	}
}

// fireAtCursor fires at the cell under the cursor or, in a salvo, toggles its mark. If it cannot, it shows
// why.
func (s *battle) fireAtCursor() {
	g := s.match.game
	v := &g.last.View
	why := g.narrator.ReasonNotToFire(v, s.aim.Cursor).Text(s.Lang)
	switch {
	case s.match.mustHandOver():
		s.Notice = s.Lang.Text("Your turn is over: press tab to hand over to %s.", g.opponent)
	case why != "":
		s.Notice = why
	case v.Shots == 1:
		s.CheckAction(s.fireAt(s.aim.Cursor))
	case s.salvo.toggleTarget(s.match, s.aim.Cursor):
		s.CheckAction(s.fireAt(s.salvo.targets...))
	}
}

func (s *battle) View(size widget.Size) widget.View {
	view := s.boards.View(s.Env, size, s.scene(size))
	view.Mouse = true
	return view
}

// scene returns the boards and the texts beside them.
func (s *battle) scene(size widget.Size) board.Scene {
	g := s.match.game
	v := &g.last.View
	other := g.side.Other()
	chat := s.match.chatInput.Chat
	own, theirs := &v.Charts[other], &v.Charts[g.side]
	heading := s.Lang.Text("Your fleet")
	if g.ownName != "" {
		heading += " · " + g.ownName
	}
	panels := []board.Panel{
		widget.OwnBoard:   newPanel(s.Lang, heading, board.NewFleetWithLastShots(v, g.side), own),
		widget.EnemyBoard: newPanel(s.Lang, g.enemyHeading(s.Lang), s.enemyBoard(), theirs),
	}
	panels[widget.OwnBoard].Text, panels[widget.EnemyBoard].Text = g.reports.Lines(s.Lang), chat.LastLines(s.Env, 3, chatWidth)
	scene := board.Scene{Panels: panels, Turn: widget.EnemyBoard, Brief: g.reports.Brief(s.Lang, size.Width)}
	scene.Pane = func(height int) []string {
		p := widget.Pane{Log: &g.log, Own: g.side, Chart: theirs, Chat: chat}
		p.Names[other] = g.opponent
		return p.Lines(s.Env, height, s.Detail)
	}
	switch {
	case s.isChoosingMove():
		s.moveInput.markChoices(v, g.side, panels[widget.OwnBoard].Board)
		scene.Status = s.moveStatus(size.Width)
	case v.Phase == match.Battle && v.Turn == g.side && !v.Pending && v.Shots > 1 && !g.last.Paused && !s.match.isTimeUp():
		scene.Status = s.salvoStatus(size)
	default:
		scene.Status = s.statusLine(size)
	}
	if s.match.question != noQuestion {
		scene.Text = s.match.questionLines(size.Width - 2*board.LabelWidth)
		panels[widget.OwnBoard].Text, panels[widget.EnemyBoard].Text = nil, nil
	}
	return scene
}

// enemyBoard returns the opponent's board with the cursor and the marked targets.
func (s *battle) enemyBoard() *board.Board {
	v, side, at := &s.match.game.last.View, s.match.game.side, s.aim.Cursor
	if v.Phase != match.Battle || s.isChoosingMove() {
		at = board.Nowhere
	}
	b := board.NewAimedChart(&v.Charts[side], at, v.Last[side]...)
	for i, cell := range s.salvo.currentTargets(s.match.game) {
		b.SetSymbol(cell, shipKeys[i], term.Ghost)
	}
	return b
}

// chatWidth is the width of the chat below the enemy's board.
const chatWidth = 30

// yourTurnBadge returns the badge YOUR TURN.
func yourTurnBadge(l i18n.Language) string {
	return term.Chip.Render(" "+l.Text("YOUR TURN")+" ") + " "
}

// statusLine says whose turn it is and how much time is left, in the longest form that fits.
func (s *battle) statusLine(size widget.Size) string {
	g := s.match.game
	u := &g.last
	v := &u.View
	other := g.side.Other()
	rest := s.clockAndAbsence()
	if rest != "" {
		rest = "  " + rest
	}
	switch {
	case u.Paused:
		paused := term.Warn.Render(s.Lang.Text("The match is paused."))
		return size.FirstFitting(paused+" "+s.Lang.Text("The server can't save it at the moment."), paused)
	case v.Phase == match.Placing:
		waiting := s.Lang.Text("Waiting for %s to place ships.", g.opponent) + rest
		return size.FirstFitting(term.Strong.Render(s.Lang.Text("Your fleet is ready."))+" "+waiting, waiting)
	case s.match.isTimeUp():
		up := term.Warn.Render(s.Lang.Text("Time is up.")) + " "
		return size.FirstFitting(up+s.Lang.Text("Press enter to fire a random shot."), up+s.Lang.Text("Press enter."))
	case v.Turn == g.side && v.Pending:
		return s.Lang.Text("Waiting for %s to answer.", g.opponent) + rest
	case v.Turn == g.side:
		chart := &v.Charts[g.side]
		wide := yourTurnBadge(s.Lang) + s.aim.TargetText(s.Lang, chart)
		fires := wide
		if s.aim.HasUsefulTarget(chart) {
			fires = yourTurnBadge(s.Lang) + term.Mark.Render(s.aim.Cursor.String())
		}
		typed, age := s.aim.InputText(s.Lang), ""
		n := chart.ShotAge(s.aim.Cursor)
		if v.Rules.Moving && n > 0 {
			age = term.Faint.Render("  (" + s.Lang.Text("%d shot ago||%d shots ago", n) + ")")
		}
		return size.FirstFitting(wide+typed+rest+age, fires+typed+rest+age, fires+typed+rest)
	case s.match.mustHandOver():
		return term.Good.Render(s.Lang.Text("Press tab to hand over to %s.", g.opponent)) + rest
	case u.Late[other]:
		late := term.Warn.Render(s.Lang.Text("%s has been away too long.", g.opponent))
		claim := s.Lang.Text("Press %s to claim the win, or wait.", term.Key.Render("!"))
		return size.FirstFitting(late+" "+claim, term.Warn.Render(s.Lang.Text("%s is away: ! claims the win.", g.opponent)))
	case u.Away[other] && !u.AwayUntil[other].IsZero():
		away := term.Warn.Render(s.Lang.Text("%s is away.", g.opponent)) + " "
		until := narrate.TimeLeft(s.Lang, time.Until(u.AwayUntil[other]))
		return size.FirstFitting(away+s.Lang.Text("You can claim the win in %s.", until), away+s.Lang.Text("Claim in %s.", until))
	}
	return term.Warn.Render(s.Lang.Text("%s is aiming.", g.opponent)) + rest
}

// clockAndAbsence returns the end of the status line: the time left, and whether the opponent is away.
func (s *battle) clockAndAbsence() (line string) {
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
