package tui

import (
	"math/rand/v2"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"broadside/internal/i18n"
	"broadside/internal/i18n/phrase"
	"broadside/internal/session"
	"broadside/match"
	"broadside/match/layoutfile"
	"broadside/tui/board"
	"broadside/tui/format"
)

// placeScreen is where the fleet is laid out, in secret.
type placeScreen struct {
	rules   match.Rules // from the match; no fleet until the first update
	layout  match.Layout
	hand    int // index of the ship in hand; len(layout) if there is none
	order   []int
	at      match.Cell
	heading match.Heading
	typing  typing
	leaving leaving
	saved   savedFleets
	ends    ends
	drag    dragging
}

func newPlaceScreen() *placeScreen { return &placeScreen{heading: match.East} }

// begin sets the screen up once the rules of the match are known.
func (s *placeScreen) begin(r match.Rules) {
	if s.layout == nil && len(r.Fleet) > 0 {
		s.rules = r
		s.layout = make(match.Layout, len(r.Fleet))
	}
}

func (s *placeScreen) key(m *Model, key string) tea.Cmd {
	if s.saved.naming {
		return s.nameFleet(m, key)
	}
	if s.layout != nil && !s.leaving.asked && s.endsKey(m, key) {
		return nil
	}
	if s.leaving.key(m, key) || s.layout == nil {
		return nil
	}
	if at, ok := s.typing.key(key, s.at, s.rules); ok {
		s.at = at
		return nil
	}
	switch key {
	case "r", "space":
		s.turn()
	case "p":
		s.toggleEnds()
	case "enter":
		before := s.hand
		if !s.typing.chosen(m, s.rules) {
			break
		}
		if s.drop(m); s.hand != before {
			s.findRoom()
		}
	case "x":
		s.fill(s.rules.RandomLayout(rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))))
	case "o":
		return s.nextSaved(m)
	case "s":
		s.startNaming(m)
	case "z":
		s.clear()
	case "u", "backspace", "delete":
		s.takeBack()
	case "tab", "n":
		s.next(s.hand + 1)
	}
	return nil
}

// turn turns the ship in hand.
func (s *placeScreen) turn() { s.heading = s.turned(s.heading) }

// turned is the other way in which a ship can lie, or the next one where it
// matters which end is the bow.
func (s *placeScreen) turned(h match.Heading) match.Heading {
	if s.rules.Moving {
		return h.Turn(1)
	}
	if h == match.East || h == match.West {
		return match.South
	}
	return match.East
}

// drop puts the ship in hand where it is shown, or ends placing if none is
// left.
func (s *placeScreen) drop(m *Model) {
	if s.hand == len(s.layout) {
		m.do(session.Place{Side: m.game.side, Layout: append(match.Layout(nil), s.layout...)})
		return
	}
	trial, err := s.trial()
	if err != nil {
		m.notice = m.sentence(err)
		return
	}
	s.layout = trial
	s.order = append(s.order, s.hand)
	s.next(s.hand + 1)
}

// findRoom moves the ship in hand to the nearest cell where it can lie as it is
// turned, if there is one: on top of the ship that has just been put down it
// cannot.
func (s *placeScreen) findRoom() {
	if s.hand == len(s.layout) || s.ends.on {
		return
	}
	from, nearest := s.at, 2*s.rules.Size
	board := s.rules.Board()
	for c := range board.All() {
		trial := append(match.Layout(nil), s.layout...)
		trial[s.hand] = match.Ship{Stern: c, Heading: s.heading, Length: s.rules.Fleet[s.hand].Length}
		away := abs(int(c.X-from.X)) + abs(int(c.Y-from.Y))
		if away < nearest && s.rules.CheckShip(trial, s.hand) == nil {
			s.at, nearest = c, away
		}
	}
}

func abs(n int) int { return max(n, -n) }

// trial is the layout with the ship in hand put down, and what is wrong with
// that.
func (s *placeScreen) trial() (match.Layout, error) {
	l := append(match.Layout(nil), s.layout...)
	l[s.hand] = match.Ship{Stern: s.at, Heading: s.heading, Length: s.rules.Fleet[s.hand].Length}
	return l, s.rules.CheckShip(l, s.hand)
}

