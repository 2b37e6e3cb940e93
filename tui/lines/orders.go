package lines

import (
	"strings"

	"broadside/internal/session"
	"broadside/match"
	"broadside/tui"
)

// manoeuvres are what a ship can do, by the words for it.
var manoeuvres = map[string]match.Manoeuvre{
	"forward": match.Forward, "vor": match.Forward, "backward": match.Backward, "back": match.Backward, "zurück": match.Backward,
	"clockwise": match.Clockwise, "rechtsherum": match.Clockwise, "cw": match.Clockwise, "uz": match.Clockwise,
	"anticlockwise": match.Anticlockwise, "linksherum": match.Anticlockwise, "ccw": match.Anticlockwise, "gz": match.Anticlockwise,
}

// move moves a ship, named by its type, if there is one of it, or by a cell that
// it lies on.
func (s *Session) move(text string) {
	if !s.inMatch() {
		return
	}
	g := s.game
	v := &g.last.View
	name, how, _ := strings.Cut(strings.ToLower(text), " ")
	m, known := manoeuvres[how]
	if !known {
		s.say("Say move, a ship or one of its cells, and forward, backward, clockwise or anticlockwise: move B3 forward.")
		return
	}
	var found []int
	cell, noCell := match.ParseCell(name)
	for i, l := range v.Fleets[g.Side] {
		cells := l.Cells()
		if noCell == nil && cells.Has(cell) || noCell != nil && (v.Rules.Fleet[i].Name == name || strings.EqualFold(s.ship(v.Rules.Fleet[i]), name)) {
			found = append(found, i)
		}
	}
	switch len(found) {
	case 0:
		s.say("There is no ship of yours: %s.", short(name))
	case 1:
		s.do(session.Move{Move: match.MoveOf(found[0], m)})
		s.ask(func(g *game) bool { return !g.last.View.MayMove })
	default:
		s.say("You have several of these. Name the one by a cell that it lies on: move B3 %s.", how)
	}
}

// pass leaves the fleet where it is.
func (s *Session) pass(string) {
	if s.inMatch() {
		s.do(session.Move{Move: match.Stay})
		s.ask(func(g *game) bool { return !g.last.View.MayMove })
	}
}

// listMoves says which ships can move, and how.
func (s *Session) listMoves(string) {
	if !s.inMatch() {
		return
	}
	g := s.game
	v := &g.last.View
	if !v.MayMove {
		err := match.ErrMoved
		if !v.Rules.Moving {
			err = match.ErrNoMoves
		}
		s.fail(err)
		return
	}
	helm := v.Helm(g.Side)
	ways := make([][]string, len(v.Fleets[g.Side]))
	for _, m := range helm.Moves() {
		ways[m.Ship()] = append(ways[m.Ship()], s.l.Say(manoeuvreNames[m.Manoeuvre()]))
	}
	none := true
	for i, how := range ways {
		if len(how) > 0 {
			none = false
			ship := v.Fleets[g.Side][i]
			s.say("%s, %s to %s: %s.", sentenceCase(s.ship(v.Rules.Fleet[i])), ship.Stern.String(), ship.Bow().String(), strings.Join(how, ", "))
		}
	}
	if none {
		s.say("None of your ships can move now.")
	}
}

func lastRow(r match.Rules) string { return string(rune('A' + r.Size - 1)) }

func (s *Session) resign(string) {
	if !s.inMatch() {
		return
	}
	if !s.confirmed("resign") {
		if tui.Abortable(s.state.Stakes, &s.game.last.View) {
			s.say("Abort this match? It does not count yet. Say resign again to abort it.")
			return
		}
		s.say("Resign this match? Say resign again to give it up.")
		return
	}
	s.do(session.Resign{})
	s.ask(func(g *game) bool { return false })
}

// remove removes the opponent from the player's private room.
func (s *Session) remove(string) {
	switch {
	case !s.inMatch():
		return
	case !s.confirmed("remove") && s.mayRemove():
		s.say("Remove %s from your room? The match ends without a result. Say remove again.", s.game.opponent)
		return
	}
	s.do(session.RemoveOpponent{})
}

// mayRemove reports whether the player can remove the opponent.
func (s *Session) mayRemove() bool {
	return s.game.Host && s.game.last.View.Phase == match.Placing
}

func (s *Session) claim(string) {
	if !s.inMatch() {
		return
	}
	s.do(session.Claim{})
	s.ask(func(g *game) bool { return false })
}

func (s *Session) rematch(string) {
	switch {
	case s.game == nil:
		s.say("There is nobody to play again. Say play, or bot easy.")
		return
	case s.playing():
		s.say("Your match is still on. Say resign to give it up.")
		return
	case s.state.Offer != nil:
		s.say("You are waiting for an opponent. Say cancel to stop waiting.")
		return
	}
	if s.do(session.Rematch{}) && s.state.Offer != nil {
		s.say("Waiting for %s to agree to a rematch.", s.game.opponent)
	}
}
