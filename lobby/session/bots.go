package session

import (
	"cmp"
	"context"
	"slices"

	"broadside/bots"
	"broadside/internal/store"
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

// NextBot returns the next bot's name in [ListBots], without novelties, or "" if there is none.
func NextBot(r match.Rules, name string) string {
	all := ListBots(r)
	i := slices.IndexFunc(all, func(b bots.Info) bool { return b.Name == name })
	for _, b := range all[i+1:] {
		if i >= 0 && !b.IsNovelty {
			return b.Name
		}
	}
	return ""
}

// BotScores returns the player's scores under rules against bots that they have played, by the bot's name. It is nil
// for players without an account and on servers without a store.
func (s *Session) BotScores(ctx context.Context, r match.Rules) (map[string]store.BotScore, error) {
	me := s.Player().Account
	if me == "" || s.lobby.Store() == nil {
		return nil, nil
	}
	all, err := s.lobby.Store().Statistics.BotScores(ctx, me, r.Name)
	if err != nil {
		return nil, err
	}
	scores := make(map[string]store.BotScore, len(all))
	for _, score := range all {
		scores[score.Bot] = score
	}
	return scores, nil
}

// BotProgress says how many of the bots in [ListBots] a player has beaten.
type BotProgress struct {
	Beaten, Total int
	// Next is the weakest bot to beat, and a novelty only after all others. It is empty if all are beaten.
	Next string
}

// NewBotProgress returns a player's progress from the scores of [Session.BotScores].
func NewBotProgress(r match.Rules, scores map[string]store.BotScore) BotProgress {
	all := ListBots(r)
	p := BotProgress{Total: len(all)}
	novelty := ""
	for _, b := range all {
		switch {
		case scores[b.Name].Won > 0:
			p.Beaten++
		case b.IsNovelty:
			novelty = cmp.Or(novelty, b.Name)
		default:
			p.Next = cmp.Or(p.Next, b.Name)
		}
	}
	p.Next = cmp.Or(p.Next, novelty)
	return p
}
