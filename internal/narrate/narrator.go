package narrate

import (
	"broadside/internal/i18n"
	"broadside/match"
	"broadside/match/live"
)

// Narrator says what happens in one match to a player or to those who watch. It is not safe for
// concurrent use.
type Narrator struct {
	Side     match.Side // the reader's; match.Nobody for those who watch
	Names    [2]string  // the name of Side is not used
	Together bool       // both players read at the same terminal

	timedOut bool // the clock fired shots whose results are not known yet
}

// opponent returns the name of the reader's opponent.
func (n *Narrator) opponent() string { return n.Names[n.Side.Other()] }

// Changes describes an update: its events, pauses and connections. before is the previous update.
// If the update lacks events, it describes the last shots instead.
func (n *Narrator) Changes(before, now *live.Update) []Line {
	v := &now.View
	lines := n.Events(now.Events, v)
	if now.Missed && len(now.Events) == 0 {
		lines = n.recentShots(v)
	}
	if v.Phase == match.Over {
		return lines
	}
	if now.Paused && !before.Paused {
		lines = append(lines, detail("The match is paused: the server can't save it at the moment."))
	}
	if before.Paused && !now.Paused {
		lines = append(lines, detail("The match continues."))
	}
	for side, name := range n.Names {
		if now.Away[side] != before.Away[side] && match.Side(side) != n.Side && !n.Together {
			lines = append(lines, presence(name, now.Away[side]))
		}
	}
	return lines
}

// recentShots describes each side's last shots, the older ones first.
func (n *Narrator) recentShots(v *match.View) (lines []Line) {
	for _, side := range [2]match.Side{v.Turn, v.Turn.Other()} {
		if side != match.Nobody && len(v.Last[side]) > 0 {
			lines = append(lines, n.Shots(side, v.Last[side], false, v))
		}
	}
	return lines
}

// Events describes events. The view is from the time after them.
func (n *Narrator) Events(events []match.Event, v *match.View) (lines []Line) {
	for i, e := range events {
		switch e.Kind {
		case match.FleetPlaced, match.FleetKept:
			lines = append(lines, n.placement(e, v))
		case match.BattleBegun:
			lines = append(lines, n.Beginning(e.Side))
		case match.ShotFired:
			n.timedOut = n.timedOut || e.Auto
		case match.ShotAnswered:
			if !match.InVolley(events, i) {
				lines = append(lines, n.Shots(e.Side.Other(), match.Volley(events[i:]), n.timedOut, v))
			}
			n.timedOut = false
		case match.FleetMoved:
			lines = append(lines, n.Move(e, v))
		case match.AnswersDisputed:
			lines = append(lines, n.Dispute(e.Side))
		}
	}
	return lines
}

func (n *Narrator) placement(e match.Event, v *match.View) Line {
	if e.Side != n.Side {
		return detail("%s is ready.", n.Names[e.Side])
	}
	line := detail("Your fleet is placed: %s.", Positions(v.Rules, e.Layout()))
	if !v.Ready[e.Side.Other()] {
		line.Detail = join(line.Detail, i18n.NewMessage("%s is still placing ships.", n.opponent()))
	}
	return line
}

// Beginning says that the battle begins, and to those who watch, which side fires first.
func (n *Narrator) Beginning(first match.Side) Line {
	if n.Side == match.Nobody {
		return sentence(BeginsText, n.Names[first])
	}
	return sentence("The battle begins.")
}

// Shots describes the results of a side's shots in one turn; there is at least one. timedOut means
// that the clock fired.
func (n *Narrator) Shots(by match.Side, shots []match.Shot, timedOut bool, v *match.View) Line {
	line := n.fire(by, shots, v)
	if timedOut {
		line.Full = join(i18n.NewMessage("Time is up."), line.Full)
	}
	hits, sunk := 0, false
	for _, shot := range shots {
		if shot.Result != match.Water {
			hits++
		}
		sunk = sunk || shot.Result == match.Sunk
	}
	if len(shots) > 1 {
		line.Brief = i18n.NewMessage("%s: %d of %d hit||%s: %d of %d hit", n.subject(by), hits, len(shots))
	}
	if hits > 0 && n.Side == by {
		line.Tone = Good
	} else if hits > 0 && n.Side != match.Nobody {
		line.Tone = Bad
	}
	if sunk && v.Phase == match.Battle {
		line.Detail = n.ShipsLeft(by.Other(), v)
	}
	return line
}

// fire describes shots without the clock.
func (n *Narrator) fire(by match.Side, shots []match.Shot, v *match.View) Line {
	first := shots[0].Cell.String()
	brief := i18n.NewMessage("%s %s: %s", n.subject(by), first, Result(shots[0].Result))
	switch own := by == n.Side; {
	case len(shots) > 1 && own:
		return Line{Full: i18n.NewMessage("You fired: %s.", n.results(by, shots, v))}
	case len(shots) > 1:
		return Line{Full: i18n.NewMessage("%s fired: %s.", n.Names[by], n.results(by, shots, v))}
	case own:
		return Line{Full: i18n.NewMessage("You fired at %s: %s.", first, n.result(by, shots[0], v)), Brief: brief}
	}
	return Line{Full: i18n.NewMessage(FiredText, n.Names[by], first, n.result(by, shots[0], v)), Brief: brief}
}

// subject returns a side's name, or You for the reader.
func (n *Narrator) subject(side match.Side) any {
	if side == n.Side {
		return i18n.Key("You")
	}
	return n.Names[side]
}