// next takes the next ship that is not placed in hand, from ship i on.
func (s *placeScreen) next(i int) {
	for n := range s.layout {
		if j := (i + n) % len(s.layout); s.layout[j].Length == 0 {
			s.hand = j
			return
		}
	}
	s.hand = len(s.layout)
}

// takeBack takes the ship under the cursor in hand again, or else the one
// placed last.
func (s *placeScreen) takeBack() {
	ship := -1
	if len(s.order) > 0 {
		ship = s.order[len(s.order)-1]
	}
	for i := range s.layout {
		if cells := s.layout[i].Cells(); cells.Has(s.at) {
			ship = i
		}
	}
	if ship < 0 {
		return
	}
	s.pickUp(ship)
}

// pickUp takes a placed ship in hand.
func (s *placeScreen) pickUp(ship int) {
	s.at, s.heading, s.hand = s.layout[ship].Stern, s.layout[ship].Heading, ship
	s.layout[ship] = match.Ship{}
	kept := s.order[:0]
	for _, i := range s.order {
		if i != ship {
			kept = append(kept, i)
		}
	}
	s.order = kept
}

func (s *placeScreen) clear() {
	s.layout, s.order, s.hand = make(match.Layout, len(s.rules.Fleet)), nil, 0
}

// fill takes over a whole layout.
func (s *placeScreen) fill(l match.Layout) {
	s.layout, s.order, s.hand = l, nil, len(l)
	s.ends.choosing = false // there is no ship in hand any more
	s.typing.clear()
	for i := range l {
		s.order = append(s.order, i)
	}
}

// takeLayout takes over a layout file.
func (s *placeScreen) takeLayout(m *Model, text string) {
	layouts, err := layoutfile.Parse(s.rules, text)
	if err != nil {
		m.notice = format.Clean(m.lang.Say("That is no fleet: %s", phrase.Error(m.lang, err)), longestSentence)
		return
	}
	m.notice = m.lang.Say("Your fleet was pasted.")
	s.fill(layouts[0])
}

// shipsWidth is the width of the list of ships.
const shipsWidth = 36

// classWidth is the least width of the names of ships in it.
const classWidth = 11

func (s *placeScreen) draw(m *Model) []string {
	s.begin(m.game.last.View.Rules)
	if s.layout == nil {
		return nil
	}
	status := looks().strong.Render(m.lang.Say("Place your fleet") + m.game.vocative())
	if against := "  " + m.lang.Say("against %s", m.game.opponent); format.Width(status)+format.Width(against)+format.Width(m.timeLeft()) <= m.width {
		status += against
	}
	status += m.timeLeft()
	shownFleet, hand, problem := s.layout, -1, error(nil)
	if s.hand < len(s.layout) && (!s.ends.on || s.ends.choosing || s.drag.on) {
		hand = s.hand
		shownFleet, problem = s.trial()
	}
	b := board.Plan(s.rules.Size, shownFleet, hand, problem != nil)
	if s.rules.Moving {
		b.Bows(shownFleet)
	}
	b.Aim = s.at
	if s.ends.choosing {
		b.Aim = s.ends.bow
	}
	m.hovered(0, b)
	instead := s.brief(m, problem)
	return m.showBoards(board.Scene{Status: status, Panels: []board.Panel{{Heading: m.lang.Say("YOUR FLEET"), Board: b}}, Aside: s.fleet(m, problem),
		Instead: instead, Brief: strings.Join(instead, " ")})
}

// brief says of the ship in hand what there is to say, where there is no room
// for the list of ships.
func (s *placeScreen) brief(m *Model, problem error) []string {
	t := looks()
	switch {
	case s.leaving.asked:
		return s.leaving.lines(m, MinWidth-2)
	case s.saved.naming:
		return []string{m.lang.Say("Save as: %s", s.saved.name+"_")}
	case s.hand == len(s.layout):
		return []string{t.good.Render(m.lang.Say("All ships are placed.")) + " " + m.lang.Say("Press enter.")}
	case s.ends.on:
		return s.endsLines(m, MinWidth-2)
	case problem != nil:
		return format.Wrap(t.bad.Render(m.lang.Say("Not here:"))+" "+phrase.Error(m.lang, problem)+".", MinWidth-2)
	}
	class := s.rules.Fleet[s.hand]
	line := m.lang.Say("%s, %d cells", phrase.Ship(m.lang, class.Name), class.Length)
	if typed := s.typing.shown(m.lang); typed != "" {
		line += "  " + typed
	}
	return []string{line}
}

