// Package layoutfile parses and formats fleets as text, with one ship per line, in English or
// German.
//
// Other programs may import this package. docs/library.md says which changes they can expect.
package layoutfile

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"broadside/internal/sanitize"
	"broadside/match"
)

// WrongLine is the sentence of a [match.Problem] in a layout file. Its arguments are the line's number,
// from 1, and the error.
const WrongLine match.Sentence = "line %d: %v"

// These are errors for incomplete layout files.
var (
	ErrNoShips         = match.NewProblem(`no ships found: write one per line, such as "cruiser C1 C3"`)
	ErrNoSecondHeading = match.NewProblem("the heading for player 2 is missing")
)

// maxSize is the maximum size of a layout file, in bytes. Two fleets of ten ships need less
// than 1 KB without comments.
const maxSize = 64 << 10

// These patterns of lines are compiled when they are first used, because most commands do not
// read layouts.
var (
	patrolLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?im)^\W*(?:patrol|pt boat)`) })
	contreLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?im)^\W*contre-torpilleur`) })
	cellsLine  = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(?:` + cellPattern + `)(?:` + separator + `(?:` + cellPattern + `))+$`)
	})
	listSign             = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*(?:[-*•]|\d+[.)])\s+`) })
	numbersInParentheses = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\(\s*\d`) })
	sectionLine          = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(?:spieler|player)\s*([12])\s*:?$`)
	})
	// shipLine matches a type, perhaps a length in parentheses or between separators, and cells or
	// directions.
	shipLine = sync.OnceValue(func() *regexp.Regexp {
		item := `(?:` + cellPattern + `|` + directionPattern() + `)`
		return regexp.MustCompile(`(?i)^(\d+|\pL[\pL .-]*?)(?:\s*\(\s*(\d)\s*\)|[\s,;:=]+(\d))?` +
			`[\s:=,;@-]+(?:(?:at|from|von|ab|auf)\s+)?(` + item + `(?:` + separator + item + `)+)$`)
	})
	shipItem = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)` + cellPattern + `|` + directionPattern())
	})
)

// separator matches what may be between two cells, or a cell and a direction.
const separator = `\s*(?:[,;:/–—→-]|[-=]>|\.{2,3}|to\b|bis\b)?\s*`

const cellPattern = `\(\s*\d+\s*,\s*\d+\s*\)|[a-z]\d{1,2}\b|\d{1,2}[a-z]\b`

// directions maps the words and letters for a ship's direction to headings.
var directions = map[string]match.Heading{
	"n": match.North, "north": match.North, "nord": match.North, "norden": match.North, "u": match.North, "up": match.North, "hoch": match.North,
	"e": match.East, "o": match.East, "east": match.East, "ost": match.East, "osten": match.East, "r": match.East, "right": match.East, "across": match.East, "rechts": match.East,
	"h": match.East, "horizontal": match.East, "horizontally": match.East, "waagerecht": match.East, "waagrecht": match.East,
	"s": match.South, "south": match.South, "süd": match.South, "sued": match.South, "süden": match.South, "sueden": match.South, "d": match.South, "down": match.South, "runter": match.South,
	"v": match.South, "vertical": match.South, "vertically": match.South, "vertikal": match.South, "senkrecht": match.South,
	"horizontale": match.East, "horizontalement": match.East, "droite": match.East, "derecha": match.East,
	"verticale": match.South, "verticalement": match.South, "bas": match.South, "abajo": match.South,
	"w": match.West, "west": match.West, "westen": match.West, "l": match.West, "left": match.West, "links": match.West,
}

// directionPattern returns a regular expression for the keys of directions. The longest come first.
func directionPattern() string {
	words := slices.SortedFunc(maps.Keys(directions), func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return `\b(?:` + strings.Join(words, "|") + `)\b`
}

// otherNames maps names of ship types in German, French and Spanish, and in other programs, to
// those of the rules.
var otherNames = map[string]string{
	"flugzeugträger": "carrier", "flugzeugtraeger": "carrier", "träger": "carrier", "traeger": "carrier",
	"schlachtschiff": "battleship", "kreuzer": "cruiser", "zerstörer": "destroyer", "zerstoerer": "destroyer",
	"u-boot": "submarine", "uboot": "submarine", "korvette": "corvette", "minensucher": "minesweeper",
	"fregatte": "frigate", "kanonenboot": "gunboat", "kutter": "cutter",
	"porte-avions": "carrier", "cuirassé": "battleship", "croiseur": "cruiser", "sous-marin": "submarine", "torpilleur": "destroyer",
	"contre-torpilleur": "cruiser", "frégate": "frigate", "dragueur": "minesweeper", "canonnière": "gunboat", "cotre": "cutter",
	"portaaviones": "carrier", "acorazado": "battleship", "crucero": "cruiser", "submarino": "submarine", "destructor": "destroyer",
	"corbeta": "corvette", "dragaminas": "minesweeper", "fragata": "frigate", "cañonero": "gunboat", "cúter": "cutter",
	"aircraft carrier": "carrier", "sub": "submarine",
	"patrol": "destroyer", "patrol boat": "destroyer", "patrol ship": "destroyer", "pt boat": "destroyer", "torpedo boat": "destroyer",
}

// Parse parses a layout file. It has one ship per line in the format of [ParseShip], in UTF-8 or UTF-16
// with any line endings. The headings "Player 1" and "Player 2" (or "Spieler 1" and "Spieler 2") separate
// a match's fleets. Without them, the file has one fleet. Blank and ruled lines, brackets, quotes, list
// markers and text after #, % or // are ignored, as are lines that start with a semicolon. A line of two or
// more cells is the first missing ship of that length. In a file with a patrol boat, which is the smallest
// ship, a destroyer has three cells. In one with a contre-torpilleur, a croiseur has four.
//
// It returns one or two complete, legal layouts. The error is a [match.Problem].
func Parse(r match.Rules, text string) ([]match.Layout, error) {
	if len(text) > maxSize {
		return nil, match.NewProblem("the layout file is too long: at most %d bytes, not %d", maxSize, len(text))
	}
	text = sanitize.Decode([]byte(text))
	p := parser{rules: r, hasPatrolBoat: patrolLine().MatchString(text), hasContreTorpilleur: contreLine().MatchString(text)}
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		line, _, _ = strings.Cut(line, "%")
		line, _, _ = strings.Cut(line, "//")
		if err := p.parseLine(strings.TrimSpace(line)); err != nil {
			return nil, match.NewProblem(WrongLine, i+1, err)
		}
	}
	return p.checkLayouts()
}

type parser struct {
	rules       match.Rules
	layouts     []match.Layout
	hasHeadings bool
	// hasPatrolBoat reports whether the file has a patrol boat.
	hasPatrolBoat bool
	// hasContreTorpilleur reports whether the file has a contre-torpilleur.
	hasContreTorpilleur bool
}

func (p *parser) parseLine(line string) error {
	if strings.HasPrefix(line, ";") || strings.Trim(stripPunctuation(line), "-=_*+:., ") == "" {
		return nil
	}
	m := sectionLine().FindStringSubmatch(line)
	if m != nil {
		want := len(p.layouts) + 1
		if !p.hasHeadings && want > 1 || m[1] != strconv.Itoa(want) {
			return match.NewProblem("misplaced heading for player %s: write each heading once, before that player's ships, player 1 first", m[1])
		}
		p.hasHeadings = true
		p.layouts = append(p.layouts, make(match.Layout, len(p.rules.Fleet)))
		return nil
	}
	if len(p.layouts) == 0 {
		p.layouts = append(p.layouts, make(match.Layout, len(p.rules.Fleet)))
	}
	layout := p.layouts[len(p.layouts)-1]
	cells := stripPunctuation(line)
	if cellsLine().MatchString(cells) {
		length, err := p.parseLength(cells)
		if err != nil {
			return err
		}
		line = fmt.Sprint(length, " ", cells)
	}
	i, ship, err := p.parseShip(layout, line)
	if err != nil {
		return err
	}
	layout[i] = ship
	return nil
}

// parseLength returns the length of the ship that lies from the first to the last of the cells in a text.
func (p *parser) parseLength(text string) (int, error) {
	items := shipItem().FindAllString(text, -1)
	from, err := p.parseCell(items[0])
	if err != nil {
		return 0, err
	}
	to, err := p.parseCell(items[len(items)-1])
	if err != nil {
		return 0, err
	}
	ship, err := shipBetween(match.Class{Name: "ship"}, from, to)
	return ship.Length, err
}

// IsShipLine reports whether a line has a ship's format.
func IsShipLine(line string) bool { return shipLine().MatchString(stripPunctuation(line)) }

// ParseShip parses a line of a layout file. It returns the ship and its index in the fleet, which is
// the first ship of its type that the layout lacks. The line has the ship's type or length, then its
// stern and bow cells, all its cells, or its stern cell and direction. A direction is N, E (or O), S,
// W, H, V or a word for it. A cell is in the format of [ParseCell] or (x,y), counted from 0. The ship
// must be legal together with the layout's ships.
func ParseShip(r match.Rules, l match.Layout, line string) (i int, ship match.Ship, err error) {
	p := parser{rules: r}
	return p.parseShip(l, line)
}

func (p *parser) parseShip(l match.Layout, line string) (i int, ship match.Ship, err error) {
	notShip := match.NewProblem("%s is not a ship: write its type, its first cell, and its last cell or its direction, such as %q or %q", quoteShort(line), "cruiser C1 C3", "cruiser C1 E")
	m := shipLine().FindStringSubmatch(stripPunctuation(line))
	if m == nil {
		return 0, match.Ship{}, notShip
	}
	if i, err = p.findClass(m[1], l); err != nil {
		return 0, match.Ship{}, err
	}
	items := shipItem().FindAllString(m[4], -1)
	if ship, err = p.buildShip(p.rules.Fleet[i], items); err != nil {
		return 0, match.Ship{}, err
	}
	if ship == (match.Ship{}) {
		return 0, match.Ship{}, notShip
	}
	length := m[2] + m[3]
	if length != "" && length != strconv.Itoa(ship.Length) {
		ship.Length = int(length[0] - '0')
	}
	with := slices.Clone(l)
	with[i] = ship
	return i, ship, p.rules.CheckShip(with, i)
}

// stripPunctuation returns a line without quotes, brackets, a list marker at its start, and separators at its end.
// Parentheses around numbers stay.
func stripPunctuation(line string) string {
	line = withoutMarks.Replace(line)
	line = strings.ReplaceAll(line, "(", " (")
	if !numbersInParentheses().MatchString(line) {
		line = withoutParentheses.Replace(line)
	}
	line = listSign().ReplaceAllString(line, "")
	return strings.TrimRight(strings.TrimSpace(line), ",;. ")
}

var (
	withoutMarks       = strings.NewReplacer(`"`, " ", "'", " ", "`", " ", "[", " ", "]", " ", "{", " ", "}", " ", "|", " ", "“", " ", "”", " ", "„", " ")
	withoutParentheses = strings.NewReplacer("(", " ", ")", " ")
)

