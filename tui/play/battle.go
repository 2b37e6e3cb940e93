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

// battlePage is the page for firing shots.
type battlePage struct {
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

func newBattlePage(m *Match) *battlePage {
	p := &battlePage{
		Env: m.Env, match: m, boards: widget.Boards{Chosen: widget.EnemyBoard},
		aim: widget.Aim{Cursor: widget.CenterCell(m.game.last.View.Rules)},
	}
	p.fireAt = func(cells ...match.Cell) error { return m.Session.Fire(m.game.side, m.game.last.Seq, cells...) }
	p.updateMoveChoice()
	return p
}

// handleUpdate implements [page].
func (p *battlePage) handleUpdate(u *live.Update) tea.Cmd {
	if u.Refused != nil {
		p.moveInput.isSent = false
	}
	p.updateMoveChoice()
	if u.Missed || p.Settings.NoAnimation {
		return nil
	}
	// panels are the panels that show each side's cells.
	var panels [2]int
	panels[p.match.game.side], panels[p.match.game.side.Other()] = widget.OwnBoard, widget.EnemyBoard
	return p.boards.AnimateShots(p.Ctx, u.Events, panels)
}

func (p *battlePage) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if p.isChoosingMove() {
			p.handleMoveKey(msg.String())
		} else {
			p.aim.HandleKey(p.Env, msg.String(), p.match.game.last.View.Rules)
		}
	case widget.MouseEvent:
		p.handleMouse(msg)
	}
	return nil
}

// Actions implements [widget.Screen].
func (p *battlePage) Actions() []widget.Action {
	v := &p.match.game.last.View
	leave := p.match.leaveAction()
	switch {
	case p.isChoosingMove():
		return p.moveActions()
	case v.Phase != match.Battle || p.match.isWaitingForDays():
		// The player need not stay for days, so leaving comes first.
		return append(p.aim.EditActions(v.Rules),
			p.match.nextTurnAction(), leave, p.boards.SwitchAction("tab"), p.match.chatAction(), p.match.removeOpponentAction(),
			p.fireAction(""), p.claimAction(), widget.HelpHint)
	case p.match.mustHandOver():
		handOver := func() { p.match.showPage(handingOver, &handoverPage{p.Env, p.match}) }
		return append(p.aim.EditActions(v.Rules),
			widget.Action{Keys: "tab", Label: "hand over", Do: widget.NoCommand(handOver)},
			p.boards.SwitchAction("v"), p.match.chatAction(), p.fireAction(""), widget.HelpHint, leave)
	}
	label := i18n.Key("fire")
	if v.Shots > 1 {
		label = "mark"
	}
	marked := len(p.salvo.currentTargets(p.match.game))
	ready := v.Turn == p.match.game.side && !v.Pending && v.Shots > 1 && marked == v.Shots
	if ready {
		label = ""
	}
	fireSalvo := func() { p.CheckAction(p.fireAt(p.salvo.targets...)) }
	return append(p.aim.EditActions(v.Rules),
		widget.Action{Keys: "f", Label: "fire", Off: !ready, Do: widget.NoCommand(fireSalvo)},
		p.fireAction(label), p.boards.SwitchAction("tab"), p.match.chatAction(), widget.AimHint, widget.TypeHint(v.Rules),
		widget.Action{Keys: "enter", Label: "mark", Off: !ready},
		p.claimAction(), widget.HelpHint, leave)
}

// claimAction returns the action that claims the win. The status line says when that is possible.
func (p *battlePage) claimAction() widget.Action {
	return widget.Action{Keys: "!", Do: widget.NoCommand(func() { p.CheckAction(p.Session.ClaimWin()) })}
}

func (p *battlePage) fireAction(label i18n.Key) widget.Action {
	return widget.Action{Keys: "enter space", Label: label, Do: p.handleEnter}
}

// handleEnter fires at the cell under the cursor, or marks it, unless an invalid cell is typed.
func (p *battlePage) handleEnter() tea.Cmd {
	g := p.match.game
	if p.match.isTimeUp() {
		p.aim.ClearInput()
		p.CheckAction(p.Session.AcceptTimeout(g.side))
	} else if p.aim.ConfirmInput(p.Env, g.last.View.Rules) {
		p.fireAtCursor()
	}
	return nil
}

