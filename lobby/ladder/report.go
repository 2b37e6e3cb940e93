package ladder

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"broadside/internal/store"
)

// Report is the ladder of one rule set, best player first. Players whose rating is provisional come
// after all others.
type Report struct {
	Rules string `json:"rules"`
	// At is in UTC.
	At      time.Time  `json:"at"`
	Players []Standing `json:"players"`
}

// Standing is a player on the ladder.
type Standing struct {
	// Place starts at 1.
	Place int    `json:"place"`
	Name  string `json:"name"`
	// Kind is "program" or "bot".
	Kind string `json:"kind"`
	// Online reports that the player waits or plays in this world. It is always true for bots.
	Online bool     `json:"online"`
	Rating Estimate `json:"rating"`
	// Settled reports whether the rating is no longer provisional.
	Settled bool `json:"settled"`
	// Games, Won and Lost include the matches of all worlds.
	Games int `json:"games"`
	Won   int `json:"won"`
	Lost  int `json:"lost"`

	account string
}

// Estimate is a rating with its 95% interval, in whole numbers.
type Estimate struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// RatingText returns the rating with half the width of its interval, such as "1512 ±40", and with
// a question mark while it is provisional.
func (s Standing) RatingText() string {
	mark := "?"
	if s.Settled {
		mark = ""
	}
	return fmt.Sprintf("%.0f%s ±%.0f", s.Rating.Value, mark, (s.Rating.High-s.Rating.Low)/2)
}

const (
	// maxListed is the maximum number of players on a report. It lists those who have played most.
	maxListed = 100
	// reportTime is how long a report is reused, because counting 200,000 matches takes 2.4 s.
	reportTime = time.Minute
)

// Report returns a rule set's ladder. It waits for the database and for other calls, so that
// callers share a report.
func (l *Ladder) Report(ctx context.Context, ruleSet string) (Report, error) {
	select {
	case l.reporting <- struct{}{}:
		defer func() { <-l.reporting }()
	case <-ctx.Done():
		return Report{}, ctx.Err()
	}
	if r, ok := l.reports[ruleSet]; ok && time.Since(r.At) < reportTime {
		return r, nil
	}
	all, err := l.store.Ratings.ListLadder(ctx, ruleSet, maxListed)
	if err != nil {
		return Report{}, err
	}
	r := Report{Rules: ruleSet, At: time.Now().UTC(), Players: []Standing{}}
	for _, s := range all {
		r.Players = append(r.Players, l.newStanding(s, r.At))
	}
	slices.SortStableFunc(r.Players, func(a, b Standing) int {
		if a.Settled != b.Settled {
			if a.Settled {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.Rating.Value, a.Rating.Value)
	})
	for i := range r.Players {
		r.Players[i].Place = i + 1
	}
	l.reports[ruleSet] = r
	return r, nil
}

func (l *Ladder) newStanding(s store.LadderStanding, now time.Time) Standing {
	r := s.RatingAt(now)
	return Standing{
		account: s.Player, Name: s.Name, Kind: string(s.Kind), Settled: r.IsSettled(),
		Online: s.Kind == store.Bot || l.online(s.Player),
		// A rated match has a winner, so all matches that were not won are lost.
		Games: s.Played, Won: s.Won, Lost: s.Played - s.Won,
		Rating: Estimate{math.Round(r.Value), math.Round(r.Value - 2*r.Deviation), math.Round(r.Value + 2*r.Deviation)},
	}
}
