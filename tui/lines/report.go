package lines

import (
	"broadside/internal/narrate"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/match/live"
)

// report describes the changes in a match update.
type report struct {
	*game
	before *live.Update
}

// printAndLog says a line about the match and adds it to the log.
func (r report) printAndLog(line narrate.Line) {
	text := line.Text(r.lang)
	r.add(text)
	r.log.add(text)
}

// printWelcome describes the match when the player enters it.
func (r report) printWelcome() {
	v := r.view()
	if r.isPlacing() {
		r.print("You are playing against %s: %s.", r.nameWithRating(r.Opponent, v.Rules), r.matchTerms(v.Rules))
	}
	code := r.state.Seat.ResumeCode
	if code != "" && v.Phase != match.Over {
		r.print("If the connection drops, reconnect with: ssh HOST resume %s", code)
	}
	if v.Phase == match.Over {
		r.printEnd()
		return
	}
	why := r.state.CasualReason()
	if why != "" && v.Phase == match.Placing {
		r.print("This match is casual: %s.", why)
	}
	if r.state.CanRemoveOpponent(v) {
		r.print("This is your match. Type remove to remove %s before the battle starts.", r.opponent)
	}
	r.printStatus()
}

// printChanges describes the changes since the previous update.
func (r report) printChanges() {
	v := r.view()
	for _, line := range r.narrator.ChangeLines(r.before, &r.lastUpdate) {
		r.printAndLog(line)
	}
	if r.lastUpdate.Missed {
		r.print("Some events were skipped. Type status to catch up.")
	}
	if v.Phase == match.Over {
		r.printEnd()
		return
	}
	r.printAbsentOpponent()
	if r.Pace > 0 && !r.isMyTurn() && (r.mustFire(&r.before.View) || !r.before.View.Ready[r.Side]) {
		r.print("You can leave: type lobby, or open next for the next match that waits for you.")
	}
	if r.mustFire(v) && (!r.mustFire(&r.before.View) || r.before.View.Charts[r.Side].Fired < v.Charts[r.Side].Fired) {
		r.printTurn()
	}
}

// printAbsentOpponent says that the player can claim the win over an absent opponent, now or later.
func (r report) printAbsentOpponent() {
	other := r.Side.Other()
	if r.lastUpdate.Late[other] && !r.before.Late[other] {
		r.print(absentMessage, r.opponent)
	}
	if r.before.AwayUntil[other].IsZero() {
		r.printClaimTime()
	}
}

// printEnd describes how the match ended.
func (r report) printEnd() {
	r.onTurnsObsolete()
	v, o := r.view(), r.state.Outcome
	if o.Continues {
		r.print("The server is shutting down. Come back when it is up again to continue your match.")
		code := r.state.Seat.ResumeCode
		if code != "" {
			r.print("To reconnect: ssh HOST resume %s", code)
		}
		return
	}
	r.printAndLog(r.narrator.Verdict(v))
	r.addMessage(r.narrator.EndReason(v))
	r.addMessage(r.narrator.ShotCounts(v))
	r.addMessage(narrate.RoundsAndTime(v))
	if o.Rated {
		r.printRating(o)
	}
	if r.session.State().HasStore && !o.Stored {
		r.print("The server could not save this match yet and will try again.")
	}
	if v.Disputed[match.First] || v.Disputed[match.Second] {
		r.print("The match is disputed: results contradicted each other.")
	}
	own, other := o.Score[r.Side], o.Score[r.Side.Other()]
	if own+other > 1 {
		r.print("Matches won: you %d, %s %d.", own, r.opponent, other)
	}
	if r.Opponent.Kind == account.Bot && v.Winner == r.Side {
		next := session.NextBot(r.settings.Rules, r.Opponent.Name)
		if next != "" {
			r.print("To play the next stronger bot, type bot %s.", narrate.BotName(r.lang, next))
		}
	}
	if v.Fleets[r.Side.Other()] != nil {
		r.print("Type rematch, or lobby. Type chart to see where %s's ships were.", r.opponent)
	} else {
		r.print("Type rematch, or lobby.")
	}
	r.printShareLine()
	r.printOrAwaitReview()
	r.printAccountHint()
}

// printShareLine prints the result as a line to copy.
func (r report) printShareLine() {
	v := r.view()
	if v.Winner == match.Nobody {
		return
	}
	names, client := r.narrator.Names, r.session.Client()
	names[r.Side] = collapseSpaces(r.shortName(r.state.Me))
	result := narrate.MatchResult(r.lang, names, v.Winner, v.Reason, v.Charts[v.Winner].Fired)
	r.add(narrate.ShareLine(result, narrate.PublicAddress(client.Website, client.Address, r.state.MatchPath())))
}

// printRating says how the player's rating changed.
func (r report) printRating(o lobby.Outcome) {
	now := o.RatingText(r.Side)
	if o.IsRatingKeptForProvisional(r.Side) {
		defer r.print("Your rating stays the same: %s's rating is provisional.", r.opponent)
	}
	switch change := int(o.After[r.Side]) - int(o.Before[r.Side]); {
	case change > 0:
		r.print("Your rating is now %s, up by %d.", now, change)
	case change < 0:
		r.print("Your rating is now %s, down by %d.", now, -change)
	default:
		r.print("Your rating is still %s.", now)
	}
}
