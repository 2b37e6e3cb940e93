package widget

import "broadside/internal/i18n"

// Rank is a naval rank for a range of ratings.
type Rank struct {
	From     float64 // the lowest rating
	Name     i18n.Key
	Insignia string // one cell wide
}

// ranks lists the ranks, lowest first. The built-in bots have the ranks of their ratings
// under classic rules, so that commodore is a commodore and admiral is an admiral.
var ranks = [...]Rank{
	{0, "rank-cadet", "·"},
	{1000, "rank-seaman", "›"},
	{1250, "rank-midshipman", "»"},
	{1450, "rank-ensign", "─"},
	{1550, "rank-lieutenant", "═"},
	{1625, "rank-commander", "╪"},
	{1700, "rank-captain", "╬"},
	{1800, "rank-commodore", "□"},
	{1900, "rank-admiral", "■"},
}

// RankOf returns the rank for a rating.
func RankOf(rating float64) Rank {
	rank := ranks[0]
	for _, r := range ranks {
		if rating >= r.From {
			rank = r
		}
	}
	return rank
}

// Ranks returns all ranks, lowest first.
func Ranks() []Rank { return ranks[:] }
