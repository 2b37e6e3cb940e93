package screen

import (
	tea "charm.land/bubbletea/v2"

	"broadside/lobby"
	"broadside/match"
	"broadside/tui/widget"
)

// ContinueMatch continues the player's match in this session, even if another session
// played it.
func ContinueMatch(env *widget.Env) {
	if env.Session.Occupancy() == lobby.NoSeat {
		env.Notice = env.Lang.Text("You have no match to continue.")
		return
	}
	env.CheckAction(env.Session.RejoinMatch(true, true))
}

// StartMatch looks for an opponent, or starts a match against a bot.
func StartMatch(env *widget.Env, bot string, r match.Rules, ratingMode lobby.RatingMode) tea.Cmd {
	if bot != "" {
		env.CheckAction(env.Session.PlayBot(bot, r, ratingMode))
		return nil
	}
	return ShowOffer(env, env.Session.FindOpponent(r, ratingMode))
}

// FeaturedTarget returns the featured match, which keeps running while the player is not
// idle.
func FeaturedTarget(env *widget.Env) widget.WatchTarget {
	if env.Idle {
		return widget.WatchTarget{}
	}
	return widget.WatchTarget{ID: env.Lobby.Featured.ID, KeepsFeatured: true}
}
