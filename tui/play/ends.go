package play

import (
	"strings"

	"broadside/internal/i18n"
	"broadside/match"
	"broadside/tui/widget"
)

// ends are a ship's typed ends, such as "B7 B9". Before the player types the space, the cell only moves the
// cursor.
type ends struct {
	bow       match.Cell
	hasSpace  bool
	sternText string
	// ships are the selected ship's possible positions with this bow.
	ships []match.Ship
}

// parseEnds returns the selected ship's typed ends, or nil if the text does not start with a cell on the board.
func (p *placementPage) parseEnds() *ends {
	name, stern, spaced := strings.Cut(p.draft.aim.Typed, " ")
	bow, err := match.ParseCell(name)
	if err != nil || !p.draft.rules.Contains(bow) || p.draft.isComplete() {
		return nil
	}
	return &ends{bow: bow, ships: p.draft.positionsWithBow(bow), hasSpace: spaced, sternText: stern}
}

// shipWithTypedStern returns the ship between the typed ends, if its position is possible.
func (e *ends) shipWithTypedStern() (match.Ship, bool) {
	stern, err := match.ParseCell(e.sternText)
	for _, ship := range e.ships {
		if err == nil && ship.Stern == stern {
			return ship, true
		}
	}
	return match.Ship{}, false
}

// sternHint says which sterns are possible.
func (e *ends) sternHint(l i18n.Language) string {
	switch {
	case len(e.ships) == 0:
		return l.Text("The ship does not fit with its bow at %v: choose another cell.", e.bow)
	case !e.hasSpace:
		return l.Text("For the bow at %v, add a space and the stern: %s.", e.bow, e.sternNames())
	}
	return l.Text("The bow is at %v. The stern can be at %s.", e.bow, e.sternNames())
}

// sternNames lists the cells where the stern can be.
func (e *ends) sternNames() string {
	var names []string
	for _, ship := range e.ships {
		names = append(names, ship.Stern.String())
	}
	return strings.Join(names, ", ")
}

// handleSternKey handles a key that types the stern, and reports whether it handled the key.
func (p *placementPage) handleSternKey(key string) bool {
	e := p.parseEnds()
	if e == nil || !e.hasSpace {
		return false
	}
	digit := widget.IsDigit(key)
	if widget.IsLetter(key) && e.sternText == "" || digit && len(e.sternText) < widget.MaxCellName {
		p.draft.aim.Typed += strings.ToUpper(key)
		return true
	}
	return digit
}

// moveShipToEnds moves the selected ship between the typed ends. If it cannot lie there, it shows
// a notice and returns false.
func (p *placementPage) moveShipToEnds() bool {
	e := p.parseEnds()
	if e == nil || !e.hasSpace {
		return true
	}
	ship, ok := e.shipWithTypedStern()
	switch {
	case ok:
		p.draft.aim.Cursor, p.draft.heading = ship.Stern, ship.Heading
		p.draft.aim.ClearInput()
	case len(e.ships) == 0:
		p.Notice = e.sternHint(p.Lang)
	default:
		p.Notice = p.Lang.Text("The stern can't be at %s. It can be at %s.", e.sternText, e.sternNames())
	}
	return ok
}

// previewShip returns the selected ship where it is shown: between the typed ends, or at the
// cursor.
func (p *placementPage) previewShip() (match.Ship, bool) {
	if p.draft.isComplete() {
		return match.Ship{}, false
	}
	e := p.parseEnds()
	if e != nil && e.hasSpace {
		return e.shipWithTypedStern()
	}
	return p.draft.shipAt(p.draft.aim.Cursor, p.draft.heading), true
}
