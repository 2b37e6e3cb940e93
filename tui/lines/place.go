package lines

import (
	"context"
	"slices"
	"strings"

	"broadside/internal/session"
	"broadside/match"
	"broadside/match/layoutfile"
)

// toPlace tells whether the person has ships to place, or says why not.
func (s *Session) toPlace() bool {
	switch {
	case !s.inMatch():
		return false
	case !s.placing():
		s.say("Your fleet is placed already.")
		return false
	}
	return true
}

func (s *Session) place(text string) {
	if !s.toPlace() {
		return
	}
	g := s.game
	switch strings.ToLower(text) {
	case "":
		s.tellPlacing(g)
	case "random", "r":
		s.handIn(g.Rules.RandomLayout(newRand()))
	case "clear":
		clear(g.layout)
		g.order = nil
		s.say("The board is empty.")
	case "undo":
		s.undo()
	default:
		if name, ok := strings.CutPrefix(strings.ToLower(text), "fleet"); ok {
			s.placeSaved(strings.TrimSpace(name))
			return
		}
		s.placeShip(text)
	}
}

// placeSaved takes one of the person's saved fleets.
func (s *Session) placeSaved(name string) {
	ctx, cancel := context.WithTimeout(s.ctx, laterTime)
	defer cancel()
	rules := s.game.Rules
	all, err := session.Ask(ctx, s.own, session.Fleets{})
	if err != nil {
		s.fail(err)
		return
	}
	var names []string
	for _, kept := range all {
		l, fits := session.FleetFor(rules, kept)
		if fits && strings.EqualFold(kept.Name, name) {
			s.handIn(l)
			return
		}
		if fits {
			names = append(names, kept.Name)
		}
	}
	if len(names) == 0 {
		s.say("You have no saved fleet for these rules. Fleets are saved with: ssh HOST fleet")
		return
	}
	s.say("Say place fleet and one of these: %s.", s.list(names))
}

// handIn hands the fleet in.
func (s *Session) handIn(l match.Layout) {
	s.do(session.Place{Layout: l})
	s.ask(func(g *game) bool { return g.last.View.Ready[g.Side] })
}

func (s *Session) ready(string) {
	if !s.toPlace() {
		return
	}
	g := s.game
	if err := g.Rules.Check(g.layout); err != nil {
		s.fail(err)
		return
	}
	s.handIn(slices.Clone(g.layout))
}

func (s *Session) undo() {
	g := s.game
	n := len(g.order)
	if n == 0 {
		s.say("No ship is placed.")
		return
	}
	i := g.order[n-1]
	g.order, g.layout[i] = g.order[:n-1], match.Ship{}
	s.say("The %s is taken back.", s.ship(g.Rules.Fleet[i]))
}

// tellPlacing says which ships are to be placed, and how.
func (s *Session) tellPlacing(g *game) {
	rules := g.Rules
	var missing []string
	for i, c := range rules.Fleet {
		if g.layout[i].Length == 0 {
			missing = append(missing, s.l.Say("%s, %d cells", s.ship(c), c.Length))
		}
	}
	if len(missing) == 0 {
		s.say("All ships are placed. Say ready to begin.")
		return
	}
	s.say("Place your fleet: %s.", strings.Join(missing, "; "))
	s.say("Say place random, or place one ship after another: place %s A1 %s.", rules.Fleet[0].Name,
		match.At(rules.Fleet[0].Length-1, 0).String())
	if !g.last.Deadline.IsZero() {
		s.time("")
	}
}

// placeShip places one ship.
func (s *Session) placeShip(text string) {
	g := s.game
	rules := g.Rules
	i, placed, err := layoutfile.ParseShip(rules, g.layout, withLength(text))
	if err != nil {
		s.fail(err)
		return
	}
	g.layout[i] = placed
	g.order = append(g.order, i)
	s.say("The %s lies from %s to %s.", s.ship(rules.Fleet[i]), placed.Stern.String(), placed.Bow().String())
	if len(g.order) == len(g.layout) {
		s.say("All ships are placed. Say ready to begin.")
	}
}

// withLength puts the length before a ship that is written without its type, as
// its two ends.
func withLength(text string) string {
	fields := strings.Fields(text)
	if len(fields) != 2 {
		return text
	}
	from, err := match.ParseCell(fields[0])
	to, failed := match.ParseCell(fields[1])
	if err != nil || failed != nil {
		return text
	}
	return digit(1+max(abs(int(to.X-from.X)), abs(int(to.Y-from.Y)))) + " " + text
}

func digit(n int) string { return string(rune('0' + min(n, 9))) }

func abs(n int) int { return max(n, -n) }
