package play

import (
	"slices"
	"strings"

	"broadside/internal/narrate"
	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// moveInput is the choice of a move under rules with moving ships: after each enemy shot, before the player's
// own. Without a selected ship, enter passes.
type moveInput struct {
	// enemyShots is the number of enemy shots before the move.
	enemyShots int
	isSent     bool
	// selected is the selected ship's index, or noShip.
	selected int
	// aim is the cursor for selecting a ship. It is Nowhere until the player uses it.
	aim widget.Aim
	// rejected is the last rejected move, or Stay.
	rejected match.Move
}

// noShip means that no ship is selected.
const noShip = -1

var unusedAim = widget.Aim{Cursor: board.Nowhere}

// moveKeys are the keys for the kinds of moves, arrows the headings' symbols.
var (
	moveKeys = [match.MoveKinds]string{"f", "b", "c", "a"}
	arrows   = [...]string{match.North: "↑", match.East: "→", match.South: "↓", match.West: "←"}
)

// arrowHeading returns the direction of the arrow for a move: where the ship
// moves, or where its bow points afterwards.
func arrowHeading(s match.Ship, m match.MoveKind) match.Heading {
	if m == match.Backward {
		return s.Heading.Rotate(2)
	}
	return m.Apply(s).Heading
}

// updateMoveChoice starts a new choice after each enemy shot. If only one board fits, it shows the one that
// the player needs.
func (p *battlePage) updateMoveChoice() {
	n := p.match.game.enemyShotCount()
	if n != p.moveInput.enemyShots {
		p.moveInput = moveInput{enemyShots: n, selected: noShip, aim: unusedAim}
	}
	chooses := p.isChoosingMove()
	if !chooses {
		p.moveInput.selected = noShip
	}
	if chooses == p.wasChoosingMove {
		return
	}
	p.wasChoosingMove, p.boards.Chosen = chooses, widget.EnemyBoard
	if chooses {
		p.boards.Chosen = widget.OwnBoard
	}
}

func (p *battlePage) isChoosingMove() bool {
	g := p.match.game
	v := &g.last.View
	// If no ship can move, the player is not asked.
	stays := p.moveInput.enemyShots > 0 && g.stayedAfter == p.moveInput.enemyShots
	return v.CanMove && !v.Pending && !p.moveInput.isSent && !stays
}

func (p *battlePage) moveActions() []widget.Action {
	in := &p.moveInput
	leave, boards, chat := p.match.leaveAction(), p.boards.SwitchAction("v"), p.match.chatAction()
	next := widget.Action{Keys: "tab n", Label: "next ship", Do: widget.NoCommand(func() { p.selectNextShip(1) })}
	previous := widget.Action{Keys: "shift+tab N", Do: widget.NoCommand(func() { p.selectNextShip(-1) })}
	pass := widget.Action{Keys: "p", Label: "pass", Do: widget.NoCommand(func() { p.makeMove(match.Stay) })}
	if in.selected != noShip {
		choose := func() { p.Notice = p.Lang.Text("Choose a direction, or press p to pass.") }
		deselect := func() { in.selected, in.rejected = noShip, match.Stay }
		return []widget.Action{
			{Keys: "up down left right f b c a", Cap: "↑↓←→", Label: "move it"}, boards, chat, pass, next, previous,
			{Keys: "esc backspace", Label: "deselect", Do: widget.NoCommand(deselect)},
			{Keys: "enter space", Do: widget.NoCommand(choose)}, widget.HelpHint, leave,
		}
	}
	next.Cap, next.Label = "tab 1–0", "choose a ship"
	enter := widget.Action{Keys: "enter space", Label: "choose", Do: widget.NoCommand(p.selectShipAtCursor)}
	if in.aim.Cursor == board.Nowhere && in.aim.Typed == "" {
		enter.Label, pass.Label = pass.Label, ""
	}
	rules := p.match.game.last.View.Rules
	return append(in.aim.EditActions(rules), enter, boards, chat, pass, next, previous, widget.HelpHint, leave)
}

// handleMoveKey handles a key without an action while the player chooses a move.
func (p *battlePage) handleMoveKey(key string) {
	in := &p.moveInput
	v := &p.match.game.last.View
	n := slices.Index(shipKeys[:], key)
	if n >= 0 && in.aim.IsPristine() {
		p.selectShip(n)
		return
	}
	if in.selected == noShip {
		in.aim.HandleKey(p.Env, key, v.Rules)
		return
	}
	ship := v.Fleets[p.match.game.side][in.selected]
	towards, arrow := widget.CursorKeys[key]
	for i := range match.MoveKind(match.MoveKinds) {
		if key == moveKeys[i] || arrow && towards == arrowHeading(ship, i) {
			p.makeMove(match.NewMove(in.selected, i))
			return
		}
	}
}

// selectShipAtCursor selects the ship under the cursor, or passes if the player has not used the cursor.
func (p *battlePage) selectShipAtCursor() {
	in := &p.moveInput
	v := &p.match.game.last.View
	i := shipIndexAt(v.Fleets[p.match.game.side], in.aim.Cursor)
	switch {
	case !in.aim.ConfirmInput(p.Env, v.Rules):
		return
	case in.aim.Cursor == board.Nowhere:
		p.makeMove(match.Stay)
	case i == noShip:
		p.Notice = p.Lang.Text("You have no ship at %s. Press p to pass.", in.aim.Cursor.String())
	default:
		p.selectShip(i)
	}
}

// selectShip selects a ship, or shows why it cannot.
func (p *battlePage) selectShip(i int) {
	v, side := &p.match.game.last.View, p.match.game.side
	fleet := v.Fleets[side]
	p.moveInput.rejected = match.Stay
	switch {
	case i >= len(fleet):
		p.Notice = p.Lang.Text("Your ships are numbered from 1 to %d.", len(fleet))
	case v.Damage[side].IsSunk(i, fleet[i].Length):
		p.Notice = p.ErrorText(match.NewProblem("the %s is sunk", v.Rules.Fleet[i]))
	default:
		p.moveInput.selected, p.moveInput.aim = i, unusedAim
	}
}

// selectNextShip selects the next or previous ship that can move.
func (p *battlePage) selectNextShip(by int) {
	v := &p.match.game.last.View
	n := len(v.Fleets[p.match.game.side])
	status := v.FleetStatus(p.match.game.side)
	var can [len(shipKeys)]bool
	for _, move := range status.LegalMoves() {
		can[move.ShipIndex()] = true
	}
	i := p.moveInput.selected
	if i == noShip && by < 0 {
		i = 0
	}
	for range n {
		i = widget.Cycle(i, by, n)
		if can[i] {
			p.selectShip(i)
			return
		}
	}
	p.Notice = p.Lang.Text("None of your ships can move now. Press p to pass.")
}

// makeMove sends a move, or shows why it is not allowed.
func (p *battlePage) makeMove(move match.Move) {
	g := p.match.game
	status := g.last.View.FleetStatus(g.side)
	if err := status.CheckMove(move); err != nil {
		p.moveInput.rejected, p.Notice = move, p.ErrorText(err)
		return
	}
	p.moveInput.rejected = match.Stay
	p.moveInput.isSent = p.CheckAction(p.Session.Move(g.side, move))
	p.updateMoveChoice()
}

// handleOwnBoardClick selects or deselects the clicked ship, or moves the selected one to the clicked cell.
func (p *battlePage) handleOwnBoardClick(at match.Cell) {
	hand := p.moveInput.selected
	fleet := p.match.game.last.View.Fleets[p.match.game.side]
	switch i := shipIndexAt(fleet, at); {
	case i != noShip && i == hand:
		p.moveInput.selected, p.moveInput.rejected = noShip, match.Stay
		return
	case i != noShip:
		p.selectShip(i)
		return
	case hand == noShip:
		return
	}
	for i := range match.MoveKind(match.MoveKinds) {
		to := i.Apply(fleet[hand]).Cells()
		if to.Has(at) {
			p.makeMove(match.NewMove(hand, i))
			return
		}
	}
}

// shipIndexAt returns the index of the ship that covers a cell, or noShip.
func shipIndexAt(l match.Layout, at match.Cell) int {
	for i := range l {
		cells := l[i].Cells()
		if cells.Has(at) {
			return i
		}
	}
	return noShip
}

// shipKeys are the keys for selecting ships, in fleet order.
var shipKeys = [...]string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "0"}