// findClass returns the index of the first ship of a type or length that the layout lacks.
func (p *parser) findClass(name string, layout match.Layout) (int, error) {
	wanted := strings.ToLower(strings.Join(strings.Fields(strings.Trim(name, "-. ")), " "))
	switch english, ok := otherNames[wanted]; {
	case wanted == "croiseur" && p.hasContreTorpilleur:
		wanted = "battleship"
	case ok:
		wanted = english
	case wanted == "destroyer" && p.hasPatrolBoat:
		wanted = "cruiser"
	}
	known := false
	for i, c := range p.rules.Fleet {
		if c.Name != wanted && strconv.Itoa(c.Length) != wanted {
			continue
		}
		known = true
		if layout[i].Length == 0 {
			return i, nil
		}
	}
	if known {
		return 0, match.NewProblem("one ship too many: this fleet has no other %s", quoteShort(name))
	}
	var names []string
	for _, c := range p.rules.Fleet {
		names = append(names, c.Name)
	}
	return 0, match.NewProblem("%s is not a type of ship in these rules: they have %s", quoteShort(name), strings.Join(names, ", "))
}

// buildShip returns the ship that the items describe. They are its stern and bow, its stern and direction,
// or all its cells. The ship is zero if the items are none of these.
func (p *parser) buildShip(class match.Class, items []string) (match.Ship, error) {
	var cells []match.Cell
	var headings []match.Heading
	for _, item := range items {
		if heading, ok := directions[strings.ToLower(item)]; ok {
			headings = append(headings, heading)
			continue
		}
		cell, err := p.parseCell(item)
		if err != nil {
			return match.Ship{}, err
		}
		cells = append(cells, cell)
	}
	switch {
	case len(headings) == 1 && len(cells) == 1:
		return match.Ship{Stern: cells[0], Heading: headings[0], Length: class.Length}, nil
	case len(headings) > 0 || len(cells) < 2:
		return match.Ship{}, nil
	}
	ship, err := shipBetween(class, cells[0], cells[len(cells)-1])
	if err != nil || len(cells) == 2 {
		return ship, err
	}
	for i, cell := range cells {
		if len(cells) != ship.Length || cell != ship.Stern.Step(ship.Heading, i) {
			return match.Ship{}, nil
		}
	}
	return ship, nil
}

