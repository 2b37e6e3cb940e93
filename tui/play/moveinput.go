package play

import (
	"strings"

	"charm.land/bubbles/v2/key"

	"broadside/internal/narrate"
	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// moveInput chooses a move where ships move: after each enemy shot, before the
// player's own. Without a selected ship, enter passes.
type moveInput struct {
	round int        // number of the enemy shot that precedes the move
	sent  bool       // the move has been sent
	hand  int        // the selected ship, or none
	aim   widget.Aim // the cursor for selecting a ship; Nowhere until it is used
	wrong match.Move // the last rejected move, or Stay
}

// none means that no ship is selected.
const none = -1

var unusedAim = widget.Aim{At: board.Nowhere}

// manoeuvreKeys are the keys for the manoeuvres, arrows the symbols of the headings.
var (
	manoeuvreKeys = [match.Manoeuvres]string{"f", "b", "c", "a"}
	arrows        = [...]string{match.North: "↑", match.East: "→", match.South: "↓", match.West: "←"}
)

// arrowHeading returns the direction of the arrow for a manoeuvre: where the ship
// moves, or where its bow points afterwards.
func arrowHeading(s match.Ship, m match.Manoeuvre) match.Heading {
	if m == match.Backward {
		return s.Heading.Turn(2)
	}
	return m.Of(s).Heading
}

// choosesMove reports whether the player has to choose a move now. It updates the
// input and, if only one board fits, shows the one that is needed.
func (s *battle) choosesMove() bool {
	in := &s.move
	v := &s.match.game.last.View
	if n := v.Charts[s.match.game.side.Other()].Fired; n != in.round {
		*in = moveInput{round: n, hand: none, aim: unusedAim}
	}
	stays := in.round > 0 && s.match.game.stayed == in.round // no ship can move, so the player is not asked
	if !v.MayMove || v.Pending || in.sent || stays {
		if in.hand = none; s.steered {
			s.steered, s.boards.Chosen = false, widget.EnemyBoard
		}
		return false
	}
	if !s.steered {
		s.steered, s.boards.Chosen = true, widget.OwnBoard
	}
	return true
}

// key handles a key while the player chooses a move, and reports whether it handled
// the key.
func (in *moveInput) key(m *Match, key string) bool {
	in.wrong = match.Stay
	g := m.game
	v := &g.last.View
	if n := strings.Index("1234567890", key); n >= 0 && len(key) == 1 && in.aim.Pristine() {
		in.pickUp(m, n)
		return true
	}
	switch key {
	case "p":
		in.move(m, match.Stay)
		return true
	case "tab", "n":
		in.next(m, 1)
		return true
	case "shift+tab", "N":
		in.next(m, -1)
		return true
	}
	if in.hand != none {
		return in.steer(m, key)
	}
	if in.aim.Key(m.Env, key, v.Rules) {
		if key == "esc" {
			in.aim = unusedAim
		}
		return true
	}
	switch key {
	case "enter", "space":
		switch i := shipAt(v.Fleets[g.side], in.aim.At); {
		case !in.aim.Accept(m.Env, v.Rules):
		case in.aim.At == board.Nowhere:
			in.move(m, match.Stay)
		case i == none:
			m.Notice = m.Lang.Text("You have no ship at %s. Press p to pass.", in.aim.At.String())
		default:
			in.pickUp(m, i)
		}
		return true
	}
	return false
}

// steer handles a key while a ship is selected.
func (in *moveInput) steer(m *Match, key string) bool {
	ship := m.game.last.View.Fleets[m.game.side][in.hand]
	towards, arrow := widget.CursorKeys[key]
	for i := range match.Manoeuvre(match.Manoeuvres) {
		if key == manoeuvreKeys[i] || arrow && towards == arrowHeading(ship, i) {
			in.move(m, match.MoveOf(in.hand, i))
			return true
		}
	}
	switch key {
	case "esc", "backspace":
		in.hand = none
	case "enter", "space":
		m.Notice = m.Lang.Text("Choose a direction, or press p to pass.")
	default:
		return false
	}
	return true
}

// pickUp selects a ship, or shows why it cannot.
func (in *moveInput) pickUp(m *Match, i int) {
	v := &m.game.last.View
	fleet := v.Fleets[m.game.side]
	switch {
	case i >= len(fleet):
		m.Notice = m.Lang.Text("Your ships are numbered from 1 to %d.", len(fleet))
	case v.Damage[m.game.side].Sunk(i, fleet[i].Length):
		m.Notice = m.ErrorText(match.NewProblem("the %s is sunk", v.Rules.Fleet[i]))
	default:
		in.hand, in.aim = i, unusedAim
	}
}

// next selects the next or previous ship that can move.
func (in *moveInput) next(m *Match, by int) {
	v := &m.game.last.View
	n := len(v.Fleets[m.game.side])
	helm := v.Helm(m.game.side)
	var can [len(shipKeys)]bool
	for _, move := range helm.Moves() {
		can[move.Ship()] = true
	}
	i := in.hand
	if i == none && by < 0 {
		i = 0
	}
	for range n {
		if i = (i + by + n) % n; can[i] {
			in.pickUp(m, i)
			return
		}
	}
	m.Notice = m.Lang.Text("None of your ships can move now. Press p to pass.")
}

// move makes a move, or shows why it cannot.
func (in *moveInput) move(m *Match, move match.Move) {
	g := m.game
	helm := g.last.View.Helm(g.side)
	if err := helm.Check(move); err != nil {
		in.wrong, m.Notice = move, m.ErrorText(err)
		return
	}
	in.sent = m.Check(m.Session.Move(g.side, move))
}

// click handles a click on the player's board.
func (in *moveInput) click(m *Match, at match.Cell) {
	in.wrong = match.Stay
	fleet := m.game.last.View.Fleets[m.game.side]
	if i := shipAt(fleet, at); i != none {
		if i == in.hand {
			in.hand = none
		} else {
			in.pickUp(m, i)
		}
		return
	}
	if in.hand == none {
		return
	}
	for i := range match.Manoeuvre(match.Manoeuvres) {
		if to := i.Of(fleet[in.hand]).Cells(); to.Has(at) {
			in.move(m, match.MoveOf(in.hand, i))
			return
		}
	}
}

// shipAt returns the index of the ship on a cell, or none.
func shipAt(l match.Layout, at match.Cell) int {
	for i := range l {
		if cells := l[i].Cells(); cells.Has(at) {
			return i
		}
	}
	return none
}

// shipKeys are the keys for selecting ships, in fleet order.
var shipKeys = [...]string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "0"}

