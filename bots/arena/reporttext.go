package arena

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"broadside/bots/arena/stats"
)

// textTable is a table whose first row is the header.
type textTable [][]string

func (t textTable) markdown() string {
	var b strings.Builder
	for i, row := range t {
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
		if i == 0 {
			b.WriteString("|---" + strings.Repeat("|--:", len(row)-1) + "|\n")
		}
	}
	return b.String()
}

func (t textTable) plainText() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, row := range t {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	// Writing to a strings.Builder does not fail.
	w.Flush()
	return b.String()
}

// Text returns the report for a terminal.
func (r *Report) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", r.Title())
	for _, g := range r.resultTables() {
		b.WriteString(g.plainText() + "\n")
	}
	for _, line := range r.remarkLines() {
		b.WriteString(line + "\n")
	}
	chart := r.Histogram()
	if chart != "" {
		b.WriteString("\nGames by the number of shots:\n\n" + chart)
	}
	fmt.Fprintf(&b, "\n%s\n", r.speedText())
	return b.String()
}

// Markdown returns the report's tables as Markdown.
func (r *Report) Markdown() string {
	var parts []string
	for _, g := range r.resultTables() {
		parts = append(parts, g.markdown())
	}
	lines := r.remarkLines()
	if len(lines) > 0 {
		parts = append(parts, strings.Join(lines, "  \n")+"\n")
	}
	return strings.Join(parts, "\n")
}

// Title returns a description of the tournament.
func (r *Report) Title() string {
	s := &r.Settings
	what := string(s.Format)
	title := fmt.Sprintf("%s%s under %s rules, seed %d, %d games", strings.ToUpper(what[:1]), what[1:], s.Rules.Name, s.Seed, r.Games)
	if r.Interrupted {
		title += ", interrupted"
	}
	return title
}

func (r *Report) speedText() string {
	return fmt.Sprintf("%d games in %s, %.0f a second, %s of one worker each.",
		r.Games, formatDuration(time.Duration(r.Seconds*float64(time.Second))), r.GamesPerSecond, formatDuration(time.Duration(r.NsPerGame)))
}

func (r *Report) resultTables() []textTable {
	if r.Settings.Format == Solo {
		g := textTable{append([]string{"bot", "games"}, shotColumns...)}
		for i := range r.Results {
			s := &r.Results[i].Shots
			g = append(g, append([]string{s.Bot, strconv.FormatInt(s.Games, 10)}, s.tableCells()...))
		}
		return []textTable{g}
	}
	results := textTable{{"round", "pairing", "games", "won", "lost", "no winner", "forfeits", "rounds", "score", "Elo difference", "superior", "pairs 0 ½ 1 1½ 2"}}
	shots := textTable{append([]string{"shots of", "against"}, shotColumns...)}
	for i := range r.Pairings {
		p := &r.Pairings[i]
		results = append(results, []string{
			strconv.Itoa(p.Round), p.A + " – " + p.B, strconv.FormatInt(p.Games, 10), strconv.FormatInt(p.Wins, 10),
			strconv.FormatInt(p.Losses, 10), strconv.FormatInt(p.Draws, 10), fmt.Sprintf("%d/%d", p.Forfeits.A, p.Forfeits.B),
			fmt.Sprintf("%.1f", p.Rounds.Mean), p.Score.format(100, 1) + "%", p.Elo.format(1, 0),
			fmt.Sprintf("%.1f%%", 100*p.Superiority), strings.Trim(fmt.Sprint(p.Pairs), "[]"),
		})
		for side := range p.Sides {
			s := &p.Sides[side]
			shots = append(shots, append([]string{s.Bot, p.Sides[1-side].Bot}, s.tableCells()...))
		}
	}
	if len(r.Table) == 0 {
		return []textTable{results, shots}
	}
	return []textTable{r.standingsTable(), results, shots}
}

