package command

import (
	"broadside/internal/pairing"
	"broadside/lobby/tournament"
)

// cupOut is the JSON of a cup.
type cupOut struct {
	Code    string       `json:"code"`
	Name    string       `json:"name"`
	Owner   string       `json:"owner"`
	Format  string       `json:"format"`
	Rules   string       `json:"rules"`
	Clock   int          `json:"clock"` // seconds
	Rated   bool         `json:"rated"`
	Phase   string       `json:"phase"`
	Starts  string       `json:"starts"` // empty: when the owner starts it
	Round   int          `json:"round"`  // from 1; 0 before the start
	Rounds  int          `json:"rounds"` // 0 if not known yet
	Table   []cupRowOut  `json:"table"`
	Games   []cupGameOut `json:"games"`
	Bracket [][][]string `json:"bracket,omitempty"` // of a knockout: rounds of pairs; "" is a bye, "?" not known
}

// cupRowOut is the JSON of an entrant, best first.
type cupRowOut struct {
	Place    int     `json:"place"`
	Name     string  `json:"name"`
	Kind     string  `json:"kind"`
	Left     bool    `json:"left,omitempty"`
	Points   float64 `json:"points"`
	Wins     int     `json:"wins"`
	Draws    int     `json:"draws"`
	Losses   int     `json:"losses"`
	Byes     int     `json:"byes"`
	Buchholz float64 `json:"buchholz"`
}

// cupGameOut is the JSON of a game.
type cupGameOut struct {
	Round  int        `json:"round"`  // from 1
	First  string     `json:"first"`  // defends first
	Second string     `json:"second"` // empty: First has a bye
	Points [2]float64 `json:"points"`
	Ending string     `json:"ending"` // played, bye, default, no-result, or empty if it is not over
	Match  string     `json:"match,omitempty"`
}

func cupOf(c *tournament.Tournament) cupOut {
	out := cupOut{
		Code: c.Code, Name: c.Name, Owner: c.OwnerName, Format: string(c.Format), Rules: c.Rules.Name,
		Clock: int(c.Rules.Clock.Seconds()), Rated: c.Stakes.Rated(), Phase: string(c.Phase), Starts: utc(c.Starts),
		Rounds: c.LastRound(), Table: []cupRowOut{}, Games: []cupGameOut{},
	}
	if len(c.Games) > 0 {
		out.Round = c.Round + 1
	}
	name := func(i int) string {
		switch i {
		case pairing.Bye:
			return ""
		case pairing.Open:
			return "?"
		}
		return c.Entrants[i].Name
	}
	for _, r := range c.Table() {
		out.Table = append(out.Table, cupRowOut{
			Place: r.Place, Name: r.Name, Kind: r.Kind.String(), Left: r.Left, Points: r.Points, Wins: r.Wins, Draws: r.Draws,
			Losses: r.Losses, Byes: r.Byes, Buchholz: r.Buchholz,
		})
	}
	for _, g := range c.Games {
		out.Games = append(out.Games, cupGameOut{g.Round + 1, name(g.First), name(g.Second), g.Points, string(g.Ending), g.Match})
	}
	for _, round := range c.Bracket() {
		var pairs [][]string
		for _, p := range round {
			pairs = append(pairs, []string{name(p.First), name(p.Second)})
		}
		out.Bracket = append(out.Bracket, pairs)
	}
	return out
}
