package play

import (
	"math/rand/v2"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/lobby/account"
	"broadside/match"
	"broadside/match/layoutfile"
	"broadside/match/live"
	"broadside/tui/board"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// place is the page for placing the fleet, in secret.
type place struct {
	*widget.Env
	match  *Match
	draft  draft
	boards widget.Boards
	drag   dragging
	// loadedName is the name of the saved fleet that was loaded last.
	loadedName string
	// nameInput is the input for the name of a fleet to save. It is nil while it is closed.
	nameInput *widget.Field
}

func newPlace(m *Match) *place {
	s := &place{Env: m.Env, match: m, draft: draft{heading: match.East}}
	s.draft.setRules(m.game.last.View.Rules)
	return s
}

// handleUpdate implements [page].
func (s *place) handleUpdate(u *live.Update) tea.Cmd {
	s.draft.setRules(u.View.Rules)
	return nil
}

func (s *place) Update(msg tea.Msg) tea.Cmd {
	if s.nameInput != nil {
		t := s.UpdateField(s.nameInput, msg, "")
		if t.Rejected != "" {
			s.Notice = s.ErrorText(account.ErrFleetName)
		}
		return nil
	}
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if s.draft.layout != nil && !s.handleSternKey(msg.String()) {
			s.draft.aim.HandleKey(s.Env, msg.String(), s.draft.rules)
		}
	case tea.PasteMsg:
		s.pasteLayout(msg.Content)
	case widget.MouseEvent:
		s.handleMouse(msg)
	}
	return nil
}

// Actions implements [widget.Screen].
func (s *place) Actions() []widget.Action {
	d := &s.draft
	switch {
	case s.nameInput != nil:
		return []widget.Action{
			{Keys: "enter", Label: "save fleet", Do: s.saveFleet},
			{Keys: "backspace", Label: "undo"},
			{Keys: "esc", Label: "cancel", Do: widget.NoCommand(func() { s.nameInput = nil })},
		}
	case d.layout == nil:
		return []widget.Action{s.match.leaveAction()}
	}
	done, ends := d.isComplete(), s.parseEnds()
	put := i18n.Key("place")
	if done {
		put = "start"
	}
	leave := s.match.leaveAction()
	// There is no room in the bottom bar.
	leave.Label = ""
	return append(d.aim.EditActions(d.rules), []widget.Action{
		{Keys: "space", Off: ends == nil || ends.hasSpace, Do: widget.NoCommand(func() { d.aim.Typed += " " })},
		{Keys: "enter", Label: put, Do: widget.NoCommand(func() {
			if s.moveShipToEnds() && d.aim.AcceptInput(s.Env, d.rules) {
				s.placeOrFinish()
			}
		})},
		{Keys: "x", Label: "random", Do: widget.NoCommand(func() {
			d.setLayout(d.rules.RandomLayout(rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))))
		})},
		s.match.removeOpponentAction(),
		{Keys: "up down left right", Cap: "↑↓←→", Label: "move", Off: done},
		{Keys: "r space", Label: "rotate", Off: done, Do: widget.NoCommand(d.turnShip)},
		{Keys: "o", Label: "load", Do: s.loadNextFleet},
		{Keys: "u backspace delete", Label: "undo", Off: len(d.placedShips) == 0, Do: widget.NoCommand(d.undo)},
		{Cap: "B7 B9", Label: "bow and stern", Off: done},
		{Keys: "s", Label: "save", Do: widget.NoCommand(s.openNameInput)},
		{Keys: "z", Label: "clear", Do: widget.NoCommand(d.clear)},
		{Keys: "tab n", Do: widget.NoCommand(func() { d.selectNext(d.selected + 1) })},
		widget.HelpHint,
		leave,
	}...)
}

