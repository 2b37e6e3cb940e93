package bots

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"broadside/internal/sanitize"
	"broadside/match"
)

// newSequence returns a strategy that fires at cells in the order of a sequence file, like
// the original game of moving fleets.
func newSequence(c Config, file string) (shooter, error) {
	steps, err := c.readSequence(file)
	if err != nil {
		return nil, err
	}
	s := orderedSearch{base: base{rules: c.Rules, rng: c.Rand}, order: stepCells(steps)}
	for _, step := range steps {
		if step.Action != "" {
			return &strategist{orderedSearch: s, strategy: strategy{steps: steps}}, nil
		}
	}
	return &s, nil
}

// strategist is a search that also moves by its file.
type strategist struct {
	orderedSearch
	strategy
}

// Fire implements [Bot]. The step of its cell defines the next move.
func (b *strategist) Fire(chart *match.Chart) match.Cell {
	b.last, b.fired = b.orderedSearch.Fire(chart), true
	return b.last
}

func (c Config) readSequence(file string) ([]Step, error) {
	if c.ReadFile == nil {
		return nil, errors.New("files cannot be read here")
	}
	text, err := c.ReadFile(file)
	if err != nil {
		// The error includes the file name.
		return nil, err
	}
	steps, err := ParseSequence(c.Rules, string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return steps, nil
}

func stepCells(steps []Step) []match.Cell {
	order := make([]match.Cell, len(steps))
	for i, s := range steps {
		order[i] = s.Cell
	}
	return order
}

// maxSequenceFile is the maximum size of a sequence file in bytes. The largest board, with
// one cell and action per line, needs less than 10 KB.
const maxSequenceFile = 64 << 10

// The patterns of sequence files are compiled when a file is read.
var (
	sequenceCell = lazyPattern(`^(\d{1,2})\s*([A-Za-z])`)
	// sequenceAction matches an action: a direction or a turn, in English or German. A ship
	// number follows. Actions are for rules that let ships move.
	sequenceAction = lazyPattern(`^(?:(?i:ccw|cw|uz|gz|[nesow])|-)`)
	// actionDigits matches the digits after an action. If a letter follows, the last digits
	// are the next cell's column: "0AN11A" is 0A with N1, then 1A.
	actionDigits = lazyPattern(`^\s*(\d+)\s*([A-Za-z]?)`)
)

func lazyPattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// ParseSequence reads a sequence file: a list of cells, each written as a column number
// from 0 and a row letter, with or without spaces, such as "0A1A 2A". In a strategy file,
// cells can be followed by an action with a ship number. Repeated cells are skipped. Every
// cell of the board must occur.
func ParseSequence(r match.Rules, text string) ([]Step, error) {
	if len(text) > maxSequenceFile {
		return nil, fmt.Errorf("a sequence file has at most %d bytes, not %d", maxSequenceFile, len(text))
	}
	var steps []Step
	missing := r.Cells()
	text = strings.TrimRightFunc(sanitize.Decode([]byte(text)), unicode.IsSpace)
	rest := strings.TrimSpace(text)
	line := func() int { return 1 + strings.Count(text, "\n") - strings.Count(rest, "\n") }
	for rest != "" {
		m := sequenceCell().FindStringSubmatch(rest)
		if m == nil {
			return nil, fmt.Errorf("line %d: there is no cell at %.12q: write the column's number and the row's letter, such as 6B", line(), rest)
		}
		// There are at most two digits.
		x, _ := strconv.Atoi(m[1])
		cell := match.NewCell(x, int(m[2][0]|0x20-'a'))
		if !r.Contains(cell) {
			return nil, fmt.Errorf("line %d: %s is off the board of %d×%d", line(), m[0], r.Size, r.Size)
		}
		var action string
		var ship int
		action, ship, rest = cutAction(strings.TrimSpace(rest[len(m[0]):]))
		if missing.Has(cell) {
			missing.Remove(cell)
			steps = append(steps, Step{Cell: cell, Action: action, Ship: ship})
		}
	}
	if !missing.IsEmpty() {
		first := missing.Nth(0)
		return nil, fmt.Errorf("%d cells are missing, one of them %d%c", missing.Len(), first.X, 'A'+rune(first.Y))
	}
	return steps, nil
}

// cutAction returns the action at the start of s, its ship number and the rest of s. If
// there is no action, it returns "", 0 and s.
func cutAction(s string) (action string, ship int, rest string) {
	action = sequenceAction().FindString(s)
	if action == "" {
		return "", 0, s
	}
	s = s[len(action):]
	m := actionDigits().FindStringSubmatch(s)
	if m != nil {
		number := len(m[1])
		if m[2] != "" {
			// The last digits are the next cell's column.
			number -= min(2, (number+1)/2)
		}
		// A number out of range becomes 0, which is no ship.
		ship, _ = strconv.Atoi(m[1][:number])
		s = strings.TrimSpace(s)[number:]
	}
	action = strings.ToUpper(action)
	return cmp.Or(germanActions[action], action), ship, strings.TrimSpace(s)
}

// germanActions maps German actions to English ones.
var germanActions = map[string]string{"O": "E", "UZ": "CW", "GZ": "CCW"}
