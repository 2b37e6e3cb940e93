package store

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"

	"broadside/match"
)

// Statistics stores totals of each player's rated and casual matches. It does not count matches without a
// result and those of two people at one terminal. A [Disputed] match counts as no win.
type Statistics struct{ db *database }

// Figures are the totals of a player's matches under one rule set.
type Figures struct {
	RuleSet     string
	Games, Won  int
	Shots, Hits int
	// Reviewed counts the matches with an accuracy, which [Matches.SaveAccuracy] stores.
	Reviewed int
	// Accuracy is their average, or 0 if there are none.
	Accuracy float64
}

// HitRate returns the share of shots that hit, from 0 to 1.
func (f *Figures) HitRate() float64 { return float64(f.Hits) / float64(max(1, f.Shots)) }

// Figures returns a player's figures, ordered by the name of the rule set.
func (s Statistics) Figures(ctx context.Context, player string) ([]Figures, error) {
	return listRows(ctx, s.db, `SELECT rules, games, won, shots, hits, reviewed, accuracy / CASE reviewed WHEN 0 THEN 1 ELSE reviewed END FROM figures WHERE player = $1 ORDER BY rules`,
		[]any{cleanText(player)}, func(f *Figures) []any {
			return []any{&f.RuleSet, &f.Games, &f.Won, &f.Shots, &f.Hits, &f.Reviewed, &f.Accuracy}
		})
}

// Outcome is how a match ended for a player.
type Outcome uint8

// The outcomes.
const (
	Lost Outcome = iota
	Won
	// Neither side could win, or the match is [Disputed].
	Drawn
)

// RecentOutcomes returns the outcomes of at most limit of a player's last matches, newest first.
func (s Statistics) RecentOutcomes(ctx context.Context, player string, limit int) ([]Outcome, error) {
	type row struct {
		winner, side match.Side
		casual       string
	}
	rows, err := listRows(ctx, s.db, `SELECT matches.winner, seats.side, matches.casual FROM seats JOIN matches ON matches.id = seats.match
		WHERE seats.player = $1 AND matches.reason NOT IN ($2, $4, $5) AND matches.casual <> $6 ORDER BY seats.ended DESC, seats.match DESC LIMIT $3`,
		[]any{cleanText(player), match.Closed.String(), max(0, limit), match.Aborted.String(), match.Removed.String(), HotSeat},
		func(r *row) []any { return []any{&r.winner, &r.side, &r.casual} })
	all := make([]Outcome, len(rows))
	for i, r := range rows {
		all[i] = Summary{Winner: r.winner, Casual: r.casual}.OutcomeFor(r.side)
	}
	return all, err
}

// BotScore is a player's result against a built-in bot.
type BotScore struct {
	Bot         string
	Played, Won int
}

// BotScores returns a player's scores against the bots that they have played under a rule set, in any order.
func (s Statistics) BotScores(ctx context.Context, player, ruleSet string) ([]BotScore, error) {
	return listRows(ctx, s.db, `SELECT bot.name, COUNT(*), SUM(CASE WHEN matches.winner = seats.side AND matches.casual <> $3 THEN 1 ELSE 0 END)
		FROM seats JOIN matches ON matches.id = seats.match JOIN seats bot ON bot.match = seats.match AND bot.side <> seats.side
		WHERE seats.player = $1 AND matches.rules = $2 AND bot.kind = $4 AND matches.reason NOT IN ($5, $6, $7) GROUP BY bot.name`,
		[]any{
			cleanText(player), cleanText(ruleSet), Disputed, string(Bot),
			match.Closed.String(), match.Aborted.String(), match.Removed.String(),
		},
		func(b *BotScore) []any { return []any{&b.Bot, &b.Played, &b.Won} })
}

// OutcomeFor returns how the match ended for a side.
func (m Summary) OutcomeFor(side match.Side) Outcome {
	switch {
	case m.Winner == match.Nobody, m.Winner == side && m.Casual == Disputed:
		return Drawn
	case m.Winner == side:
		return Won
	}
	return Lost
}

// CellResults counts the results of shots at a cell.
type CellResults struct {
	Cell        match.Cell
	Shots, Hits int
}

