package notation

import (
	"errors"
	"fmt"
	"strings"

	"broadside/match"
)

// shot is a shot or a move of a ship.
type shot struct {
	cell     match.Cell
	result   match.Result // 0: none
	auto     bool
	moves    bool
	move     match.Move
	position int // in the text, for errors
}

// parseShots decodes the shots and moves of a game.
func parseShots(text string) (shots []shot, err error) {
	shots = make([]shot, 0, len(text)/2)
	for at := 0; at < len(text); {
		s, n := shot{position: at + 1}, 0
		switch c := text[at]; {
		case c == disputed: // follows from the results
			at++
			continue
		case c == '[':
			n, err = s.readMove(text[at:])
		default:
			n, err = s.readShot(text[at:])
		}
		if err != nil {
			return nil, fmt.Errorf("character %d of the shots: %w", at+1, err)
		}
		shots = append(shots, s)
		at += n
	}
	return shots, nil
}

// readMove reads a move in brackets and returns its length.
func (s *shot) readMove(text string) (n int, err error) {
	inner, _, ok := strings.Cut(text[1:], "]")
	if !ok {
		return 0, errors.New("the bracket is not closed")
	}
	move, auto := strings.CutSuffix(inner, string(byClock))
	s.moves, s.auto = true, auto
	s.move, err = match.ParseMove(move)
	return len(inner) + 2, err
}

// readShot reads a cell and the signs after it, and returns their length.
func (s *shot) readShot(text string) (n int, err error) {
	for n = 1; n < len(text) && text[n] >= '0' && text[n] <= '9'; n++ {
	}
	if s.cell, err = match.ParseCell(text[:n]); err != nil {
		return 0, err
	}
	if s.result = match.Water; text[0] < 'a' {
		s.result = match.Hit
	}
	if n < len(text) && text[n] == byClock {
		s.auto = true
		n++
	}
	if n == len(text) {
		return n, nil
	}
	switch text[n] {
	case sunk:
		s.result = match.Sunk
	case last:
		s.result = match.LastSunk
	case unanswered:
		s.result = 0
	default:
		return n, nil
	}
	return n + 1, nil
}

// player plays a game again.
type player struct {
	*written
	game *match.Game
}

// play applies all commands of a game.
func (p *player) play(shots []shot) error {
	for side, f := range p.fleets {
		if c, ok := f.command(match.Side(side)); ok {
			if _, err := p.game.Apply(c); err != nil {
				return fmt.Errorf("fleet %d: %w", side+1, err)
			}
		}
	}
	for len(shots) > 0 {
		n, err := p.turn(shots)
		if err != nil {
			return fmt.Errorf("character %d of the shots: %w", shots[0].position, err)
		}
		shots = shots[n:]
	}
	for _, s := range p.steps {
		if _, err := p.game.Apply(s.command()); err != nil {
			return fmt.Errorf("the step %s: %w", s.name, err)
		}
	}
	return nil
}

// turn plays a move, or the shots of a turn, and returns how many of shots it has used.
func (p *player) turn(shots []shot) (n int, err error) {
	t := p.game.Turn()
	if shots[0].moves {
		c := match.Sail(t.Side, shots[0].move)
		c.Auto = shots[0].auto
		_, err := p.game.Apply(c)
		return 1, err
	}
	for n == 0 || n < t.Left() && n < len(shots) && !shots[n].moves {
		c := match.Fire(t.Side, shots[n].cell)
		c.Auto = shots[n].auto
		if _, err := p.game.Apply(c); err != nil {
			return 0, err
		}
		n++
	}
	if p.fleets[t.Side.Other()].kind == match.FleetPlaced {
		return n, nil // the game has answered
	}
	for _, s := range shots[:n] {
		if s.result == 0 {
			break
		}
		if _, err := p.game.Apply(match.Answer(t.Side.Other(), s.cell, s.result)); err != nil {
			return 0, err
		}
	}
	return n, nil
}

// command returns the command that makes a side ready; false if the side was not.
func (f *fleet) command(side match.Side) (match.Command, bool) {
	switch f.kind {
	case match.FleetPlaced:
		return match.Place(side, f.layout), true
	case match.FleetKept:
		return match.Keep(side), true
	}
	return match.Command{}, false
}

// command returns the command that a step stands for.
func (s *step) command() match.Command {
	switch {
	case s.name == void:
		return match.Void(s.reason)
	case s.side == match.Nobody:
		return match.Command{} // which no game accepts
	case s.name == abort:
		return match.Abort(s.side, s.reason)
	}
	return match.Forfeit(s.side, s.reason)
}