// mark marks the choices on the player's board: the numbers of the ships, and the
// possible moves of the selected ship.
func (in *moveInput) mark(v *match.View, side match.Side, b *board.Board) {
	fleet := v.Fleets[side]
	for i, ship := range fleet {
		if v.Damage[side].Sunk(i, ship.Length) {
			continue
		}
		for n := range ship.Length {
			if !v.Damage[side].Hit(i, n) {
				b.Set(ship.Stern.Step(ship.Heading, n), shipKeys[i], term.Plain)
				break
			}
		}
	}
	b.Aim = in.aim.At
	if in.hand == none {
		return
	}
	ship := fleet[in.hand]
	here := ship.Cells()
	for c := range here.All() {
		b.Set(c, "", term.Aim)
	}
	helm := v.Helm(side)
	for i := range match.Manoeuvre(match.Manoeuvres) {
		move := match.MoveOf(in.hand, i)
		sign, style := arrows[arrowHeading(ship, i)], term.Ghost
		if move == in.wrong {
			sign, style = board.SignWrong, term.Wrong
		} else if helm.Check(move) != nil {
			continue
		}
		for c := range i.Of(ship).Cells().Minus(here).All() {
			b.Set(c, sign, style)
		}
	}
}

// clickableLine is a line with clickable keys.
type clickableLine struct {
	text  string
	zones []widget.Zone
}

func (s *clickableLine) add(text string) { s.text += text }

func (s *clickableLine) addKey(key, shown, label string) {
	left := text.Width(s.text)
	s.text += term.Key.Render(shown)
	if label != "" {
		s.text += " " + label
	}
	s.zones = append(s.zones, widget.Zone{Left: left, Width: text.Width(s.text) - left, Key: key})
	s.text += "  "
}

// status returns the possible choices, in the longest form that fits.
func (in *moveInput) status(m *Match, rest string, width int) clickableLine {
	for _, wide := range []bool{true, false} {
		s := in.choices(m, wide)
		if s.add(rest); !wide || text.Width(s.text) <= width {
			return s
		}
	}
	return clickableLine{}
}

func (in *moveInput) choices(m *Match, wide bool) (s clickableLine) {
	v := &m.game.last.View
	pass := m.Lang.Text("pass")
	if in.hand == none {
		switch {
		case in.aim.Text != "":
			s.add(strings.TrimSpace(in.aim.Typed(m.Lang)) + "  ")
		case wide:
			s.add(turnChip(m.Lang) + m.Lang.Text("First you may move a ship.") + "  ")
			s.addKey("tab", m.Lang.Text("tab"), m.Lang.Text("choose a ship"))
		default:
			s.addKey("tab", m.Lang.Text("tab"), m.Lang.Text("ship"))
		}
		s.addKey("p", "p", pass)
		return s
	}
	ship := v.Fleets[m.game.side][in.hand]
	if wide {
		s.add(term.Good.Render(shipKeys[in.hand]+" "+narrate.Ship(m.Lang, v.Rules.Fleet[in.hand].Name)) + "  ")
	}
	helm := v.Helm(m.game.side)
	can := false
	for i := range match.Manoeuvre(match.Manoeuvres) {
		if helm.Check(match.MoveOf(in.hand, i)) != nil {
			continue
		}
		can = true
		if arrow := arrows[arrowHeading(ship, i)]; wide {
			s.addKey(manoeuvreKeys[i], arrow, m.Lang.Text(narrate.Manoeuvre(i)))
		} else {
			s.addKey(manoeuvreKeys[i], arrow+manoeuvreKeys[i], "")
		}
	}
	if !can {
		s.add(term.Warn.Render(m.Lang.Text("can't move now")) + "  ")
	}
	s.addKey("p", "p", pass)
	return s
}

var moveKeys = struct{ move, pass, next, drop, choose, stay, take key.Binding }{
	move: widget.Bind("↑↓←→", "move it", "up down left right f b c a"), pass: widget.Bind("p", "pass", "p"), next: widget.Bind("tab", "next ship", "tab"),
	drop: widget.Bind("esc", "deselect", "esc"), choose: widget.Bind("tab 1–0", "choose a ship", "tab"), stay: widget.Bind("enter", "pass", "enter"),
	take: widget.Bind("enter", "choose", "enter"),
}

// bindings returns the keys for choosing a move.
func (in *moveInput) bindings(m *Match) []key.Binding {
	k := &moveKeys
	switch {
	case in.hand != none:
		return []key.Binding{k.move, k.pass, k.next, k.drop, widget.Help}
	case in.aim.At != board.Nowhere || in.aim.Text != "":
		return []key.Binding{k.take, k.pass, k.choose, widget.Help, leaveKey(m)}
	}
	return []key.Binding{k.stay, k.choose, widget.Help, leaveKey(m)}
}
