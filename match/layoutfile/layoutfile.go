// Package layoutfile parses and formats fleets as text: one ship per line, in English or
// German.
//
// Other programs may import this package: docs/library.md says which changes they can expect.
package layoutfile

import (
	"errors"
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

// LineError reports an error in a line of a layout file.
type LineError struct {
	Line int // counted from 1
	Err  error
}

// Error implements error.
func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap returns the error without the line.
func (e *LineError) Unwrap() error { return e.Err }

// FleetError reports an error in one of the two fleets of a layout file.
type FleetError struct {
	Player int // 1 or 2
	Err    error
}

// Error implements error.
func (e *FleetError) Error() string { return fmt.Sprintf("player %d: %v", e.Player, e.Err) }

// Unwrap returns the error without the player.
func (e *FleetError) Unwrap() error { return e.Err }

// Errors for incomplete layout files.
var (
	ErrNoShips         = errors.New(`no ships found: write one per line, such as "cruiser C1 C3"`)
	ErrNoSecondHeading = errors.New("the heading for player 2 is missing")
)

// maxSize is the maximum size of a layout file, in bytes. Two fleets of ten ships need less
// than 1 KB without comments.
const maxSize = 64 << 10

// Patterns of lines. They are compiled when they are first used, because most commands do not
// read layouts.
var (
	sectionLine = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(?:spieler|player)\s*([12])\s*:?$`)
	})
	shipLine = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(\d+|\pL[\pL -]*?)\s*:?\s*(` + cellPattern + `)\s*[,;–-]?\s*(` + cellPattern + `|` + directionPattern() + `)$`)
	})
)

const cellPattern = `\(\s*\d+\s*,\s*\d+\s*\)|[a-z]\d{1,2}\b|\d{1,2}[a-z]\b`

// directions maps the words and letters for a ship's direction to headings.
var directions = map[string]match.Heading{
	"n": match.North, "north": match.North, "nord": match.North, "norden": match.North, "up": match.North, "hoch": match.North,
	"e": match.East, "o": match.East, "east": match.East, "ost": match.East, "osten": match.East, "right": match.East, "across": match.East, "rechts": match.East,
	"s": match.South, "south": match.South, "süd": match.South, "sued": match.South, "süden": match.South, "sueden": match.South, "down": match.South, "runter": match.South,
	"w": match.West, "west": match.West, "westen": match.West, "left": match.West, "links": match.West,
}

// directionPattern returns a regular expression for the keys of directions.
func directionPattern() string {
	return strings.Join(slices.Sorted(maps.Keys(directions)), "|")
}

// germanNames maps the German names of ship types to the English ones.
var germanNames = map[string]string{
	"flugzeugträger": "carrier", "flugzeugtraeger": "carrier", "träger": "carrier",
	"schlachtschiff": "battleship", "kreuzer": "cruiser", "zerstörer": "destroyer", "zerstoerer": "destroyer",
	"u-boot": "submarine", "uboot": "submarine", "korvette": "corvette", "minensucher": "minesweeper",
	"fregatte": "frigate", "kanonenboot": "gunboat", "kutter": "cutter",
}

// Parse parses a layout file: one ship per line in the format of [ParseShip], in UTF-8 or UTF-16
// with any line endings. The headings "Player 1" and "Player 2" (or "Spieler 1" and "Spieler 2") separate
// the fleets of a match; without them the file has one fleet. Blank lines and text after a #
// are ignored.
//
// It returns one or two complete, legal layouts. Most errors are a [LineError] or a
// [FleetError].
func Parse(r match.Rules, text string) ([]match.Layout, error) {
	if len(text) > maxSize {
		return nil, &match.TextError{Problem: match.FileTooLong, Size: len(text), Max: maxSize}
	}
	text = sanitize.Decode([]byte(text))
	p := parser{rules: r}
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		if err := p.line(strings.TrimSpace(line)); err != nil {
			return nil, &LineError{Line: i + 1, Err: err}
		}
	}
	return p.finish()
}

type parser struct {
	rules   match.Rules
	layouts []match.Layout
	headed  bool
}

func (p *parser) line(line string) error {
	if line == "" {
		return nil
	}
	if m := sectionLine().FindStringSubmatch(line); m != nil {
		if want := len(p.layouts) + 1; !p.headed && want > 1 || m[1] != strconv.Itoa(want) {
			return &match.TextError{Problem: match.WrongHeading, Text: m[1]}
		}
		p.headed = true
		p.layouts = append(p.layouts, make(match.Layout, len(p.rules.Fleet)))
		return nil
	}
	if len(p.layouts) == 0 {
		p.layouts = append(p.layouts, make(match.Layout, len(p.rules.Fleet)))
	}
	layout := p.layouts[len(p.layouts)-1]
	i, ship, err := ParseShip(p.rules, layout, line)
	if err != nil {
		return err
	}
	layout[i] = ship
	return nil
}