// standingsTable returns the players' table with their ratings.
func (r *Report) standingsTable() textTable {
	g := textTable{{"player", "points", "won", "drawn", "lost", "byes", "Buchholz", "forfeits", "Elo", "95%", "score", "games"}}
	for _, row := range r.Table {
		x := r.Ratings[slices.IndexFunc(r.Ratings, func(x stats.Rating) bool { return x.Bot == row.Player })]
		g = append(g, []string{
			row.Player, fmt.Sprint(row.Points), strconv.Itoa(row.Won), strconv.Itoa(row.Drawn), strconv.Itoa(row.Lost),
			strconv.Itoa(row.Byes), fmt.Sprint(row.Buchholz), strconv.FormatInt(row.Forfeits, 10), fmt.Sprintf("%+.0f", x.Elo),
			fmt.Sprintf("%+.0f to %+.0f", x.Low, x.High), fmt.Sprintf("%.1f%%", 100*x.Score), strconv.FormatInt(x.Games, 10),
		})
	}
	return g
}

var shotColumns = []string{"mean", "±", "median", "95%", "most", "a shot"}

func (s *Shots) tableCells() []string {
	pace := "–"
	if s.NsPerMove > 0 {
		pace = formatDuration(time.Duration(s.NsPerMove))
	}
	return []string{
		fmt.Sprintf("%.2f", s.Mean), fmt.Sprintf("%.2f", s.SE), fmt.Sprintf("%.0f", s.Median), fmt.Sprintf("%.0f", s.P95),
		strconv.Itoa(s.Max), pace,
	}
}

// format formats an estimate with its bounds.
func (b *Bounds) format(factor float64, digits int) string {
	if b == nil {
		return "–"
	}
	one := func(v *float64, infinite string) string {
		if v == nil {
			return infinite
		}
		return strconv.FormatFloat(*v*factor, 'f', digits, 64)
	}
	// A nil value is infinite, like its missing bound.
	value := one(b.Value, "∞")
	if b.Value == nil && b.Low == nil {
		value = "-∞"
	}
	return fmt.Sprintf("%s (%s to %s)", value, one(b.Low, "-∞"), one(b.High, "∞"))
}

// remarkLines returns the lines below the tables: tests, forfeits and failures.
func (r *Report) remarkLines() []string {
	var lines []string
	if r.Settings.Format != Solo {
		lines = append(lines, "± is the standard error of the mean. Intervals are 95%, from pairs of games with sides and layouts exchanged.")
	} else {
		lines = append(lines, "± is the standard error of the mean.")
	}
	for i := range r.Results {
		s := &r.Results[i]
		if s.Failed > 0 {
			lines = append(lines, fmt.Sprintf("Games that %s did not finish: %d: %s", s.Bot, s.Failed, strings.Join(s.Notes, "; ")))
		}
	}
	for i := range r.Pairings {
		p := &r.Pairings[i]
		name := p.A + " – " + p.B
		if r.Settings.Rounds != 1 {
			name = fmt.Sprintf("round %d, %s", p.Round, name)
		}
		t := p.SPRT
		if t != nil {
			verdict := "is not decided"
			switch t.Decision {
			case stats.AcceptH0:
				verdict = fmt.Sprintf("accepts that the difference is %g Elo", t.Elo0)
			case stats.AcceptH1:
				verdict = fmt.Sprintf("accepts that the difference is %g Elo", t.Elo1)
			}
			lines = append(lines, fmt.Sprintf("%s: the test of %g against %g Elo %s (likelihood ratio %+.2f, bounds %.2f and %+.2f).",
				name, t.Elo0, t.Elo1, verdict, t.LLR, t.Lower, t.Upper))
		}
		for side, reasons := range [2]map[string]int64{p.Forfeits.ReasonsA, p.Forfeits.ReasonsB} {
			if len(reasons) > 0 {
				lines = append(lines, fmt.Sprintf("%s: %s lost by forfeit: %s.", name, p.Sides[side].Bot, formatCounts(reasons)))
			}
		}
		for _, note := range p.Notes {
			lines = append(lines, fmt.Sprintf("%s: %s", name, note))
		}
	}
	if r.Champion != "" {
		lines = append(lines, r.Champion+" won the tournament.")
	}
	return lines
}

// formatCounts lists reasons with their counts.
func formatCounts(reasons map[string]int64) string {
	var names []string
	for name, n := range reasons {
		names = append(names, fmt.Sprintf("%s ×%d", name, n))
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