// Results describes shots as in "B4 miss, C7 hit".
func Results(shots []match.Shot) i18n.Message {
	watcher := Narrator{Side: match.Nobody}
	return watcher.results(match.First, shots, &match.View{})
}

// results describes shots as in "B4 miss, C7 hit".
func (n *Narrator) results(by match.Side, shots []match.Shot, v *match.View) (all i18n.Message) {
	for _, shot := range shots {
		all = list(all, i18n.NewMessage("%s %s", shot.Cell.String(), n.result(by, shot, v)))
	}
	return all
}

// result describes what a shot did. It names the reader's ship that was hit.
func (n *Narrator) result(by match.Side, shot match.Shot, v *match.View) i18n.Message {
	ship := ShipAt(v.Rules, v.Fleets[by.Other()], shot.Cell)
	switch {
	case by.Other() != n.Side || shot.Result == match.Water || ship.Key == "":
		return i18n.NewMessage(Result(shot.Result))
	case shot.Result == match.Hit:
		return i18n.NewMessage("%s hit", ship)
	}
	return i18n.NewMessage("%s sunk", ship)
}

// ShipsLeft says how many ships a side has left.
func (n *Narrator) ShipsLeft(side match.Side, v *match.View) i18n.Message {
	switch left := v.Charts[side.Other()].ShipsLeft(); n.Side {
	case side:
		return i18n.NewMessage("You have %d ship left.||You have %d ships left.", left)
	case side.Other():
		return i18n.NewMessage("%d ship is left to sink.||%d ships are left to sink.", left)
	default:
		return i18n.NewMessage("%s has %d ship left.||%s has %d ships left.", n.Names[side], left)
	}
}

// Unanswered describes shots whose results are not known, because the match ended before.
func (n *Narrator) Unanswered(by match.Side, cells []match.Cell) i18n.Message {
	return i18n.NewMessage("%s fired at %s but got no result.", n.Names[by], Cells(cells...))
}

// Move describes the move of a ship to a reader who may see it, or that none moved.
func (n *Narrator) Move(e match.Event, v *match.View) Line {
	if e.Move == match.Stay && e.Auto {
		return sentence("Your time to move is up.")
	}
	if e.Move == match.Stay {
		return detail("Your ships stay where they are.")
	}
	ship := v.Fleets[e.Side][e.Move.Ship()]
	class, stern, bow := ClassName(v.Rules.Fleet[e.Move.Ship()]), ship.Stern.String(), ship.Bow().String()
	line := Line{Brief: i18n.NewMessage("%s: %s–%s", class, stern, bow)}
	if e.Side == n.Side {
		line.Full = i18n.NewMessage("Your %s is now at %s to %s.", class, stern, bow)
		return line
	}
	how := Manoeuvre(e.Move.Manoeuvre())
	line.Full = i18n.NewMessage("%s moved: %s %s, now from %s to %s.", n.Names[e.Side], class, how, stern, bow)
	return line
}

// Dispute says that a side's answers contradict each other.
func (n *Narrator) Dispute(side match.Side) Line {
	if side == n.Side {
		return sentence("Your results contradict each other: the match is disputed.")
	}
	return sentence("%s's results contradict each other: the match is disputed.", n.Names[side])
}

// presence says that a player has lost the connection or is back.
func presence(name string, away bool) Line {
	if !away {
		return sentence("%s is back.", name)
	}
	return Line{Full: i18n.NewMessage("%s lost the connection.", name), Brief: i18n.NewMessage("%s is away.", name)}
}

// Status says to those who watch what a match waits for, or who won.
func (n *Narrator) Status(v *match.View) Line {
	switch {
	case v.Phase == match.Over:
		return n.Verdict(v)
	case v.Phase == match.Battle:
		return sentence(AimingText, n.Names[v.Turn])
	case v.Ready[match.First]:
		return sentence("%s is placing ships.", n.Names[match.Second])
	case v.Ready[match.Second]:
		return sentence("%s is placing ships.", n.Names[match.First])
	}
	return sentence(PlacingText)
}

// ShotCounts says how many shots each side fired.
func (n *Narrator) ShotCounts(v *match.View) i18n.Message {
	first := n.Side
	if first == match.Nobody {
		first = match.First
	}
	fired, other := i18n.NewMessage("%d shot||%d shots", v.Charts[first].Fired), v.Charts[first.Other()].Fired
	if n.Side == match.Nobody {
		return i18n.NewMessage("%s fired %s, %s fired %d.", n.Names[first], fired, n.Names[first.Other()], other)
	}
	return i18n.NewMessage("You fired %s, %s fired %d.", fired, n.opponent(), other)
}

// Rounds says how many rounds a match took, and how long. It is zero if a round is one shot by each
// side at a fleet that does not move, since the number of shots then says the same.
func Rounds(v *match.View) i18n.Message {
	if !v.Rules.Moving && !v.Rules.Salvo {
		return i18n.Message{}
	}
	return i18n.NewMessage("%d round in %s.||%d rounds in %s.", v.Rounds(), Clock(v.Took))
}

var resultWords = [...]i18n.Key{
	match.Water: "miss", match.Hit: "hit", match.Sunk: "sunk", match.LastSunk: "last ship sunk",
}

// Result returns a result in one or two words. An unknown result counts as [match.LastSunk].
func Result(r match.Result) i18n.Key { return resultWords[min(r, match.LastSunk)] }
