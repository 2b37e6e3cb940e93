package lines

import (
	"slices"

	"broadside/internal/i18n"
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

// note says a sentence and adds it to the log.
func (r report) note(text i18n.Key, args ...any) { r.noteMessage(i18n.NewMessage(text, args...)) }

func (r report) noteMessage(m i18n.Message) {
	sentence := m.In(r.l)
	r.add(sentence)
	r.log.add(sentence)
}

// welcome describes the state of the match when the player enters it.
func (r report) welcome() {
	v := r.view()
	if r.placing() {
		r.print("You are playing against %s: %s.", r.rated(r.Opponent, v.Rules), r.terms(v.Rules))
	}
	if code := r.state.Seat.Code; code != "" && v.Phase != match.Over {
		r.print("If the connection drops, reconnect with: ssh HOST resume %s", code)
	}
	if v.Phase == match.Over {
		r.end()
		return
	}
	if why := r.state.WhyCasual(); why != "" && v.Phase == match.Placing {
		r.print("This match is casual: %s.", why)
	}
	if r.state.MayRemoveOpponent(v) {
		r.print("This is your match. Type remove to remove %s before the battle begins.", r.opponent)
	}
	r.printStatus()
}

// printChanges describes the changes since the previous update.
func (r report) printChanges() {
	v := r.view()
	auto := false // the clock fired
	for i, e := range r.last.Events {
		switch e.Kind {
		case match.ShotFired:
			auto = auto || e.Auto
		case match.ShotAnswered:
			if !match.InVolley(r.last.Events, i) {
				r.shots(e, match.Volley(r.last.Events[i:]), auto)
			}
			auto = false
		default:
			r.event(e)
		}
	}
	if r.last.Missed {
		r.print("Some events were skipped. Type status to catch up.")
	}
	if v.Phase == match.Over {
		r.end()
		return
	}
	r.connection()
	r.pause()
	if r.aiming(v) && (!r.aiming(&r.before.View) || r.before.View.Charts[r.Side].Fired < v.Charts[r.Side].Fired) {
		r.printTurn()
	}
}

// event describes an event other than a shot.
func (r report) event(e match.Event) {
	switch e.Kind {
	case match.FleetPlaced, match.FleetKept:
		r.placed(e)
	case match.BattleBegun:
		r.note("The battle begins.")
	case match.FleetMoved:
		r.moved(e)
	case match.AnswersDisputed:
		if e.Side == r.Side {
			r.note("Your answers contradict each other: the match is disputed.")
		} else {
			r.noteMessage(narrate.Disputed(r.opponent))
		}
	}
}

func (r report) placed(e match.Event) {
	if e.Side != r.Side {
		r.print("%s is ready.", r.opponent)
		return
	}
	r.print("Your fleet is placed. %s", r.positions(r.Rules, e.Layout()))
	if !r.view().Ready[r.Side.Other()] {
		r.print("%s is still placing ships.", r.opponent)
	}
}

func (r report) moved(e match.Event) {
	switch {
	case e.Move != match.Stay:
		i, v := e.Move.Ship(), r.view()
		l := v.Fleets[r.Side][i]
		r.print("Your %s is now at %s to %s.", r.ship(v.Rules.Fleet[i]), l.Stern.String(), l.Bow().String())
	case e.Auto:
		r.print("Your time to move is up.")
	default:
		r.print("Your ships stay where they are.")
	}
}

// shots describes the shots of a turn. e is the first answer; auto means that the
// clock fired.
func (r report) shots(e match.Event, shots []match.Shot, auto bool) {
	own, several := e.Side != r.Side, len(shots) > 1
	switch {
	case auto && own && several:
		r.note("You ran out of time: random shots.")
	case auto && own:
		r.note("You ran out of time: a random shot.")
	case auto && several:
		r.note("%s ran out of time: random shots.", r.opponent)
	case auto:
		r.note("%s ran out of time: a random shot.", r.opponent)
	}
	switch {
	case several:
		r.salvo(e.Side, shots)
	case own:
		r.ownShot(e)
	default:
		r.enemyShot(e)
	}
}

// salvo describes several shots at a side.
func (r report) salvo(side match.Side, shots []match.Shot) {
	v, own := r.view(), side != r.Side
	if own {
		r.note("Your salvo: %s.", narrate.Results(shots).In(r.l))
	} else {
		r.note("%s fires a salvo: %s.", r.opponent, r.hitShips(v, side, shots))
	}
	sunk := slices.ContainsFunc(shots, func(shot match.Shot) bool { return shot.Result == match.Sunk })
	switch left := v.Charts[side.Other()].ShipsLeft(); {
	case !sunk || v.Phase == match.Over:
	case own:
		r.print("%d ship is left to sink.||%d ships are left to sink.", left)
	default:
		r.print("You have %d ship left.||You have %d ships left.", left)
	}
}

// hitShips describes shots at a side, with the names of the ships hit.
func (r report) hitShips(v *match.View, side match.Side, shots []match.Shot) string {
	all := make([]string, len(shots))
	for i, shot := range shots {
		ship, did := r.shipAt(v.Rules, v.Fleets[side], shot.Cell), r.l.Text("miss")
		switch {
		case shot.Result == match.Hit:
			did = r.l.Text("%s hit", ship)
		case shot.Result != match.Water:
			did = r.l.Text("%s sunk", ship)
		}
		all[i] = shot.Cell.String() + " " + did
	}
	return list(all)
}

// ownShot describes a shot by the player.
func (r report) ownShot(e match.Event) {
	switch cell := e.Cell.String(); e.Result {
	case match.Water:
		r.note("%s: miss.", cell)
	case match.Hit:
		r.note("%s: hit.", cell)
	case match.Sunk:
		r.note("%s: hit and sunk. %d ship is left to sink.||%s: hit and sunk. %d ships are left to sink.", cell, r.chart().ShipsLeft())
	default:
		r.note("%s: hit and sunk, the last ship.", cell)
	}
}

// enemyShot describes a shot by the opponent.
func (r report) enemyShot(e match.Event) {
	v := r.view()
	hit := r.shipAt(v.Rules, v.Fleets[r.Side], e.Cell)
	switch cell := e.Cell.String(); e.Result {
	case match.Water:
		r.note("%s fires at %s: miss.", r.opponent, cell)
	case match.Hit:
		r.note("%s fires at %s: your %s is hit.", r.opponent, cell, hit)
	case match.Sunk:
		r.note("%s fires at %s: your %s is sunk. You have %d ship left.||%s fires at %s: your %s is sunk. You have %d ships left.", r.opponent, cell, hit, v.Charts[r.Side.Other()].ShipsLeft())
	default:
		r.note("%s fires at %s: your %s is sunk, your last ship.", r.opponent, cell, hit)
	}
}

// connection says that the opponent has left or returned.
func (r report) connection() {
	other := r.Side.Other()
	switch now := &r.last; {
	case now.Late[other] && !r.before.Late[other]:
		r.note(absent, r.opponent)
	case now.Away[other] != r.before.Away[other]:
		r.noteMessage(narrate.Presence(r.opponent, now.Away[other]))
	}
	if r.before.AwayUntil[other].IsZero() {
		r.printClaim()
	}
}

// pause says that the match has been paused or continues.
func (r report) pause() {
	switch {
	case r.last.Paused && !r.before.Paused:
		r.note(paused)
	case !r.last.Paused && r.before.Paused:
		r.note("The match continues.")
	}
}

// end describes how the match ended.
func (r report) end() {
	r.dropped()
	v, o := r.view(), r.state.Outcome
	if o.Continues {
		r.print("The server is shutting down. Come back when it is up again to continue your match.")
		if code := r.state.Seat.Code; code != "" {
			r.print("To reconnect: ssh HOST resume %s", code)
		}
		return
	}
	switch v.Winner {
	case r.Side:
		r.note("You won.")
	case r.Side.Other():
		r.note("You lost.")
	default:
		r.note("Nobody won.")
	}
	if why := narrate.Ending(r.l, v, r.Side, r.opponent); why != "" {
		r.add(why)
	}
	r.print("You fired %d shot, and %s %d.||You fired %d shots, and %s %d.", v.Charts[r.Side].Fired, r.opponent, v.Charts[r.Side.Other()].Fired)
	if rounds := narrate.Rounds(r.l, v); rounds != "" {
		r.add(rounds)
	}
	if o.Rated {
		r.rating(o)
	}
	if r.own.State().HasStore && !o.Stored {
		r.print("The server could not save this match yet and will try again.")
	}
	if v.Disputed[match.First] || v.Disputed[match.Second] {
		r.print("The match is disputed: answers contradicted each other.")
	}
	if own, other := o.Score[r.Side], o.Score[r.Side.Other()]; own+other > 1 {
		r.print("Matches won: you %d, %s %d.", own, r.opponent, other)
	}
	if r.Opponent.Kind == account.Bot && v.Winner == r.Side {
		if next := session.NextBot(r.chosen.Rules, r.Opponent.Name); next != "" {
			r.print("To play the next stronger bot, type bot %s.", narrate.BotName(r.l, next))
		}
	}
	if v.Fleets[r.Side.Other()] != nil {
		r.print("Type rematch, or lobby. Type chart to see where %s's ships were.", r.opponent)
	} else {
		r.print("Type rematch, or lobby.")
	}
	r.printReview()
	r.askName()
}

// rating describes the change of the player's rating.
func (r report) rating(o lobby.Outcome) {
	now := o.RatingText(r.Side)
	if o.KeepsRating(r.Side) {
		defer r.print("Your rating stays: that of %s is provisional.", r.opponent)
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