// timeLeft returns how much time is left for the side that has to act, or that the
// match is paused. It is empty if no clock runs.
func (m *Model) timeLeft() string {
	if m.game.last.Paused {
		return looks().warn.Render("  " + m.lang.Say("The match is paused."))
	}
	at := m.game.last.Deadline
	if at.IsZero() {
		return ""
	}
	return looks().faint.Render("  " + m.lang.Say("%s left", phrase.Clock(time.Until(at))))
}

// fleet is the list of ships, and what there is to say of the one in hand.
func (s *placeScreen) fleet(m *Model, problem error) []string {
	t := looks()
	lines := []string{t.strong.Render(m.lang.Say("Ships")), ""}
	width := classWidth
	for _, class := range s.rules.Fleet {
		width = max(width, ansi.StringWidth(phrase.Ship(m.lang, class.Name)))
	}
	for i, class := range s.rules.Fleet {
		mark, where := "  ", t.faint.Render(m.lang.Say("not placed"))
		if s.layout[i].Length > 0 {
			where = s.layout[i].String()
		}
		if i == s.hand {
			mark, where = "▸ ", t.strong.Render(m.lang.Say("in your hand"))
		}
		hull := strings.Repeat(board.SignHull, class.Length)
		lines = append(lines, mark+format.Pad(phrase.Ship(m.lang, class.Name), width)+" "+format.Pad(hull, 5)+" "+where)
	}
	lines = append(lines, "")
	switch {
	case s.hand == len(s.layout):
		lines = append(lines, t.good.Render(m.lang.Say("All ships are placed.")), m.lang.Say("Press enter to begin."))
	case s.ends.on:
		lines = append(lines, s.endsLines(m, shipsWidth)...)
	case problem != nil:
		lines = append(lines, format.Wrap(t.bad.Render(m.lang.Say("Not here:"))+" "+phrase.Error(m.lang, problem)+".", shipsWidth)...)
	default:
		lines = append(lines, format.Wrap(m.lang.Say("Press enter to put %s here.", phrase.TheShip(m.lang, s.rules.Fleet[s.hand].Name)), shipsWidth)...)
	}
	if typed := s.typing.shown(m.lang); typed != "" {
		lines = append(lines, "", typed)
	}
	if s.saved.naming {
		lines = append(lines, "", m.lang.Say("Save as: %s", s.saved.name+"_"))
	}
	if s.leaving.asked {
		lines = append(append(lines, ""), s.leaving.lines(m, shipsWidth)...)
	}
	// Of a width that does not change with what is said, so that the screen
	// stands still.
	lines[0] = format.Pad(lines[0], shipsWidth)
	return lines
}

func (s *placeScreen) hints(m *Model) []i18n.Text {
	if s.saved.naming {
		return []i18n.Text{"enter", "save the fleet", "backspace", "take back", "esc", "do not save"}
	}
	if s.leaving.asked {
		return s.leaving.hints()
	}
	if s.hand == len(s.layout) {
		return append(m.removeHint(), "enter", "begin", "u", "take back", "x", "random", "o", "own", "s", "save", "z", "clear", "?", "help")
	}
	if s.ends.choosing {
		return []i18n.Text{"←→", "the stern", "B7", "name it", "enter", "put", "esc", "another bow"}
	}
	if s.ends.on {
		return append(m.removeHint(), "↑↓←→", "move", "B7", "name a cell", "enter", "bow here", "p", "by turning", "x", "random", "u", "take back", "?", "help")
	}
	return append(m.removeHint(), "↑↓←→", "move", "r", "turn", "enter", "put", "x", "random", "o", "own", "u", "take back", "p", "by its ends", "?", "help")
}
