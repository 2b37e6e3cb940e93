package widget

import "broadside/internal/i18n"

// Rank is a naval rank for a range of ratings.
type Rank struct {
	MinRating float64
	Name      i18n.Key
	// Insignia is one cell wide.
	Insignia string
}

// ranks lists the ranks, lowest first. A built-in bot's rank follows from its rating under
// classic rules, so commodore is a commodore and admiral is an admiral.
var ranks = [...]Rank{
	{0, "cadet", "·"},
	{1000, "seaman", "›"},
	{1250, "midshipman", "»"},
	{1450, "ensign", "─"},
	{1550, "lieutenant", "═"},
	{1625, "commander", "╪"},
	{1700, "captain", "╬"},
	{1800, "commodore", "□"},
	{1900, "admiral##rank", "■"},
}

// RankForRating returns the rank for a rating.
func RankForRating(rating float64) Rank {
	rank := ranks[0]
	for _, r := range ranks {
		if rating >= r.MinRating {
			rank = r
		}
	}
	return rank
}

// Ranks returns all ranks, lowest first.
func Ranks() []Rank { return ranks[:] }
