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

// placementPage is the page for placing the fleet, in secret.
type placementPage struct {
	*widget.Env
	match  *Match
	draft  draft
	boards widget.Boards
	drag   dragging
	// loadedName is the last loaded fleet's name.
	loadedName string
	// nameInput is the input for the name of a fleet to save. It is nil while it is closed.
	nameInput *widget.Field
}

func newPlacementPage(m *Match) *placementPage {
	p := &placementPage{Env: m.Env, match: m, draft: draft{heading: match.East}}
	p.draft.setRules(m.game.last.View.Rules)
	return p
}

// handleUpdate implements [page].
func (p *placementPage) handleUpdate(u *live.Update) tea.Cmd {
	p.draft.setRules(u.View.Rules)
	return nil
}

func (p *placementPage) Update(msg tea.Msg) tea.Cmd {
	if p.nameInput != nil {
		t := p.UpdateField(p.nameInput, msg, "")
		if t.Rejected != "" {
			p.Notice = p.ErrorText(account.ErrFleetName)
		}
		return nil
	}
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if p.draft.layout != nil && !p.handleSternKey(msg.String()) {
			p.draft.aim.HandleKey(p.Env, msg.String(), p.draft.rules)
		}
	case tea.PasteMsg:
		p.pasteLayout(msg.Content)
	case widget.MouseEvent:
		p.handleMouse(msg)
	}
	return nil
}

// Actions implements [widget.Screen].
func (p *placementPage) Actions() []widget.Action {
	d := &p.draft
	switch {
	case p.nameInput != nil:
		return []widget.Action{
			{Keys: "enter", Label: "save fleet", Do: p.saveFleet},
			{Keys: "backspace", Label: "undo"},
			{Keys: "esc", Label: "cancel", Do: widget.NoCommand(func() { p.nameInput = nil })},
		}
	case d.layout == nil:
		return []widget.Action{p.match.leaveAction()}
	}
	done, ends := d.isComplete(), p.parseEnds()
	put := i18n.Key("place")
	if done {
		put = "start"
	}
	leave := p.match.leaveAction()
	// There is no room in the bottom bar.
	leave.Label = ""
	return append(d.aim.EditActions(d.rules), []widget.Action{
		{Keys: "space", Off: ends == nil || ends.hasSpace, Do: widget.NoCommand(func() { d.aim.Typed += " " })},
		{Keys: "enter", Label: put, Do: widget.NoCommand(func() {
			if p.moveShipToEnds() && d.aim.ConfirmInput(p.Env, d.rules) {
				p.placeOrFinish()
			}
		})},
		{Keys: "x", Label: "random", Do: widget.NoCommand(func() {
			d.setLayout(d.rules.RandomLayout(rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))))
		})},
		p.match.removeOpponentAction(),
		{Keys: "up down left right", Cap: "↑↓←→", Label: "move", Off: done},
		{Keys: "r space", Label: "rotate", Off: done, Do: widget.NoCommand(d.turnShip)},
		{Keys: "o", Label: "load", Do: p.loadNextFleet},
		{Keys: "u backspace delete", Label: "undo", Off: len(d.placedShips) == 0, Do: widget.NoCommand(d.undo)},
		{Cap: "B7 B9", Label: "bow and stern", Off: done},
		{Keys: "s", Label: "save", Do: widget.NoCommand(p.openNameInput)},
		{Keys: "z", Label: "clear", Do: widget.NoCommand(d.clear)},
		{Keys: "tab n", Do: widget.NoCommand(func() { d.selectNext(d.selected + 1) })},
		widget.HelpHint,
		leave,
	}...)
}

// placeOrFinish places the selected ship at the cursor and moves the next one to free cells. If all ships are
// placed, it sends the fleet.
func (p *placementPage) placeOrFinish() {
	if p.draft.isComplete() {
		p.CheckAction(p.Session.Place(p.match.game.side, append(match.Layout(nil), p.draft.layout...)))
	} else if err := p.draft.placeShip(); err != nil {
		p.Notice = p.ErrorText(err)
	} else {
		p.draft.moveToFreeCells()
	}
}

// pasteLayout places the fleet that a pasted text describes.
func (p *placementPage) pasteLayout(content string) {
	layouts, err := layoutfile.Parse(p.draft.rules, content)
	if err != nil {
		p.Notice = text.Clean(p.Lang.Text("Can't read that fleet: %s", narrate.ErrorText(p.Lang, err)), widget.MaxErrorWidth)
		return
	}
	p.Notice = p.Lang.Text("Your pasted fleet is in place.")
	p.draft.setLayout(layouts[0])
}

// shipsWidth is the width of the list of ships.
const shipsWidth = 36

// listedKeys are the keys explained below the list of ships.
var listedKeys = []widget.Keys{"x", "o", "s", "z"}

// classWidth is the minimum width of the ship names in the list.
const classWidth = 11

func (p *placementPage) View(size widget.Size) widget.View {
	if p.draft.layout == nil {
		return widget.View{}
	}
	status := " " + p.Lang.Text("Place your fleet")
	name := p.match.game.ownName
	if name != "" {
		status += ", " + name
	}
	status = term.Chip.Render(status + " ")
	against, left := " "+p.Lang.Text("against %s", p.match.game.opponent), p.match.timeLeft()
	status = size.FirstFitting(status+against+left, status+left)
	shownFleet, hand, problem := p.draft.layout, noShip, error(nil)
	if ship, ok := p.previewShip(); ok {
		hand = p.draft.selected
		shownFleet, problem = p.draft.layoutWith(hand, ship)
	}
	b := board.NewPlacement(p.draft.rules, shownFleet, hand, problem != nil)
	b.Aim = p.draft.aim.Cursor
	instead := p.selectedShipLines(problem)
	view := p.boards.View(p.Env, size, board.Scene{
		Status: status, Panels: []board.Panel{{Heading: p.Lang.Text("Your fleet"), Board: b}},
		Aside: p.shipList(problem, size.Body-3), Instead: instead, Brief: strings.Join(instead, " "),
	})
	view.Mouse = true
	return view
}

