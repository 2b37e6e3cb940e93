package arena

import (
	"bytes"
	"encoding/csv"
	"fmt"
)

// CSV returns the table as CSV: of the players, or of the only pairing, or of a solo's players.
func (r *Report) CSV() ([]byte, error) {
	var rows [][]any
	switch {
	case r.Settings.Format == Solo:
		rows = [][]any{{"player", "games", "unfinished", "mean_shots", "median_shots", "most_shots"}}
		for _, s := range r.Results {
			rows = append(rows, []any{s.Bot, s.Games, s.Failed, s.Mean, s.Median, s.Max})
		}
	case len(r.Table) > 0:
		rows = [][]any{{"place", "player", "points", "won", "drawn", "lost", "byes", "buchholz", "forfeits"}}
		for i, x := range r.Table {
			rows = append(rows, []any{i + 1, x.Player, x.Points, x.Won, x.Drawn, x.Lost, x.Byes, x.Buchholz, x.Forfeits})
		}
	default:
		rows = [][]any{{"player", "opponent", "games", "wins", "losses", "draws", "forfeits", "opponent_forfeits", "mean_shots", "opponent_mean_shots"}}
		for _, p := range r.Pairings {
			rows = append(rows, []any{p.A, p.B, p.Games, p.Wins, p.Losses, p.Draws, p.Forfeits.A, p.Forfeits.B, p.Sides[0].Mean, p.Sides[1].Mean})
		}
	}
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