// placeOrFinish places the selected ship at the cursor and moves the next one to free cells. If all ships are
// placed, it sends the fleet.
func (s *place) placeOrFinish() {
	if s.draft.isComplete() {
		s.CheckAction(s.Session.Place(s.match.game.side, append(match.Layout(nil), s.draft.layout...)))
	} else if err := s.draft.placeShip(); err != nil {
		s.Notice = s.ErrorText(err)
	} else {
		s.draft.moveToFreeCells()
	}
}

// pasteLayout places the fleet that a pasted text describes.
func (s *place) pasteLayout(content string) {
	layouts, err := layoutfile.Parse(s.draft.rules, content)
	if err != nil {
		s.Notice = text.Clean(s.Lang.Text("Can't read that fleet: %s", narrate.ErrorText(s.Lang, err)), widget.MaxErrorWidth)
		return
	}
	s.Notice = s.Lang.Text("Your pasted fleet is in place.")
	s.draft.setLayout(layouts[0])
}

// shipsWidth is the width of the list of ships.
const shipsWidth = 36

// listedKeys are the keys explained below the list of ships.
var listedKeys = []widget.Keys{"x", "o", "s", "z"}

// classWidth is the minimum width of the ship names in the list.
const classWidth = 11

func (s *place) View(size widget.Size) widget.View {
	if s.draft.layout == nil {
		return widget.View{}
	}
	status := " " + s.Lang.Text("Place your fleet")
	name := s.match.game.ownName
	if name != "" {
		status += ", " + name
	}
	status = term.Chip.Render(status + " ")
	against, left := " "+s.Lang.Text("against %s", s.match.game.opponent), s.match.timeLeft()
	status = size.FirstFitting(status+against+left, status+left)
	shownFleet, hand, problem := s.draft.layout, noShip, error(nil)
	if ship, ok := s.previewShip(); ok {
		hand = s.draft.selected
		shownFleet, problem = s.draft.layoutWith(hand, ship)
	}
	b := board.NewPlacement(s.draft.rules, shownFleet, hand, problem != nil)
	b.Aim = s.draft.aim.Cursor
	instead := s.selectedShipLines(problem)
	view := s.boards.View(s.Env, size, board.Scene{
		Status: status, Panels: []board.Panel{{Heading: s.Lang.Text("Your fleet"), Board: b}},
		Aside: s.shipList(problem, size.Body-3), Instead: instead, Brief: strings.Join(instead, " "),
	})
	view.Mouse = true
	return view
}

// selectedShipLines describes the selected ship, for terminals too small for the list of ships.
func (s *place) selectedShipLines(problem error) []string {
	switch {
	case s.match.question != noQuestion:
		return s.match.questionLines(widget.MinWidth - 2)
	case s.nameInput != nil:
		return []string{s.Lang.Text("Save as: %s", s.nameInput.TextWithCaret())}
	case s.draft.isComplete():
		return []string{term.Good.Render(s.Lang.Text("All ships are placed.")) + " " + s.Lang.Text("Press enter.")}
	case s.parseEnds() != nil:
		return []string{strings.TrimSpace(s.draft.aim.InputText(s.Lang)), "→ " + s.parseEnds().sternNames()}
	case problem != nil:
		return text.WrapStyled(term.Bad.Render(s.ErrorText(problem)), widget.MinWidth-2)
	}
	class := s.draft.rules.Fleet[s.draft.selected]
	ship := s.Lang.Text("%s, %d cells", narrate.ClassName(class).Text(s.Lang), class.Length)
	return []string{ship + s.draft.aim.InputText(s.Lang)}
}

