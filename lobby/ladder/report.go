package ladder

import (
	"cmp"
	"context"
	"slices"
	"time"

	"broadside/internal/store"
	"broadside/internal/store/rating"
)

// Report is the ladder of one rule set, best player first. Players whose rating is provisional come
// after all others.
type Report struct {
	Rules    string     `json:"rules"`
	At       time.Time  `json:"at"`                // UTC, like Computed
	Computed time.Time  `json:"computed,omitzero"` // when all players were last rated from all matches
	Players  []Standing `json:"players"`
	// Pairs has the results of those players against each other, once for each pair that
	// have played.
	Pairs []Encounter `json:"pairs"`
}

// Standing is a player on the ladder.
type Standing struct {
	Place  int      `json:"place"` // from 1
	Name   string   `json:"name"`
	Kind   string   `json:"kind"`   // program or bot
	Online bool     `json:"online"` // waits or plays; always true for bots
	Rating Estimate `json:"rating"` // current, from one match after another
	// Settled reports whether the rating is no longer provisional.
	Settled bool `json:"settled"`
	Games   int  `json:"games"`
	Won     int  `json:"won"`
	Lost    int  `json:"lost"`
	// Computed is the rating from all matches at once, as of [Report.Computed]; nil: none yet.
	Computed *Estimate `json:"computed"`

	account string
}

// Drift returns how much higher the current rating is than the computed one; 0 without one.
func (s Standing) Drift() float64 {
	if s.Computed == nil {
		return 0
	}
	return s.Rating.Value - s.Computed.Value
}

// RatingText returns the current rating as [Estimate.String] does, with a question mark while
// it is provisional.
func (s Standing) RatingText() string {
	if s.Settled {
		return s.Rating.String()
	}
	return s.Rating.text("?")
}

// Encounter is the results of two players against each other.
type Encounter struct {
	Players [2]int `json:"players"` // indexes of Report.Players, the lower first
	Games   int    `json:"games"`
	Won     [2]int `json:"won"` // by player
}

// reportTime is how long a report is used again.
const reportTime = 5 * time.Second

// Report returns the ladder of a rule set. It waits until [Ladder.Run] has tried to read the
// results, for the database, and for other calls, so that many callers share a report.
func (l *Ladder) Report(ctx context.Context, ruleSet string) (Report, error) {
	select {
	case <-l.started:
	case <-ctx.Done():
		return Report{}, ctx.Err()
	}
	select {
	case l.reporting <- struct{}{}:
		defer func() { <-l.reporting }()
	case <-ctx.Done():
		return Report{}, ctx.Err()
	}
	l.mu.Lock()
	t, known := l.rules[ruleSet]
	if !known {
		t = newTable()
	}
	if r := t.report; r != nil && time.Since(r.At) < reportTime {
		l.mu.Unlock()
		return *r, nil
	}
	out := Report{Rules: ruleSet, At: time.Now().UTC(), Computed: t.computed.at.UTC(), Players: []Standing{}, Pairs: []Encounter{}}
	for _, account := range t.results.busiest() {
		out.Players = append(out.Players, t.standing(account))
	}
	l.mu.Unlock()
	for i := range out.Players {
		if err := l.complete(ctx, &out.Players[i], ruleSet, out.At); err != nil {
			return Report{}, err
		}
	}
	slices.SortStableFunc(out.Players, func(a, b Standing) int {
		if a.Settled != b.Settled {
			if a.Settled {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.Rating.Value, a.Rating.Value)
	})
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range out.Players {
		out.Players[i].Place = i + 1
		for j := range i {
			if s := t.results.between(out.Players[j].account, out.Players[i].account); s.games > 0 {
				out.Pairs = append(out.Pairs, Encounter{[2]int{j, i}, s.games, s.won})
			}
		}
	}
	t.report = &out
	return out, nil
}

// standing returns a player's results.
func (t *table) standing(account string) Standing {
	total := t.results.total[account]
	s := Standing{account: account, Games: total.games, Won: total.won[0], Lost: total.won[1]}
	if e, ok := t.computed.players[account]; ok {
		s.Computed = &e
	}
	return s
}

// complete reads a player's name and current rating.
func (l *Ladder) complete(ctx context.Context, s *Standing, ruleSet string, now time.Time) error {
	p, err := l.cfg.Store.Accounts.ByID(ctx, s.account)
	if err != nil {
		return err
	}
	all, err := l.cfg.Store.Ratings.Of(ctx, s.account)
	if err != nil {
		return err
	}
	r := rating.New()
	for _, one := range all {
		if one.RuleSet == ruleSet {
			r = one.At(now)
		}
	}
	s.Name, s.Kind, s.Settled = p.Name, string(p.Kind), r.Settled()
	s.Online = p.Kind == store.Bot || l.cfg.Lobby.Online(s.account)
	s.Rating = newEstimate(r.Value, r.Value-2*r.Deviation, r.Value+2*r.Deviation)
	return nil
}
