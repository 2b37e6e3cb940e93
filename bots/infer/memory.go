package infer

import (
	"encoding/json"
	"fmt"
	"slices"

	"broadside/match"
)

const (
	memoryVersion = 1
	// maxLayouts is the maximum number of remembered layouts. Habits show in far fewer, and
	// older habits may have changed.
	maxLayouts = 50
)

// Memory is a record of one opponent's earlier games under one rule set. The code that runs
// a bot owns it: it passes the Memory to bots.New and calls [Memory.Learn] after each game,
// never while a bot created with it plays. It is stored as JSON.
//
// Tables have an entry for each cell, row by row from the top left: see [Memory.Index].
type Memory struct {
	Version int         `json:"version"`
	Rules   match.Rules `json:"rules"`
	// Games is the number of games learned from.
	Games int `json:"games"`
	// Layouts are the opponent's layouts in the most recent games with a known layout, at
	// most 50, oldest first.
	Layouts []match.Layout `json:"layouts"`
	// Ships counts the games in which the opponent had a ship on a cell.
	Ships []int `json:"ships"`
	// Shots counts the games in which the opponent shot at a cell. Turns is the sum of the
	// numbers, from 1, of those shots.
	Shots []int `json:"shots"`
	Turns []int `json:"turns"`
}

// NewMemory returns an empty memory of an opponent under the given rules.
func NewMemory(r match.Rules) *Memory {
	cells := r.Size * r.Size
	return &Memory{
		Version: memoryVersion, Rules: r,
		Ships: make([]int, cells), Shots: make([]int, cells), Turns: make([]int, cells),
	}
}

// Game holds the information about the opponent from one game.
type Game struct {
	// Fleet is the opponent's fleet, or nil if it is unknown.
	Fleet match.Layout
	// Struck has the hit cells of the opponent's ships. It is used if Fleet is nil.
	Struck match.Set
	// Shots lists the opponent's shots, in order.
	Shots []match.Cell
}

// Learn adds a finished game. It ignores data that is illegal under the rules.
func (m *Memory) Learn(g Game) {
	m.Games++
	found, fleet := g.Struck, g.Fleet
	if fleet == nil {
		fleet = inferLayout(m.Rules, g.Struck)
	}
	if m.Rules.CheckLayout(fleet) == nil {
		found = fleet.Cells()
		m.Layouts = append(m.Layouts, fleet)
		m.Layouts = m.Layouts[max(0, len(m.Layouts)-maxLayouts):]
	}
	for cell := range found.Intersect(m.Rules.Cells()).All() {
		m.Ships[m.Index(cell)]++
	}
	var seen match.Set
	for i, cell := range g.Shots {
		if !m.Rules.Contains(cell) || seen.Has(cell) {
			continue
		}
		seen.Add(cell)
		m.Shots[m.Index(cell)]++
		m.Turns[m.Index(cell)] += i + 1
	}
}

// inferLayout returns the only layout that covers exactly these cells. It returns an illegal layout if
// there is none, or if ships can touch or move.
func inferLayout(r match.Rules, cells match.Set) match.Layout {
	if r.Moving || r.Contact == match.TouchAny {
		return nil
	}
	l := make(match.Layout, len(r.Fleet))
	for !cells.IsEmpty() {
		stern := cells.Nth(0)
		cells.Remove(stern)
		ship := match.Ship{Stern: stern, Heading: match.East, Length: 1}
		if cells.Has(stern.Step(match.South, 1)) {
			ship.Heading = match.South
		}
		for next := stern.Step(ship.Heading, 1); cells.Has(next); next = next.Step(ship.Heading, 1) {
			cells.Remove(next)
			ship.Length++
		}
		at := slices.IndexFunc(r.Fleet, func(c match.Class) bool { return c.Length == ship.Length })
		for at >= 0 && at < len(l) && l[at].Length != 0 {
			at++
		}
		if at < 0 || at == len(l) {
			return nil
		}
		l[at] = ship
	}
	return l
}

// Clone returns an independent copy.
func (m *Memory) Clone() *Memory {
	c := *m
	c.Layouts, c.Ships, c.Shots, c.Turns = slices.Clone(m.Layouts), slices.Clone(m.Ships), slices.Clone(m.Shots), slices.Clone(m.Turns)
	return &c
}

// Index returns the index of a cell in the tables.
func (m *Memory) Index(c match.Cell) int { return int(c.Y)*m.Rules.Size + int(c.X) }

// fields is a Memory without methods.
type fields Memory

// UnmarshalJSON implements json.Unmarshaler. After an error the Memory is unchanged.
func (m *Memory) UnmarshalJSON(data []byte) error {
	var f fields
	if err := json.Unmarshal(data, &f); err != nil {
		return fmt.Errorf("read a memory: %w", err)
	}
	if f.Version != memoryVersion {
		return fmt.Errorf("memory version %d: this program reads version %d", f.Version, memoryVersion)
	}
	if err := f.Rules.Validate(); err != nil {
		return fmt.Errorf("read a memory: %w", err)
	}
	if f.Games < 0 || len(f.Layouts) > maxLayouts {
		return fmt.Errorf("read a memory: %d layouts of %d games are not possible", len(f.Layouts), f.Games)
	}
	for _, l := range f.Layouts {
		if err := f.Rules.CheckLayout(l); err != nil {
			return fmt.Errorf("read a memory: illegal layout: %w", err)
		}
	}
	for _, table := range [][]int{f.Ships, f.Shots, f.Turns} {
		if len(table) != f.Rules.Size*f.Rules.Size {
			return fmt.Errorf("read a memory: a table has %d cells on a board of %d×%d", len(table), f.Rules.Size, f.Rules.Size)
		}
	}
	*m = Memory(f)
	return nil
}

// GameFromEvents returns what a match's events reveal about a side.
func GameFromEvents(events []match.Event, side match.Side) Game {
	var played Game
	for _, e := range events {
		switch {
		case e.Kind == match.FleetPlaced && e.Side == side:
			played.Fleet = e.Layout()
		case e.Kind == match.ShotFired && e.Side == side:
			// Shots fired by the clock reveal nothing.
			if !e.Auto {
				played.Shots = append(played.Shots, e.Cell)
			}
		case e.Kind == match.ShotAnswered && e.Side == side && e.Result > match.Miss:
			played.Struck.Add(e.Cell)
		}
	}
	return played
}