// IsShip reports whether a line has the format of a ship.
func IsShip(line string) bool { return shipLine().MatchString(line) }

// ParseShip parses a line of a layout file. It returns the ship and its index in the fleet:
// the first of that type that the layout lacks. A ship is written as its type (in English or
// German, or its length), its stern cell, and either its bow cell or its direction: N, E (or
// O), S, W or a word for it. A cell is in the format of [ParseCell] or (x,y), counted from 0. The ship
// must be legal with the ships of the layout.
func ParseShip(r match.Rules, l match.Layout, line string) (i int, ship match.Ship, err error) {
	m := shipLine().FindStringSubmatch(line)
	if m == nil {
		return 0, match.Ship{}, &match.TextError{Problem: match.NotShip, Text: quoted(line)}
	}
	p := parser{rules: r}
	if i, err = p.class(m[1], l); err != nil {
		return 0, match.Ship{}, err
	}
	if ship, err = p.ship(r.Fleet[i], m[2], m[3]); err != nil {
		return 0, match.Ship{}, err
	}
	with := slices.Clone(l)
	with[i] = ship
	return i, ship, r.CheckShip(with, i)
}

// class returns the index of the first ship of a type or length that the layout lacks.
func (p *parser) class(name string, layout match.Layout) (int, error) {
	wanted := strings.ToLower(name)
	if english, ok := germanNames[wanted]; ok {
		wanted = english
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
		return 0, &match.TextError{Problem: match.NoneLeft, Text: quoted(name)}
	}
	var names []string
	for _, c := range p.rules.Fleet {
		names = append(names, c.Name)
	}
	return 0, &match.TextError{Problem: match.NotClass, Text: quoted(name), Choices: names}
}

// ship returns the ship from its start cell to its end: a cell or a direction.
func (p *parser) ship(class match.Class, start, end string) (match.Ship, error) {
	from, err := p.cell(start)
	if err != nil {
		return match.Ship{}, err
	}
	if heading, ok := directions[strings.ToLower(end)]; ok {
		return match.Ship{Stern: from, Heading: heading, Length: class.Length}, nil
	}
	to, err := p.cell(end)
	if err != nil {
		return match.Ship{}, err
	}
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
		return match.Ship{}, &match.TextError{Problem: match.NotStraight, Class: class, From: from, To: to}
	}
	return match.Ship{Stern: from, Heading: heading, Length: length}, nil
}

func (p *parser) cell(text string) (match.Cell, error) {
	cell := match.At(-1, -1)
	if inner, ok := strings.CutPrefix(text, "("); ok {
		x, y, _ := strings.Cut(strings.TrimSuffix(inner, ")"), ",")
		// A number too long for an int fails to parse and stays off the board.
		if column, err := strconv.Atoi(strings.TrimSpace(x)); err == nil {
			if row, err := strconv.Atoi(strings.TrimSpace(y)); err == nil {
				cell = match.At(column, row)
			}
		}
	} else if named, err := ParseCell(text); err == nil {
		cell = named
	}
	if !p.rules.Contains(cell) {
		return match.Cell{}, &match.TextError{Problem: match.BeyondBoard, Text: quoted(text), Size: p.rules.Size}
	}
	return cell, nil
}

// ParseCell parses a cell as [match.ParseCell] does, or as documents of naval write it: the column's
// number, counted from 0, and the row's letter, such as 0A for A1.
func ParseCell(text string) (match.Cell, error) {
	text = strings.TrimSpace(text)
	if n := len(text) - 1; n > 0 && n < 3 && text[n]|0x20 >= 'a' && text[n]|0x20 <= 'z' {
		if column, err := strconv.ParseUint(text[:n], 10, 8); err == nil && column < match.MaxSize {
			return match.At(int(column), int(text[n]|0x20-'a')), nil
		}
	}
	return match.ParseCell(text)
}

func (p *parser) finish() ([]match.Layout, error) {
	if len(p.layouts) == 0 {
		return nil, ErrNoShips
	}
	if p.headed && len(p.layouts) != 2 {
		return nil, ErrNoSecondHeading
	}
	for i, l := range p.layouts {
		if err := p.rules.Check(l); err != nil {
			if p.headed {
				return nil, &FleetError{Player: i + 1, Err: err}
			}
			return nil, err
		}
	}
	return p.layouts, nil
}

// quoted returns text from a file, sanitized and shortened for a message.
func quoted(s string) string {
	const most = 40
	if runes := []rune(s); len(runes) > most {
		s = string(runes[:most]) + "…"
	}
	return strconv.QuoteToGraphic(s)
}

// Format formats layouts for [Parse]: one fleet, or two with headings. Cells are written as
// A1.
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