// markChoices marks the ships' numbers and the selected ship's possible moves on the player's board.
func (in *moveInput) markChoices(v *match.View, side match.Side, b *board.Board) {
	fleet := v.Fleets[side]
	for i, ship := range fleet {
		if v.Damage[side].IsSunk(i, ship.Length) {
			continue
		}
		for n := range ship.Length {
			if !v.Damage[side].IsHit(i, n) {
				b.SetSymbol(ship.Stern.Step(ship.Heading, n), shipKeys[i], term.Plain)
				break
			}
		}
	}
	b.Aim = in.aim.Cursor
	if in.selected == noShip {
		return
	}
	ship := fleet[in.selected]
	here := ship.Cells()
	for c := range here.All() {
		b.SetSymbol(c, "", term.Aim)
	}
	status := v.FleetStatus(side)
	for i := range match.MoveKind(match.MoveKinds) {
		move := match.NewMove(in.selected, i)
		sign, style := arrows[arrowHeading(ship, i)], term.Ghost
		if move == in.rejected {
			sign, style = board.SignWrong, term.Wrong
		} else if status.CheckMove(move) != nil {
			continue
		}
		for c := range i.Apply(ship).Cells().Minus(here).All() {
			b.SetSymbol(c, sign, style)
		}
	}
}

