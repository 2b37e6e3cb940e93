package account

import (
	"context"
	"slices"

	"broadside/internal/store"
	"broadside/match"
)

// Profile is a player's public profile.
type Profile struct {
	Player store.Player
	// Form holds the results of the last matches, newest first.
	Form []store.Outcome
	// Rules has a profile for each rule set that the player has played or is rated under.
	Rules []RulesProfile
	// Career is zero in a brief profile.
	Career Career
}

// RulesProfile is a player's profile for one rule set.
type RulesProfile struct {
	Name string
	store.Figures
	// Standing has no rule set if the player has no rating.
	Standing store.Standing
	// FirstShots is in how many matches each cell was among the first shots.
	FirstShots map[match.Cell]int
	// FirstResults has the first shots' results in the last matches, best cell first.
	FirstResults []store.CellResults
}

// BestFirstShots returns the cells among the first shots that hit most often, and those that hit most rarely. Both
// start with the most extreme one. A single shot at a cell says too little.
func (r *RulesProfile) BestFirstShots() (best, worst []store.CellResults) {
	isRare := func(c store.CellResults) bool { return c.Shots < 2 }
	all := slices.DeleteFunc(slices.Clone(r.FirstResults), isRare)
	n := min(3, len(all)/2)
	best, worst = all[:n], slices.Clone(all[len(all)-n:])
	slices.Reverse(worst)
	if n > 0 && best[0].Hits*worst[0].Shots == worst[0].Hits*best[0].Shots {
		// All cells are equally good.
		return nil, nil
	}
	return best, worst
}

// firstResultMatches limits the matches whose records a profile reads.
const firstResultMatches = 40

const formLength = 10

// ForRules returns the profile for a rule set. It is empty if the player has neither a match nor a
// rating under these rules.
func (p *Profile) ForRules(ruleSet string) RulesProfile {
	for _, r := range p.Rules {
		if r.Name == ruleSet {
			return r
		}
	}
	return RulesProfile{Name: ruleSet}
}

// Total returns the figures of all rule sets together, without accuracies.
func (p *Profile) Total() (total store.Figures) {
	for _, r := range p.Rules {
		total.Games += r.Games
		total.Won += r.Won
		total.Shots += r.Shots
		total.Hits += r.Hits
	}
	return total
}

// ReadProfile reads a player's profile, with or without first shots. It waits for the database.
func ReadProfile(ctx context.Context, s *store.Store, p store.Player, withFirstShots bool) (Profile, error) {
	form, err := s.Statistics.RecentOutcomes(ctx, p.ID, formLength)
	if err != nil {
		return Profile{}, err
	}
	figures, err := s.Statistics.Figures(ctx, p.ID)
	if err != nil {
		return Profile{}, err
	}
	ratings, err := s.Ratings.ListByPlayer(ctx, p.ID)
	if err != nil {
		return Profile{}, err
	}
	out := Profile{Player: p, Form: form}
	for _, f := range figures {
		r := RulesProfile{Name: f.RuleSet, Figures: f}
		if withFirstShots {
			r.FirstShots, err = s.Statistics.FirstShots(ctx, p.ID, f.RuleSet)
			if err != nil {
				return Profile{}, err
			}
			r.FirstResults, err = s.Statistics.FirstShotResults(ctx, p.ID, f.RuleSet, firstResultMatches)
			if err != nil {
				return Profile{}, err
			}
		}
		out.Rules = append(out.Rules, r)
	}
	for _, standing := range ratings {
		i := slices.IndexFunc(out.Rules, func(r RulesProfile) bool { return r.Name == standing.RuleSet })
		// Bots that have not played have a rating, too.
		if i < 0 {
			i = len(out.Rules)
			out.Rules = append(out.Rules, RulesProfile{Name: standing.RuleSet})
		}
		out.Rules[i].Standing = standing
	}
	return out, nil
}
