package match

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"broadside/internal/newline"
)

// FileError is what is wrong with a line of a layout file. Its message is a
// sentence for the person who wrote the file.
type FileError struct {
	Line int // counted from 1
	Err  error
}

// Error names the line and what is wrong with it.
func (e *FileError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap returns what is wrong, without the line.
func (e *FileError) Unwrap() error { return e.Err }

// FleetError reports what is wrong with one of the two fleets of a layout file.
type FleetError struct {
	Player int // 1 or 2
	Err    error
}

// Error implements error.
func (e *FleetError) Error() string { return fmt.Sprintf("player %d: %v", e.Player, e.Err) }

// Unwrap returns what is wrong, without the player.
func (e *FleetError) Unwrap() error { return e.Err }

// What can be missing in a layout file.
var (
	ErrNoShips         = errors.New(`there is no ship in it: write one a line, such as "cruiser C1 C3"`)
	ErrNoSecondHeading = errors.New("the heading for player 2 is missing")
)

// maxLayoutFile bounds a layout file, in bytes. Two fleets of ten ships need
// less than 1 KB; the rest is comments.
const maxLayoutFile = 64 << 10

var (
	sectionLine = regexp.MustCompile(`(?i)^(?:spieler|player)\s*([12])\s*:?$`)
	shipLine    = regexp.MustCompile(`(?i)^(\d+|\pL[\pL -]*?)\s*:?\s*(` + cellPattern + `)\s*[,;–-]?\s*(` + cellPattern + `|` + directionPattern() + `)$`)
)

const cellPattern = `\(\s*\d+\s*,\s*\d+\s*\)|[a-z]\d{1,2}\b`

// directions gives the heading for each word or letter by which a ship's
// orientation can be written.
var directions = map[string]Heading{
	"n": North, "north": North, "nord": North, "norden": North, "up": North, "hoch": North,
	"e": East, "o": East, "east": East, "ost": East, "osten": East, "right": East, "across": East, "rechts": East,
	"s": South, "south": South, "süd": South, "sued": South, "süden": South, "sueden": South, "down": South, "runter": South,
	"w": West, "west": West, "westen": West, "left": West, "links": West,
}

// directionPattern matches a word of directions.
func directionPattern() string {
	return strings.Join(slices.Sorted(maps.Keys(directions)), "|")
}

// germanNames gives the English name of a ship's type for its German one.
var germanNames = map[string]string{
	"flugzeugträger": "carrier", "flugzeugtraeger": "carrier", "träger": "carrier",
	"schlachtschiff": "battleship", "kreuzer": "cruiser", "zerstörer": "destroyer", "zerstoerer": "destroyer",
	"u-boot": "submarine", "uboot": "submarine", "korvette": "corvette", "minensucher": "minesweeper",
	"fregatte": "frigate", "kanonenboot": "gunboat", "kutter": "cutter",
}

// ParseLayouts reads a layout file: one ship a line, as [Rules.ParseShip] reads
// it, with any line endings. Lines "Player 1" and "Player 2" (or "Spieler 1", "Spieler
// 2") head the two fleets of a match; without them the file is one fleet.
// Empty lines and what follows a # do not count.
//
// It returns one or two complete, legal layouts. An error is a [FileError] or
// says which fleet is incomplete.
func ParseLayouts(r Rules, text string) ([]Layout, error) {
	if len(text) > maxLayoutFile {
		return nil, &TextError{Problem: FileTooLong, Size: len(text), Max: maxLayoutFile}
	}
	text = newline.Normalize(strings.TrimPrefix(text, "\ufeff")) // some editors begin a file with it
	p := layoutParser{rules: r}
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		if err := p.line(strings.TrimSpace(line)); err != nil {
			return nil, &FileError{Line: i + 1, Err: err}
		}
	}
	return p.finish()
}

type layoutParser struct {
	rules   Rules
	layouts []Layout
	headed  bool
}

func (p *layoutParser) line(line string) error {
	if line == "" {
		return nil
	}
	if m := sectionLine.FindStringSubmatch(line); m != nil {
		if want := len(p.layouts) + 1; !p.headed && want > 1 || m[1] != strconv.Itoa(want) {
			return &TextError{Problem: WrongHeading, Text: m[1]}
		}
		p.headed = true
		p.layouts = append(p.layouts, make(Layout, len(p.rules.Fleet)))
		return nil
	}
	if len(p.layouts) == 0 {
		p.layouts = append(p.layouts, make(Layout, len(p.rules.Fleet)))
	}
	layout := p.layouts[len(p.layouts)-1]
	i, ship, err := p.rules.ParseShip(layout, line)
	if err != nil {
		return err
	}
	layout[i] = ship
	return nil
}