// shipBetween returns the ship from its stern cell to its bow cell.
func shipBetween(class match.Class, from, to match.Cell) (match.Ship, error) {
	heading, length := match.East, 0
	switch dx, dy := int(to.X-from.X), int(to.Y-from.Y); {
	case dy == 0 && dx >= 0:
		length = dx + 1
	case dy == 0:
		heading, length = match.West, 1-dx
	case dx == 0 && dy > 0:
		heading, length = match.South, dy+1
	case dx == 0:
		heading, length = match.North, 1-dy
	default:
		return match.Ship{}, match.NewProblem("the %s from %v to %v is not straight", class, from, to)
	}
	return match.Ship{Stern: from, Heading: heading, Length: length}, nil
}

func (p *parser) parseCell(text string) (match.Cell, error) {
	cell := match.NewCell(-1, -1)
	if inner, ok := strings.CutPrefix(text, "("); ok {
		x, y, _ := strings.Cut(strings.TrimSuffix(inner, ")"), ",")
		// A number too long for an int fails to parse and stays off the board.
		if column, err := strconv.Atoi(strings.TrimSpace(x)); err == nil {
			if row, err := strconv.Atoi(strings.TrimSpace(y)); err == nil {
				cell = match.NewCell(column, row)
			}
		}
	} else if named, err := ParseCell(text); err == nil {
		cell = named
	}
	if !p.rules.Contains(cell) {
		return match.Cell{}, match.NewProblem("%s is off the board of %d×%d", quoteShort(text), p.rules.Size, p.rules.Size)
	}
	return cell, nil
}