func (p *battlePage) handleMouse(msg widget.MouseEvent) {
	panel, at, ok := p.boards.HighlightCell(msg)
	chooses := p.isChoosingMove()
	if panel == widget.OwnBoard && !chooses {
		// There is nothing to click.
		p.boards.ClearHighlight()
	}
	if !ok || msg.Action != widget.MousePress {
		return
	}
	switch {
	case panel == widget.EnemyBoard:
		// In a salvo, a single click marks a cell.
		if p.aim.Click(at) || p.match.game.last.View.Shots > 1 {
			p.fireAtCursor()
		}
	case chooses:
		p.handleOwnBoardClick(at)
	}
}

// fireAtCursor fires at the cell under the cursor or, in a salvo, toggles its mark. If it cannot, it shows
// why.
func (p *battlePage) fireAtCursor() {
	g := p.match.game
	v := &g.last.View
	why := g.narrator.ReasonNotToFire(v, p.aim.Cursor).Text(p.Lang)
	switch {
	case p.match.mustHandOver():
		p.Notice = p.Lang.Text("Your turn is over: press tab to hand over to %s.", g.opponent)
	case why != "":
		p.Notice = why
	case v.Shots == 1:
		p.CheckAction(p.fireAt(p.aim.Cursor))
	case p.salvo.toggleTarget(p.match, p.aim.Cursor):
		p.CheckAction(p.fireAt(p.salvo.targets...))
	}
}

func (p *battlePage) View(size widget.Size) widget.View {
	view := p.boards.View(p.Env, size, p.scene(size))
	view.Mouse = true
	return view
}

// scene returns the boards and the texts beside them.
func (p *battlePage) scene(size widget.Size) board.Scene {
	g := p.match.game
	v := &g.last.View
	other := g.side.Other()
	chat := p.match.chat
	own, theirs := &v.Charts[other], &v.Charts[g.side]
	heading := p.Lang.Text("Your fleet")
	if g.ownName != "" {
		heading += " · " + g.ownName
	}
	panels := []board.Panel{
		widget.OwnBoard:   newPanel(p.Lang, heading, board.NewFleetWithLastShots(v, g.side), own),
		widget.EnemyBoard: newPanel(p.Lang, g.enemyHeading(p.Lang), p.enemyBoard(), theirs),
	}
	panels[widget.OwnBoard].Text = g.reports.Lines(p.Lang, reportWidth)
	var shots []string
	if g.ownShots.Results.Key != "" {
		shots = widget.ReportLines(p.Lang, g.ownShots, reportWidth)
	}
	panels[widget.EnemyBoard].Text = append(shots, chat.LastLines(p.Env, 3-len(shots), chatWidth)...)
	scene := board.Scene{
		Panels: panels, Turn: widget.EnemyBoard, Brief: g.reports.Brief(p.Lang, size.Width, g.ownShots),
	}
	scene.Pane = func(height int) []string {
		pane := widget.Pane{Log: &g.log, Own: g.side, Chart: theirs, Chat: chat}
		pane.Names[other] = g.opponent
		return pane.Lines(p.Env, height, p.Detail)
	}
	switch {
	case p.isChoosingMove():
		p.moveInput.markChoices(v, g.side, panels[widget.OwnBoard].Board)
		scene.Status = p.moveStatus(size.Width)
	case v.Phase == match.Battle && v.Turn == g.side && !v.Pending && v.Shots > 1 && !g.last.Paused && !p.match.isTimeUp():
		scene.Status = p.salvoStatus(size)
	default:
		scene.Status = p.statusLine(size)
	}
	if p.match.question != noQuestion {
		scene.Text = p.match.questionLines(size.Width - 2*board.LabelWidth)
		panels[widget.OwnBoard].Text, panels[widget.EnemyBoard].Text = nil, nil
	}
	return scene
}

// enemyBoard returns the opponent's board with the cursor and the marked targets.
func (p *battlePage) enemyBoard() *board.Board {
	v, side, at := &p.match.game.last.View, p.match.game.side, p.aim.Cursor
	if v.Phase != match.Battle || p.isChoosingMove() {
		at = board.Nowhere
	}
	b := board.NewAimedChart(&v.Charts[side], at, v.Last[side]...)
	for i, cell := range p.salvo.currentTargets(p.match.game) {
		b.SetSymbol(cell, shipKeys[i], term.Ghost)
	}
	return b
}

