package infer

import (
	"encoding/json"
	"fmt"

	"broadside/match"
)

const (
	memoryVersion = 1
	// maxLayouts is how many layouts are remembered. Habits show in far fewer,
	// and older ones may have been given up.
	maxLayouts = 50
)

// Memory is what a player remembers of one opponent from earlier games under
// one rule set. Whoever keeps bots busy owns it: it hands the Memory to [New]
// and calls [Memory.Learn] after each game, never while a bot plays that was
// made with it. It is stored as JSON.
//
// Tables have an entry for each cell, row by row from the top left: see
// [Memory.Index].
type Memory struct {
	Version int         `json:"version"`
	Rules   match.Rules `json:"rules"`
	Games   int         `json:"games"` // games learned from
	// Layouts are the opponent's layouts of the last games in which they came
	// out, at most 50, oldest first.
	Layouts []match.Layout `json:"layouts"`
	// Ships counts the games in which a ship of the opponent was found to lie
	// on a cell.
	Ships []int `json:"ships"`
	// Shots counts the games in which the opponent shot at a cell, and Turns
	// adds up the numbers, from 1, that those shots had in their games.
	Shots []int `json:"shots"`
	Turns []int `json:"turns"`
}

// NewMemory returns the memory of an opponent not met yet under the given rules.
func NewMemory(r match.Rules) *Memory {
	cells := r.Size * r.Size
	return &Memory{
		Version: memoryVersion, Rules: r,
		Ships: make([]int, cells), Shots: make([]int, cells), Turns: make([]int, cells),
	}
}

// Game is what a game tells of the opponent.
type Game struct {
	Fleet  match.Layout // the opponent's; nil if it has not come out
	Struck match.Set    // the opponent's cells that were hit; used if Fleet is nil
	Shots  []match.Cell // the opponent's shots, in order
}

// Learn remembers a game that has ended. What is not legal under the rules is
// passed over.
func (m *Memory) Learn(g Game) {
	m.Games++
	found := g.Struck
	if m.Rules.Check(g.Fleet) == nil {
		found = g.Fleet.Cells()
		m.Layouts = append(m.Layouts, g.Fleet)
		m.Layouts = m.Layouts[max(0, len(m.Layouts)-maxLayouts):]
	}
	for cell := range found.Intersect(m.Rules.Board()).All() {
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

// Index returns the entry of a cell of the board in the tables.
func (m *Memory) Index(c match.Cell) int { return int(c.Y)*m.Rules.Size + int(c.X) }

// fields are a memory without its methods.
type fields Memory

// MarshalJSON implements json.Marshaler.
func (m *Memory) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		*fields
		Rules match.FullRules `json:"rules"`
	}{(*fields)(m), match.FullRules(m.Rules)})
}

// UnmarshalJSON reads a memory that was stored as JSON. The error says what is
// wrong with it; the Memory has not changed then.
func (m *Memory) UnmarshalJSON(data []byte) error {
	var f fields
	if err := json.Unmarshal(data, &f); err != nil {
		return fmt.Errorf("reading a memory: %w", err)
	}
	if f.Version != memoryVersion {
		return fmt.Errorf("a memory of version %d: this program reads version %d", f.Version, memoryVersion)
	}
	if err := f.Rules.Validate(); err != nil {
		return fmt.Errorf("reading a memory: %w", err)
	}
	if f.Games < 0 || len(f.Layouts) > maxLayouts {
		return fmt.Errorf("a memory of %d games with %d layouts", f.Games, len(f.Layouts))
	}
	for _, l := range f.Layouts {
		if err := f.Rules.Check(l); err != nil {
			return fmt.Errorf("a memory with an illegal layout: %w", err)
		}
	}
	for _, table := range [][]int{f.Ships, f.Shots, f.Turns} {
		if len(table) != f.Rules.Size*f.Rules.Size {
			return fmt.Errorf("a memory with a table of %d cells on a board of %d×%d", len(table), f.Rules.Size, f.Rules.Size)
		}
	}
	*m = Memory(f)
	return nil
}
