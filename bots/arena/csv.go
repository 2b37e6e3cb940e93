package arena

import (
	"bytes"
	"encoding/csv"
	"fmt"
)

// CSV returns the report's results as CSV, with a row for each player of a solo, or for each pairing.
func (r *Report) CSV() ([]byte, error) {
	if r.Settings.Mode == Solo {
		rows := [][]any{{"player", "games", "unfinished", "mean_shots", "median_shots", "most_shots"}}
		for _, s := range r.Results {
			rows = append(rows, []any{s.Bot, s.Games, s.Failed, s.Mean, s.Median, s.Max})
		}
		return EncodeCSV(rows)
	}
	rows := [][]any{{"player", "opponent", "games", "wins", "losses", "draws", "forfeits", "opponent_forfeits", "mean_shots", "opponent_mean_shots"}}
	for _, p := range r.Pairings {
		rows = append(rows, []any{p.A, p.B, p.Games, p.Wins, p.Losses, p.Draws, p.Forfeits.A, p.Forfeits.B, p.Sides[0].Mean, p.Sides[1].Mean})
	}
	return EncodeCSV(rows)
}

// EncodeCSV returns rows as CSV. It writes each value as fmt.Print does.
func EncodeCSV(rows [][]any) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	for _, row := range rows {
		var cells []string
		for _, value := range row {
			cells = append(cells, fmt.Sprint(value))
		}
		w.Write(cells)
	}
	w.Flush()
	return b.Bytes(), w.Error()
}