// selectedShipLines describes the selected ship, for terminals too small for the list of ships.
func (p *placementPage) selectedShipLines(problem error) []string {
	switch {
	case p.match.question != noQuestion:
		return p.match.questionLines(widget.MinWidth - 2)
	case p.nameInput != nil:
		return []string{p.Lang.Text("Save as: %s", p.nameInput.TextWithCaret())}
	case p.draft.isComplete():
		return []string{term.Good.Render(p.Lang.Text("All ships are placed.")) + " " + p.Lang.Text("Press enter.")}
	case p.parseEnds() != nil:
		return []string{strings.TrimSpace(p.draft.aim.InputText(p.Lang)), "→ " + p.parseEnds().sternNames()}
	case problem != nil:
		return text.WrapStyled(term.Bad.Render(p.ErrorText(problem)), widget.MinWidth-2)
	}
	class := p.draft.rules.Fleet[p.draft.selected]
	ship := p.Lang.Text("%s, %d cells", narrate.ClassName(class).Text(p.Lang), class.Length)
	return []string{ship + p.draft.aim.InputText(p.Lang)}
}

// shipList returns a block with the list of ships, a description of the selected one, and other possible
// actions, in at most height lines.
func (p *placementPage) shipList(problem error, height int) []string {
	placed, width, longest := 0, classWidth, 0
	for i, class := range p.draft.rules.Fleet {
		width, longest = max(width, ansi.StringWidth(narrate.ClassName(class).Text(p.Lang))), max(longest, class.Length)
		if p.draft.layout[i].Length > 0 {
			placed++
		}
	}
	count := p.Lang.Text("%d of %d placed||%d of %d placed", placed, len(p.draft.layout))
	lines := []string{p.shipListLine(widget.TitleLine(p.Lang.Text("Ships"), count, shipsWidth)), p.shipListLine("")}
	for i, class := range p.draft.rules.Fleet {
		name := text.Pad(narrate.ClassName(class).Text(p.Lang), width)
		hull := text.Pad(strings.Repeat(board.SignHull, class.Length), longest)
		where, gap := p.Lang.Text("not placed"), shipsWidth-width-longest-1
		if p.draft.layout[i].Length > 0 {
			where = p.draft.layout[i].String()
		}
		right := func(line string) string { return text.Spaces(gap-text.Width(line)) + line }
		switch {
		case i == p.draft.selected:
			lines = append(lines, term.Selected.Fill("► "+name+" "+hull+right(p.Lang.Text("selected")), shipsWidth+4))
		case p.draft.layout[i].Length > 0:
			lines = append(lines, term.Card.Fill(term.Good.Render("✓")+" "+name+" "+hull+right(where), shipsWidth+4))
		default:
			hull = strings.ReplaceAll(hull, board.SignHull, "□")
			lines = append(lines, p.shipListLine(term.Faint.Render(name+" "+hull+right(where))))
		}
	}
	lines = append(lines, p.shipListLine(""))
	for _, l := range p.nextStepLines(problem) {
		lines = append(lines, p.shipListLine(l))
	}
	if p.match.question != noQuestion || p.nameInput != nil {
		return lines
	}
	keys := []string{""}
	for _, a := range p.Actions() {
		if slices.Contains(listedKeys, a.Keys) {
			keys = append(keys, term.Cap.Render(" "+a.CapText(p.Lang)+" ")+" "+p.Lang.Text(a.Label))
		}
	}
	hint := text.Wrap(p.Lang.Text(contactHints[p.draft.rules.Contact]), shipsWidth)
	for _, l := range append(append(keys, ""), hint...) {
		if len(lines) >= height {
			break
		}
		lines = append(lines, p.shipListLine(l))
	}
	return lines
}

// contactHints explain whether ships may touch.
var contactHints = map[match.Contact]i18n.Key{
	match.TouchNone:    "Ships may not touch, not even at corners.",
	match.TouchCorners: "Ships may touch at corners, but not along an edge.",
	match.TouchAny:     "Ships may touch.",
}

// shipListLine returns a line of the block with the list of ships.
func (p *placementPage) shipListLine(line string) string {
	return term.Card.Fill("  "+line, shipsWidth+4)
}

// nextStepLines describes the selected ship and the next step.
func (p *placementPage) nextStepLines(problem error) (lines []string) {
	_, shown := p.previewShip()
	switch {
	case p.draft.isComplete():
		lines = []string{term.Good.Render(p.Lang.Text("All ships are placed.")), p.Lang.Text("Press enter to start.")}
	case problem != nil:
		lines = text.WrapStyled(term.Bad.Render(p.ErrorText(problem)), shipsWidth)
	case shown:
		ship := narrate.ClassNameWithArticle(p.draft.rules.Fleet[p.draft.selected])
		lines = text.Wrap(p.Lang.Text("Press enter to place %s here.", ship), shipsWidth)
	}
	typed := p.draft.aim.InputText(p.Lang)
	if typed != "" {
		lines = append(lines, "", strings.TrimSpace(typed))
	}
	e := p.parseEnds()
	if e != nil {
		lines = append(lines, text.Wrap(e.sternHint(p.Lang), shipsWidth)...)
	}
	if p.nameInput != nil {
		lines = append(lines, "", p.Lang.Text("Save as: %s", p.nameInput.TextWithCaret()))
	}
	if p.match.question != noQuestion {
		lines = append(append(lines, ""), p.match.questionLines(shipsWidth)...)
	}
	return lines
}