// ParseCell parses a cell as [match.ParseCell] does, or as the documents about naval write it. They
// write the column's number, counted from 0, and the row's letter, such as 0A for A1.
func ParseCell(text string) (match.Cell, error) {
	text = strings.TrimSpace(text)
	n := len(text) - 1
	if n > 0 && n < 3 && text[n]|0x20 >= 'a' && text[n]|0x20 <= 'z' {
		if column, err := strconv.ParseUint(text[:n], 10, 8); err == nil && column < match.MaxSize {
			return match.NewCell(int(column), int(text[n]|0x20-'a')), nil
		}
	}
	return match.ParseCell(text)
}

func (p *parser) checkLayouts() ([]match.Layout, error) {
	if len(p.layouts) == 0 {
		return nil, ErrNoShips
	}
	if p.hasHeadings && len(p.layouts) != 2 {
		return nil, ErrNoSecondHeading
	}
	for i, l := range p.layouts {
		if err := p.rules.CheckLayout(l); err != nil {
			if p.hasHeadings {
				return nil, match.NewProblem("player %d: %v", i+1, err)
			}
			return nil, err
		}
	}
	return p.layouts, nil
}

// quoteShort returns text from a file, sanitized and shortened for a message.
func quoteShort(s string) string {
	const most = 40
	runes := []rune(s)
	if len(runes) > most {
		s = string(runes[:most]) + "…"
	}
	return strconv.QuoteToGraphic(s)
}

// Format formats one fleet, or two with headings, for [Parse]. Cells are written as A1.
func Format(r match.Rules, layouts ...match.Layout) string {
	var b strings.Builder
	for i, l := range layouts {
		if len(layouts) > 1 {
			fmt.Fprintf(&b, "Player %d\n", i+1)
		}
		for j, ship := range l {
			fmt.Fprintf(&b, "%s %v %v\n", r.Fleet[j].Name, ship.Stern, ship.Bow())
		}
	}
	return b.String()
}