// IsShip reports whether a line is written like a ship, for [Rules.ParseShip].
func IsShip(line string) bool { return shipLine.MatchString(line) }

// ParseShip reads a line of a layout file and returns which ship of the fleet it
// places: the first one of that type that the layout lacks. A ship is written as
// its type (in English or German, or its length), its start cell, which is its
// stern, and either its end cell or its orientation: N, E (or O), S, W or a word
// for it. A cell is written as (x,y), counted from 0, or as A1. The ship is legal
// beside those already there. The error is a sentence for the person who wrote
// the line.
func (r Rules) ParseShip(l Layout, line string) (i int, ship Ship, err error) {
	m := shipLine.FindStringSubmatch(line)
	if m == nil {
		return 0, Ship{}, &TextError{Problem: NotShip, Text: quoted(line)}
	}
	p := layoutParser{rules: r}
	if i, err = p.class(m[1], l); err != nil {
		return 0, Ship{}, err
	}
	if ship, err = p.ship(r.Fleet[i], m[2], m[3]); err != nil {
		return 0, Ship{}, err
	}
	with := slices.Clone(l)
	with[i] = ship
	return i, ship, r.CheckShip(with, i)
}

// class finds the ship of the fleet that a line is about: the first one of
// that type, or length, that no earlier line has placed.
func (p *layoutParser) class(name string, layout Layout) (int, error) {
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
		return 0, &TextError{Problem: NoneLeft, Text: quoted(name)}
	}
	var names []string
	for _, c := range p.rules.Fleet {
		names = append(names, c.Name)
	}
	return 0, &TextError{Problem: NotClass, Text: quoted(name), Choices: names}
}

// ship returns the ship from its start cell to its end, which is a cell or a
// direction.
func (p *layoutParser) ship(class Class, start, end string) (Ship, error) {
	from, err := p.cell(start)
	if err != nil {
		return Ship{}, err
	}
	if heading, ok := directions[strings.ToLower(end)]; ok {
		return Ship{Stern: from, Heading: heading, Length: class.Length}, nil
	}
	to, err := p.cell(end)
	if err != nil {
		return Ship{}, err
	}
	heading, length := East, 0
	switch dx, dy := int(to.X-from.X), int(to.Y-from.Y); {
	case dy == 0 && dx >= 0:
		length = dx + 1
	case dy == 0:
		heading, length = West, 1-dx
	case dx == 0 && dy > 0:
		heading, length = South, dy+1
	case dx == 0:
		heading, length = North, 1-dy
	default:
		return Ship{}, &TextError{Problem: NotStraight, Class: class, From: from, To: to}
	}
	return Ship{Stern: from, Heading: heading, Length: length}, nil
}

func (p *layoutParser) cell(text string) (Cell, error) {
	cell := At(-1, -1)
	if inner, ok := strings.CutPrefix(text, "("); ok {
		x, y, _ := strings.Cut(strings.TrimSuffix(inner, ")"), ",")
		// A number too long for an int fails to parse and stays off the board.
		if column, err := strconv.Atoi(strings.TrimSpace(x)); err == nil {
			if row, err := strconv.Atoi(strings.TrimSpace(y)); err == nil {
				cell = At(column, row)
			}
		}
	} else if named, err := ParseCell(text); err == nil {
		cell = named
	}
	if !p.rules.Contains(cell) {
		return Cell{}, &TextError{Problem: BeyondBoard, Text: quoted(text), Size: p.rules.Size}
	}
	return cell, nil
}

func (p *layoutParser) finish() ([]Layout, error) {
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

// quoted is text from a file, made safe and short for a message.
func quoted(s string) string {
	const most = 40
	if runes := []rune(s); len(runes) > most {
		s = string(runes[:most]) + "…"
	}
	return strconv.QuoteToGraphic(s)
}

// FormatLayouts writes layouts so that [ParseLayouts] reads them: one fleet,
// or two with headings. It writes cells as A1.
func FormatLayouts(r Rules, layouts ...Layout) string {
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
