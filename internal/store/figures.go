package store

import (
	"context"
	"fmt"
	"strings"

	"broadside/match"
)

// Figures are what a player's matches under one rule set add up to, rated or
// not. Matches that the server ended do not count.
type Figures struct {
	RuleSet     string
	Games, Won  int
	Shots, Hits int
}

// openingShots is how many shots of a match are its opening: few enough that
// results have not led them yet.
const openingShots = 5

// addFigures counts a match for the player of one side.
func (t *tx) addFigures(m Match, side match.Side) error {
	seat, won := m.Seats[side], 0
	if m.Winner == side {
		won = 1
	}
	_, err := t.exec(`INSERT INTO figures (player, rules, games, won, shots, hits) VALUES ($1, $2, 1, $3, $4, $5)
		ON CONFLICT (player, rules) DO UPDATE SET games = figures.games + 1, won = figures.won + excluded.won,
		shots = figures.shots + excluded.shots, hits = figures.hits + excluded.hits`,
		seat.Player, m.RuleSet, won, seat.Shots, seat.Hits)
	if err != nil {
		return err
	}
	cells := opening(m.Events, side)
	if len(cells) == 0 {
		return nil
	}
	args := []any{seat.Player, m.RuleSet}
	var rows []string
	for _, c := range cells {
		args = append(args, c.String())
		rows = append(rows, fmt.Sprintf("($1, $2, $%d, 1)", len(args)))
	}
	_, err = t.exec(`INSERT INTO openings (player, rules, cell, times) VALUES `+strings.Join(rows, ", ")+`
		ON CONFLICT (player, rules, cell) DO UPDATE SET times = openings.times + 1`, args...)
	return err
}

// opening is the cells of a side's first shots, each once.
func opening(events []match.Event, side match.Side) []match.Cell {
	var cells []match.Cell
	var seen match.Set
	for _, e := range events {
		if e.Kind != match.ShotFired || e.Side != side || e.Auto || seen.Has(e.Cell) {
			continue
		}
		seen.Add(e.Cell)
		if cells = append(cells, e.Cell); len(cells) == openingShots {
			break
		}
	}
	return cells
}

// Figures are a player's figures, by the name of the rule set.
func (s *Store) Figures(ctx context.Context, player string) ([]Figures, error) {
	all, err := list(ctx, s, `SELECT rules, games, won, shots, hits FROM figures WHERE player = $1 ORDER BY rules`,
		[]any{text(player)}, func(scan func(...any) error) (f Figures, err error) {
			err = scan(&f.RuleSet, &f.Games, &f.Won, &f.Shots, &f.Hits)
			return f, err
		})
	if err != nil {
		return nil, fmt.Errorf("reading figures: %w", err)
	}
	return all, nil
}

// Openings tell in how many matches under a rule set one of a player's first
// five shots went to a cell. Shots that the clock fired do not count.
func (s *Store) Openings(ctx context.Context, player, ruleSet string) (map[match.Cell]int, error) {
	cells := map[match.Cell]int{}
	_, err := list(ctx, s, `SELECT cell, times FROM openings WHERE player = $1 AND rules = $2`,
		[]any{text(player), text(ruleSet)}, func(scan func(...any) error) (struct{}, error) {
			var name string
			var times int
			if err := scan(&name, &times); err != nil {
				return struct{}{}, err
			}
			cell, err := match.ParseCell(name)
			cells[cell] = times
			return struct{}{}, err
		})
	if err != nil {
		return nil, fmt.Errorf("reading first shots: %w", err)
	}
	return cells, nil
}
