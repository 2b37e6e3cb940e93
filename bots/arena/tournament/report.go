package tournament

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"broadside/bots/arena"
	"broadside/bots/arena/stats"
	"broadside/internal/pairing"
)

// Report is the result of a tournament.
type Report struct {
	Format Format `json:"format"`
	Rules  string `json:"rules"`
	// Interrupted means that not all games were played.
	Interrupted bool           `json:"interrupted"`
	Games       int            `json:"games"`
	Champion    string         `json:"champion,omitempty"` // of a knockout
	Table       []Row          `json:"table"`              // best first
	Ratings     []stats.Rating `json:"ratings"`            // from all games; best first
	Rounds      []Round        `json:"rounds"`
}

// Round is one round. The field pairs of a pairing counts pairs of games by the points of the
// first player.
type Round struct {
	Number   int                   `json:"round"` // from 1
	Byes     []string              `json:"byes,omitempty"`
	Pairings []arena.PairingResult `json:"pairings"`
}

// Row is a player's place in the table. A pairing won is one point, a bye too.
type Row struct {
	Player   string  `json:"player"`
	Points   float64 `json:"points"`
	Won      int     `json:"won"`
	Drawn    int     `json:"drawn"`
	Lost     int     `json:"lost"`
	Byes     int     `json:"byes"`
	Buchholz float64 `json:"buchholz"`
	Forfeits int64   `json:"forfeits"` // games lost by forfeit
}

// finish adds the table and the ratings.
func (t *tournament) finish() {
	n := len(t.plan.Programs)
	r := t.report
	forfeits := map[string]int64{}
	for _, round := range r.Rounds {
		for _, p := range round.Pairings {
			forfeits[p.A] += p.Forfeits.A
			forfeits[p.B] += p.Forfeits.B
		}
	}
	for _, s := range pairing.Standings(n, t.results) {
		name := t.plan.Programs[s.Entrant].Name
		r.Table = append(r.Table, Row{
			Player: name, Points: s.Points, Won: s.Wins, Drawn: s.Draws, Lost: s.Losses, Byes: s.Byes, Buchholz: s.Buchholz, Forfeits: forfeits[name],
		})
	}
	if champion := pairing.Champion(n, t.results); t.plan.Format == Knockout && champion >= 0 {
		r.Champion = t.plan.Programs[champion].Name
	}
	var players []string
	for _, p := range t.plan.Programs {
		players = append(players, p.Name)
	}
	var all []stats.Pairing
	for _, round := range r.Rounds {
		for i := range round.Pairings {
			all = append(all, round.Pairings[i].Rated())
		}
	}
	r.Ratings = stats.Rate(players, all, 1)
}

// JSON returns the report as a JSON object.
func (r *Report) JSON() ([]byte, error) { return arena.EncodeReport(r) }

// CSV returns the table as CSV, best first.
func (r *Report) CSV() ([]byte, error) {
	rows := [][]any{{"place", "player", "points", "won", "drawn", "lost", "byes", "buchholz", "forfeits"}}
	for i, x := range r.Table {
		rows = append(rows, []any{i + 1, x.Player, x.Points, x.Won, x.Drawn, x.Lost, x.Byes, x.Buchholz, x.Forfeits})
	}
	return arena.EncodeCSV(rows)
}

// write writes the report to the tournament's folder.
func (r *Report) write(dir string) error {
	data, err := r.JSON()
	if err != nil {
		return err
	}
	table, err := r.CSV()
	if err != nil {
		return err
	}
	return arena.WriteFiles(dir, map[string][]byte{"report.json": data, "report.csv": table, "report.txt": []byte(r.Text())})
}

// Text returns the report for a terminal.
func (r *Report) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s under %s rules, %d games", r.Format, r.Rules, r.Games)
	if r.Interrupted {
		b.WriteString(", interrupted")
	}
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "\n\nplayer\tpoints\twon\tdrawn\tlost\tbyes\tBuchholz\tforfeits\tElo\t95%\n")
	for _, row := range r.Table {
		fmt.Fprintf(w, "%s\t%g\t%d\t%d\t%d\t%d\t%g\t%d", row.Player, row.Points, row.Won, row.Drawn, row.Lost, row.Byes, row.Buchholz, row.Forfeits)
		for _, x := range r.Ratings {
			if x.Bot == row.Player {
				fmt.Fprintf(w, "\t%+.0f\t%+.0f to %+.0f", x.Elo, x.Low, x.High)
			}
		}
		fmt.Fprintln(w)
	}
	fmt.Fprint(w, "\nround\tpairing\tgames\twon\tlost\tpairs 0 ½ 1 1½ 2\ttest\n")
	for _, round := range r.Rounds {
		for _, p := range round.Pairings {
			test := ""
			if p.SPRT != nil {
				test = fmt.Sprintf("%s %+.2f", p.SPRT.Decision, p.SPRT.LLR)
			}
			fmt.Fprintf(w, "%d\t%s – %s\t%d\t%d\t%d\t%v\t%s\n", round.Number, p.A, p.B, p.Games, p.Wins, p.Losses, p.Pairs, test)
		}
	}
	w.Flush()
	for _, round := range r.Rounds {
		for _, p := range round.Pairings {
			for _, note := range p.Notes {
				fmt.Fprintf(&b, "\nround %d, %s – %s: %s", round.Number, p.A, p.B, note)
			}
		}
	}
	if r.Champion != "" {
		fmt.Fprintf(&b, "\n%s has won the tournament.", r.Champion)
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}