// clickableKey returns a key and its label, followed by a gap. A click on them presses the key.
func clickableKey(key, shown, label string) string {
	shown = term.Key.Render(shown)
	if label != "" {
		shown += " " + label
	}
	return term.MakeClickable(key, 0, shown) + "  "
}

// moveStatus returns the status line while the player chooses a move, in the longest form that fits.
func (p *battlePage) moveStatus(width int) string {
	rest := p.clockAndAbsence()
	for _, wide := range []bool{true, false} {
		line := p.moveChoices(wide) + rest
		if !wide || text.Width(line) <= width {
			return line
		}
	}
	return ""
}

func (p *battlePage) moveChoices(wide bool) (line string) {
	in, l := &p.moveInput, p.Lang
	v := &p.match.game.last.View
	if in.selected == noShip {
		switch {
		case in.aim.Typed != "":
			line += strings.TrimSpace(in.aim.InputText(l)) + "  "
		case wide:
			line += yourTurnBadge(l) + l.Text("First you may move a ship.") + "  "
			line += clickableKey("tab", l.Text("tab"), l.Text("choose a ship"))
		default:
			line += clickableKey("tab", l.Text("tab"), l.Text("ship"))
		}
		line += clickableKey("p", "p", l.Text("pass"))
		return line
	}
	ship := v.Fleets[p.match.game.side][in.selected]
	if wide {
		line += term.Good.Render(shipKeys[in.selected]+" "+narrate.ClassName(v.Rules.Fleet[in.selected]).Text(l)) + "  "
	}
	status := v.FleetStatus(p.match.game.side)
	can := false
	for i := range match.MoveKind(match.MoveKinds) {
		if status.CheckMove(match.NewMove(in.selected, i)) != nil {
			continue
		}
		can = true
		arrow := arrows[arrowHeading(ship, i)]
		if wide {
			line += clickableKey(moveKeys[i], arrow, l.Text(narrate.MoveKindName(i)))
		} else {
			line += clickableKey(moveKeys[i], arrow+moveKeys[i], "")
		}
	}
	if !can {
		line += term.Warn.Render(l.Text("can't move now")) + "  "
	}
	line += clickableKey("p", "p", l.Text("pass"))
	return line
}
