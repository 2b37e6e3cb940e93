package session

import (
	"cmp"
	"slices"

	"broadside/bots"
	"broadside/internal/store/rating"
	"broadside/match"
)

// BotRating returns a built-in bot's fixed rating under a rule set, or false if the bot has none.
func BotRating(ruleSet, bot string) (value float64, ok bool) {
	r, ok := rating.BotRating(ruleSet, bot)
	return r.Value, ok
}

// ListBots returns the bots that can be challenged by name alone under rules, the weakest first. It
// orders them by mean shots under classic rules, and by rating under others.
func ListBots(r match.Rules) []bots.Info {
	all := bots.Opponents(r)
	if r.IsEquivalent(match.Classic()) {
		return all
	}
	slices.SortStableFunc(all, func(a, b bots.Info) int {
		ratingA, _ := BotRating(r.Name, a.Name)
		ratingB, _ := BotRating(r.Name, b.Name)
		return cmp.Compare(ratingA, ratingB)
	})
	return all
}

// NextBot returns the next bot's name in [ListBots], or "" after the last one.
func NextBot(r match.Rules, name string) string {
	all := ListBots(r)
	i := slices.IndexFunc(all, func(b bots.Info) bool { return b.Name == name })
	if i < 0 || i == len(all)-1 {
		return ""
	}
	return all[i+1].Name
}