// FirstShotResults returns what a player's first five shots hit in at most limit last matches under a rule set, best
// cell first.
func (s Statistics) FirstShotResults(ctx context.Context, player, ruleSet string, limit int) ([]CellResults, error) {
	type row struct {
		side   match.Side
		record []byte
	}
	rows, err := listRows(ctx, s.db, firstShotResults,
		[]any{cleanText(player), cleanText(ruleSet), HotSeat, max(0, limit)}, func(r *row) []any { return []any{&r.side, &r.record} })
	if err != nil {
		return nil, err
	}
	counts := map[match.Cell]CellResults{}
	for _, r := range rows {
		// Decoding many matches must not delay other goroutines.
		runtime.Gosched()
		_, events, err := decodeRecord(r.record)
		if err != nil {
			// A damaged record must not hide the player's other matches.
			continue
		}
		first := match.SetOf(firstShotCells(events, r.side)...)
		for _, e := range events {
			if e.Kind != match.ShotAnswered || e.Side == r.side || !first.Has(e.Cell) {
				continue
			}
			first.Remove(e.Cell)
			n := counts[e.Cell]
			n.Cell = e.Cell
			n.Shots++
			if e.Result != match.Miss {
				n.Hits++
			}
			counts[e.Cell] = n
		}
	}
	return slices.SortedFunc(maps.Values(counts), func(a, b CellResults) int {
		return cmp.Or(b.Hits*a.Shots-a.Hits*b.Shots, b.Shots-a.Shots, cmp.Compare(a.Cell.Y, b.Cell.Y), cmp.Compare(a.Cell.X, b.Cell.X))
	}), nil
}

// firstShotResults reads a bounded number of the newest matches, by the player's index.
const firstShotResults = `SELECT newest.side, records.events
	FROM (SELECT match, side, ended FROM seats WHERE player = $1 ORDER BY ended DESC, match DESC LIMIT 300) newest
	JOIN matches ON matches.id = newest.match JOIN records ON records.match = newest.match
	WHERE matches.rules = $2 AND matches.casual <> $3 AND NOT matches.private ORDER BY newest.ended DESC, newest.match DESC LIMIT $4`

// firstShots is how many of a player's shots count as first shots. It is small, so that earlier results
// hardly influence the choice of cells.
const firstShots = 5

// FirstShots returns how often each cell was among a player's first five shots under a rule set. Shots that
// the clock fired do not count. They are stored in the table openings.
func (s Statistics) FirstShots(ctx context.Context, player, ruleSet string) (map[match.Cell]int, error) {
	type row struct {
		cell  match.Cell
		times int
	}
	rows, err := listRows(ctx, s.db, `SELECT cell, times FROM openings WHERE player = $1 AND rules = $2`,
		[]any{cleanText(player), cleanText(ruleSet)}, func(r *row) []any { return []any{scanInto(&r.cell, match.ParseCell), &r.times} })
	if err != nil {
		return nil, err
	}
	cells := make(map[match.Cell]int, len(rows))
	for _, r := range rows {
		cells[r.cell] = r.times
	}
	return cells, nil
}

func (t *tx) addFigures(m Match, side match.Side) error {
	seat, won := m.Seats[side], 0
	if m.Winner == side && m.Casual != Disputed {
		won = 1
	}
	_, err := t.exec(`INSERT INTO figures (player, rules, games, won, shots, hits) VALUES ($1, $2, 1, $3, $4, $5)
		ON CONFLICT (player, rules) DO UPDATE SET games = figures.games + 1, won = figures.won + excluded.won,
		shots = figures.shots + excluded.shots, hits = figures.hits + excluded.hits`,
		seat.Player, m.RuleSet, won, seat.Shots, seat.Hits)
	if err != nil {
		return err
	}
	cells := firstShotCells(m.Events, side)
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

func firstShotCells(events []match.Event, side match.Side) []match.Cell {
	var cells []match.Cell
	var seen match.Set
	for _, e := range events {
		if e.Kind != match.ShotFired || e.Side != side || e.Auto || seen.Has(e.Cell) {
			continue
		}
		seen.Add(e.Cell)
		cells = append(cells, e.Cell)
		if len(cells) == firstShots {
			break
		}
	}
	return cells
}