// Widths of the texts below the boards, which fit on a screen of 80 cells.
const (
	reportWidth = 34
	chatWidth   = 30
)

// yourTurnBadge returns the badge YOUR TURN.
func yourTurnBadge(l i18n.Language) string {
	return term.Chip.Render(" "+l.Text("YOUR TURN")+" ") + " "
}

// statusLine says whose turn it is and how much time is left, in the longest form that fits.
func (p *battlePage) statusLine(size widget.Size) string {
	g := p.match.game
	u := &g.last
	v := &u.View
	other := g.side.Other()
	rest := p.clockAndAbsence()
	if rest != "" {
		rest = "  " + rest
	}
	switch {
	case u.Paused:
		paused := term.Warn.Render(p.Lang.Text("The match is paused."))
		return size.FirstFitting(paused+" "+p.Lang.Text("The server can't save it at the moment."), paused)
	case p.match.isWaitingForDays():
		turn := term.Warn.Render(p.Lang.Text("It is %s's turn.", g.opponent)) + rest
		return size.FirstFitting(turn+"  "+p.match.nextTurnText(), turn)
	case v.Phase == match.Placing:
		waiting := p.Lang.Text("Waiting for %s to place ships.", g.opponent) + rest
		return size.FirstFitting(term.Strong.Render(p.Lang.Text("Your fleet is ready."))+" "+waiting, waiting)
	case p.match.isTimeUp():
		up := term.Warn.Render(p.Lang.Text("Time is up.")) + " "
		return size.FirstFitting(up+p.Lang.Text("Press enter to fire a random shot."), up+p.Lang.Text("Press enter."))
	case v.Turn == g.side && v.Pending:
		return p.Lang.Text("Waiting for %s to answer.", g.opponent) + rest
	case v.Turn == g.side:
		chart := &v.Charts[g.side]
		wide := yourTurnBadge(p.Lang) + p.aim.TargetText(p.Lang, chart)
		fires := wide
		if p.aim.HasUsefulTarget(chart) {
			fires = yourTurnBadge(p.Lang) + term.Mark.Render(p.aim.Cursor.String())
		}
		typed, age := p.aim.InputText(p.Lang), ""
		n := chart.ShotAge(p.aim.Cursor)
		if v.Rules.Moving && n > 0 {
			age = term.Faint.Render("  (" + p.Lang.Text("%d shot ago||%d shots ago", n) + ")")
		}
		return size.FirstFitting(wide+typed+rest+age, fires+typed+rest+age, fires+typed+rest)
	case p.match.mustHandOver():
		return term.Good.Render(p.Lang.Text("Press tab to hand over to %s.", g.opponent)) + rest
	case u.Late[other]:
		late := term.Warn.Render(p.Lang.Text("%s has been away too long.", g.opponent))
		claim := p.Lang.Text("Press %s to claim the win, or wait.", term.Key.Render("!"))
		return size.FirstFitting(late+" "+claim, term.Warn.Render(p.Lang.Text("%s is away: ! claims the win.", g.opponent)))
	case u.Away[other] && !u.AwayUntil[other].IsZero():
		away := term.Warn.Render(p.Lang.Text("%s is away.", g.opponent)) + " "
		until := narrate.TimeLeft(p.Lang, time.Until(u.AwayUntil[other]))
		claim := p.Lang.Text("You can claim the win in %s.", until)
		return size.FirstFitting(away+claim, away+p.Lang.Text("Claim in %s.", until))
	}
	return term.Warn.Render(p.Lang.Text("%s is aiming.", g.opponent)) + rest
}

// clockAndAbsence returns the end of the status line: the time left, and whether the opponent is away.
func (p *battlePage) clockAndAbsence() (line string) {
	g := p.match.game
	u := &g.last
	other := g.side.Other()
	if !u.Deadline.IsZero() && (u.View.Phase == match.Battle || g.info.Pace > 0) {
		line += term.Strong.Render(narrate.TimeLeft(p.Lang, time.Until(u.Deadline)))
	}
	switch {
	case u.Late[other]:
		line += term.Warn.Render("  " + p.Lang.Text("%s is away: ! claims the win.", g.opponent))
	case u.Away[other]:
		line += term.Warn.Render("  " + p.Lang.Text("%s is away.", g.opponent))
	}
	return line
}