// shipList returns a block with the list of ships, a description of the selected one, and other possible
// actions, in at most height lines.
func (s *place) shipList(problem error, height int) []string {
	placed, width, longest := 0, classWidth, 0
	for i, class := range s.draft.rules.Fleet {
		width, longest = max(width, ansi.StringWidth(narrate.ClassName(class).Text(s.Lang))), max(longest, class.Length)
		if s.draft.layout[i].Length > 0 {
			placed++
		}
	}
	count := s.Lang.Text("%d of %d placed||%d of %d placed", placed, len(s.draft.layout))
	lines := []string{s.blockLine(widget.TitleLine(s.Lang.Text("Ships"), count, shipsWidth)), s.blockLine("")}
	for i, class := range s.draft.rules.Fleet {
		name := text.Pad(narrate.ClassName(class).Text(s.Lang), width)
		hull := text.Pad(strings.Repeat(board.SignHull, class.Length), longest)
		where, gap := s.Lang.Text("not placed"), shipsWidth-width-longest-1
		if s.draft.layout[i].Length > 0 {
			where = s.draft.layout[i].String()
		}
		right := func(line string) string { return text.Spaces(gap-text.Width(line)) + line }
		switch {
		case i == s.draft.selected:
			lines = append(lines, term.Selected.Fill("► "+name+" "+hull+right(s.Lang.Text("selected")), shipsWidth+4))
		case s.draft.layout[i].Length > 0:
			lines = append(lines, term.Card.Fill(term.Good.Render("✓")+" "+name+" "+hull+right(where), shipsWidth+4))
		default:
			hull = strings.ReplaceAll(hull, board.SignHull, "□")
			lines = append(lines, s.blockLine(term.Faint.Render(name+" "+hull+right(where))))
		}
	}
	lines = append(lines, s.blockLine(""))
	for _, l := range s.adviceLines(problem) {
		lines = append(lines, s.blockLine(l))
	}
	if s.match.question != noQuestion || s.nameInput != nil {
		return lines
	}
	keys := []string{""}
	for _, a := range s.Actions() {
		if slices.Contains(listedKeys, a.Keys) {
			keys = append(keys, term.Cap.Render(" "+a.CapText(s.Lang)+" ")+" "+s.Lang.Text(a.Label))
		}
	}
	hint := text.Wrap(s.Lang.Text(contactHints[s.draft.rules.Contact]), shipsWidth)
	for _, l := range append(append(keys, ""), hint...) {
		if len(lines) >= height {
			break
		}
		lines = append(lines, s.blockLine(l))
	}
	return lines
}

// contactHints explain whether ships may touch.
var contactHints = map[match.Contact]i18n.Key{
	match.TouchNone:    "Ships may not touch, not even at corners.",
	match.TouchCorners: "Ships may touch at corners, but not along an edge.",
	match.TouchAny:     "Ships may touch.",
}

// blockLine returns a line of the block with the list of ships.
func (s *place) blockLine(line string) string { return term.Card.Fill("  "+line, shipsWidth+4) }

// adviceLines describes the selected ship and the next step.
func (s *place) adviceLines(problem error) (lines []string) {
	_, shown := s.previewShip()
	switch {
	case s.draft.isComplete():
		lines = []string{term.Good.Render(s.Lang.Text("All ships are placed.")), s.Lang.Text("Press enter to start.")}
	case problem != nil:
		lines = text.WrapStyled(term.Bad.Render(s.ErrorText(problem)), shipsWidth)
	case shown:
		ship := narrate.ClassNameWithArticle(s.draft.rules.Fleet[s.draft.selected])
		lines = text.Wrap(s.Lang.Text("Press enter to place %s here.", ship), shipsWidth)
	}
	typed := s.draft.aim.InputText(s.Lang)
	if typed != "" {
		lines = append(lines, "", strings.TrimSpace(typed))
	}
	e := s.parseEnds()
	if e != nil {
		lines = append(lines, text.Wrap(e.sternHint(s.Lang), shipsWidth)...)
	}
	if s.nameInput != nil {
		lines = append(lines, "", s.Lang.Text("Save as: %s", s.nameInput.TextWithCaret()))
	}
	if s.match.question != noQuestion {
		lines = append(append(lines, ""), s.match.questionLines(shipsWidth)...)
	}
	return lines
}
